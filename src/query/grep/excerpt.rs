//! How a line is shown: in full, or as an excerpt with `…` for omitted text.

use std::borrow::Cow;

use tuckaway_contract::Error;
use tuckaway_search::source::ByteSource;

use super::line::Line;
use crate::query::lossy;
use tuckaway_text::{self as text, cut};

/// Lines of up to this many bytes are shown in full.
pub(super) const WHOLE_BYTES: usize = 400;

/// Bytes of an excerpt around a match, and around each of several matches in a line.
pub(super) const WINDOW_BYTES: usize = 320;
pub(super) const SMALL_WINDOW_BYTES: usize = 120;

/// Bytes shown of a long line of context.
const CONTEXT_BYTES: usize = 160;

/// Bytes of a line that determine its shown head.
pub(super) const HEAD_BYTES: usize = WHOLE_BYTES + cut::MAX_GRAPHEME_BYTES;

/// Bytes on either side of a match that determine its excerpt: more than an excerpt with the
/// longest graphemes at its ends needs.
const NEAR_BYTES: u64 = (2 * WINDOW_BYTES + 4 * cut::MAX_GRAPHEME_BYTES) as u64;

const CUT: &str = "…";

/// The position of a match in its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub bytes: (u64, u64),
    /// Its column, in characters from 1.
    pub column: u64,
}

/// The text shown for one line.
pub(super) struct Excerpt {
    pub text: String,
    pub clipped: bool,
    /// The match's column, in characters of the line from 1.
    pub column: u64,
    /// The range of the match in `text`.
    span: (usize, usize),
}

impl Excerpt {
    /// Shows the head of a line of context. For a long line, the first [`HEAD_BYTES`] suffice.
    pub(super) fn head(line: &[u8]) -> Self {
        let (text, clipped) = match line.len() <= WHOLE_BYTES {
            true => (text::lossy(line).into_owned(), false),
            false => (lossy::head(line, CONTEXT_BYTES).0 + CUT, true),
        };
        Excerpt { text, clipped, column: 1, span: (0, 0) }
    }

    /// Shows a line around its match at `span`, in bytes of it: the match is in the middle of the
    /// excerpt, as far as the line's ends allow. The excerpt of a long line has up to `window`
    /// bytes.
    pub(super) fn around(line: &Line, span: Span, window: usize) -> Result<Self, Error> {
        let Span { bytes: span, column } = span;
        let (from, part) = neighbourhood(line, span.0)?;
        let within = |at: u64| usize::try_from(at - from).map_or(part.len(), |at| at.min(part.len()));
        let (start, end) = (within(span.0), within(span.1));
        let shown = text::lossy(&part);
        let in_shown = |at: usize| match &shown {
            Cow::Borrowed(_) => at,
            Cow::Owned(_) => text::lossy(&part[..at]).len(),
        };
        let mut excerpt =
            Excerpt { text: String::new(), clipped: false, column, span: (in_shown(start), in_shown(end)) };
        let goes_on = (from > 0, from + (part.len() as u64) < line.size());
        match goes_on == (false, false) && shown.len() <= WHOLE_BYTES {
            true => excerpt.text = shown.into_owned(),
            false => excerpt.cut(&shown, window, goes_on),
        }
        Ok(excerpt)
    }

    /// Truncates the excerpt to `max` bytes around its match.
    pub(super) fn shrink(&mut self, max: usize) {
        if self.text.len() > max {
            let shown = std::mem::take(&mut self.text);
            self.cut(&shown, max.saturating_sub(2 * CUT.len()), (false, false));
        }
    }

    /// Truncates `shown` to a window around the match; `goes_on` says on which sides the line
    /// continues past `shown`.
    fn cut(&mut self, shown: &str, window: usize, goes_on: (bool, bool)) {
        let (start, end) = self.span;
        let around = window.saturating_sub(end - start) / 2;
        // At the line's end, bytes that are not needed after the match go before it.
        let from = start.saturating_sub(around).min(shown.len().saturating_sub(window));
        let from = cut::ceil_grapheme(shown, from).min(start);
        let part = cut::head(&shown[from..], window);
        let (left, right) = (goes_on.0 || from > 0, goes_on.1 || from + part.len() < shown.len());
        self.clipped = true;
        self.text = [if left { CUT } else { "" }, part, if right { CUT } else { "" }].concat();
        let shift = |at: usize| (at - from).min(part.len()) + if left { CUT.len() } else { 0 };
        self.span = (shift(start), shift(end.max(start)));
    }
}

/// Reads the part of a line that determines the excerpt around `at`; returns its bytes and where it
/// begins, at a character.
fn neighbourhood(line: &Line, at: u64) -> Result<(u64, Vec<u8>), Error> {
    let from = at.saturating_sub(NEAR_BYTES);
    let around =
        line.read_at(from.saturating_sub(lossy::MAX_UNIT_BYTES as u64), 2 * lossy::MAX_UNIT_BYTES)?;
    let middle = from.min(lossy::MAX_UNIT_BYTES as u64);
    let (start, _) = lossy::unit_around(&around, middle as usize);
    let from = from - middle + start as u64;
    Ok((from, line.read_at(from, (at - from + NEAR_BYTES) as usize)?))
}
