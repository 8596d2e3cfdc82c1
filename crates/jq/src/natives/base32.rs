//! Base32 of RFC 4648, section 6.

/// The digits, by value.
pub(super) const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Encodes bytes, with padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(5) * 8);
    for group in bytes.chunks(5) {
        let mut bits = [0; 8];
        bits[3..3 + group.len()].copy_from_slice(group);
        let bits = u64::from_be_bytes(bits);
        let digits = (group.len() * 8).div_ceil(5);
        out.extend((0..8).map(|digit| match digit < digits {
            true => char::from(ALPHABET.as_bytes()[(bits >> (35 - 5 * digit)) as usize & 31]),
            false => '=',
        }));
    }
    out
}

/// Decodes digits without padding. Bits after the last whole byte are dropped. Returns `None` for any
/// other character, and for a digit that no byte needs.
pub(super) fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(digits.len() * 5 / 8);
    for group in digits.chunks(8) {
        let mut bits = 0;
        for (index, &digit) in group.iter().enumerate() {
            bits |= u64::from(value(digit)?) << (59 - 5 * index);
        }
        if group.len() * 5 % 8 >= 5 {
            return None;
        }
        out.extend_from_slice(&bits.to_be_bytes()[..group.len() * 5 / 8]);
    }
    Some(out)
}

const fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'2'..=b'7' => Some(digit - b'2' + 26),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of RFC 4648, section 10.
    #[test]
    fn the_vectors_of_the_specification() {
        for (text, encoded) in [
            ("", ""),
            ("f", "MY======"),
            ("fo", "MZXQ===="),
            ("foo", "MZXW6==="),
            ("foob", "MZXW6YQ="),
            ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI======"),
        ] {
            assert_eq!(encode(text.as_bytes()), encoded);
            assert_eq!(decode(encoded.trim_end_matches('=').as_bytes()).as_deref(), Some(text.as_bytes()));
        }
    }

    #[test]
    fn a_digit_too_many_is_refused() {
        for digits in ["M", "MZX", "MZXW6Y", "MZXW6YTBO", "my", "M0"] {
            assert_eq!(decode(digits.as_bytes()), None, "{digits}");
        }
    }
}
