//! Push-down: only the values that a filter's paths name are read from a large document.
//!
//! ```text
//! term ─► plan ─┬─► requests: .rows[], .meta.name, …
//!               └─► the term, each path replaced by a call that responds to its request
//! bytes ─► locate: checks the grammar of the whole document, and finds the requested locations
//!       ─► document: responds to requests, and reads elements one at a time
//! ```
//!
//! For equal keys, the last one counts, so a location is known only at the end of its object. This
//! takes two passes, except if the filter requests nothing but the elements of one array
//! (`single_pass`). The outputs, including errors and their messages, are those of the original
//! filter on the whole document.

mod condition;
mod document;
mod locate;
mod plan;
mod reader;
mod request;
mod single_pass;

use jaq_core::native::{self, Fun, v};

use crate::run::Jq;
use request::REQUEST;

pub(crate) use document::Document;
pub(crate) use plan::Plan;
pub(crate) use reader::ResumePoint;

/// Returns the native that responds to requests.
pub(crate) fn native() -> Fun<Jq> {
    native::run::<Jq>((REQUEST, v(1), |mut cv| {
        let request = cv.0.pop_var();
        match cv.0.data().surroundings().responder {
            Some(responder) => responder.respond(&request),
            None => Box::new(std::iter::empty()),
        }
    }))
}
