//! The sections of a view, one for each part of an output, in their order: a
//! small part as it is, a large one as its envelope or cut to its share.

use std::borrow::Cow;

use super::MIN_ENVELOPE_BYTES;
use super::part::Part;
use tuckaway_text::fair;

/// The least that a part is cut to beside others: less says nothing.
const MIN_SHARE_BYTES: usize = 128;

/// How a part is shown beside others that were put away.
#[derive(Debug, PartialEq)]
pub struct Section {
    /// It is put away, and its envelope stands for it.
    pub is_away: bool,
    /// The most that it takes, its label not counted.
    pub max_bytes: usize,
}

/// The sections where parts are put away, each of at most `room` bytes, all of
/// them of at most `limit`, which is at least [`MIN_ENVELOPE_BYTES`]. What fits
/// its section is shown, what does not, and what can't be shown, is away; at
/// least one is. None if there is no room for so many; for one without a label there is.
pub fn lay_out(parts: &[Part<'_>], room: usize, limit: usize) -> Option<Vec<Section>> {
    if let [part] = parts {
        let budget = limit.checked_sub(frame(parts)).filter(|&budget| budget >= MIN_ENVELOPE_BYTES)?;
        let max_bytes = room.min(budget).min(part.len()).max(MIN_ENVELOPE_BYTES);
        return Some(vec![Section { is_away: true, max_bytes }]);
    }
    let budget = limit.checked_sub(frame(parts))?;
    let mut lengths: Vec<Option<usize>> = parts.iter().map(|part| shown_len(part, room)).collect();
    if lengths.iter().all(Option::is_some) {
        // All would fit, and yet together they are too much.
        let longest = lengths.iter().flatten().copied().max().unwrap_or(0);
        let first = lengths.iter().position(|length| *length == Some(longest));
        for (index, length) in lengths.iter_mut().enumerate() {
            *length = length.filter(|&length| length <= MIN_ENVELOPE_BYTES && Some(index) != first);
        }
    }
    let needs: Vec<usize> = lengths
        .iter()
        .zip(parts)
        .map(|(length, part)| length.unwrap_or_else(|| room.min(part.len()).max(MIN_ENVELOPE_BYTES)))
        .collect();
    let least: usize = needs.iter().map(|&need| need.min(MIN_ENVELOPE_BYTES)).sum();
    if least > budget {
        return None;
    }
    let level = fair::share_of_bytes(needs.iter().copied(), budget);
    let section = |(&need, length): (&usize, &Option<usize>)| Section {
        is_away: length.is_none() || need > level,
        max_bytes: need.min(level),
    };
    Some(needs.iter().zip(&lengths).map(section).collect())
}

/// The parts within `limit` bytes together, by fair shares: the small ones as they
/// are, the others cut. None if the shares are too small to say anything.
pub fn cut_to(parts: &[Part<'_>], is_error: bool, limit: usize) -> Option<String> {
    let budget = limit.checked_sub(frame(parts))?;
    let is_message = |part: &Part<'_>| part.is_message(is_error, parts.len() == 1);
    let need = |part: &Part<'_>| match part.note().filter(|_| !is_message(part)) {
        Some(note) => note.len(),
        // As text it is no shorter: what is too long need not be read for that.
        None if part.len() > budget => part.len(),
        None => part.as_text().len(),
    };
    let level = match parts {
        [_] => budget,
        parts => fair::share_of_bytes(parts.iter().map(need), budget),
    };
    if level < MIN_SHARE_BYTES && parts.len() > 1 {
        return None;
    }
    Some(join(parts.iter().map(|part| (part, part.shortened(is_message(part), level)))))
}

/// Sections one below the other, each under its label.
pub fn join<'a>(sections: impl Iterator<Item = (&'a Part<'a>, String)>) -> String {
    let mut view = String::new();
    for (part, text) in sections {
        for piece in part.label.as_deref().map(Cow::Borrowed).into_iter().chain([Cow::Owned(text)]) {
            if !(view.is_empty() || view.ends_with('\n')) {
                view.push('\n');
            }
            view += &piece;
        }
    }
    view
}

/// Bytes of labels and of the line feeds between sections.
fn frame(parts: &[Part<'_>]) -> usize {
    let labels: usize = parts.iter().flat_map(|part| &part.label).map(|label| label.len() + 1).sum();
    labels + parts.len() - 1
}

/// A part's length as it is shown, if it can be in at most `room` bytes.
fn shown_len(part: &Part<'_>, room: usize) -> Option<usize> {
    let fits = part.len() <= room && part.note().is_none();
    fits.then(|| part.as_text().len()).filter(|&length| length <= room)
}
