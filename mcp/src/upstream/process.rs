//! The process of a server and all processes that it has started: runners such as `npx` run
//! the server as a child process.

use std::process::ExitStatus;

use tokio::process::Child;

/// A process in a separate group, which is killed when this value is dropped.
pub struct Process(Child);

impl Process {
    /// Wraps a process that was started in a separate group.
    pub fn new(child: Child) -> Self {
        Process(child)
    }

    /// Waits until the process has ended.
    pub async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        self.0.wait().await
    }

    /// Kills the group, and waits until the process has ended.
    pub async fn kill(&mut self) {
        self.kill_group();
        // It may have ended.
        let _ = self.0.kill().await;
    }

    /// Kills the group, unless the process has been waited for: after that, another group may
    /// have the same number.
    fn kill_group(&self) {
        #[cfg(unix)]
        if let Some(pid) = self.0.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
            // It may have ended.
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}
