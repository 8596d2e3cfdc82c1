//! Signals that would end this process while it waits for another one.

use std::io;

/// The number of the interrupt that a terminal sends.
pub const INTERRUPT: u8 = 2;

/// The number of the termination request.
#[cfg(unix)]
pub const TERMINATE: u8 = 15;

/// Receives the signals that would end this process, until it is dropped.
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

    /// Waits for a signal and returns its number.
    pub async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => INTERRUPT,
            _ = self.terminate.recv() => TERMINATE,
        }
    }
}

/// Receives the interrupt that would end this process, until it is dropped.
#[cfg(windows)]
pub struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    pub fn new() -> io::Result<Self> {
        Ok(Signals(tokio::signal::windows::ctrl_c()?))
    }

    /// Waits for an interrupt and returns its number.
    pub async fn next(&mut self) -> u8 {
        let _ = self.0.recv().await;
        INTERRUPT
    }
}
