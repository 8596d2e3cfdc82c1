//! Processor time, which other programs on the machine change less than wall time.

use std::time::{Duration, Instant};

/// The processor time of this thread, which is the time of a call on an idle machine;
/// wall time if the system does not report it.
pub struct Clock(Option<Duration>, Instant);

impl Clock {
    pub fn start() -> Clock {
        Clock(Clock::processor(), Instant::now())
    }

    pub fn elapsed(&self) -> Duration {
        match (self.0, Clock::processor()) {
            (Some(started), Some(now)) => now.saturating_sub(started),
            _ => self.1.elapsed(),
        }
    }

    fn processor() -> Option<Duration> {
        let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(statistics.split_whitespace().next()?.parse().ok()?))
    }
}

/// The unit in which the system reports the processor time of processes.
pub const TICK: Duration = Duration::from_millis(10);

/// Returns the processor time of all ended child processes, in units of [`TICK`]; `None` if the system
/// does not report it.
pub fn of_children() -> Option<Duration> {
    /// The fields of user and system time, counted from the one after the name.
    const FIELDS: std::ops::Range<usize> = 13..15;
    let statistics = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = statistics.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(FIELDS)?.iter().map(|field| field.parse::<u32>().ok()).sum::<Option<u32>>()?;
    Some(TICK * ticks)
}
