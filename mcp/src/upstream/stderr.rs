//! Writes the standard error of a server to the log, line by line: a pipe that nobody reads
//! would block the server.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tuckaway_text::cut;

/// The maximum length of a line in the log.
const MAX_LINE_BYTES: usize = 4 << 10;

/// Writes lines to the log until the stream ends.
pub async fn drain(name: String, stream: impl AsyncRead + Unpin) {
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
            write(&name, &line);
            line.clear();
        }
    }
    write(&name, &line);
}

fn write(name: &str, line: &[u8]) {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    if !text.is_empty() {
        tracing::info!(target: "tuckaway_mcp::server", "[{name}] {}", cut::head(text, MAX_LINE_BYTES));
    }
}
