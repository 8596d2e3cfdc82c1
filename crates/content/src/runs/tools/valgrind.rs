//! Valgrind, which checks the memory of a program.

use tuckaway_search::find;

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, is_number, row};

/// Starts of errors.
const ERRORS: [&[u8]; 5] = [
    b"Invalid ",
    b"Conditional jump ",
    b"Use of uninitialised ",
    b"Mismatched free",
    b"Process terminating ",
];

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Valgrind",
    forms: &[row("==", Summary, 3).refined(message)],
    #[cfg(test)]
    samples: &[
        ("==12== Invalid write of size 8", Error),
        ("==12== ERROR SUMMARY: 4 errors from 2 contexts (suppressed: 0 from 0)", Failed),
        ("==12== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)", Passed),
        ("==12== All heap blocks were freed -- no leaks are possible", Progress),
    ],
    ..Profile::NONE
};

/// `==12== Invalid write of size 8`.
fn message(line: &Matched) -> Option<ToolLine> {
    let end = find::text(b"== ", line.rest)?;
    if !is_number(&line.rest[..end]) {
        return None;
    }
    let message = &line.rest[end + 3..];
    match message {
        _ if message.starts_with(b"ERROR SUMMARY: ") => {
            line.passed_if(message.starts_with(b"ERROR SUMMARY: 0 "))
        }
        _ if ERRORS.iter().any(|start| message.starts_with(start)) => line.meaning(Error),
        _ => Some(ToolLine::new(Tool::Valgrind, Progress, 1)),
    }
}
