//! Text in encodings other than UTF-8: UTF-16 and Windows-1252, which contains Latin-1.
//!
//! Only the head of a text decides its encoding, so that a part that is read later is decoded in
//! the same way.

/// Bytes of a text that decide its encoding.
pub const HEAD_BYTES: usize = 4 << 10;
/// Fewer units without a byte order mark are not certain to be UTF-16.
const MIN_UNITS: usize = 16;
/// Fewer bytes are not certain to be Windows-1252.
const MIN_BYTES: usize = 8;

/// An encoding other than UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// Windows-1252: one byte for each character of Western Europe.
    Windows1252,
}

/// The characters that Windows-1252 has instead of the control characters from 0x80 on. Five bytes
/// are unassigned.
const HIGH_CONTROLS: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž', '\u{FFFD}',
    '\u{FFFD}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}', 'ž', 'Ÿ',
];
/// The characters by which Windows-1252 is recognised: letters of its languages, and signs that
/// they use. Other encodings have other characters at most of these codes, and texts in them have
/// bytes that are not listed here.
const LETTERS: &str = "ÄÖÜäöüßàâçèéêëîïôùûÀÂÇÈÉÊÔñÑáíóúÁÍÓÚåÅæÆøØãõ";
const SIGNS: &str = "€…‘’“”–—£§©«»®°²µ·¿¡\u{A0}";

