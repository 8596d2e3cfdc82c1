//! Rules for the lines of one tool: their starts, and their classification.

use tuckaway_search::find;

use super::line::{Meaning, ToolLine};

/// Letters, with which most lines begin.
pub const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Capitals.
pub const CAPITALS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Classifies a line that a rule fits; none if it is not a line of a tool.
pub type Refine = fn(&Matched) -> Option<ToolLine>;

/// A form of lines of a tool.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Their start.
    pub text: &'static str,
    /// The first bytes of lines that begin in more than one way; `text` is then empty.
    pub first: &'static [u8],
    /// Their possible last bytes; empty if they are not known.
    pub last: &'static [u8],
    /// Their meaning.
    pub meaning: Meaning,
    /// Their weight as evidence.
    pub weight: u32,
    /// Classifies a line if its start alone is ambiguous.
    pub refine: Option<Refine>,
}

impl Rule {
    /// Sets the function that classifies lines whose start alone is ambiguous.
    pub const fn refined(self, refine: Refine) -> Self {
        Rule { refine: Some(refine), ..self }
    }

    /// Sets the last bytes of the lines: the others are not inspected.
    pub const fn ending_with(self, last: &'static [u8]) -> Self {
        Rule { last, ..self }
    }
}

/// Creates a rule for lines that begin with a text.
pub const fn row(text: &'static str, meaning: Meaning, weight: u32) -> Rule {
    Rule { text, first: b"", last: b"", meaning, weight, refine: None }
}

/// Creates a rule for lines that begin with one of some bytes.
pub const fn starting_with(first: &'static [u8], meaning: Meaning, weight: u32, refine: Refine) -> Rule {
    Rule { text: "", first, last: b"", meaning, weight, refine: Some(refine) }
}

/// A line that a rule fits.
pub struct Matched<'l> {
    /// The whole line.
    pub line: &'l [u8],
    /// The line without the white space around it and without the prefixes of CI services.
    pub text: &'l [u8],
    /// The number that the line begins with, for rules about counts.
    pub number: &'l [u8],
    /// The text after the text of the rule.
    pub rest: &'l [u8],
    /// The classification by the rule alone.
    pub default: ToolLine,
}

impl Matched<'_> {
    /// Returns whether the line contains a text.
    #[inline(always)]
    pub fn has(&self, text: &[u8]) -> bool {
        find::text(text, self.text).is_some()
    }

    /// Returns whether the line is indented.
    pub fn is_indented(&self) -> bool {
        matches!(self.line.first(), Some(b' ' | b'\t'))
    }

    /// Returns whether the text after the text of the rule begins with a digit.
    pub fn counts(&self) -> bool {
        self.rest.first().is_some_and(u8::is_ascii_digit)
    }

    /// Keeps the default if a condition holds; otherwise the line is not a line of a tool.
    pub fn default_if(&self, holds: bool) -> Option<ToolLine> {
        holds.then_some(self.default)
    }

    /// Returns another classification if a condition holds, or else the default.
    pub fn or_default(&self, holds: bool, other: ToolLine) -> Option<ToolLine> {
        Some(if holds { other } else { self.default })
    }

    /// Returns the default with another meaning.
    pub fn meaning(&self, meaning: Meaning) -> Option<ToolLine> {
        Some(ToolLine { meaning, ..self.default })
    }

    /// Returns the default, as a success or as a failure.
    pub fn passed_if(&self, has_passed: bool) -> Option<ToolLine> {
        self.meaning(if has_passed { Meaning::Passed } else { Meaning::Failed })
    }
}

/// Returns whether a text is only digits.
pub fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// A line that is the text of its rule alone.
pub fn nothing_more(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.rest.is_empty())
}

/// A number follows.
pub fn number_follows(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.counts())
}

/// `# fail 0`, `ℹ cancelled 1`, `Fail:    0`, `# FAIL:  0`.
pub fn count_of_failures(line: &Matched) -> Option<ToolLine> {
    match line.rest.trim_ascii() {
        b"0" if line.has(b"ail") || line.has(b"AIL") => line.meaning(Meaning::Passed),
        b"0" => line.meaning(Meaning::Progress),
        rest if rest.iter().all(u8::is_ascii_digit) => line.meaning(Meaning::Failed),
        _ => None,
    }
}
