//! Shows bytes as text, and maps the text back to the bytes. Invalid UTF-8 becomes one
//! U+FFFD for each sequence that the standard replaces as one, wherever pages are
//! cut.

use tuckaway_text::cut;

/// Maximum bytes that are shown as one character.
pub(crate) const MAX_UNIT_BYTES: usize = 4;

/// Returns the head of `bytes` as text of at most `max` bytes, cut between graphemes, and the
/// number of bytes that it shows. The text is not empty if `max` is at least four and `bytes` is
/// not empty. Takes O(max) time.
///
/// `bytes` begins at a character; if more bytes follow it, it must be at least [`MAX_UNIT_BYTES`]
/// longer than `max`.
pub(crate) fn head(bytes: &[u8], max: usize) -> (String, usize) {
    // The text is never shorter than its bytes, so `max` bytes suffice; the rest show where the
    // last grapheme ends.
    let window = &bytes[..bytes.len().min(max.saturating_add(cut::MAX_GRAPHEME_BYTES))];
    let text = String::from_utf8_lossy(window);
    let shown = cut::head(&text, max);
    (shown.to_owned(), source_len(window, shown.len()))
}

/// Returns the number of bytes that the first `shown` bytes of their text represent.
pub(crate) fn source_len(bytes: &[u8], shown: usize) -> usize {
    let (mut source, mut text) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().len();
        if shown <= text + valid {
            return source + (shown - text);
        }
        source += valid + chunk.invalid().len();
        text += valid + if chunk.invalid().is_empty() { 0 } else { char::REPLACEMENT_CHARACTER.len_utf8() };
    }
    source
}

/// Counts the units that begin in `bytes` at `from` or later. The bytes before it show where the
/// first one begins: at least `MAX_UNIT_BYTES - 1`, unless the text begins there. Content after the
/// bytes does not matter.
pub(crate) fn count_units(bytes: &[u8], from: usize) -> u64 {
    let mut rest = &bytes[unit_around(bytes, from).1.max(from)..];
    let mut units = 0;
    // Several times as fast on valid text as `utf8_chunks`.
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(valid) => return units + valid.chars().count() as u64,
            Err(error) => error,
        };
        let (valid, invalid) = rest.split_at(error.valid_up_to());
        units += String::from_utf8_lossy(valid).chars().count() as u64 + 1;
        rest = &invalid[error.error_len().unwrap_or(invalid.len())..];
    }
}

/// Returns the length in bytes of the first `units` units of `bytes`, which begin at a unit; the
/// whole length if there are fewer.
pub(crate) fn len_of_units(bytes: &[u8], units: u64) -> usize {
    let (mut length, mut left) = (0, units);
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        if let Some((at, _)) = valid.char_indices().nth(usize::try_from(left).unwrap_or(usize::MAX)) {
            return length + at;
        }
        left -= valid.chars().count() as u64;
        length += valid.len();
        if left == 0 {
            return length;
        }
        left -= u64::from(!chunk.invalid().is_empty());
        length += chunk.invalid().len();
    }
    length
}

/// Returns the range of the unit that contains byte `at`: a character, or a sequence
/// that is shown as one U+FFFD. The range is empty, at `at`, if a unit begins there or
/// the bytes end.
pub(crate) fn unit_around(bytes: &[u8], at: usize) -> (usize, usize) {
    for start in (at.saturating_sub(MAX_UNIT_BYTES - 1)..at).rev() {
        let continues = |byte: &u8| byte & 0xC0 == 0x80;
        if bytes.get(start).is_none_or(continues) {
            continue;
        }
        let end = (start + MAX_UNIT_BYTES).min(bytes.len());
        let length = match bytes[start..end].utf8_chunks().next() {
            Some(chunk) => match chunk.valid().chars().next() {
                Some(first) => first.len_utf8(),
                None => chunk.invalid().len(),
            },
            None => 0,
        };
        return if start + length > at { (start, start + length) } else { (at, at) };
    }
    (at, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just("a".as_bytes().to_vec()),
            Just("é".as_bytes().to_vec()),
            Just("👍🏽".as_bytes().to_vec()),
            Just("e\u{301}".as_bytes().to_vec()),
            proptest::collection::vec(0x80u8..=0xFF, 1..4),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn pages_join_to_the_text(bytes in bytes(), max in 4usize..40) {
            let (mut at, mut text) = (0, String::new());
            while at < bytes.len() {
                let (page, taken) = head(&bytes[at..], max);
                prop_assert!(taken > 0 && page.len() <= max);
                text += &page;
                at += taken;
            }
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn finds_units_from_inside(bytes in bytes(), at in 0usize..60) {
            let at = at.min(bytes.len());
            let mut starts = vec![0];
            while let Some(&start) = starts.last().filter(|&&start| start < bytes.len()) {
                let chunk = bytes[start..].utf8_chunks().next().unwrap();
                starts.push(start + chunk.valid().chars().next().map_or(chunk.invalid().len(), char::len_utf8));
            }
            let (start, end) = unit_around(&bytes, at);
            if starts.contains(&at) {
                prop_assert_eq!((start, end), (at, at));
            } else {
                prop_assert!(starts.windows(2).any(|unit| unit == [start, end] && start < at && at < end));
            }
        }
    }
}
