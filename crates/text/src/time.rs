//! Calendar times in UTC, without leap seconds.

/// Returns a time in Unix seconds for people and models: `2026-03-01 12:00:00 UTC`.
///
/// ```
/// assert_eq!(tuckaway_text::time::utc(1_772_366_400), "2026-03-01 12:00:00 UTC");
/// ```
pub fn utc(seconds: u64) -> String {
    let (days, of_day) = ((seconds / 86_400) as i64, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Returns the year, the month from 1, and the day from 1 of a number of days from 1970.
///
/// ```
/// assert_eq!(tuckaway_text::time::date(-1), (1969, 12, 31));
/// ```
pub fn date(days: i64) -> (i64, i64, i64) {
    // Counted from March of the year 0, so that a leap day is the last day of a year.
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (year + era * 400, month + 3);
    if month > 12 { (year + 1, month - 12, day) } else { (year, month, day) }
}
