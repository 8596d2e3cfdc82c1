//! `strptime`: parses times by a format.

use std::ops::RangeInclusive;

use super::{BOUND, DAYS, MONTHS, Moment, days, expansion};

/// Parses a time. Returns `None` if the text does not match the format.
///
/// Parts that the format does not mention are those of the start of 1970. `%z` also accepts `Z` or
/// no offset, and `%S` a fraction. As in jq, a day past the end of its month is in the next month.
///
/// Differences from jq: there, the default is a date in 1900 whose day is out of range, and the
/// offset of `%z` is ignored.
pub(super) fn parse(text: &str, format: &str) -> Option<Moment> {
    let mut parser = DateParser::new(text);
    parser.read(format)?;
    parser.end()
}

/// The rest of a text, and the parts that were parsed so far.
struct DateParser<'a> {
    rest: &'a str,
    year: i64,
    /// From 0.
    month: i64,
    day: i64,
    day_of_year: Option<i64>,
    hour: i64,
    minute: i64,
    second: i64,
    fraction: f64,
    is_afternoon: Option<bool>,
    /// Seconds east of UTC.
    offset: i64,
    /// Seconds since 1970, which replace all of the above.
    seconds: Option<i64>,
}

impl<'a> DateParser<'a> {
    fn new(rest: &'a str) -> Self {
        DateParser {
            rest,
            year: 1970,
            month: 0,
            day: 1,
            day_of_year: None,
            hour: 0,
            minute: 0,
            second: 0,
            fraction: 0.0,
            is_afternoon: None,
            offset: 0,
            seconds: None,
        }
    }

    fn read(&mut self, format: &str) -> Option<()> {
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            match c {
                '%' => self.conversion(chars.next()?)?,
                c if c.is_whitespace() => self.rest = self.rest.trim_start(),
                c => self.rest = self.rest.strip_prefix(c)?,
            }
        }
        Some(())
    }

    fn conversion(&mut self, conversion: char) -> Option<()> {
        if let Some(parts) = expansion(conversion) {
            return self.read(parts);
        }
        match conversion {
            'Y' => self.year = self.number(4, -9_999..=9_999)?,
            'y' => self.year = self.number(2, 0..=99).map(|y| if y < 69 { 2000 + y } else { 1900 + y })?,
            'm' => self.month = self.number(2, 1..=12)? - 1,
            'd' | 'e' => self.day = self.number(2, 1..=31)?,
            'H' | 'k' => self.hour = self.number(2, 0..=23)?,
            'I' | 'l' => self.hour = self.number(2, 1..=12)?,
            'M' => self.minute = self.number(2, 0..=59)?,
            // A leap second is the first of the next minute.
            'S' => {
                self.second = self.number(2, 0..=60)?;
                self.fraction()?;
            }
            'j' => self.day_of_year = Some(self.number(3, 1..=366)?),
            's' => self.seconds = Some(self.number(12, -BOUND..=BOUND)?),
            'p' | 'P' => self.is_afternoon = Some(self.name(&["AM", "PM"])? == 1),
            'A' | 'a' => drop(self.name(&DAYS)?),
            'B' | 'b' | 'h' => self.month = self.name(&MONTHS)?,
            'Z' => self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()),
            'z' => self.offset = self.zone()?,
            'n' | 't' => self.rest = self.rest.trim_start(),
            '%' => self.rest = self.rest.strip_prefix('%')?,
            _ => return None,
        }
        Some(())
    }

    /// Returns the time, if all of the text was parsed.
    fn end(self) -> Option<Moment> {
        let hour = match self.is_afternoon {
            Some(pm) => self.hour % 12 + if pm { 12 } else { 0 },
            None => self.hour,
        };
        let days = match self.day_of_year {
            Some(day_of_year) => days(self.year, 0, day_of_year),
            None => days(self.year, self.month, self.day),
        };
        let of_parts = days * 86_400 + hour * 3_600 + self.minute * 60 + self.second - self.offset;
        let seconds = self.seconds.unwrap_or(of_parts);
        self.rest.trim().is_empty().then_some(Moment { seconds, fraction: self.fraction })
    }

    fn number(&mut self, digits: usize, range: RangeInclusive<i64>) -> Option<i64> {
        let text = self.rest.trim_start();
        let sign = usize::from(text.starts_with('-') && *range.start() < 0);
        let count = text[sign..].bytes().take(digits).take_while(u8::is_ascii_digit).count();
        let number = text[..sign + count].parse().ok().filter(|number| range.contains(number));
        self.rest = &text[sign + count..];
        number
    }

    /// Parses the fraction of a second after a point, if there is one.
    fn fraction(&mut self) -> Option<()> {
        let after = self.rest.strip_prefix('.').unwrap_or_default();
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            self.fraction = self.rest[..=digits].parse().ok()?;
            self.rest = &self.rest[digits + 1..];
        }
        Some(())
    }

    /// Parses a name, in full or by its first three letters, and returns its index.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let rest = self.rest;
        let starts = |name: &str| rest.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
        let at = names.iter().position(|name| starts(&name[..name.len().min(3)]))?;
        let length = if starts(names[at]) { names[at].len() } else { names[at].len().min(3) };
        self.rest = &rest[length..];
        Some(at as i64)
    }

    /// Parses a time zone, and returns its seconds east of UTC.
    fn zone(&mut self) -> Option<i64> {
        if let Some(after) = self.rest.strip_prefix(['Z', 'z']) {
            self.rest = after;
            return Some(0);
        }
        let sign = match self.rest.chars().next() {
            None => return Some(0),
            Some('+') => 1,
            Some('-') => -1,
            Some(_) => return None,
        };
        self.rest = &self.rest[1..];
        let hours = self.number(2, 0..=23)?;
        self.rest = self.rest.strip_prefix(':').unwrap_or(self.rest);
        let minutes = if self.rest.is_empty() { 0 } else { self.number(2, 0..=59)? };
        Some(sign * (hours * 3_600 + minutes * 60))
    }
}
