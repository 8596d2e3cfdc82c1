//! Bytes in their shown form: UTF-8, with one U+FFFD for each malformed sequence, as the standard
//! and [`String::from_utf8_lossy`] define.

use std::str::from_utf8;

use crate::lanes::{LANES, Lanes};

/// The longest character, or malformed sequence, in bytes.
pub(super) const MAX_UNIT_BYTES: usize = 4;

/// The replacement of a malformed sequence.
pub(super) const REPLACEMENT: [u8; 3] = [0xEF, 0xBF, 0xBD];

/// The content after a prefix of valid UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Nothing.
    End,
    /// This many bytes that are shown as one U+FFFD.
    Invalid(usize),
    /// This many bytes that may begin a character, followed by the end.
    Cut(usize),
}

/// Returns the length of the valid UTF-8 prefix, and the kind of the content after it.
pub(super) fn utf8_head(bytes: &[u8]) -> (usize, After) {
    if bytes.first().is_none_or(u8::is_ascii) && is_ascii(bytes) {
        return (bytes.len(), After::End);
    }
    match from_utf8(bytes) {
        Ok(_) => (bytes.len(), After::End),
        Err(error) => {
            let valid = error.valid_up_to();
            let after = error.error_len().map_or(After::Cut(bytes.len() - valid), After::Invalid);
            (valid, after)
        }
    }
}

/// Most lines are short and ASCII, which is faster to check than UTF-8.
fn is_ascii(bytes: &[u8]) -> bool {
    match bytes.last_chunk() {
        Some(last) => {
            let (lanes, _) = bytes.as_chunks::<LANES>();
            let all = lanes.iter().fold(Lanes::load(last), |all, lanes| all.or(Lanes::load(lanes)));
            !all.and(Lanes::splat(0x80)).any()
        }
        None => bytes.iter().fold(0, |all, byte| all | byte) < 0x80,
    }
}

/// Returns the length of the last unit of bytes, and whether it is UTF-8. The bytes are not empty
/// and end at the end of a unit; the last [`MAX_UNIT_BYTES`] of them suffice.
pub(super) fn last_unit(bytes: &[u8]) -> (usize, bool) {
    for length in 1..=bytes.len().min(MAX_UNIT_BYTES) {
        let unit = &bytes[bytes.len() - length..];
        if unit[0] & 0xC0 != 0x80 {
            return match utf8_head(unit) {
                (valid, _) if valid == length => (length, true),
                (0, After::Cut(_)) => (length, false),
                (0, After::Invalid(invalid)) if invalid == length => (length, false),
                _ => (1, false),
            };
        }
    }
    (1, false)
}

/// Returns the first offset, in bytes from the middle of a text, where a unit certainly begins.
pub(super) fn first_start(bytes: &[u8]) -> usize {
    let head = &bytes[..bytes.len().min(MAX_UNIT_BYTES - 1)];
    head.iter().position(|byte| byte & 0xC0 != 0x80).unwrap_or(head.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            "\\PC{0,3}".prop_map(String::into_bytes),
            proptest::collection::vec(prop_oneof![any::<u8>(), 0x80u8..0xF8], 0..6),
        ];
        proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    /// Where units begin, and where the last one ends.
    fn starts(bytes: &[u8]) -> Vec<usize> {
        let mut starts = vec![0];
        for chunk in bytes.utf8_chunks() {
            let lengths = chunk.valid().chars().map(char::len_utf8);
            for length in lengths.chain(Some(chunk.invalid().len()).filter(|&length| length > 0)) {
                starts.push(starts[starts.len() - 1] + length);
            }
        }
        starts
    }

    proptest! {
        #[test]
        fn units_are_those_that_are_shown(bytes in bytes()) {
            let starts = starts(&bytes);
            for pair in starts.windows(2) {
                let shown = String::from_utf8_lossy(&bytes[pair[0]..pair[1]]);
                let is_utf8 = shown.as_bytes() == &bytes[pair[0]..pair[1]];
                prop_assert_eq!(last_unit(&bytes[..pair[1]]), (pair[1] - pair[0], is_utf8));
            }
            let (mut at, mut shown) = (0, Vec::new());
            while at < bytes.len() {
                let (valid, after) = utf8_head(&bytes[at..]);
                shown.extend_from_slice(&bytes[at..at + valid]);
                at += valid;
                if let After::Invalid(length) | After::Cut(length) = after {
                    shown.extend(REPLACEMENT);
                    at += length;
                }
            }
            prop_assert_eq!(String::from_utf8(shown).unwrap(), String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn a_unit_begins_near_every_place(bytes in bytes(), from in 0usize..40) {
            let from = from.min(bytes.len());
            prop_assert!(starts(&bytes).contains(&(from + first_start(&bytes[from..]))));
        }
    }
}
