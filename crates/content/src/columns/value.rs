//! Classifies the value of a cell.

use super::number::inline_number;

/// The classes of values, in order: those after `String` have a form of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing.
    Empty,
    /// Any text.
    String,
    /// `true`, `False`.
    Boolean,
    /// `12:30`, `12:30:59.5`.
    Time,
    /// `2026-01-31`, perhaps with a time, `31.01.2026`, `1/31/2026`.
    Date,
    /// `-12`.
    Integer,
    /// `1.5`.
    Number,
}

/// Returns the class of a cell's value.
#[inline(never)]
pub fn class(cell: &[u8]) -> Class {
    value(cell).0
}

/// Returns the class of a cell's value, and its number if it is one.
#[inline(always)]
pub fn value(cell: &[u8]) -> (Class, f64) {
    let class = match cell.first() {
        None => Class::Empty,
        Some(b'-' | b'0'..=b'9') => match inline_number(cell) {
            Some(number) if number.is_integer => return (Class::Integer, number.value),
            Some(number) => return (Class::Number, number.value),
            None => moment(cell),
        },
        Some(b't' | b'T' | b'f' | b'F') if is_boolean(cell) => Class::Boolean,
        Some(_) => Class::String,
    };
    (class, 0.0)
}

fn is_boolean(cell: &[u8]) -> bool {
    cell.eq_ignore_ascii_case(b"true") || cell.eq_ignore_ascii_case(b"false")
}

/// Classifies a value as a date, a time or a string, by its form alone.
fn moment(cell: &[u8]) -> Class {
    if cell.len() > 40 {
        return Class::String;
    }
    if let Some(rest) = past_pattern(cell, b"dddd-dd-dd").or_else(|| past_pattern(cell, b"dddd/dd/dd")) {
        let time = rest.strip_prefix(b"T").or(rest.strip_prefix(b" ")).unwrap_or(rest);
        return if rest.is_empty() || is_time(time) { Class::Date } else { Class::String };
    }
    for pattern in [&b"dd.dd.dddd"[..], b"dd/dd/dddd", b"d/d/dddd", b"dd/d/dddd", b"d/dd/dddd"] {
        if let Some(rest) = past_pattern(cell, pattern) {
            let is_date = rest.is_empty() || rest.strip_prefix(b" ").is_some_and(is_time);
            return if is_date { Class::Date } else { Class::String };
        }
    }
    if is_time(cell) { Class::Time } else { Class::String }
}

/// Returns whether a text is hours and minutes, optionally with seconds, their fraction
/// and a zone.
fn is_time(text: &[u8]) -> bool {
    let Some(rest) = past_pattern(text, b"dd:dd") else { return false };
    let rest = past_pattern(rest, b":dd").unwrap_or(rest);
    let rest = match rest {
        [b'.' | b',', parts @ ..] => &parts[parts.iter().take_while(|byte| byte.is_ascii_digit()).count()..],
        rest => rest,
    };
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let zone = past_pattern(rest, b"Z")
        .or_else(|| past_pattern(rest, b"sdd:dd"))
        .or_else(|| past_pattern(rest, b"sdddd"))
        .or_else(|| past_pattern(rest, b"sdd"))
        .or_else(|| past_pattern(rest, b"UTC"));
    zone.unwrap_or(rest).is_empty()
}

/// Returns the text after a pattern: `d` is a digit, `s` a sign, everything else itself.
fn past_pattern<'a>(text: &'a [u8], pattern: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = text.split_at_checked(pattern.len())?;
    let fits = |(byte, expected): (&u8, &u8)| match expected {
        b'd' => byte.is_ascii_digit(),
        b's' => matches!(byte, b'+' | b'-'),
        expected => byte == expected,
    };
    start.iter().zip(pattern).all(fits).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_classified_by_their_form() {
        for (cell, expected) in [
            ("", Class::Empty),
            ("abc", Class::String),
            ("TRUE", Class::Boolean),
            ("truth", Class::String),
            ("12", Class::Integer),
            ("007", Class::String),
            ("-1.5", Class::Number),
            ("2026-01-31", Class::Date),
            ("2026-01-31T12:30:59.123Z", Class::Date),
            ("2026-01-31 12:30:59,123 +0200", Class::Date),
            ("2026-01-31-backup", Class::String),
            ("31.01.2026", Class::Date),
            ("1/31/2026 12:30", Class::Date),
            ("15:37:56,547", Class::Time),
            ("12:3", Class::String),
            ("10.0.0.1", Class::String),
        ] {
            assert_eq!(class(cell.as_bytes()), expected, "{cell}");
        }
    }
}
