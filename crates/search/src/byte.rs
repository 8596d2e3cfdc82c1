//! A byte to search for, in one case or in both.

/// A byte of a text, or a letter in both cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Byte {
    value: u8,
    /// The bit in which the cases of a letter differ, if case is ignored; it is set in
    /// `value`.
    either: u8,
}

impl Byte {
    /// Matches this byte alone.
    pub fn exactly(value: u8) -> Self {
        Byte { value, either: 0 }
    }

    /// Matches an ASCII letter in both cases, and any other byte alone.
    pub fn in_any_case(value: u8) -> Self {
        let either = if value.is_ascii_alphabetic() { 0x20 } else { 0 };
        Byte { value: value | either, either }
    }

    /// Returns the byte, unless it is a letter in both cases.
    pub fn exact(self) -> Option<u8> {
        (self.either == 0).then_some(self.value)
    }

    /// Returns the byte; of a letter in both cases, the lower case.
    pub fn value(self) -> u8 {
        self.value
    }

    /// Returns the bit in which the cases of a letter differ, if case is ignored.
    pub fn either(self) -> u8 {
        self.either
    }

    /// Returns the two bytes that it matches, which may be equal.
    pub fn cases(self) -> [u8; 2] {
        [self.value, self.value & !self.either]
    }

    /// Estimates how rare it is in the output of tools, from 1 for the most common.
    pub fn rarity(self) -> u32 {
        let rarity = match self.value {
            b' ' | b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 1,
            b'"' | b',' | b':' | b'.' | b'0'..=b'9' | b'l' | b'd' | b'c' | b'u' | b'm' | b'p' => 2,
            b'a'..=b'z' | b'/' | b'-' | b'_' | b'=' => 3,
            b'A'..=b'Z' => 5,
            _ => 6,
        };
        if self.either == 0 { 2 * rarity } else { rarity }
    }

    /// Returns whether it matches a byte.
    pub fn matches(self, byte: u8) -> bool {
        byte | self.either == self.value
    }
}
