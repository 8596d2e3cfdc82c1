//! The log of a proxy, on standard error.

use std::io;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::LogLevel;

/// Starts logging. Messages of libraries below a warning are logged only from `debug` on.
pub fn start(level: LogLevel) {
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
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_target(false).with_ansi(false);
    // Only tests have another log already.
    let _ = tracing_subscriber::registry().with(lines.without_time()).with(targets).try_init();
}
