//! `strptime`: a time out of a text of which a format says how it is laid out.

use std::ops::RangeInclusive;

use super::{BOUND, DAYS, MONTHS, Moment, days, made_of};

/// Reads a time; what the format does not mention is that of 1970. `%z` also takes `Z`
/// and no offset at all, `%S` a fraction. None if the text is not of the format.
///
/// What jq does otherwise: it begins where the format mentions no date in a year 1900
/// whose day is out of range, and forgets the offset that `%z` has read. A day that its
/// month does not have is one of the next month, as in jq.
pub(super) fn parse(text: &str, format: &str) -> Option<Moment> {
    let mut reader = Reader::new(text);
    reader.read(format)?;
    reader.end()
}

/// A text as it is read, and what was found in it.
struct Reader<'a> {
    rest: &'a str,
    year: i64,
    /// From 0.
    month: i64,
    day: i64,
    of_year: Option<i64>,
    hour: i64,
    minute: i64,
    second: i64,
    fraction: f64,
    is_afternoon: Option<bool>,
    /// Seconds east of UTC.
    offset: i64,
    /// Since 1970: all of the above is of no account then.
    seconds: Option<i64>,
}

impl<'a> Reader<'a> {
    fn new(rest: &'a str) -> Self {
        Reader {
            rest,
            year: 1970,
            month: 0,
            day: 1,
            of_year: None,
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
        if let Some(parts) = made_of(conversion) {
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
            'j' => self.of_year = Some(self.number(3, 1..=366)?),
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

    /// What was read, if that is all of the text.
    fn end(self) -> Option<Moment> {
        let hour = match self.is_afternoon {
            Some(pm) => self.hour % 12 + if pm { 12 } else { 0 },
            None => self.hour,
        };
        let days = match self.of_year {
            Some(of_year) => days(self.year, 0, of_year),
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

    /// The part of a second behind a point, if there is one.
    fn fraction(&mut self) -> Option<()> {
        let behind = self.rest.strip_prefix('.').unwrap_or_default();
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            self.fraction = self.rest[..=digits].parse().ok()?;
            self.rest = &self.rest[digits + 1..];
        }
        Some(())
    }

    /// Which of the names comes next, in full or by its first three letters.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let rest = self.rest;
        let starts = |name: &str| rest.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
        let at = names.iter().position(|name| starts(&name[..name.len().min(3)]))?;
        let length = if starts(names[at]) { names[at].len() } else { names[at].len().min(3) };
        self.rest = &rest[length..];
        Some(at as i64)
    }

    /// Seconds east of UTC.
    fn zone(&mut self) -> Option<i64> {
        if let Some(behind) = self.rest.strip_prefix(['Z', 'z']) {
            self.rest = behind;
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
