//! Detects and parses numbers in cells.

/// A cell that is a JSON number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Its value.
    pub value: f64,
    /// It has neither fraction nor exponent.
    pub is_integer: bool,
}

/// Maximum digits that jq keeps exactly. Longer numbers are names.
const MAX_DIGITS: usize = 38;

/// Powers of ten that are exact as floats.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Returns the number in a cell, by JSON's grammar: no leading zero or plus, no
/// thousands separators. An exponent counts only after a fraction or with a sign, so that
/// the hash `12e4567` stays text.
pub fn number(cell: &[u8]) -> Option<Number> {
    inline_number(cell)
}

/// Returns the same as [`number`], inlined for callers that go over all cells.
#[inline(always)]
pub(super) fn inline_number(cell: &[u8]) -> Option<Number> {
    let unsigned = cell.strip_prefix(b"-").unwrap_or(cell);
    let (mut whole, mut value) = (0, 0u64);
    while let Some(digit @ b'0'..=b'9') = unsigned.get(whole) {
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        whole += 1;
    }
    if whole == 0 || whole > MAX_DIGITS || (whole > 1 && unsigned[0] == b'0') {
        return None;
    }
    let mut fraction = 0;
    let mut at = whole;
    if unsigned.get(at) == Some(&b'.') {
        while let Some(digit @ b'0'..=b'9') = unsigned.get(at + 1 + fraction) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            fraction += 1;
        }
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    let has_exponent = at < unsigned.len();
    if has_exponent && !is_exponent(&unsigned[at..], fraction > 0) {
        return None;
    }
    let value = if has_exponent || whole + fraction > 15 {
        std::str::from_utf8(unsigned).ok()?.parse().ok()?
    } else if fraction == 0 {
        value as f64
    } else {
        value as f64 / POWERS[fraction]
    };
    let value = if unsigned.len() < cell.len() { -value } else { value };
    Some(Number { value, is_integer: at == whole && !has_exponent })
}

fn is_exponent(text: &[u8], behind_fraction: bool) -> bool {
    let [b'e' | b'E', power @ ..] = text else { return false };
    let digits = match power {
        [b'+' | b'-', digits @ ..] => digits,
        digits if behind_fraction => digits,
        _ => return false,
    };
    (1..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_follow_the_grammar_of_json() {
        for text in ["0", "-0", "12", "-3.50", "1.5e10", "2E+10", "1e-5", "12345678901234567890123"] {
            let number = number(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(number.value, text.parse::<f64>().unwrap(), "{text}");
        }
        for text in [
            "", "-", "007", "+1", "1.", ".5", "1,000", "12e45", "1e", "0x1F", "NaN", "1 2", "1.5e", "1e-",
            "--1",
        ] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
        assert_eq!(number("9".repeat(39).as_bytes()), None);
    }

    proptest! {
        #[test]
        fn values_are_those_of_the_standard_library(text in "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?") {
            prop_assert_eq!(number(text.as_bytes()).unwrap().value, text.parse::<f64>().unwrap());
        }
    }
}
