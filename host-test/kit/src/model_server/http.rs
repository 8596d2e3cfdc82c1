//! As much of HTTP as the server needs: one request for each connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// The maximum bytes of a request's body.
const MAX_BODY_BYTES: usize = 64 << 20;

/// A request.
pub struct Received {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// Reads a request; `None` if the client sends no request.
pub fn receive(stream: &mut TcpStream) -> io::Result<Option<Received>> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(None) };
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    if length > MAX_BODY_BYTES {
        return Ok(None);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Received { method, path, headers, body }))
}

/// Sends an answer.
pub fn send(stream: &mut TcpStream, status: u16, headers: &[(&str, &str)], body: &Value) -> io::Result<()> {
    send_text(stream, status, headers, &body.to_string(), None)
}

/// Sends a text, or only this many bytes of it.
pub fn send_text(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(&str, &str)],
    body: &str,
    sent_bytes: Option<usize>,
) -> io::Result<()> {
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    // Browsers ask from pages of other origins.
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\nContent-Type: application/json\r\nContent-Length: {}\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Headers: *\r\nConnection: close\r\n{more}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    let sent_bytes = sent_bytes.unwrap_or(body.len()).min(body.len());
    stream.write_all(&body.as_bytes()[..sent_bytes])?;
    stream.flush()
}
