//! Writes plain scalars: numbers, words of JSON, or strings.

use tuckaway_json::write::push_string;

/// Writes a plain scalar by the core schema of YAML 1.2: `no` and dates are strings.
/// Numbers that JSON does not have (`.inf`, `.nan`) are strings too, and so are numbers with
/// leading zeros, which YAML 1.1 and 1.2 read differently.
pub fn push_plain(json: &mut Vec<u8>, text: &[u8]) {
    match text {
        b"" | b"~" | b"null" | b"Null" | b"NULL" => json.extend_from_slice(b"null"),
        b"true" | b"True" | b"TRUE" => json.extend_from_slice(b"true"),
        b"false" | b"False" | b"FALSE" => json.extend_from_slice(b"false"),
        _ if !push_number(json, text) => push_string(json, text),
        _ => {}
    }
}

/// Writes a number; returns whether the text is one.
fn push_number(json: &mut Vec<u8>, text: &[u8]) -> bool {
    if !matches!(text[0], b'0'..=b'9' | b'-' | b'+' | b'.') {
        return false;
    }
    let based = match text {
        [b'0', b'x', digits @ ..] => Some((digits, 16)),
        [b'0', b'o', digits @ ..] => Some((digits, 8)),
        _ => None,
    };
    if let Some((digits, radix)) = based {
        let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'));
        let number = digits.and_then(|digits| u64::from_str_radix(digits, radix).ok());
        return number.map(|number| json.extend_from_slice(number.to_string().as_bytes())).is_some();
    }
    let Some(parts) = Decimal::of(text) else { return false };
    if parts.is_negative {
        json.push(b'-');
    }
    json.extend_from_slice(if parts.whole.is_empty() { b"0" } else { parts.whole });
    if !parts.fraction.is_empty() {
        json.push(b'.');
        json.extend_from_slice(parts.fraction);
    }
    json.extend_from_slice(parts.exponent);
    true
}

/// The parts of a decimal number.
struct Decimal<'a> {
    is_negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    /// With its `e`.
    exponent: &'a [u8],
}

impl<'a> Decimal<'a> {
    fn of(text: &'a [u8]) -> Option<Self> {
        let (is_negative, unsigned) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let (whole, rest) = digits(unsigned);
        let (fraction, exponent) = match rest {
            [b'.', rest @ ..] => digits(rest),
            _ => (&b""[..], rest),
        };
        let is_number = !(whole.is_empty() && fraction.is_empty()) && (whole.len() < 2 || whole[0] != b'0');
        let is_exponent = match exponent {
            [] => true,
            [b'e' | b'E', b'+' | b'-', power @ ..] | [b'e' | b'E', power @ ..] => {
                !power.is_empty() && digits(power).1.is_empty()
            }
            _ => false,
        };
        (is_number && is_exponent).then_some(Decimal { is_negative, whole, fraction, exponent })
    }
}

/// Splits a text after the digits at its start.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_those_of_the_core_schema() {
        for (text, json) in [
            ("", "null"),
            ("~", "null"),
            ("True", "true"),
            ("no", r#""no""#),
            ("12", "12"),
            ("+12", "12"),
            ("-0.50", "-0.50"),
            (".5", "0.5"),
            ("5.", "5"),
            ("1e3", "1e3"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("0x", r#""0x""#),
            ("0644", r#""0644""#),
            ("1.2.3", r#""1.2.3""#),
            ("-", r#""-""#),
            (".", r#"".""#),
            (".inf", r#"".inf""#),
            ("2026-01-02", r#""2026-01-02""#),
            ("1_000", r#""1_000""#),
            ("12h", r#""12h""#),
            ("1e", r#""1e""#),
            ("99999999999999999999999", "99999999999999999999999"),
        ] {
            let mut written = Vec::new();
            push_plain(&mut written, text.as_bytes());
            assert_eq!(String::from_utf8(written).unwrap(), json, "{text}");
        }
    }
}
