//! Snapshots of pages by their roles, as browsers' MCP servers return them: elements with a role, a
//! name and a reference, indented like a tree.
//!
//! ```text
//! - button "Remove" [ref=e12] [cursor=pointer]
//! uid=1_4 link "Home" url="https://example.org/"
//! ```

mod element;
mod outline;
mod to_json;

pub use outline::outline;
pub use to_json::to_json;

use self::element::Element;
use crate::sample::Sample;

/// Minimum elements with a reference.
const LEAST_REFERENCES: usize = 4;

/// Returns whether a sample is a snapshot: at least half of its lines are elements, many of these have a
/// reference, and some a name.
pub fn detect(sample: &Sample) -> bool {
    let (mut references, mut named, mut elements, mut others) = (0, 0, 0, 0);
    for line in sample.lines().filter(|line| !line.trim().is_empty()) {
        match Element::of(line.as_bytes()) {
            Some(element) if element.reference.is_some() => {
                references += 1;
                named += usize::from(element.name.is_some());
            }
            Some(_) => elements += 1,
            None => others += 1,
        }
    }
    let has_names = named > 1 && named * 8 >= references;
    has_names
        && references >= LEAST_REFERENCES
        && references * 2 >= elements
        && references + elements >= others
}

#[cfg(test)]
mod tests;
