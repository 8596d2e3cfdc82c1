//! Sizes and durations as people write them in options and settings.

use std::time::Duration;

/// Parses a number of bytes: `4096`, `64K`, `1.5M`, `2GiB`, in powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a size; write it like 4096, 64K or 2M");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let unit = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        _ => return Err(wrong()),
    };
    if let Ok(whole) = digits.parse::<u64>() {
        return whole.checked_mul(1 << unit).ok_or_else(wrong);
    }
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    match number.is_finite() && number >= 0.0 {
        true => Ok((number * (1_u64 << unit) as f64) as u64),
        false => Err(wrong()),
    }
}

/// Parses a duration: `500ms`, `60s`, `5m`, `12h`, `7d`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is not a duration; write it like 500ms, 60s, 5m, 12h or 7d");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let unit = match &text[digits.len()..] {
        "ms" => return Ok(Duration::from_millis(number)),
        "" | "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    number.checked_mul(unit).map(Duration::from_secs).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [("0", 0), ("4096", 4096), ("64K", 65_536), ("1.5k", 1536), ("2GiB", 2 << 30)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "K", "-1", "1x", "99999999999G", "nan", "1e3q", "4é"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("7d"), Ok(Duration::from_secs(604_800)));
        for text in ["", "s", "-1s", "1w", "1.5h", "99999999999999999999d"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
