//! Requests of a planned filter for parts of its document.

use super::condition::Condition;
use crate::demand::Demand;
use crate::value::Val;

/// The native that responds to a request, given its number. No filter can spell its name.
pub(super) const REQUEST: &str = "!request";

/// A request for a part of the document.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// The path to a location.
    pub(super) path: Vec<Step>,
    pub(super) kind: RequestKind,
    /// The demand for each value of the response.
    pub(super) demand: Demand,
    /// The response omits values of [`RequestKind::Each`] that fail this condition.
    pub(super) condition: Option<Condition>,
}

impl Request {
    /// Returns whether a value is in the response: it meets the condition, or only the filter can
    /// decide whether it does.
    pub(super) fn accepts(&self, value: &Val) -> bool {
        self.condition.as_ref().is_none_or(|condition| condition.holds(value) != Some(false))
    }
}

/// A step of a path to one location.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) selector: Selector,
    /// Whether a `?` follows: if the step fails, the response is empty.
    pub(super) is_optional: bool,
}

/// The selection of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selector {
    Key(String),
    Index(u64),
}

/// The kind of a request.
#[derive(Clone, Debug)]
pub(super) enum RequestKind {
    /// Null, or the error of the path.
    Path,
    Value,
    /// All values in it, one after the other.
    Each {
        is_optional: bool,
    },
    /// An element, counted from the end.
    FromEnd {
        index: i64,
        is_optional: bool,
    },
    Slice {
        from: Option<i64>,
        upto: Option<i64>,
        is_optional: bool,
    },
    Length,
    Type,
    /// The value with all values in it replaced by nulls.
    Outline,
}
