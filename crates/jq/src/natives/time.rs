//! Dates: UTC only, without a clock, in the Gregorian calendar for all times.
//!
//! A "broken down time" is jq's array: year, month from 0, day, hours, minutes,
//! seconds, day of the week from Sunday, day of the year from 0.

use jaq_core::native::bome;

use super::{Native, unfit, with};
use crate::value::{Error, Num, Val, ValR, spend};

pub(super) const TIME: &[Native] = &[
    ("gmtime", 0, |cv| bome(Moment::from_value(&cv.1).and_then(|moment| moment.broken_down()))),
    ("mktime", 0, |cv| {
        bome(match cv.1 {
            Val::Arr(_) => Moment::from_value(&cv.1).map(|moment| Val::int(i128::from(moment.seconds))),
            value => Err(unfit(&value, "a broken down time")),
        })
    }),
    ("strftime", 1, |cv| {
        with(cv, |input, [format]| match &format {
            Val::Str(format) => spend(STEPS_A_CONVERSION * (1 + format.len() as u64 / 2))
                .and_then(|()| Ok(Val::str(Moment::from_value(&input)?.format(format)?))),
            format => Err(unfit(format, "a format: formats are strings")),
        })
    }),
    ("strptime", 1, |cv| {
        with(cv, |input, [format]| match (&input, &format) {
            (Val::Str(text), Val::Str(format)) => match paid_parse(text, format)? {
                Some(moment) => moment.broken_down(),
                None => Err(Error::str(format!("{input} is not a date of the format {format}"))),
            },
            _ => Err(Error::str(format!(
                "cannot read {input} as a date of the format {format}: both have to be strings"
            ))),
        })
    }),
    ("todateiso8601", 0, |cv| {
        const FORMAT: &str = "%Y-%m-%dT%H:%M:%SZ";
        let paid = spend(STEPS_A_CONVERSION * FORMAT.len() as u64 / 2);
        let moment = paid.and_then(|()| Moment::from_value(&cv.1));
        bome(moment.and_then(|moment| moment.format(FORMAT)).map(Val::str))
    }),
    ("fromdateiso8601", 0, |cv| {
        bome(match cv.1.as_str().map(|text| paid_parse(text, "%Y-%m-%dT%H:%M:%S%z")) {
            Some(Ok(Some(moment))) => Ok(moment.to_number()),
            _ => Err(unfit(&cv.1, "a date such as \"2015-03-05T23:51:47Z\"")),
        })
    }),
];

/// What it takes to write or read one part of a date, `%c` being made of seven.
const STEPS_A_CONVERSION: u64 = 4;

/// Seconds since 1970, and the part of the next one.
#[derive(Clone, Copy)]
struct Moment {
    seconds: i64,
    fraction: f64,
}

/// The years that have four digits, and as many before them.
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

/// Days since 1970 of a date; months and days past their ends carry over.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years from March on, so that the day that leaps is the last of one.
    let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12));
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let of_year = (153 * month + 2) / 5;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year + day
        - 1
        - 719_468
}

/// Year, month from 0, day.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (year + era * 400, month + 2);
    if month >= 12 { (year + 1, month - 12, day) } else { (year, month, day) }
}

