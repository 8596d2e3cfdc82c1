//! Progress on stderr.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often progress is reported if stderr is not a terminal: more would clutter a log.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Reports the progress of a long operation: on a terminal, on one line that is
/// overwritten; otherwise, as an occasional line.
pub struct Progress {
    shown: bool,
    terminal: bool,
    started: Instant,
    next_line: Duration,
}

impl Progress {
    pub fn new() -> Self {
        let terminal = io::stderr().is_terminal();
        Progress { shown: false, terminal, started: Instant::now(), next_line: LINE_EVERY }
    }

    /// Shows the text that `so_far` returns for the elapsed time, if a report is due.
    pub fn show(&mut self, so_far: impl FnOnce(Duration) -> String) {
        let elapsed = self.started.elapsed();
        if !self.is_due(elapsed) {
            return;
        }
        let so_far = so_far(elapsed);
        // A closed stderr is not an error: the progress is only for information.
        if self.terminal {
            let _ = write!(io::stderr(), "\r\x1b[K{so_far}");
            self.shown = true;
        } else {
            let _ = writeln!(io::stderr(), "tuckaway: {so_far}");
        }
    }

    fn is_due(&mut self, elapsed: Duration) -> bool {
        if self.terminal {
            // An operation that ends at once needs no report.
            return elapsed >= Duration::from_millis(500);
        }
        let due = elapsed >= self.next_line;
        if due {
            self.next_line = elapsed + LINE_EVERY;
        }
        due
    }

    /// Removes the line from the terminal.
    pub fn clear(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
            self.shown = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gets_an_occasional_line() {
        let mut progress =
            Progress { shown: false, terminal: false, started: Instant::now(), next_line: LINE_EVERY };
        let due = |seconds: f64| progress.is_due(Duration::from_secs_f64(seconds));
        assert_eq!(
            [0.6, 9.9, 10.1, 10.3, 20.0, 20.2, 35.0].map(due),
            [false, false, true, false, false, true, true]
        );
    }
}
