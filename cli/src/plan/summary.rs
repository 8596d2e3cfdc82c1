//! The command that asks a model for a summary.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use tuckaway_host::SummaryRequest;

/// Runs the command with the request as JSON on standard input. Returns its output.
/// No other task runs in this process, so waiting for it does no harm.
pub fn ask(command: &str, request: &SummaryRequest) -> Result<String, String> {
    let failed = |why: String| format!("the command for summaries failed: {why}");
    let request = serde_json::to_vec(request).map_err(|error| failed(error.to_string()))?;
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let child =
        Command::new(shell).args([flag, command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| failed(error.to_string()))?;
    let stdin = child.stdin.take();
    let writer = thread::spawn(move || {
        // The command may answer before it has read everything, or read nothing.
        stdin.map(|mut stdin| stdin.write_all(&request))
    });
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    let _ = writer.join();
    match output.status.success() {
        true => String::from_utf8(output.stdout).map_err(|_| failed("its answer is not UTF-8".to_owned())),
        false => Err(failed(output.status.to_string())),
    }
}
