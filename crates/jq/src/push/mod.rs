//! Filters that say by paths what they need of a document: only that is read.
//!
//! ```text
//! term ─► plan ─┬─► asks: .rows[], .meta.name, …
//!               └─► the term, each path replaced by a call that answers its ask
//! bytes ─► locate: the whole grammar is checked, the places of the asks found
//!       ─► document: answers, read from their places, elements one at a time
//! ```
//!
//! Of equal keys the last one counts, so that a place is known at the end of the
//! object only: hence two passes, but where the elements of one array are all that
//! is asked for (`once`). The outputs are those of the filter as it was written,
//! run on all of the document, errors and their messages included.

mod condition;
mod document;
mod locate;
mod once;
mod plan;

use jaq_core::native::{self, Fun, v};

use super::demand::Demand;
use super::run::Jq;
use condition::Condition;
pub(super) use document::{Answers, Document, Resume};
pub(super) use plan::Plan;

/// The filter that answers an ask. No filter that somebody writes can name it.
const ASK: &str = "!ask";

/// The native filter behind [`ASK`].
pub(super) fn native() -> Fun<Jq> {
    native::run::<Jq>((ASK, v(1), |mut cv| {
        let ask = cv.0.pop_var();
        match cv.0.data().answers {
            Some(answers) => answers.answer(&ask),
            None => Box::new(std::iter::empty()),
        }
    }))
}

/// Something that a filter needs of a document.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    path: Vec<Step>,
    what: What,
    /// Of each value that is the answer.
    demand: Demand,
    /// Of the values of [`What::Each`], those that fail it are left out.
    condition: Option<Condition>,
}

/// A step of a path to one place.
#[derive(Clone, Debug)]
struct Step {
    to: To,
    /// With a `?`: where it fails there is no answer.
    optional: bool,
}

/// Where a step leads.
#[derive(Clone, Debug, PartialEq, Eq)]
enum To {
    Key(String),
    Index(u64),
}

/// What is asked of a place.
#[derive(Clone, Debug)]
enum What {
    /// Whether the path leads anywhere: null if it does.
    Path,
    Value,
    /// All values inside of it, one after the other.
    Each {
        optional: bool,
    },
    /// An element that is counted from the end.
    At {
        index: i64,
        optional: bool,
    },
    Slice {
        from: Option<i64>,
        upto: Option<i64>,
        optional: bool,
    },
    Length,
    Type,
    /// The value with all that is inside replaced by nulls.
    Outline,
}
