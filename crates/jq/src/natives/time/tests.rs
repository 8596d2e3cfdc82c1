//! Compares times with those of jiff, an independent implementation of the same calendar. Where the
//! two differ, this crate does as jq 1.8 does, and a comment says so.

use jiff::civil::{Date, DateTime, Weekday};
use jiff::fmt::strtime;
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, Zoned};
use proptest::prelude::*;

use super::*;

/// The first second of the year 1, up to the last second that jiff supports in all time zones.
const YEARS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_207_200;

/// Conversions with the same text in both, except for years before 1000.
const CONVERSIONS: [&str; 29] = [
    "%m", "%d", "%e", "%H", "%k", "%I", "%l", "%M", "%S", "%j", "%p", "%P", "%A", "%a", "%B", "%b", "%h",
    "%u", "%w", "%U", "%W", "%V", "%z", "%s", "%T", "%R", "%y", "%g", "%%",
];

fn moment(seconds: i64) -> Moment {
    Moment { seconds, fraction: 0.0 }
}

fn utc(seconds: i64) -> Zoned {
    Timestamp::from_second(seconds).expect("a second of these years").to_zoned(TimeZone::UTC)
}

/// Generates seconds of the years 1 to 9999, many of them in leap years, or near the end of a day,
/// a year, a century or 400 years.
fn seconds() -> impl Strategy<Value = i64> {
    let year = prop::sample::select(vec![
        1, 4, 100, 400, 1582, 1600, 1900, 1969, 1970, 1999, 2000, 2024, 2100, 9999,
    ]);
    let near = (year, prop::sample::select(vec![(1, 1), (2, 28), (3, 1), (12, 31)]), -90_000i64..90_000);
    let near = near.prop_map(|(year, (month, day), off)| {
        let first = jiff::civil::date(1970, 1, 1);
        let days = first.until(jiff::civil::date(year, month, day)).expect("days between dates").get_days();
        (i64::from(days) * 86_400 + off).clamp(*YEARS.start(), *YEARS.end())
    });
    prop_oneof![YEARS, near]
}

/// Returns the numbers of a broken-down time.
fn numbers(value: &Val) -> Vec<f64> {
    let Val::Arr(parts) = value else { panic!("{value} is not a broken-down time") };
    let number = |part: &Val| match part {
        Val::Num(number) => number.as_f64(),
        part => panic!("{part} is not a number"),
    };
    parts.iter().map(number).collect()
}

