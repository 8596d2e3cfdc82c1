//! Lines in which characters are overstruck, as manual pages print bold (`x\\bx`) and underlined
//! (`_\\bx`) ones.

const BACKSPACE: u8 = 0x08;

/// Returns a line as it appears on screen, and the offset of each of its bytes in the stored line.
/// A backspace removes the character before it, unless an underscore follows: that underlines it.
pub(super) fn shown(line: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let (mut shown, mut offsets) = (Vec::with_capacity(line.len()), Vec::with_capacity(line.len()));
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += 1;
        if byte != BACKSPACE {
            shown.push(byte);
            offsets.push(at - 1);
        } else if line.get(at) == Some(&b'_') && shown.last().is_some_and(|last| *last != b'_') {
            at += 1;
        } else {
            let start = shown.iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
            shown.truncate(start);
            offsets.truncate(start);
        }
    }
    (shown, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overstruck_characters_are_shown_once() {
        for (line, expected) in [
            ("N\u{8}NA\u{8}AM\u{8}ME\u{8}E", "NAME"),
            ("_\u{8}f_\u{8}i_\u{8}l_\u{8}e", "file"),
            ("f\u{8}_i\u{8}_", "fi"),
            ("b\u{8}b\u{8}b", "b"),
            ("é\u{8}é!", "é!"),
            ("50%\u{8}\u{8}\u{8}51%", "51%"),
            ("\u{8}\u{8}x", "x"),
            ("_\u{8}_", "_"),
        ] {
            let (text, offsets) = shown(line.as_bytes());
            assert_eq!(String::from_utf8_lossy(&text), expected);
            assert_eq!(text.len(), offsets.len());
        }
        assert_eq!(shown("N\u{8}NA\u{8}A".as_bytes()).1, [2, 5]);
    }
}
