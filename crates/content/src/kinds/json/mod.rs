//! JSON: one document, or several in a row.
//!
//! Detection reads all of it, once, into the [`Summary`] that the outline is made from.

mod children;
mod document;
mod errors;
mod selection;
mod siblings;
mod truncate;

pub use truncate::truncate;

use std::rc::Rc;

use tuckaway_json::summary::Summary;

use crate::outline::{Outline, json};
use crate::runs;

/// Returns keys, types and counts by path. The results of a test run come first.
pub fn outline(bytes: &[u8], summary: &Rc<Summary>) -> Outline {
    let mut outline = runs::report(bytes, summary);
    outline.append(json::describe(summary));
    outline
}

#[cfg(test)]
mod tests;
