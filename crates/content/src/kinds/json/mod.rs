//! JSON: one document, or several in a row.
//!
//! Detection reads all of it, once, into the [`Summary`] that the outline is made from.

mod children;
mod document;
mod errors;
mod go_test;
mod selection;
mod siblings;
mod truncate;

pub use truncate::truncate;

use std::rc::Rc;

use tuckaway_json::summary::Summary;

use crate::outline::{Outline, json};

/// Returns keys, types and counts by path. What a run of tests reports comes first.
pub fn outline(bytes: &[u8], summary: &Rc<Summary>) -> Outline {
    let mut outline = report(bytes, summary);
    outline.append(json::describe(summary));
    outline
}

/// Returns what a run of tests reports in a text that contains these documents; nothing
/// if they are others.
pub fn report(bytes: &[u8], summary: &Summary) -> Outline {
    match go_test::is_report(summary) {
        true => go_test::outline(bytes),
        false => Outline::default(),
    }
}

#[cfg(test)]
mod tests;
