//! Classes of bytes, for loops that would take a branch for each byte otherwise.

/// A space.
pub const SPACE: u8 = 1;
/// A decimal digit.
pub const DIGIT: u8 = 2;
/// A letter.
pub const LETTER: u8 = 4;
/// A letter that no number has, also no hexadecimal one, or a part of one beyond ASCII.
pub const WORD: u8 = 8;
/// The letter between a date and a time.
pub const T: u8 = 16;

/// Returns the classes of a byte, each a bit.
#[inline(always)]
pub fn of(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' => SPACE,
            b'0'..=b'9' => DIGIT,
            b'T' => LETTER | WORD | T,
            b'a'..=b'f' | b'x' | b'A'..=b'F' | b'X' => LETTER,
            b'a'..=b'z' | b'A'..=b'Z' => LETTER | WORD,
            0x80.. => WORD,
            _ => 0,
        };
        byte += 1;
    }
    classes
};
