//! `strftime`: formats times, with the names of the C locale.

use std::fmt::Write;

use super::{DAYS, MONTHS, Moment, date, days, expansion};
use crate::value::FilterError;

/// Longest formatted text.
const MAX_BYTES: usize = 1 << 20;

/// Formats a time. Fails if the format has an unknown conversion, or its text is too long.
pub(super) fn format(moment: Moment, format: &str) -> Result<String, FilterError> {
    let parts = DateParts::of(moment);
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match (c, chars.as_str().is_empty()) {
            ('%', false) => {
                let conversion = chars.next().unwrap_or('%');
                if parts.write(conversion, &mut out).is_none() {
                    return Err(FilterError::str(format!(
                        "%{conversion} is not a supported conversion of a date"
                    )));
                }
                if out.len() > MAX_BYTES {
                    return Err(FilterError::str("the formatted date is longer than 1 MiB"));
                }
            }
            _ => out.push(c),
        }
    }
    Ok(out)
}

/// The parts of a time to which conversions refer.
struct DateParts {
    seconds: i64,
    year: i64,
    /// From 0.
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    /// From Sunday, which is 0.
    weekday: i64,
    /// From 1.
    day_of_year: i64,
}

impl DateParts {
    fn of(moment: Moment) -> Self {
        let (year, month, day) = date(moment.day());
        let (hour, minute, second) = moment.clock();
        let day_of_year = moment.day() - days(year, 0, 1) + 1;
        let (seconds, weekday) = (moment.seconds, moment.weekday());
        DateParts { seconds, year, month, day, hour, minute, second, weekday, day_of_year }
    }

    /// Writes a conversion. Returns `None` if it is unknown.
    fn write(&self, conversion: char, out: &mut String) -> Option<()> {
        if let Some(parts) = expansion(conversion) {
            let mut chars = parts.chars();
            while let Some(c) = chars.next() {
                match c {
                    '%' => self.write(chars.next()?, out)?,
                    c => out.push(c),
                }
            }
            return Some(());
        }
        let written = match conversion {
            // As in jq, years are not padded with zeros.
            'Y' => write!(out, "{}", self.year),
            'C' => write!(out, "{:02}", self.year.div_euclid(100)),
            'y' => write!(out, "{:02}", self.year.rem_euclid(100)),
            'm' => write!(out, "{:02}", self.month + 1),
            'd' => write!(out, "{:02}", self.day),
            'e' => write!(out, "{:>2}", self.day),
            'H' => write!(out, "{:02}", self.hour),
            'k' => write!(out, "{:>2}", self.hour),
            'I' => write!(out, "{:02}", self.hour_of_twelve()),
            'l' => write!(out, "{:>2}", self.hour_of_twelve()),
            'M' => write!(out, "{:02}", self.minute),
            'S' => write!(out, "{:02}", self.second),
            'j' => write!(out, "{:03}", self.day_of_year),
            'p' => write!(out, "{}", if self.hour < 12 { "AM" } else { "PM" }),
            'P' => write!(out, "{}", if self.hour < 12 { "am" } else { "pm" }),
            'A' => write!(out, "{}", self.day_name()),
            'a' => write!(out, "{}", &self.day_name()[..3]),
            'B' => write!(out, "{}", self.month_name()),
            'b' | 'h' => write!(out, "{}", &self.month_name()[..3]),
            'u' => write!(out, "{}", self.days_since_monday() + 1),
            'w' => write!(out, "{}", self.weekday),
            'U' => write!(out, "{:02}", (self.day_of_year + 6 - self.weekday) / 7),
            'W' => write!(out, "{:02}", (self.day_of_year + 6 - self.days_since_monday()) / 7),
            'G' => write!(out, "{}", self.iso_week().0),
            'g' => write!(out, "{:02}", self.iso_week().0.rem_euclid(100)),
            'V' => write!(out, "{:02}", self.iso_week().1),
            // jq's C library has GMT; its manual has UTC.
            'Z' => write!(out, "UTC"),
            'z' => write!(out, "+0000"),
            's' => write!(out, "{}", self.seconds),
            'n' => writeln!(out),
            't' => write!(out, "\t"),
            '%' => write!(out, "%"),
            _ => return None,
        };
        written.ok()
    }

    fn hour_of_twelve(&self) -> i64 {
        (self.hour + 11) % 12 + 1
    }

    fn days_since_monday(&self) -> i64 {
        (self.weekday + 6) % 7
    }

    /// Returns the year and the week of ISO 8601: a week belongs to the year of its Thursday.
    fn iso_week(&self) -> (i64, i64) {
        let thursday = self.seconds.div_euclid(86_400) - self.days_since_monday() + 3;
        let (year, ..) = date(thursday);
        (year, (thursday - days(year, 0, 1)) / 7 + 1)
    }

    fn day_name(&self) -> &'static str {
        DAYS[self.weekday as usize]
    }

    fn month_name(&self) -> &'static str {
        MONTHS[self.month as usize]
    }
}
