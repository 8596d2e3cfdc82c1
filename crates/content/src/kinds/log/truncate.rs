//! Truncates a log: keeps both ends, errors and some warnings.

use std::borrow::Cow;

use super::rank::Ranks;
use super::seen::{Message, Seen};
use crate::line::{log as line, time};
use crate::truncate::lines::{Line, Middle, ranked_lines};
use crate::truncate::select;

/// Truncates a log to `max` bytes. If it was outlined before, its lines are ranked already.
pub fn truncate(text: &str, max: usize, middle: &mut Middle) -> String {
    let lines = ranked_lines(text, max, middle, rank);
    select::render(text, lines, max)
}

fn rank(text: &str, lines: &mut [Line]) {
    let (mut ranks, mut seen) = (Ranks::default(), Seen::default());
    let mut form = time::NO_FORM;
    for (index, line) in lines.iter_mut().enumerate() {
        let shown = Cow::Borrowed(line.text(text).as_bytes());
        let parsed = line::parse(&shown, form);
        form = parsed.form;
        let message = Message::of(parsed.message);
        if let Some(priority) = ranks.rank(index, &shown, &parsed, &message, &mut seen) {
            line.priority = priority;
        }
    }
    ranks.fold(lines);
}
