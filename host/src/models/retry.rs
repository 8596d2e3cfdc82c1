//! The wait before a request is sent again: exponential backoff with jitter, and `Retry-After`.

use std::time::{Duration, SystemTime};

/// Returns the wait before an attempt, where 1 is the second attempt: the wait that the server
/// asks for, or else a wait that doubles with each attempt. The cap applies to both.
pub fn wait(attempt: u32, first: Duration, cap: Duration, wish: Option<Duration>) -> Duration {
    match wish {
        Some(wish) => wish.min(cap),
        None => {
            let doubled =
                first.saturating_mul(1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX));
            jittered(doubled.min(cap), random())
        }
    }
}

/// Shortens a wait by up to a half, so that clients that failed at the same time do not all
/// return at the same time. `random`, divided by 2^32, is the share of that half.
fn jittered(wait: Duration, random: u32) -> Duration {
    let half = wait / 2;
    wait - half.mul_f64(f64::from(random) / f64::from(u32::MAX))
}

fn random() -> u32 {
    let mut bytes = [0; 4];
    // Without randomness, clients return at the same time, which does no other harm.
    match getrandom::fill(&mut bytes) {
        Ok(()) => u32::from_le_bytes(bytes),
        Err(_) => 0,
    }
}

/// Reads the header `Retry-After`: seconds, or a date.
pub fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(value).ok()?;
    // A date in the past asks for no wait.
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_double_up_to_the_cap() {
        for (attempt, most) in [(1, 1), (2, 2), (3, 4), (6, 30), (40, 30)] {
            let wait = wait(attempt, SECOND, 30 * SECOND, None);
            assert!(wait <= most * SECOND && wait >= most * SECOND / 2, "{attempt}: {wait:?}");
        }
        assert_eq!(jittered(4 * SECOND, 0), 4 * SECOND);
        assert_eq!(jittered(4 * SECOND, u32::MAX), 2 * SECOND);
    }

    #[test]
    fn the_wait_of_the_server_is_respected_up_to_the_cap() {
        assert_eq!(wait(1, SECOND, 30 * SECOND, Some(7 * SECOND)), 7 * SECOND);
        assert_eq!(wait(5, SECOND, 30 * SECOND, Some(Duration::ZERO)), Duration::ZERO);
        assert_eq!(wait(1, SECOND, 30 * SECOND, Some(Duration::MAX)), 30 * SECOND);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let read = |value: &str| retry_after(value, now);
        assert_eq!(read(" 120 "), Some(120 * SECOND));
        assert_eq!(read("0.5"), Some(SECOND / 2));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:47 GMT"), Some(10 * SECOND));
        assert_eq!(read("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        for wrong in ["", "-1", "soon", "nan", "1e400", "Sun, 32 Nov 1994 08:49:37 GMT"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
