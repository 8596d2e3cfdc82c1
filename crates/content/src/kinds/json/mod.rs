//! JSON: one document, or several in a row.
//!
//! Detection reads all of it, once, into the [`Summary`] that the outline is made from.

mod children;
mod document;
mod errors;
mod selection;
mod siblings;
mod top;
mod truncate;

pub use truncate::truncate;

use std::rc::Rc;

use tuckaway_json::summary::Summary;

use self::top::Top;
use crate::outline::{Entry, Outline, json};
use crate::runs;
use crate::truncate::lines::Middle;

/// Returns keys, types and counts by path, with the short values at the top of a record. The results of a
/// test run come first.
pub fn outline(bytes: &[u8], summary: &Rc<Summary>, middle: &Middle) -> Outline {
    let mut outline = runs::report(bytes, summary);
    let top = middle.known_json().map(|values| Top::of(bytes, &values.spans, summary)).unwrap_or_default();
    if let Some(incomplete) = top.incomplete {
        outline.push("source", Entry::Text(incomplete));
    }
    outline.append(json::describe(summary, &top.values));
    outline
}

#[cfg(test)]
mod tests;
