//! The process of a server, with all that it has started: `npx` and its like run the server
//! as a child of their own.

use std::process::ExitStatus;

use tokio::process::Child;

/// A process in a group of its own, whose group ends when it is dropped.
pub struct Process(Child);

impl Process {
    /// Takes a process that was started in a group of its own.
    pub fn new(child: Child) -> Self {
        Process(child)
    }

    /// Waits until the process has ended.
    pub async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        self.0.wait().await
    }

    /// Ends the group, and waits until the process has ended.
    pub async fn kill(&mut self) {
        self.kill_group();
        // It may have ended.
        let _ = self.0.kill().await;
    }

    /// Ends the group as long as the process was not waited for: until then no other group
    /// can have its number.
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
