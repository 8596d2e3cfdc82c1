//! Unified diffs: of git, `diff -u`, Subversion and Mercurial, alone or behind a
//! commit's message; and what `diff` writes by itself.
//!
//! ```text
//! lines ─► Walker (what each line is) ─┬─► shape: files and hunks by line number
//!                                      └─► cut: headers stay, bodies give way
//! ```
//!
//! The format is read by a walker of our own: a dozen rules about how a line
//! begins, which the parsers on crates.io wrap into trees of owned strings.

mod outline;
mod truncate;
mod walker;

pub use outline::outline;
pub use truncate::truncate;

use std::borrow::Cow;

use tuckaway_search::{Lines, find};
use walker::{Line, Walker};

use crate::sample::Sample;
use tuckaway_text::{clean::clean, lossy};

/// Lines within which a diff has begun, if a text is one: a commit's message and
/// its list of files may come first.
const BEGINS_WITHIN: usize = 200;

/// Whether there is a hunk, or a file header with a word of git's behind it, and most
/// lines from there on belong to a diff.
pub fn detect(sample: &Sample) -> bool {
    let mut walker = Walker::default();
    let (mut begun, mut files, mut belongs, mut strays) = (false, 0, 0, 0);
    let mut in_message = false;
    let head = uncoloured(sample.head.as_bytes());
    let mut lines = Lines::of(&head).enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let next = lines.peek().map_or(&b""[..], |(_, next)| next);
        let step = walker.step(line, next);
        begun |= matches!(step, Line::File { .. } | Line::Hunk);
        in_message = step == Line::Commit || in_message && step == Line::Other;
        match step {
            _ if !begun && (index > BEGINS_WITHIN || line.starts_with(b"```")) => return false,
            _ if !begun => {}
            Line::Commit => {}
            Line::Other => strays += usize::from(!line.is_empty() && !in_message),
            Line::File { .. } => files += 1,
            _ => belongs += 1,
        }
    }
    belongs > 0 && strays <= belongs / 4 + 2 * files
}

/// A diff as it is read: without colours, if it has any. Its lines keep their numbers.
fn uncoloured(bytes: &[u8]) -> Cow<'_, [u8]> {
    match find::byte(0x1b, bytes) {
        Some(_) => Cow::Owned(clean(&lossy(bytes)).into_owned().into_bytes()),
        None => Cow::Borrowed(bytes),
    }
}
