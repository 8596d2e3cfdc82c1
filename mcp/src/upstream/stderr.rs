//! Writes the standard error of a server to the log, line by line: a pipe that nobody reads
//! would block the server. The last lines are kept, because they say why a server ended.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::task::JoinHandle;
use tuckaway_text::cut;

/// The maximum length of a line in the log.
const MAX_LINE_BYTES: usize = 4 << 10;
/// How many lines are kept, and the maximum length of each.
const LAST_LINES: usize = 5;
const MAX_LAST_BYTES: usize = 300;
/// How long the last lines of a server that has ended may take: a process that it has started may
/// keep the pipe open.
const PATIENCE: Duration = Duration::from_millis(500);

type Lines = Arc<Mutex<VecDeque<String>>>;

/// The standard error of a server.
pub struct StandardError {
    last: Lines,
    drained: JoinHandle<()>,
}

impl StandardError {
    /// Starts to read a stream.
    pub fn drain(name: String, stream: impl AsyncRead + Unpin + Send + 'static) -> Self {
        let last = Lines::default();
        let drained = tokio::spawn(drain(name, stream, Arc::clone(&last)));
        StandardError { last, drained }
    }

    /// Returns why a server ended: the reason, and the last lines that it has written.
    pub async fn explain(self, reason: String) -> String {
        // If the stream does not end, the lines so far count.
        let _ = tokio::time::timeout(PATIENCE, self.drained).await;
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match last.is_empty() {
            true => reason,
            false => {
                format!("{reason}; it wrote: {}", Vec::from_iter(last.iter().map(String::as_str)).join(" | "))
            }
        }
    }
}

/// Writes lines to the log until the stream ends.
async fn drain(name: String, stream: impl AsyncRead + Unpin, last: Lines) {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        let (end, used) = match stream.fill_buf().await {
            Ok([]) | Err(_) => break,
            Ok(read) => {
                let end = read.iter().position(|&byte| byte == b'\n');
                let part = &read[..end.unwrap_or(read.len())];
                line.extend_from_slice(&part[..part.len().min(MAX_LINE_BYTES - line.len())]);
                (end.is_some(), part.len() + usize::from(end.is_some()))
            }
        };
        stream.consume(used);
        if end {
            write(&name, &line, &last);
            line.clear();
        }
    }
    write(&name, &line, &last);
}

fn write(name: &str, line: &[u8], last: &Lines) {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    if text.is_empty() {
        return;
    }
    tracing::info!(target: "tuckaway_mcp::server", "[{name}] {}", cut::head(text, MAX_LINE_BYTES));
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    if last.len() == LAST_LINES {
        last.pop_front();
    }
    last.push_back(cut::with_ellipsis(text.trim_start().to_owned(), MAX_LAST_BYTES));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_lines_say_why_a_server_ended() {
        let written = (0..9).map(|n| format!("line {n}\n\n")).collect::<String>() + "no key";
        let errors = StandardError::drain("x".to_owned(), std::io::Cursor::new(written));
        let why = errors.explain("it ended".to_owned()).await;
        assert_eq!(why, "it ended; it wrote: line 5 | line 6 | line 7 | line 8 | no key");
        let silent = StandardError::drain("x".to_owned(), tokio::io::empty());
        assert_eq!(silent.explain("it ended".to_owned()).await, "it ended");
    }
}
