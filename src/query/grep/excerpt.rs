//! What is shown of a line: all of it, or an excerpt with `…` where it is cut.

use crate::query::lossy;
use crate::text::{self, cut};

/// Lines of up to this many bytes are shown whole.
const WHOLE_BYTES: usize = 400;

/// Bytes of an excerpt around a match.
const WINDOW_BYTES: usize = 320;

/// Bytes of a line of context that is too long to be shown whole.
const CONTEXT_BYTES: usize = 160;

const CUT: &str = "…";

/// What is shown of one line.
pub(super) struct Excerpt {
    pub text: String,
    pub clipped: bool,
    /// Of the match, in characters of the line, from 1.
    pub column: u64,
    /// Of the match, in bytes of the line, from 0.
    pub offset: usize,
    /// Of the match in `text`, for what is cut off later.
    found: (usize, usize),
}

impl Excerpt {
    /// A line of context: its head.
    pub(super) fn head(line: &[u8]) -> Self {
        let (text, clipped) = match line.len() <= WHOLE_BYTES {
            true => (text::lossy(line).into_owned(), false),
            false => (lossy::head(line, CONTEXT_BYTES).0 + CUT, true),
        };
        Excerpt { text, clipped, column: 1, offset: 0, found: (0, 0) }
    }

    /// A line that matches at `found`, in bytes of its shown text: the match is
    /// in the middle of the excerpt, as far as the line's ends allow.
    pub(super) fn around(line: &[u8], found: (usize, usize)) -> Self {
        let shown = text::lossy(line);
        let mut excerpt = Excerpt {
            text: String::new(),
            clipped: false,
            column: shown[..found.0].chars().count() as u64 + 1,
            offset: match shown {
                std::borrow::Cow::Borrowed(_) => found.0,
                std::borrow::Cow::Owned(_) => lossy::source_len(line, found.0),
            },
            found,
        };
        match shown.len() <= WHOLE_BYTES {
            true => excerpt.text = shown.into_owned(),
            false => excerpt.cut(&shown, WINDOW_BYTES),
        }
        excerpt
    }

    /// Cuts the excerpt down to `max` bytes, around its match.
    pub(super) fn shrink(&mut self, max: usize) {
        if self.text.len() > max {
            let shown = std::mem::take(&mut self.text);
            self.cut(&shown, max.saturating_sub(2 * CUT.len()));
        }
    }

    fn cut(&mut self, shown: &str, window: usize) {
        let (start, end) = self.found;
        let around = window.saturating_sub(end - start) / 2;
        // At the line's end, what is not needed behind the match goes before it.
        let from = start.saturating_sub(around).min(shown.len().saturating_sub(window));
        let from = cut::ceil_grapheme(shown, from).min(start);
        let part = cut::head(&shown[from..], window);
        let (left, right) = (from > 0, from + part.len() < shown.len());
        self.clipped = true;
        self.text = [if left { CUT } else { "" }, part, if right { CUT } else { "" }].concat();
        let shift = |at: usize| (at - from).min(part.len()) + if left { CUT.len() } else { 0 };
        self.found = (shift(start), shift(end.max(start)));
    }
}
