//! A query's pattern, compiled.

use tuckaway_search::matcher::{Matcher, TooCostly};

use crate::error::Error;
use crate::model::GrepQuery;
use crate::query::Words;

/// Compiles a query's pattern: `invalid-input` if it is malformed or too large.
pub(super) fn compile(query: &GrepQuery, words: &Words) -> Result<Matcher, Error> {
    let (matcher, advice) = match query.fixed_string {
        true => (Matcher::literal(&query.pattern, query.ignore_case), "Search for a part of it.".to_owned()),
        false => (
            Matcher::new(&query.pattern, query.ignore_case),
            format!("To search for these very characters, {}.", words.literal),
        ),
    };
    matcher.map_err(|wrong| Error::invalid(format!("The pattern {wrong}. {advice}")))
}

impl From<TooCostly> for Error {
    fn from(_: TooCostly) -> Self {
        Error::limit(
            "The pattern costs too much on an artifact of this size. Make its counted repetitions smaller ({0,500} is costly where * is not), or search for a text that it contains.",
        )
    }
}
