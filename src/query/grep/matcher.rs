//! A query's pattern, compiled.

use tuckaway_contract::{Error, GrepQuery};
use tuckaway_search::matcher::{Matcher, TooCostly};

use crate::query::Words;

/// The argument that searches for a plain text, in dialects that have it.
const FIXED_STRING: &str = "fixed_string";

/// Compiles a query's pattern: `invalid-input` if it is malformed or too large.
pub(super) fn compile(query: &GrepQuery, words: &Words) -> Result<Matcher, Error> {
    let (matcher, advice) = match query.fixed_string {
        true => (Matcher::literal(&query.pattern, query.ignore_case), "Search for a part of it.".to_owned()),
        false => (
            Matcher::new(&query.pattern, query.ignore_case),
            format!("To search for exactly these characters, {}.", words.literal),
        ),
    };
    let arguments = match advice.contains(FIXED_STRING) {
        true => &["pattern", FIXED_STRING][..],
        false => &["pattern"],
    };
    matcher.map_err(|wrong| Error::invalid(format!("The pattern {wrong}. {advice}")).about(arguments))
}

/// The error of a search in a line: of a read, or of a pattern that costs too much.
pub(super) struct SearchError(Error);

impl From<Error> for SearchError {
    fn from(error: Error) -> Self {
        SearchError(error)
    }
}

impl From<TooCostly> for SearchError {
    fn from(_: TooCostly) -> Self {
        SearchError(Error::limit(
            "The pattern is too expensive for an artifact of this size. Reduce its counted repetitions ({0,500} is expensive, * is not), or search for a text that it contains.",
        ))
    }
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Self {
        error.0
    }
}