impl Moment {
    /// Of seconds since 1970, or of a broken down time.
    fn from_value(value: &Val) -> Result<Self, Error> {
        let number = |value: &Val| match value {
            Val::Num(num) if num.as_f64().abs() <= BOUND as f64 => Some(num.as_f64()),
            _ => None,
        };
        let moment = match value {
            Val::Num(_) => number(value).map(|seconds| Moment {
                seconds: seconds.floor() as i64,
                fraction: seconds - seconds.floor(),
            }),
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
                    Some(Moment {
                        seconds: seconds + second.floor() as i64,
                        fraction: second - second.floor(),
                    })
                })()
            }
            _ => None,
        };
        moment
            .filter(|moment| moment.seconds.abs() <= BOUND)
            .ok_or_else(|| unfit(value, "a time: that is seconds since 1970, or a broken down time"))
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
            false => Val::from(second as f64 + self.fraction),
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

    fn format(self, format: &str) -> Result<String, Error> {
        let (year, month, day) = date(self.day());
        let (hour, minute, second) = self.clock();
        let of_year = self.day() - days(year, 0, 1) + 1;
        let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
        let (weekday, monday) = (self.weekday(), (self.weekday() + 6) % 7);
        let (day_name, month_name) = (DAYS[weekday as usize], MONTHS[month as usize]);
        let mut out = String::new();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let conversion = chars.next();
            out += &match conversion {
                Some('Y') => format!("{year}"),
                Some('C') => format!("{:02}", year.div_euclid(100)),
                Some('y') => format!("{:02}", year.rem_euclid(100)),
                Some('m') => format!("{:02}", month + 1),
                Some('d') => format!("{day:02}"),
                Some('e') => format!("{day:>2}"),
                Some('H') => format!("{hour:02}"),
                Some('k') => format!("{hour:>2}"),
                Some('I') => format!("{twelve:02}"),
                Some('l') => format!("{twelve:>2}"),
                Some('M') => format!("{minute:02}"),
                Some('S') => format!("{second:02}"),
                Some('j') => format!("{of_year:03}"),
                Some('p') => if hour < 12 { "AM" } else { "PM" }.to_owned(),
                Some('A') => day_name.to_owned(),
                Some('a') => day_name[..3].to_owned(),
                Some('B') => month_name.to_owned(),
                Some('b' | 'h') => month_name[..3].to_owned(),
                Some('u') => format!("{}", monday + 1),
                Some('w') => format!("{weekday}"),
                Some('U') => format!("{:02}", (of_year + 6 - weekday) / 7),
                Some('W') => format!("{:02}", (of_year + 6 - monday) / 7),
                Some('Z') => "UTC".to_owned(),
                Some('z') => "+0000".to_owned(),
                Some('s') => format!("{}", self.seconds),
                Some('F') => format!("{year}-{:02}-{day:02}", month + 1),
                Some('D') => format!("{:02}/{day:02}/{:02}", month + 1, year.rem_euclid(100)),
                Some('T') => format!("{hour:02}:{minute:02}:{second:02}"),
                Some('R') => format!("{hour:02}:{minute:02}"),
                Some('c') => {
                    format!(
                        "{} {} {day:>2} {hour:02}:{minute:02}:{second:02} {year}",
                        &day_name[..3],
                        &month_name[..3]
                    )
                }
                Some('n') => "\n".to_owned(),
                Some('t') => "\t".to_owned(),
                Some('%') => "%".to_owned(),
                Some(other) => {
                    return Err(Error::str(format!(
                        "%{other} is no conversion of a date that is known here"
                    )));
                }
                None => "%".to_owned(),
            };
            if out.len() > 1 << 20 {
                return Err(Error::str("the formatted date is longer than 1 MiB"));
            }
        }
        Ok(out)
    }
}

fn paid_parse(text: &str, format: &str) -> Result<Option<Moment>, Error> {
    // Few of the formats' characters are as many conversions.
    spend(STEPS_A_CONVERSION * (2 + (text.len() + format.len()) as u64 / 4))?;
    Ok(parse(text, format))
}

