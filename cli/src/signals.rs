//! Signals that would end this process, which waits for another.

use std::io;

/// The interrupt that a terminal sends, by number.
pub const INTERRUPT: u8 = 2;

/// A request to end, by number.
#[cfg(unix)]
pub const TERMINATE: u8 = 15;

/// Takes the signals that would end this process, for as long as it lives.
#[cfg(unix)]
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for a signal and gives its number.
    pub async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => INTERRUPT,
            _ = self.terminate.recv() => TERMINATE,
        }
    }
}

/// Takes the interrupt that would end this process, for as long as it lives.
#[cfg(windows)]
pub struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    pub fn new() -> io::Result<Self> {
        Ok(Signals(tokio::signal::windows::ctrl_c()?))
    }

    /// Waits for an interrupt and gives its number.
    pub async fn next(&mut self) -> u8 {
        let _ = self.0.recv().await;
        INTERRUPT
    }
}
