//! The log of a proxy, on standard error.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::LogLevel;

/// The maximum number of lines that wait to be written.
const MAX_WAITING: usize = 1_024;
/// How long the last lines may take, in steps.
const LAST_STEPS: u32 = 20;
const STEP: Duration = Duration::from_millis(10);

/// Starts logging. Messages of libraries below a warning are logged only from `debug` on. The last
/// lines are written by [`Log::finish`].
pub fn start(level: LogLevel) -> Log {
    let own = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let others = match level {
        LogLevel::Error | LogLevel::Warn | LogLevel::Info => own.min(LevelFilter::WARN),
        LogLevel::Debug | LogLevel::Trace => own,
    };
    let targets = Targets::new().with_target("tuckaway", own).with_default(others);
    let log = Log::to(io::stderr());
    let writer = log.clone();
    let lines = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
    let lines = lines.with_target(false).with_ansi(false).without_time();
    // Only tests have another log already.
    let _ = tracing_subscriber::registry().with(lines).with(targets).try_init();
    log
}

/// Writes lines on a separate thread: a client may never read the proxy's standard error, and a
/// full pipe would hold up all messages. Lines are dropped once too many wait.
#[derive(Clone)]
pub struct Log {
    lines: SyncSender<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
}

impl Log {
    fn to(output: impl Write + Send + 'static) -> Self {
        let (lines, written) = sync_channel(MAX_WAITING);
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&waiting);
        thread::spawn(move || write_all(output, &written, &left));
        Log { lines, waiting }
    }

    /// Waits until all lines are written, but not for a reader that does not read.
    pub fn finish(&self) {
        for _ in 0..LAST_STEPS {
            if self.waiting.load(Ordering::Acquire) == 0 {
                return;
            }
            thread::sleep(STEP);
        }
    }
}

fn write_all(mut output: impl Write, lines: &Receiver<Vec<u8>>, waiting: &AtomicUsize) {
    for line in lines {
        // A closed pipe is no reason to stop the proxy.
        let _ = output.write_all(&line);
        waiting.fetch_sub(1, Ordering::Release);
    }
}

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        if self.lines.try_send(line.to_vec()).is_err() {
            self.waiting.fetch_sub(1, Ordering::Release);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Instant;

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A pipe that nobody reads.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn all_lines_are_written_before_the_end() {
        let kept = Kept::default();
        let mut log = Log::to(kept.clone());
        for line in 0..100 {
            writeln!(log, "{line}").unwrap();
        }
        log.finish();
        let written = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        assert_eq!(written.lines().filter(|line| !line.is_empty()).count(), 100);
    }

    #[test]
    fn a_pipe_that_nobody_reads_does_not_block() {
        let begun = Instant::now();
        let mut log = Log::to(Full);
        for _ in 0..10 * MAX_WAITING {
            log.write_all(b"line\n").unwrap();
        }
        log.finish();
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}
