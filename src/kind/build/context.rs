//! Lines below an error that explain it.

use tuckaway_walk::build::What;

/// Lines below each of the first errors, and below later ones.
const FIRST: usize = 12;
const LATER: usize = 4;
/// How many are the first.
const FIRST_ERRORS: usize = 3;

/// What is below an error, as lines come.
#[derive(Default)]
pub struct Contexts {
    errors: usize,
    left: usize,
    blank: bool,
}

impl Contexts {
    /// The line that comes next is below one that is `what`.
    pub fn after(&mut self, what: What) {
        self.left = match what {
            What::Error | What::FailedTest | What::Heading => {
                self.errors += 1;
                if self.errors <= FIRST_ERRORS { FIRST } else { LATER }
            }
            What::Context => self.left,
            _ => 0,
        };
        self.blank = false;
    }

    /// The rank of a line, if it is below an error.
    pub fn worth(&mut self, line: &[u8]) -> Option<u8> {
        let is_blank = line.trim_ascii().is_empty();
        // One blank line may set a message off from its excerpt, two end it.
        if self.left == 0 || is_blank && self.blank {
            self.left = 0;
            return None;
        }
        self.left -= 1;
        self.blank = is_blank;
        (!is_blank).then_some(if self.errors <= FIRST_ERRORS { 2 } else { 3 })
    }
}