impl Encoding {
    /// Returns the encoding that the first [`HEAD_BYTES`] of a text show; none if they are UTF-8,
    /// ambiguous, or not text.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        match head {
            [0xFF, 0xFE, rest @ ..] => is_utf16(rest, Encoding::Utf16Le).then_some(Encoding::Utf16Le),
            [0xFE, 0xFF, rest @ ..] => is_utf16(rest, Encoding::Utf16Be).then_some(Encoding::Utf16Be),
            // Without a byte order mark, most characters must be ASCII.
            [first, 0, ..] if *first != 0 => is_wide_ascii(head, Encoding::Utf16Le),
            [0, first, ..] if *first != 0 => is_wide_ascii(head, Encoding::Utf16Be),
            _ => is_windows_1252(head).then_some(Encoding::Windows1252),
        }
    }

    /// Returns its name for an outline.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf16Le => "UTF-16LE",
            Encoding::Utf16Be => "UTF-16BE",
            Encoding::Windows1252 => "Windows-1252 (Latin-1)",
        }
    }

    /// Returns its name in a media type.
    pub fn charset(self) -> &'static str {
        match self {
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Windows1252 => "windows-1252",
        }
    }

    /// Decodes a whole text, without its byte order mark.
    pub fn decode(self, bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len());
        self.decode_part(&Part { bytes, before: &[], behind: &[] }, &mut text);
        text
    }

    /// Decodes a part of a text. Parts begin at even offsets.
    pub fn decode_part(self, part: &Part<'_>, text: &mut String) {
        if self == Encoding::Windows1252 {
            return text.extend(part.bytes.iter().map(|byte| windows_1252(*byte)));
        }
        let (pairs, odd) = part.bytes.as_chunks::<2>();
        let unit = |pair: &[u8; 2]| match self {
            Encoding::Utf16Be => u16::from_be_bytes(*pair),
            _ => u16::from_le_bytes(*pair),
        };
        let is_high = |unit: &u16| (0xD800..0xDC00).contains(unit);
        let is_low = |unit: &u16| (0xDC00..0xE000).contains(unit);
        let first = pairs.first().map(unit);
        let before = part.before.last_chunk::<2>().map(unit);
        // The previous part decoded both halves of the pair. A byte order mark is not text.
        let skips_half = first.as_ref().is_some_and(is_low) && before.as_ref().is_some_and(is_high);
        let skips = skips_half || part.before.is_empty() && first == Some(0xFEFF);
        let behind = part.behind.first_chunk::<2>().map(unit).filter(is_low);
        let behind = behind.filter(|_| pairs.last().map(unit).as_ref().is_some_and(is_high));
        let units = pairs.iter().skip(usize::from(skips)).map(unit).chain(behind);
        text.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        if !odd.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// A part of an encoded text.
pub struct Part<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The two bytes before it; none at the start of the text.
    pub before: &'a [u8],
    /// The two bytes after it; none at the end of the text.
    pub behind: &'a [u8],
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9F => HIGH_CONTROLS[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}

/// Returns whether units after a byte order mark are text: they have hardly any control characters
/// or unpaired surrogates.
fn is_utf16(rest: &[u8], encoding: Encoding) -> bool {
    let text = encoding.decode(&rest[..rest.len() & !1]);
    let (mut strange, mut all) = (0, 0);
    for c in text.chars() {
        all += 1;
        strange += usize::from(c == char::REPLACEMENT_CHARACTER || is_strange(c));
    }
    all > 0 && !text.contains('\0') && strange * 50 <= all
}

/// Returns the encoding if units are text, four of five of them ASCII.
fn is_wide_ascii(head: &[u8], encoding: Encoding) -> Option<Encoding> {
    let text = encoding.decode(&head[..head.len() & !1]);
    let ascii = text.chars().filter(char::is_ascii).count();
    let all = text.chars().count();
    let is_text = !text.contains(|c| is_strange(c) || c == char::REPLACEMENT_CHARACTER);
    (is_text && all >= MIN_UNITS && ascii * 5 >= all * 4).then_some(encoding)
}

/// Returns whether a character does not occur in text.
fn is_strange(c: char) -> bool {
    c.is_control() && !"\t\n\r\x1b\x0c\x08".contains(c) || ('\u{E000}'..='\u{F8FF}').contains(&c)
}

/// Returns whether bytes are Western European text: ASCII with occasional letters of one of its
/// languages, at most two in a row.
fn is_windows_1252(head: &[u8]) -> bool {
    let (mut letters, mut signs, mut run) = (0, 0, 0);
    match std::str::from_utf8(head) {
        Ok(_) => return false,
        // The head may end within a character.
        Err(error) if error.error_len().is_none() && head.len() == HEAD_BYTES => return false,
        Err(_) => {}
    }
    for &byte in head {
        let c = windows_1252(byte);
        let (is_letter, is_sign) = (byte >= 0x80 && LETTERS.contains(c), byte >= 0x80 && SIGNS.contains(c));
        run = if is_letter { run + 1 } else { 0 };
        letters += usize::from(is_letter);
        signs += usize::from(is_sign);
        if run > 2 || byte >= 0x80 && !is_letter && !is_sign || byte < 0x80 && is_strange(c) {
            return false;
        }
    }
    // A single byte may be damaged, and a UTF-8 sequence does not consist of two letters.
    let is_utf8 = head.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let is_next_to_letters = head.windows(2).any(|two| two[0].is_ascii_alphabetic() && two[1] >= 0xC0);
    !is_utf8
        && head.len() >= MIN_BYTES
        && letters > 0
        && letters >= signs
        && is_next_to_letters
        && letters * 4 <= head.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
        match encoding {
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Encoding::Windows1252 => text.chars().map(|c| c as u8).collect(),
        }
    }

    #[test]
    fn encodings_are_recognised() {
        let words = "The boats come back in spring.\r\n";
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            assert_eq!(Encoding::of(&encoded(words, encoding)), Some(encoding));
            assert_eq!(
                Encoding::of(&encoded("\u{FEFF}春になると船が戻ってきた。", encoding)),
                Some(encoding)
            );
            assert_eq!(encoding.decode(&encoded("\u{FEFF}é😀", encoding)), "é😀");
            assert_eq!(encoding.decode(&[&encoded("a", encoding)[..], &[0x41]].concat()), "a\u{FFFD}");
        }
        for text in ["Grüße aus München", "le café est fermé", "año nuevo", "smørrebrød på øen"] {
            let bytes = encoded(text, Encoding::Windows1252);
            assert_eq!(Encoding::of(&bytes), Some(Encoding::Windows1252), "{text}");
            assert_eq!(Encoding::Windows1252.decode(&bytes), text);
        }
    }

    #[test]
    fn other_bytes_are_left_as_they_are() {
        for bytes in [
            &b""[..],
            b"plain",
            b"caf\xE9",
            "Grüße".as_bytes(),
            "caf\u{E9} and \u{20AC}".as_bytes(),
            b"mixed gr\xC3\xBC and gr\xFC",
            b"\xCF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0", // Windows-1251
            b"\x93\xFA\x96\x7B\x8C\xEA",              // Shift JIS
            b"a\x80b",
            b"one \xFF byte",
            b"a\xE9\0b",
            b"\xFF\xFE\0\0a\0\0\0", // UTF-32
            b"\xFF\xFE",
            &[
                0x10, 0, 0x20, 0, 3, 0, 7, 0, 9, 0, 1, 0, 2, 0, 5, 0, 6, 0, 8, 0, 4, 0, 11, 0, 12, 0, 14, 0,
                15, 0, 16, 0,
            ],
        ] {
            assert_eq!(Encoding::of(bytes), None, "{}", bytes.escape_ascii());
        }
    }

    proptest! {
        #[test]
        fn parts_join_to_the_text(text in "\\PC{0,40}", at in 0usize..40, high in any::<bool>()) {
            let encoding = if high { Encoding::Utf16Be } else { Encoding::Utf16Le };
            let bytes = encoded(&text, encoding);
            let at = (2 * at).min(bytes.len());
            let mut joined = String::new();
            let (first, second) = bytes.split_at(at);
            let behind = &second[..second.len().min(2)];
            encoding.decode_part(&Part { bytes: first, before: &[], behind }, &mut joined);
            encoding.decode_part(&Part { bytes: second, before: &first[first.len().saturating_sub(2)..], behind: &[] }, &mut joined);
            prop_assert_eq!(joined, encoding.decode(&bytes));
        }
    }
}
