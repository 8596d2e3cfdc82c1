//! AddressSanitizer and its relatives, which report the first error of a program and end it.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "sanitizer",
    // A report without the bytes around the address is a trace and little else.
    prefixes: &[
        row("SUMMARY: ", Failed, 1).refined(of_sanitizer),
        row("Shadow bytes around the buggy address:", Progress, 1),
    ],
    forms: &[row("==", Error, 1).refined(of_sanitizer)],
    #[cfg(test)]
    samples: &[
        ("==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x7f7", Error),
        ("SUMMARY: AddressSanitizer: heap-buffer-overflow a.c:5 in f", Failed),
    ],
    ..Profile::NONE
};

fn of_sanitizer(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.has(b"Sanitizer: ") && (line.default.meaning == Failed || line.has(b"==ERROR: ")))
}
