//! Lines around an error that explain it: they are kept only if the error is.

use tuckaway_search::find;

use crate::runs::{Meaning, Tool, classify};
use crate::truncate::lines::{Line, Priority};

/// The number of first errors: more of the lines after them are kept.
const FIRST_ERRORS: usize = 3;
/// Lines that explain each of the first errors.
const LINES_AFTER_FIRST: usize = 12;
/// Lines that explain each later error.
const LINES_AFTER_LATER: usize = 4;
/// Lines above an error that lead to it.
const LEAD_LINES: usize = 16;

/// The lines that the next lines explain, if they explain anything.
#[derive(Default)]
pub struct Contexts {
    errors: usize,
    /// Lines that still explain the last error.
    remaining: usize,
    /// Their rank.
    rank: u8,
    /// The error or warning that is explained. It depends on no other line, so that
    /// chains of dependent lines stay short.
    root: Option<usize>,
    /// The line that the next lines explain: the root, or one that explains it.
    head: Option<usize>,
    /// The last line that is not indented and means nothing by itself.
    title: Option<usize>,
    is_after_blank: bool,
}

impl Contexts {
    /// Adds the line at `index`, which has a meaning.
    pub fn add(&mut self, meaning: Meaning, index: usize, line: &mut Line) {
        self.is_after_blank = false;
        if meaning == Meaning::Context {
            line.depends_on = self.root;
            self.head = Some(index);
            return;
        }
        self.remaining = match meaning {
            Meaning::Error | Meaning::FailedTest | Meaning::Heading => {
                self.errors += 1;
                let (remaining, rank) = match self.errors <= FIRST_ERRORS {
                    true => (LINES_AFTER_FIRST, 2),
                    false => (LINES_AFTER_LATER, 3),
                };
                // The context of a repeated error ranks no higher than the error.
                self.rank = if line.priority == Priority::Rank(4) { 4 } else { rank };
                remaining
            }
            _ => 0,
        };
        let has_context = self.remaining > 0 || meaning == Meaning::Warning;
        line.depends_on = None;
        self.root = Some(index).filter(|_| has_context);
        self.head = self.root;
    }

    /// Adds an error of a list: it depends on the file's name above it, and nothing
    /// explains it.
    pub fn add_listed(&mut self, line: &mut Line) {
        line.depends_on = self.title;
        self.root = self.title;
        self.head = self.title;
        self.remaining = 0;
    }

    /// Adds the line at `index`, which has no meaning by itself.
    pub fn add_other(&mut self, line: &mut Line, shown: &[u8], index: usize) {
        let is_blank = shown.trim_ascii().is_empty();
        let is_indented = matches!(shown.first(), Some(b' ' | b'\t'));
        // One blank line may separate a message from its excerpt, two end it.
        let ends = match is_blank {
            true => self.is_after_blank || line.priority == Priority::Unseen,
            false => self.remaining == 0 && !is_indented,
        };
        if ends {
            self.remaining = 0;
            self.root = None;
            self.head = None;
        }
        self.is_after_blank = is_blank;
        if line.priority == Priority::Unseen {
            self.title = None;
        }
        if !is_blank {
            if !is_indented {
                self.title = Some(index);
            }
            line.depends_on = self.head;
            if self.remaining > 0 {
                line.priority = Priority::Rank(self.rank);
            }
        }
        self.remaining = self.remaining.saturating_sub(1);
    }
}

/// Makes the lines above an error that lead the compiler to it depend on the error. The
/// nearest ranks as the error does: it names the location in the reader's own code.
pub fn attach_lead(lines: &mut [Line], error: usize, text: &str) {
    let mut priority = lines[error].priority;
    for line in lines[..error].iter_mut().rev().take(LEAD_LINES) {
        let above = line.text(text).as_bytes();
        let has = |mark: &str| find::text(mark.as_bytes(), above).is_some();
        let mut marks = Tool::ALL.iter().flat_map(|tool| tool.profile().leads_to_error);
        if !marks.any(|mark| has(mark)) || classify(above).is_some() {
            return;
        }
        line.depends_on = Some(error);
        line.priority = priority;
        if priority == Priority::Rank(1) {
            priority = Priority::Rank(3);
        }
    }
}
