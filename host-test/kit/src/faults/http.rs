//! As much of HTTP/1.1 as the proxy needs: whole messages, with their bodies in memory.

use std::io::{self, BufRead, Read, Write};

/// The maximum bytes of a body.
const MAX_BODY_BYTES: u64 = 256 << 20;

/// The maximum bytes of a line.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// A request or an answer. The headers are unchanged, except for the framing of the body, which
/// is always sent with its length.
#[derive(Clone, Debug)]
pub struct Message {
    /// The first line, without its end.
    pub start: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The length of the body that an answer to HEAD announces and does not have.
    announced: Option<u64>,
}

impl Message {
    /// Reads a request; `None` if the client has sent its last one. A client that waits to
    /// be asked for its body is asked.
    pub fn read_request(from: &mut impl BufRead, to: &mut impl Write) -> io::Result<Option<Message>> {
        let Some(mut message) = Message::read_head(from)? else { return Ok(None) };
        if message.remove("expect").is_some() {
            to.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        message.read_body(from, false)?;
        Ok(Some(message))
    }

    /// Reads an answer. One to HEAD, and some others, has no body.
    pub fn read_answer(from: &mut impl BufRead, is_to_head: bool) -> io::Result<Message> {
        loop {
            let mut message = Message::read_head(from)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            match message.status() {
                // Another answer follows.
                100..=199 => {}
                _ if is_to_head => {
                    let announced = message.remove("content-length");
                    message.announced = announced.and_then(|length| length.parse().ok());
                    return Ok(message);
                }
                204 | 304 => return Ok(message),
                _ => {
                    message.read_body(from, true)?;
                    return Ok(message);
                }
            }
        }
    }

    /// Creates an answer of the proxy's own, as S3 reports an error.
    pub fn error(status: u16) -> Message {
        let code = match status {
            429 => "TooManyRequests",
            501 => "NotImplemented",
            503 => "SlowDown",
            _ => "InternalError",
        };
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>scripted failure</Message></Error>"
        );
        Message {
            start: format!("HTTP/1.1 {status} Scripted"),
            headers: vec![("Content-Type".to_owned(), "application/xml".to_owned())],
            body: body.into_bytes(),
            announced: None,
        }
    }

    /// Returns a part of the first line, which has three.
    pub fn word(&self, index: usize) -> &str {
        self.start.split(' ').nth(index).unwrap_or_default()
    }

    /// Returns the status of an answer.
    pub fn status(&self) -> u16 {
        self.word(1).parse().unwrap_or(0)
    }

    /// Returns the value of a header, whose name is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Removes a header and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.headers.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(self.headers.remove(at).1)
    }

    /// Returns everything before the body. `closes` says that the connection ends with it.
    pub fn head(&self, closes: bool) -> Vec<u8> {
        let mut head = format!("{}\r\n", self.start);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        let has_length = !matches!(self.status(), 204 | 304) || !self.body.is_empty();
        if has_length {
            head += &format!("Content-Length: {}\r\n", self.announced.unwrap_or(self.body.len() as u64));
        }
        if closes {
            head += "Connection: close\r\n";
        }
        head += "\r\n";
        head.into_bytes()
    }

    fn read_head(from: &mut impl BufRead) -> io::Result<Option<Message>> {
        let start = line(from)?;
        if start.is_empty() {
            return Ok(None);
        }
        let mut message = Message { start, headers: Vec::new(), body: Vec::new(), announced: None };
        loop {
            let line = line(from)?;
            if line.is_empty() {
                message.remove("connection");
                message.remove("keep-alive");
                return Ok(Some(message));
            }
            let (name, value) = line.split_once(':').ok_or(io::ErrorKind::InvalidData)?;
            message.headers.push((name.to_owned(), value.trim().to_owned()));
        }
    }

    /// Reads the body and removes the headers that frame it. `to_end` says that a body
    /// without a length ends with the connection.
    fn read_body(&mut self, from: &mut impl BufRead, to_end: bool) -> io::Result<()> {
        let coding = self.remove("transfer-encoding");
        let length = self.remove("content-length").and_then(|length| length.parse::<u64>().ok());
        if coding.is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            return self.read_chunks(from);
        }
        let length = match length {
            Some(length) => length,
            None if to_end => {
                from.take(MAX_BODY_BYTES).read_to_end(&mut self.body)?;
                return Ok(());
            }
            None => 0,
        };
        self.read_bytes(from, length)
    }

    fn read_chunks(&mut self, from: &mut impl BufRead) -> io::Result<()> {
        loop {
            let size = line(from)?;
            let size = size.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(size, 16).map_err(|_| io::ErrorKind::InvalidData)?;
            if size == 0 {
                // Trailers, which nobody here needs.
                while !line(from)?.is_empty() {}
                return Ok(());
            }
            self.read_bytes(from, size)?;
            line(from)?;
        }
    }

    fn read_bytes(&mut self, from: &mut impl BufRead, count: u64) -> io::Result<()> {
        if self.body.len() as u64 + count > MAX_BODY_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        match from.take(count).read_to_end(&mut self.body)? as u64 == count {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// Reads a line, without its end. At the end of the connection it is empty.
fn line(from: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    from.take(MAX_LINE_BYTES).read_line(&mut line)?;
    line.truncate(line.trim_end_matches(['\r', '\n']).len());
    Ok(line)
}
