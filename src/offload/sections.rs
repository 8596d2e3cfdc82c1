//! The sections of a view, one for each part of an output, in order: a small part
//! unchanged, a large one as its envelope or truncated to its share.

use std::borrow::Cow;

use super::MIN_ENVELOPE_BYTES;
use super::part::Part;
use tuckaway_text::fair;

/// One of several parts is never truncated to fewer bytes, which would be useless.
const MIN_SHARE_BYTES: usize = 128;

/// How a part is shown in a view with envelopes.
#[derive(Debug, PartialEq)]
pub struct Section {
    /// It is stored, and shown as its envelope.
    pub is_stored: bool,
    /// Maximum bytes of its text, without the label.
    pub max_bytes: usize,
}

/// Plans the sections of a view with envelopes: at most `section_limit` bytes each and `limit`
/// bytes in total, which is at least [`MIN_ENVELOPE_BYTES`].
///
/// A part that fits its section is shown; one that does not fit or cannot be shown is stored, and
/// at least one is. Returns none if there are too many parts for `limit`; a single part without a
/// label always fits.
pub fn plan_sections(parts: &[Part<'_>], section_limit: usize, limit: usize) -> Option<Vec<Section>> {
    if let [part] = parts {
        let budget = limit.checked_sub(frame(parts)).filter(|&budget| budget >= MIN_ENVELOPE_BYTES)?;
        let max_bytes = section_limit.min(budget).min(part.len()).max(MIN_ENVELOPE_BYTES);
        return Some(vec![Section { is_stored: true, max_bytes }]);
    }
    let budget = limit.checked_sub(frame(parts))?;
    let mut lengths: Vec<Option<usize>> = parts.iter().map(|part| inline_len(part, section_limit)).collect();
    if lengths.iter().all(Option::is_some) {
        // Each fits its section, but together they exceed the limit.
        let longest = lengths.iter().flatten().copied().max().unwrap_or(0);
        let first = lengths.iter().position(|length| *length == Some(longest));
        for (index, length) in lengths.iter_mut().enumerate() {
            *length = length.filter(|&length| length <= MIN_ENVELOPE_BYTES && Some(index) != first);
        }
    }
    let needs: Vec<usize> = lengths
        .iter()
        .zip(parts)
        .map(|(length, part)| length.unwrap_or_else(|| section_limit.min(part.len()).max(MIN_ENVELOPE_BYTES)))
        .collect();
    let least: usize = needs.iter().map(|&need| need.min(MIN_ENVELOPE_BYTES)).sum();
    if least > budget {
        return None;
    }
    let level = fair::share_of_bytes(needs.iter().copied(), budget);
    let section = |(&need, length): (&usize, &Option<usize>)| Section {
        is_stored: length.is_none() || need > level,
        max_bytes: need.min(level),
    };
    Some(needs.iter().zip(&lengths).map(section).collect())
}

/// Truncates parts to `limit` bytes in total, by fair shares: small parts stay unchanged. Returns
/// none if the shares are too small to be useful.
pub fn truncate_parts(parts: &[Part<'_>], is_error: bool, limit: usize) -> Option<String> {
    let budget = limit.checked_sub(frame(parts))?;
    let is_message = |part: &Part<'_>| part.is_message(is_error, parts.len() == 1);
    let need = |part: &Part<'_>| match part.note().filter(|_| !is_message(part)) {
        Some(note) => note.len(),
        // Its text is at least as long as its bytes, so it need not be decoded.
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
    Some(join(parts.iter().map(|part| (part, part.truncated(is_message(part), level)))))
}

/// Joins sections, each below its label.
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

/// Returns the bytes of labels and of line feeds between sections.
fn frame(parts: &[Part<'_>]) -> usize {
    let labels: usize = parts.iter().flat_map(|part| &part.label).map(|label| label.len() + 1).sum();
    labels + parts.len() - 1
}

/// Returns the length of a part's text if it can be shown in at most `max` bytes.
fn inline_len(part: &Part<'_>, max: usize) -> Option<usize> {
    let fits = part.len() <= max && part.note().is_none();
    fits.then(|| part.as_text().len()).filter(|&length| length <= max)
}