proptest! {
    #[test]
    fn gmtime_matches_jiff(seconds in seconds()) {
        let at = utc(seconds);
        let expected = [
            i64::from(at.year()),
            i64::from(at.month()) - 1,
            i64::from(at.day()),
            i64::from(at.hour()),
            i64::from(at.minute()),
            i64::from(at.second()),
            i64::from(at.weekday().to_sunday_zero_offset()),
            i64::from(at.day_of_year()) - 1,
        ];
        let parts = moment(seconds).broken_down().unwrap();
        prop_assert_eq!(numbers(&parts), expected.map(|part| part as f64));
        // mktime is the inverse.
        prop_assert_eq!(Moment::from_value(&parts).unwrap().seconds, seconds);
    }

    #[test]
    fn mktime_matches_jiff(seconds in seconds(), months in -1_200i64..1_200, days in -40_000i64..40_000, of_day in -100_000i64..100_000) {
        let start = utc(seconds);
        let first = Date::new(start.year(), start.month(), 1).unwrap();
        // Months, days and seconds out of range carry over.
        let carried = first
            .checked_add(jiff::Span::new().months(months))
            .and_then(|date| date.checked_add(jiff::Span::new().days(days)))
            .map(|date| DateTime::from_parts(date, jiff::civil::Time::midnight()))
            .and_then(|date| date.checked_add(jiff::Span::new().seconds(of_day)))
            .and_then(|date| date.to_zoned(TimeZone::UTC));
        let Ok(carried) = carried else { return Ok(()) };
        let parts = [i64::from(start.year()), i64::from(start.month()) - 1 + months, 1 + days, 0, 0, of_day];
        let parts = Val::array(parts.map(|part| Val::int(part.into())).to_vec()).unwrap();
        prop_assert_eq!(Moment::from_value(&parts).unwrap().seconds, carried.timestamp().as_second());
    }

    #[test]
    fn fractions_of_seconds_are_kept(seconds in seconds(), fraction in 0.0..1.0f64) {
        let number = seconds as f64 + fraction;
        let at = Moment::from_value(&Val::from(number)).unwrap();
        prop_assert_eq!(at.seconds, number.floor() as i64);
        prop_assert!((0.0..1.0).contains(&at.fraction));
        let parts = numbers(&at.broken_down().unwrap());
        prop_assert!((parts[5] - (f64::from(utc(at.seconds).second()) + at.fraction)).abs() < 1e-9);
        prop_assert!(parts[5] < 60.0);
    }

    #[test]
    fn formats_match_jiff(seconds in seconds(), conversions in prop::collection::vec(prop::sample::select(CONVERSIONS.to_vec()), 1..6)) {
        let layout = conversions.join(" é|");
        prop_assert_eq!(format(moment(seconds), &layout).unwrap(), strtime::format(&layout, &utc(seconds)).unwrap());
    }

    /// jiff pads years to four digits; jq does not.
    #[test]
    fn formats_of_years_match_jiff(seconds in seconds()) {
        let at = utc(seconds);
        let year = at.year();
        let week_year = at.date().iso_week_date().year();
        for (ours, expected) in [
            ("%Y", year.to_string()),
            ("%C", format!("{:02}", year / 100)),
            ("%G", week_year.to_string()),
            ("%F", format!("{year}{}", strtime::format("-%m-%d", &at).unwrap())),
            ("%D", strtime::format("%m/%d/%y", &at).unwrap()),
            ("%x", strtime::format("%m/%d/%y", &at).unwrap()),
            ("%X", strtime::format("%H:%M:%S", &at).unwrap()),
            ("%r", strtime::format("%I:%M:%S %p", &at).unwrap()),
            ("%c", format!("{} {year}", strtime::format("%a %b %e %H:%M:%S", &at).unwrap())),
            ("%Z", "UTC".to_owned()),
        ] {
            prop_assert_eq!(super::format(moment(seconds), ours).unwrap(), expected, "{}", ours);
        }
    }

    #[test]
    fn texts_of_jiff_are_parsed(
        seconds in seconds(),
        offset in -86_399i32..86_400,
        layout in prop::sample::select(vec![
            "%Y-%m-%dT%H:%M:%S%z",
            "%F %T %z",
            "%A, %d %B %Y %I:%M:%S %p %z",
            "%a %b %e %k:%M:%S %Y %z",
            "%Y %j %R:%S %z",
            "%d%n%h%t%Y, %l.%M.%S %P%z",
            "%s",
            "%%T %F %T %z",
        ]),
    ) {
        // The text of an offset has hours and minutes.
        let offset = Offset::from_seconds(offset / 60 * 60).unwrap();
        let at = Timestamp::from_second(seconds).unwrap().to_zoned(TimeZone::fixed(offset));
        let text = strtime::format(layout, &at).unwrap();
        let read = parse(&text, layout);
        prop_assert_eq!(read.map(|read| read.seconds), Some(seconds), "{} as {}", text, layout);
        if let Ok(theirs) = strtime::parse(layout, &text).and_then(|parts| parts.to_timestamp()) {
            prop_assert_eq!(theirs.as_second(), seconds, "{} as {}", text, layout);
        }
    }

    #[test]
    fn years_of_two_digits_match_jiff(seconds in -31_536_000i64..3_092_601_600) {
        let text = strtime::format("%m/%d/%y", &utc(seconds)).unwrap();
        let theirs = strtime::parse("%m/%d/%y", &text).unwrap().to_date().unwrap();
        let theirs = theirs.to_zoned(TimeZone::UTC).unwrap().timestamp().as_second();
        prop_assert_eq!(parse(&text, "%D").unwrap().seconds, theirs, "{}", text);
    }

    #[test]
    fn dates_of_iso_8601_convert_back(seconds in seconds()) {
        // todate and fromdate. jiff pads years with zeros, which is accepted.
        let text = format(moment(seconds), "%Y-%m-%dT%H:%M:%SZ").unwrap();
        prop_assert_eq!(parse(&text, "%Y-%m-%dT%H:%M:%S%z").unwrap().seconds, seconds);
        let theirs = Timestamp::from_second(seconds).unwrap().to_string();
        prop_assert_eq!(parse(&theirs, "%Y-%m-%dT%H:%M:%S%z").unwrap().seconds, seconds, "{}", theirs);
    }

    /// jiff rejects a day past the end of its month; in jq it is in the next month.
    #[test]
    fn missing_days_carry_over(year in 1i16..9999, month in 1i8..13, day in 1i8..32) {
        let text = format!("{year:04}-{month:02}-{day:02}");
        let first = Date::new(year, month, 1).unwrap();
        let expected = first.checked_add(jiff::Span::new().days(i64::from(day) - 1)).unwrap();
        let expected = expected.to_zoned(TimeZone::UTC).unwrap().timestamp().as_second();
        prop_assert_eq!(parse(&text, "%Y-%m-%d").unwrap().seconds, expected);
        if let Ok(theirs) = strtime::parse("%Y-%m-%d", &text).and_then(|parts| parts.to_date()) {
            prop_assert_eq!(theirs.to_zoned(TimeZone::UTC).unwrap().timestamp().as_second(), expected);
        }
    }

    /// Outside the years that jiff supports, the calendar repeats itself.
    #[test]
    fn the_calendar_repeats_every_400_years(seconds in seconds(), eras in -30i64..12) {
        const ERA: i64 = 146_097 * 86_400;
        let there = seconds + eras * ERA;
        if there.abs() > BOUND {
            let beyond = Moment::from_value(&Val::int(there.into()));
            prop_assert!(beyond.is_err());
            return Ok(());
        }
        let (here, there) = (moment(seconds).broken_down().unwrap(), moment(there).broken_down().unwrap());
        let (here, there) = (numbers(&here), numbers(&there));
        prop_assert_eq!(there[0] - here[0], (eras * 400) as f64);
        prop_assert_eq!(&there[1..], &here[1..]);
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,20}", layout in "(%[a-zA-Z%]|[ -~é]){0,8}", time in any::<f64>()) {
        parse(&text, &layout);
        if let Ok(moment) = Moment::from_value(&Val::from(time)) {
            let _ = format(moment, &layout).map(|text| parse(&text, &layout));
            let parts = moment.broken_down().unwrap();
            prop_assert!((0.0..60.0).contains(&numbers(&parts)[5]), "{}", parts);
        }
    }
}

