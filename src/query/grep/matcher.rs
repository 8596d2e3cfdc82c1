//! A query's pattern, compiled.

use memchr::memmem;
use regex_lite::Regex;

use crate::error::Error;
use crate::model::GrepQuery;
use crate::query::pattern::{self, Flags};
use crate::text;

/// Says whether a line matches, and where first.
pub(super) struct Matcher {
    how: How,
    invert: bool,
}

enum How {
    /// A plain text, case and all: searched for as bytes, which finds the same
    /// as searching the shown text does, because UTF-8 can be found only where
    /// a character begins.
    Plain(Box<memmem::Finder<'static>>),
    Regex(Regex),
}

impl Matcher {
    /// `invalid-input` for a pattern that is none.
    pub(super) fn new(query: &GrepQuery) -> Result<Self, Error> {
        let pattern = &query.pattern;
        let special = |c: char| r"\.+*?()|[]{}^$".contains(c);
        let plain = !query.ignore_case
            && (query.fixed_string || !pattern.contains(special))
            // U+FFFD also stands for what is not UTF-8.
            && !pattern.contains(char::REPLACEMENT_CHARACTER);
        let how = match plain && pattern.len() <= pattern::MAX_PATTERN_BYTES {
            true => How::Plain(Box::new(memmem::Finder::new(pattern).into_owned())),
            false => How::Regex(regex(query)?),
        };
        Ok(Matcher { how, invert: query.invert })
    }

    /// Where the first match is, in bytes of the line's shown text; the line's
    /// start for a line that is wanted because nothing matches.
    pub(super) fn find(&self, line: &[u8]) -> Option<(usize, usize)> {
        let found = match &self.how {
            How::Plain(finder) => finder.find(line).map(|start| {
                let shown = if start == 0 { 0 } else { text::lossy(&line[..start]).len() };
                (shown, shown + finder.needle().len())
            }),
            How::Regex(regex) => regex.find(&text::lossy(line)).map(|found| (found.start(), found.end())),
        };
        match self.invert {
            false => found,
            true => found.is_none().then_some((0, 0)),
        }
    }
}

fn regex(query: &GrepQuery) -> Result<Regex, Error> {
    let flags = Flags { ignore_case: query.ignore_case, ..Flags::default() };
    if !query.fixed_string {
        return pattern::compile(&query.pattern, flags).map_err(|wrong| {
            Error::invalid(format!(
                "The pattern {wrong}. To search for these very characters, set fixed_string to true."
            ))
        });
    }
    // Escapes may pass the bound that the text itself keeps.
    if query.pattern.len() > pattern::MAX_PATTERN_BYTES {
        return Err(Error::invalid(format!(
            "The pattern is {} bytes long; at most {} are allowed. Search for a part of it.",
            query.pattern.len(),
            pattern::MAX_PATTERN_BYTES
        )));
    }
    pattern::literal(&query.pattern, flags).map_err(|wrong| Error::invalid(format!("The pattern {wrong}.")))
}
