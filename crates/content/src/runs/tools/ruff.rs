//! ruff.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{CAPITALS, Matched, row, starting_with};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "ruff",
    prefixes: &[row("All checks passed!", Passed, 3), row("unformatted: ", Error, 3)],
    counts: &[row(" file", Passed, 3).refined(formatted)],
    forms: &[starting_with(CAPITALS, Error, 0, rule)],
    #[cfg(test)]
    samples: &[
        ("F401 [*] `os` imported but unused", Error),
        ("PLR0133 Two constants compared", Error),
        ("All checks passed!", Passed),
        ("1 file would be reformatted, 2 files left unchanged", Failed),
        ("1 file reformatted, 2 files left unchanged", Passed),
        ("3 files left unchanged", Passed),
        ("3 files already formatted", Passed),
        ("unformatted: File would be reformatted", Error),
    ],
    ..Profile::NONE
};

/// `3 files reformatted, 2 files left unchanged`, `1 file would be reformatted`.
fn formatted(line: &Matched) -> Option<ToolLine> {
    let has = |text: &[u8]| find::text(text, line.rest).is_some();
    if has(b" would be reformatted") {
        return line.meaning(Failed);
    }
    let is_changed = has(b" reformatted, ") || line.rest.ends_with(b" reformatted");
    let is_done = is_changed || line.rest.ends_with(b" left unchanged");
    line.default_if(is_done && !has(b" would ") || line.rest.ends_with(b" already formatted"))
}

/// ``F401 [*] `os` imported but unused``, `PLR0133 Two constants compared`.
fn rule(line: &Matched) -> Option<ToolLine> {
    // Longer lines hardly are of a rule.
    const MAX_BYTES: usize = 300;
    let text = line.text;
    let letters = text.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let digits = text[letters..].iter().take_while(|b| b.is_ascii_digit()).count();
    let message = &text[letters + digits..];
    line.default_if(
        (1..=4).contains(&letters)
            && (digits == 3 || digits == 4 && text.starts_with(b"PL"))
            && matches!(message, [b' ', b'[' | b'`' | b'A'..=b'Z', _, ..])
            && text.len() <= MAX_BYTES,
    )
}