#[test]
fn borders_of_hours_and_seconds() {
    let seconds = |text, layout| parse(text, layout).map(|moment| moment.seconds);
    assert_eq!(seconds("12 AM", "%I %p"), Some(0));
    assert_eq!(seconds("12 PM", "%I %p"), Some(43_200));
    assert_eq!(seconds("pm 01", "%P %I"), Some(46_800));
    // Neither jiff nor jq accepts hour 24. Both accept a leap second; in jq it is the next second.
    assert_eq!(seconds("24:00:00", "%T"), None);
    assert_eq!(seconds("23:59:60", "%T"), Some(86_400));
    assert_eq!(seconds("68", "%y"), seconds("2068", "%Y"));
    assert_eq!(seconds("69", "%y"), seconds("1969", "%Y"));
    assert_eq!(seconds("%T", "%%T"), Some(0));
    assert_eq!(seconds("2024-01-01 x", "%F"), None);
    assert_eq!(seconds("", "%"), None);
    assert_eq!(parse("59.75", "%S").map(|moment| (moment.seconds, moment.fraction)), Some((59, 0.75)));
}

#[test]
fn the_last_second_of_four_digits() {
    let last = moment(253_402_300_799);
    let day = jiff::civil::date(9999, 12, 31);
    let (weekday, of_year) = (day.weekday().to_sunday_zero_offset(), day.day_of_year() - 1);
    let parts = [9999.0, 11.0, 31.0, 23.0, 59.0, 59.0, f64::from(weekday), f64::from(of_year)];
    assert_eq!(numbers(&last.broken_down().unwrap()), parts);
    assert_eq!(format(last, "%Y-%m-%dT%H:%M:%SZ").unwrap(), "9999-12-31T23:59:59Z");
    assert_eq!(format(moment(last.seconds + 1), "%F").unwrap(), "10000-01-01");
}

#[test]
fn tiny_fractions_stay_in_their_second() {
    for number in [-1e-20, -f64::MIN_POSITIVE, 59.999_999_999_999_99, -1.5, 1_425_599_621.678] {
        let at = Moment::from_value(&Val::from(number)).unwrap();
        let second = numbers(&at.broken_down().unwrap())[5];
        assert!((0.0..60.0).contains(&second), "{number}: {second}");
        assert_eq!(at.seconds, number.floor() as i64);
    }
    for beyond in [f64::NAN, f64::INFINITY, 4.1e11, -4.1e11, 1e300] {
        assert!(Moment::from_value(&Val::from(beyond)).is_err(), "{beyond}");
    }
}

#[test]
fn the_first_week_of_iso_8601_has_the_first_thursday() {
    for (date, week) in [
        ("2015-12-31", "2015-W53-4"),
        ("2016-01-03", "2015-W53-7"),
        ("2016-01-04", "2016-W01-1"),
        ("2024-12-30", "2025-W01-1"),
    ] {
        assert_eq!(format(parse(date, "%F").unwrap(), "%G-W%V-%u").unwrap(), week);
    }
    assert_eq!(utc(parse("2024-12-30", "%F").unwrap().seconds).weekday(), Weekday::Monday);
}
