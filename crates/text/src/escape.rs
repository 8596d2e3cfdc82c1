//! Escape sequences of terminals: ECMA-48, and the shorter ones of the VT100.

use tuckaway_search::find;

/// The longest control string (a title, a link's address) whose end is searched for. A
/// longer one counts as incomplete: only its introducer is part of it.
const MAX_STRING_BYTES: usize = 4 << 10;

/// Returns the length of the escape sequence that begins at the start of `bytes`, with ESC or with
/// U+009B; 0 if none does. For an incomplete sequence, the bytes that belong to it count. No
/// sequence continues on another line.
pub(crate) fn sequence_len(bytes: &[u8]) -> usize {
    match bytes {
        [0x1B, rest @ ..] => 1 + escape_len(rest),
        [0xC2, 0x9B, rest @ ..] => 2 + csi_len(rest),
        _ => 0,
    }
}

/// Returns the length of the sequence after an ESC.
fn escape_len(rest: &[u8]) -> usize {
    match rest.first() {
        Some(b'[') => 1 + csi_len(&rest[1..]),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => 1 + string_len(&rest[1..]),
        _ => {
            let intermediate = rest.iter().take_while(|byte| (0x20..0x30).contains(*byte)).count();
            let is_final = rest.get(intermediate).is_some_and(|byte| (0x30..0x7F).contains(byte));
            intermediate + usize::from(is_final)
        }
    }
}

/// Returns the length of a control sequence after its introducer: parameters, and the
/// final byte that identifies it.
fn csi_len(rest: &[u8]) -> usize {
    let parameters = rest.iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
    let is_final = rest.get(parameters).is_some_and(|byte| (0x40..0x7F).contains(byte));
    parameters + usize::from(is_final)
}

/// Returns the length of a control string with its end, which is BEL or ESC \; 0 if it
/// does not end in its line.
fn string_len(rest: &[u8]) -> usize {
    let reach = &rest[..rest.len().min(MAX_STRING_BYTES)];
    match find::any_byte([0x07, 0x1B, b'\n'], reach) {
        Some(end) if rest[end] == 0x07 => end + 1,
        Some(end) if rest[end..].starts_with(b"\x1B\\") => end + 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_end_with_their_last_byte() {
        for (sequence, rest) in [
            ("\x1B[1;31m", "m"),
            ("\x1B[?25l", "l"),
            ("\x1B[2 q", "q"),
            ("\u{9B}0m", "m"),
            ("\x1B]0;title\x07", "\x07"),
            ("\x1B]8;;https://example.com\x1B\\", "link\x1B]8;;\x1B\\"),
            ("\x1BP1$r0m\x1B\\", "\x1B\\"),
            ("\x1B_G\x1B\\", "x"),
            ("\x1B(B", "B"),
            ("\x1B%G", "G"),
            ("\x1B7", "8"),
            ("\x1Bc", "c"),
        ] {
            let text = [sequence, rest].concat();
            assert_eq!(sequence_len(text.as_bytes()), sequence.len(), "{text:?}");
        }
    }

    #[test]
    fn incomplete_sequences_end_before_foreign_bytes() {
        for (sequence, rest) in [
            ("\x1B", ""),
            ("\x1B", "\x1B[0m"),
            ("\x1B[31", ""),
            ("\x1B[31", "é"),
            ("\x1B[31", "\nm"),
            ("\x1B]", "0;title\nnext\x07"),
            ("\x1B]", "8;;\x1B[0m"),
            ("\x1B(", "\n"),
            ("", "text"),
            ("", "\u{9C}"),
        ] {
            let text = [sequence, rest].concat();
            assert_eq!(sequence_len(text.as_bytes()), sequence.len(), "{text:?}");
        }
        let long = format!("\x1B]8;;{}\x07", "x".repeat(MAX_STRING_BYTES));
        assert_eq!(sequence_len(long.as_bytes()), 2);
    }
}
