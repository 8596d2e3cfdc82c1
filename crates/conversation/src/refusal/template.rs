//! Texts with figures: how a form is written in the table, and how it is found in an error.
//!
//! A template is the provider's text. `{limit}`, `{actual}`, `{answer}` and `{excess}` stand for
//! numbers; numbers of the same name are added up. `…` stands for up to [`MAX_GAP`] bytes, up to
//! the first occurrence of the text after it. A template begins with text.
//!
//! Letters are compared without case. White space, quotes and escapes are ignored, because an error
//! is often quoted, escaped in JSON, or wrapped to the width of a terminal.

/// Maximum bytes that `…` stands for.
const MAX_GAP: usize = 400;
/// The largest figure. Nothing that a provider accepts is larger.
const MAX_FIGURE: u64 = 1 << 40;

/// The numbers of a form.
#[derive(Debug, Default, PartialEq)]
pub struct Figures {
    pub limit: Option<u64>,
    pub actual: Option<u64>,
    pub answer: Option<u64>,
    pub excess: Option<u64>,
}

/// Returns the characters of a text that are compared, all of them ASCII.
pub fn normalized(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut kept = String::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match (byte, bytes.get(at)) {
            (b'\\', Some(b'n' | b'r' | b't')) => at += 1,
            // Some encoders of JSON escape `>`.
            (b'\\', Some(b'u')) => {
                let code = text.get(at + 1..at + 5).and_then(|code| u8::from_str_radix(code, 16).ok());
                if let Some(code) = code {
                    push(&mut kept, code);
                    at += 5;
                }
            }
            _ => push(&mut kept, byte),
        }
    }
    kept
}

fn push(kept: &mut String, byte: u8) {
    if byte.is_ascii_graphic() && !b"\\\"'`*".contains(&byte) {
        kept.push(char::from(byte.to_ascii_lowercase()));
    }
}

/// Finds a template in a normalized text, and returns its figures.
pub fn find(template: &str, text: &str) -> Option<Figures> {
    let parts = parts(template);
    let (Part::Text(first), rest) = parts.split_first()? else { return None };
    text.match_indices(first.as_str()).find_map(|(at, _)| figures(rest, &text[at + first.len()..]))
}

enum Part<'t> {
    Text(String),
    Gap,
    Figure(&'t str),
}

fn parts(template: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        let (text, special) = rest.split_at(rest.find(['{', '…']).unwrap_or(rest.len()));
        if !text.is_empty() {
            parts.push(Part::Text(normalized(text)));
        }
        rest = match (special.strip_prefix('…'), special.split_once('}')) {
            (Some(after), _) => {
                parts.push(Part::Gap);
                after
            }
            (None, Some((name, after))) => {
                parts.push(Part::Figure(&name[1..]));
                after
            }
            (None, None) => "",
        };
    }
    parts
}

/// Reads the parts of a template from the start of a text.
fn figures(parts: &[Part<'_>], mut text: &str) -> Option<Figures> {
    let mut figures = Figures::default();
    let mut parts = parts.iter();
    while let Some(part) = parts.next() {
        match part {
            Part::Text(expected) => text = text.strip_prefix(expected.as_str())?,
            Part::Gap => {
                let Some(Part::Text(expected)) = parts.next() else { return None };
                let reach = &text[..text.len().min(MAX_GAP + expected.len())];
                text = &text[reach.find(expected.as_str())? + expected.len()..];
            }
            Part::Figure(name) => {
                let (figure, after) = number(text)?;
                let sum = match *name {
                    "limit" => &mut figures.limit,
                    "actual" => &mut figures.actual,
                    "answer" => &mut figures.answer,
                    _ => &mut figures.excess,
                };
                *sum = Some(sum.unwrap_or(0) + figure);
                text = after;
            }
        }
    }
    Some(figures)
}

/// Reads a number at the start of a text: `200000`, `200,000`, `32MB`, `50.6MB`. Returns it in bytes
/// if it has a unit, and the text after it. Units are decimal, because the smaller reading is safe.
fn number(text: &str) -> Option<(u64, &str)> {
    let (mut value, mut rest) = digits(text)?;
    if text.len() - rest.len() <= 3 {
        while let Some((group, after)) = rest.strip_prefix([',', '_']).and_then(digits)
            && rest.len() - after.len() == 4
        {
            value = value.saturating_mul(1_000).saturating_add(group);
            rest = after;
        }
    }
    let fraction = rest.strip_prefix('.').and_then(digits);
    let (tenths, after) = match fraction {
        Some((_, after)) => (u64::from(rest.as_bytes()[1] - b'0'), after),
        None => (0, rest),
    };
    for (unit, bytes) in [("kb", 1_000), ("mb", 1_000_000), ("gb", 1_000_000_000)] {
        if let Some(after) = after.strip_prefix(unit) {
            (value, rest) = (value.saturating_mul(bytes).saturating_add(tenths * bytes / 10), after);
        }
    }
    (value <= MAX_FIGURE).then_some((value, rest))
}

fn digits(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // A number that does not fit is larger than any figure.
    (!digits.is_empty()).then(|| (digits.parse().unwrap_or(u64::MAX), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(template: &str, text: &str) -> Option<u64> {
        find(template, &normalized(text))?.limit
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let read = [
            ("200000", 200_000),
            ("200,000", 200_000),
            ("1_048_576", 1_048_576),
            // Two numbers, not one.
            ("32768,400", 32_768),
            ("12,3456", 12),
            ("5 MB", 5_000_000),
            ("50.6MB", 50_600_000),
            ("1048576.", 1_048_576),
        ];
        for (text, value) in read {
            assert_eq!(limit("limit {limit}", &format!("The limit {text}")), Some(value), "{text}");
        }
        for text in ["", "x", "-1", "1099511627777", "99999999999999999999999", "9999999 GB"] {
            assert_eq!(limit("limit {limit}", &format!("limit {text}")), None, "{text}");
        }
    }

    #[test]
    fn quotes_escapes_and_line_breaks_do_not_matter() {
        for text in
            ["a > 7 b", "A\n  >\n  7 b", r"a \u003e 7 b", r#"\\"a\\" \\u003e\\n 7 'b'"#, "“a” > `7` *b*"]
        {
            assert_eq!(limit("a > {limit} b", text), Some(7), "{text}");
        }
        assert_eq!(normalized(r"\u00e9\u12"), "u12");
    }

    #[test]
    fn gaps_are_bounded_and_numbers_of_a_name_add_up() {
        let text = |gap: usize| normalized(&format!("a{}b 2 + 3", "-".repeat(gap)));
        let both = Figures { actual: Some(5), ..Figures::default() };
        assert_eq!(find("a…b {actual} + {actual}", &text(MAX_GAP)), Some(both));
        assert_eq!(find("a…b {actual} + {actual}", &text(MAX_GAP + 1)), None);
    }
}
