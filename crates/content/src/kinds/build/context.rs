//! Lines around an error that explain it, and stand only where it stands.

use super::signs::{self, What};
use tuckaway_search::find;

use crate::truncate::select::{Line, Worth};

/// Lines below each of the first errors, and below later ones.
const FIRST: usize = 12;
const LATER: usize = 4;
/// How many are the first.
const FIRST_ERRORS: usize = 3;
/// Lines above an error that lead to it.
const LEADS: usize = 16;

/// What is below an error or a warning, as lines come.
#[derive(Default)]
pub struct Contexts {
    errors: usize,
    /// Lines that still explain an error, and their rank.
    left: usize,
    rank: u8,
    /// The error or warning that is explained, and the line of it or below it that
    /// the lines that come say more of. It stands below nothing itself, so that no
    /// line stands below more than a few.
    root: Option<usize>,
    head: Option<usize>,
    /// The last line that is not set in and says nothing by itself.
    title: Option<usize>,
    blank: bool,
}

impl Contexts {
    /// The line that comes next is below the one at `index`, which is `what`.
    pub fn after(&mut self, what: What, index: usize, line: &mut Line) {
        self.blank = false;
        if what == What::Context {
            line.head = self.root;
            self.head = Some(index);
            return;
        }
        self.left = match what {
            What::Error | What::FailedTest | What::Heading => {
                self.errors += 1;
                let (left, rank) = if self.errors <= FIRST_ERRORS { (FIRST, 2) } else { (LATER, 3) };
                // What is said again explains itself no sooner than it stands.
                self.rank = if line.worth == Worth::Rank(4) { 4 } else { rank };
                left
            }
            _ => 0,
        };
        let has_more = self.left > 0 || what == What::Warning;
        line.head = None;
        self.root = Some(index).filter(|_| has_more);
        self.head = self.root;
    }

    /// A line stands below the name of its file, and says all there is to say.
    pub fn list(&mut self, line: &mut Line) {
        line.head = self.title;
        self.root = self.title;
        self.head = self.title;
        self.left = 0;
    }

    /// What the line at `index` is worth, and below what it stands, if it is below
    /// anything.
    pub fn place(&mut self, line: &mut Line, shown: &[u8], index: usize) {
        let is_blank = shown.trim_ascii().is_empty();
        let is_set_in = matches!(shown.first(), Some(b' ' | b'\t'));
        // One blank line may set a message off from its excerpt, two end it.
        let ends = match is_blank {
            true => self.blank || line.worth == Worth::Unseen,
            false => self.left == 0 && !is_set_in,
        };
        if ends {
            self.left = 0;
            self.root = None;
            self.head = None;
        }
        self.blank = is_blank;
        if line.worth == Worth::Unseen {
            self.title = None;
        }
        if !is_blank {
            if !is_set_in {
                self.title = Some(index);
            }
            line.head = self.head;
            if self.left > 0 {
                line.worth = Worth::Rank(self.rank);
            }
        }
        self.left = self.left.saturating_sub(1);
    }
}

/// The lines above an error that say how the compiler came to it belong to it, the
/// one next to it first: that is where in the reader's own code.
pub fn lead(lines: &mut [Line], error: usize, text: &str) {
    let mut worth = lines[error].worth;
    for line in lines[..error].iter_mut().rev().take(LEADS) {
        let above = line.text(text).as_bytes();
        let has = |mark: &&[u8]| find::text(mark, above).is_some();
        let marks = [&b" required from "[..], b"In file included from ", b"    from ", b": In "];
        if !marks.iter().any(has) || signs::of(above).is_some() {
            return;
        }
        line.head = Some(error);
        line.worth = worth;
        if worth == Worth::Rank(1) {
            worth = Worth::Rank(3);
        }
    }
}
