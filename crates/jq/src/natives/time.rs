//! Dates: in UTC only, without a clock, by the Gregorian calendar at all times.
//!
//! A "broken-down time" is jq's array of year, month from 0, day, hours, minutes, seconds, day of
//! the week from Sunday, day of the year from 0.

mod format;
mod parse;
#[cfg(test)]
mod tests;

use jaq_core::native::bome;

use super::common::{ValueNative, mismatch, with_args};
use crate::value::{FilterError, Num, Val, ValR, charge};
use format::format;
use parse::parse;

pub(super) const TIME: &[ValueNative] = &[
    ("gmtime", 0, |cv| bome(Moment::from_value(&cv.1).and_then(|moment| moment.broken_down()))),
    ("mktime", 0, |cv| {
        bome(match cv.1 {
            Val::Arr(_) => Moment::from_value(&cv.1).map(|moment| Val::int(i128::from(moment.seconds))),
            value => Err(mismatch(&value, "a broken-down time")),
        })
    }),
    ("strftime", 1, |cv| {
        with_args(cv, |input, [format]| match &format {
            Val::Str(format) => charge(STEPS_PER_CONVERSION * (1 + format.len() as u64 / 2))
                .and_then(|()| Ok(Val::str(self::format(Moment::from_value(&input)?, format)?))),
            format => Err(mismatch(format, "a format: formats are strings")),
        })
    }),
    ("strptime", 1, |cv| {
        with_args(cv, |input, [format]| match (&input, &format) {
            (Val::Str(text), Val::Str(format)) => match metered_parse(text, format)? {
                Some(moment) => moment.broken_down(),
                None => Err(FilterError::str(format!("{input} is not a date of the format {format}"))),
            },
            _ => Err(FilterError::str(format!(
                "cannot read {input} as a date of the format {format}: both must be strings"
            ))),
        })
    }),
    ("todateiso8601", 0, |cv| {
        const FORMAT: &str = "%Y-%m-%dT%H:%M:%SZ";
        let charged = charge(STEPS_PER_CONVERSION * FORMAT.len() as u64 / 2);
        let moment = charged.and_then(|()| Moment::from_value(&cv.1));
        bome(moment.and_then(|moment| format(moment, FORMAT)).map(Val::str))
    }),
    ("fromdateiso8601", 0, |cv| {
        bome(match cv.1.as_str().map(|text| metered_parse(text, "%Y-%m-%dT%H:%M:%S%z")) {
            Some(Ok(Some(moment))) => Ok(moment.to_number()),
            _ => Err(mismatch(&cv.1, "a date such as \"2015-03-05T23:51:47Z\"")),
        })
    }),
];

/// Steps of writing or parsing one part of a date. `%c` consists of seven.
const STEPS_PER_CONVERSION: u64 = 5;

/// A point in time: seconds since 1970, and a fraction of the next one.
#[derive(Clone, Copy)]
struct Moment {
    seconds: i64,
    fraction: f64,
}

/// Bound of seconds: some 12,000 years on either side of 1970.
const BOUND: i64 = 400_000_000_000;

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Returns the days from 1970 to a date. Months and days out of range carry over.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that start in March, so that a leap day is the last day of one.
    let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12));
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let of_year = (153 * month + 2) / 5;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year + day
        - 1
        - 719_468
}

/// Returns the year, the month from 0, and the day of a number of days from 1970.
fn date(days: i64) -> (i64, i64, i64) {
    let (year, month, day) = tuckaway_text::time::date(days);
    (year, month - 1, day)
}

impl Moment {
    /// Adds whole seconds and fractional seconds.
    fn of(whole: i64, others: f64) -> Self {
        let floor = others.floor();
        // For a tiny negative number, the difference rounds to 1.
        let fraction = (others - floor).min(1.0_f64.next_down());
        Moment { seconds: whole + floor as i64, fraction }
    }

    /// Converts seconds since 1970, or a broken-down time.
    fn from_value(value: &Val) -> Result<Self, FilterError> {
        let number = |value: &Val| match value {
            Val::Num(num) if num.as_f64().abs() <= BOUND as f64 => Some(num.as_f64()),
            _ => None,
        };
        let moment = match value {
            Val::Num(_) => number(value).map(|seconds| Moment::of(0, seconds)),
            Val::Arr(parts) if parts.len() >= 3 => {
                let part = |at: usize| parts.get(at).map_or(Some(0.0), number);
                (|| {
                    let (year, month, day) = (part(0)? as i64, part(1)? as i64, part(2)? as i64);
                    let (hour, minute, second) = (part(3)? as i64, part(4)? as i64, part(5)?);
                    if [month, day, hour, minute].iter().any(|part| part.abs() > 100_000)
                        || year.abs() > 9_999
                    {
                        return None;
                    }
                    let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60;
                    Some(Moment::of(seconds, second))
                })()
            }
            _ => None,
        };
        moment
            .filter(|moment| moment.seconds.abs() <= BOUND)
            .ok_or_else(|| mismatch(value, "a time: seconds since 1970, or a broken-down time"))
    }

    fn to_number(self) -> Val {
        match self.fraction == 0.0 {
            true => Val::int(i128::from(self.seconds)),
            false => Val::from(self.seconds as f64 + self.fraction),
        }
    }

    fn clock(self) -> (i64, i64, i64) {
        let of_day = self.seconds.rem_euclid(86_400);
        (of_day / 3_600, of_day / 60 % 60, of_day % 60)
    }

    fn day(self) -> i64 {
        self.seconds.div_euclid(86_400)
    }

    fn weekday(self) -> i64 {
        (self.day() + 4).rem_euclid(7)
    }

    fn broken_down(self) -> ValR {
        let (year, month, day) = date(self.day());
        let (hour, minute, second) = self.clock();
        let int = |int: i64| Val::Num(Num::Int(int));
        let second = match self.fraction == 0.0 {
            true => int(second),
            // The sum must not round up to the next second.
            false => Val::from((second as f64 + self.fraction).min((second as f64 + 1.0).next_down())),
        };
        let of_year = self.day() - days(year, 0, 1);
        Val::array(vec![
            int(year),
            int(month),
            int(day),
            int(hour),
            int(minute),
            second,
            int(self.weekday()),
            int(of_year),
        ])
    }
}

fn metered_parse(text: &str, format: &str) -> Result<Option<Moment>, FilterError> {
    // `%c` and the like are few characters for several conversions.
    charge(STEPS_PER_CONVERSION * (2 + (text.len() + format.len()) as u64 / 4))?;
    Ok(parse(text, format))
}

/// Returns the format that a conversion abbreviates.
fn expansion(conversion: char) -> Option<&'static str> {
    match conversion {
        'c' => Some("%a %b %e %H:%M:%S %Y"),
        'D' | 'x' => Some("%m/%d/%y"),
        'F' => Some("%Y-%m-%d"),
        'r' => Some("%I:%M:%S %p"),
        'R' => Some("%H:%M"),
        'T' | 'X' => Some("%H:%M:%S"),
        _ => None,
    }
}
