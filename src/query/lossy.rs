//! Bytes shown as text, with the way back: which bytes a piece of the shown
//! text stands for. What is not UTF-8 is one U+FFFD for each sequence that the
//! standard replaces as one, wherever the bytes are cut into pages.

use tuckaway_text::cut;

/// The longest sequence that is shown as one character.
pub(crate) const MAX_UNIT_BYTES: usize = 4;

/// The head of `bytes` as text of at most `max` bytes, cut between graphemes,
/// and how many bytes it stands for. Not empty if `max` is at least four and
/// there are bytes. Costs O(max), however many bytes there are.
///
/// `bytes` begin at a unit; if they go on behind their end, at least
/// [`MAX_UNIT_BYTES`] more than `max` have to be given.
pub(crate) fn head(bytes: &[u8], max: usize) -> (String, usize) {
    // A text is never shorter than the bytes that it stands for, so that `max`
    // bytes are enough; some more tell where the last grapheme ends.
    let window = &bytes[..bytes.len().min(max.saturating_add(cut::MAX_GRAPHEME_BYTES))];
    let text = String::from_utf8_lossy(window);
    let shown = cut::head(&text, max);
    (shown.to_owned(), source_len(window, shown.len()))
}

/// How many of the bytes the first `shown` bytes of their text stand for.
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

/// The unit that byte `at` is inside of, from its first byte to one past its
/// last: the character, or what is shown as one U+FFFD. Empty, at `at`, if a
/// unit begins there or the bytes end.
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
        fn pages_are_the_whole(bytes in bytes(), max in 4usize..40) {
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
        fn units_are_found_from_inside(bytes in bytes(), at in 0usize..60) {
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