/// Reads a date; what the format does not mention is that of 1970. `%z` also
/// takes `Z` and no offset at all, `%S` a fraction.
fn parse(text: &str, format: &str) -> Option<Moment> {
    let format = ["%T", "%F", "%D", "%R"]
        .iter()
        .zip(["%H:%M:%S", "%Y-%m-%d", "%m/%d/%y", "%H:%M"])
        .fold(format.to_owned(), |format, (short, long)| format.replace(short, long));
    let (mut rest, mut chars) = (text, format.chars());
    let (mut year, mut month, mut day, mut of_year) = (1970, 0, 1, None);
    let (mut hour, mut minute, mut second, mut fraction) = (0, 0, 0, 0.0);
    let (mut offset, mut afternoon, mut seconds) = (0, None, None);
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            rest = rest.trim_start();
            continue;
        }
        if c != '%' {
            rest = rest.strip_prefix(c)?;
            continue;
        }
        match chars.next()? {
            'Y' => year = number(&mut rest, 4, -9_999..=9_999)?,
            'y' => year = number(&mut rest, 2, 0..=99).map(|y| if y < 69 { 2000 + y } else { 1900 + y })?,
            'm' => month = number(&mut rest, 2, 1..=12)? - 1,
            'd' | 'e' => day = number(&mut rest, 2, 1..=31)?,
            'H' | 'k' => hour = number(&mut rest, 2, 0..=24)?,
            'I' | 'l' => hour = number(&mut rest, 2, 1..=12)?,
            'M' => minute = number(&mut rest, 2, 0..=59)?,
            'S' => {
                second = number(&mut rest, 2, 0..=60)?;
                let digits =
                    rest.strip_prefix('.').map_or(0, |r| r.bytes().take_while(u8::is_ascii_digit).count());
                if digits > 0 {
                    fraction = rest[..=digits].parse().ok()?;
                    rest = &rest[digits + 1..];
                }
            }
            'j' => of_year = Some(number(&mut rest, 3, 1..=366)?),
            's' => seconds = Some(number(&mut rest, 12, -BOUND..=BOUND)?),
            'p' => afternoon = Some(name(&mut rest, &["AM", "PM"])? == 1),
            'A' | 'a' => drop(name(&mut rest, &DAYS)?),
            'B' | 'b' | 'h' => month = name(&mut rest, &MONTHS)?,
            'Z' => rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()),
            'z' => offset = zone(&mut rest)?,
            'n' | 't' => rest = rest.trim_start(),
            '%' => rest = rest.strip_prefix('%')?,
            _ => return None,
        }
    }
    let hour = match afternoon {
        Some(pm) => hour % 12 + if pm { 12 } else { 0 },
        None => hour,
    };
    let days = match of_year {
        Some(of_year) => days(year, 0, of_year),
        None => days(year, month, day),
    };
    let of_parts = days * 86_400 + hour * 3_600 + minute * 60 + second - offset;
    rest.trim().is_empty().then_some(Moment { seconds: seconds.unwrap_or(of_parts), fraction })
}

fn number(rest: &mut &str, digits: usize, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
    let text = rest.trim_start();
    let sign = usize::from(text.starts_with('-') && *range.start() < 0);
    let count = text[sign..].bytes().take(digits).take_while(u8::is_ascii_digit).count();
    let number = text[..sign + count].parse().ok().filter(|number| range.contains(number));
    *rest = &text[sign + count..];
    number
}

/// Which of the names comes next, in full or by its first three letters.
fn name(rest: &mut &str, names: &[&str]) -> Option<i64> {
    let starts = |name: &str| rest.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
    let at = names.iter().position(|name| starts(&name[..name.len().min(3)]))?;
    let length = if starts(names[at]) { names[at].len() } else { names[at].len().min(3) };
    *rest = &rest[length..];
    Some(at as i64)
}

/// Seconds east of UTC.
fn zone(rest: &mut &str) -> Option<i64> {
    if let Some(behind) = rest.strip_prefix(['Z', 'z']) {
        *rest = behind;
        return Some(0);
    }
    let sign = match rest.chars().next() {
        None => return Some(0),
        Some('+') => 1,
        Some('-') => -1,
        Some(_) => return None,
    };
    *rest = &rest[1..];
    let hours = number(rest, 2, 0..=23)?;
    *rest = rest.strip_prefix(':').unwrap_or(rest);
    let minutes = if rest.is_empty() { 0 } else { number(rest, 2, 0..=59)? };
    Some(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn dates_come_back(seconds in -60_000_000_000i64..250_000_000_000) {
            let moment = Moment { seconds, fraction: 0.0 };
            prop_assert_eq!(Moment::from_value(&moment.broken_down().unwrap()).unwrap().seconds, seconds);
            let text = moment.format("%Y-%m-%dT%H:%M:%SZ").unwrap();
            prop_assert_eq!(parse(&text, "%Y-%m-%dT%H:%M:%S%z").unwrap().seconds, seconds);
        }

        #[test]
        fn nothing_panics(text in "\\PC{0,20}", format in "(%[a-zA-Z%]|[ -~é]){0,8}", time in any::<f64>()) {
            parse(&text, &format);
            if let Ok(moment) = Moment::from_value(&Val::from(time)) {
                let _ = moment.format(&format).map(|text| parse(&text, &format));
            }
        }
    }
}
