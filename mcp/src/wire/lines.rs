//! The transport over standard input and output, with one message per line.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex as SyncMutex, PoisonError};

use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tuckaway_text::{cut, human_bytes};

use super::frame::{Call, Frame, error_of, lost};
use super::repair::{id_near_the_ends, repaired};
use super::role::{WireRole, restore_capabilities};

/// The maximum number of messages that were read and are not handled yet.
const MAX_WAITING: usize = 64;
/// The size of the beginning and of the end that are kept of a line that is too long.
const END_BYTES: usize = 4 << 10;
/// A longer line is parsed on a separate thread, so that it does not delay others.
const MAX_PARSED_HERE: usize = 256 << 10;
/// The maximum length of a line in the log.
const MAX_LOGGED: usize = 200;

/// The methods of our requests that are not answered yet.
type Pending = Arc<SyncMutex<HashMap<RequestId, String>>>;

/// A connection with one message per line.
pub struct Lines<R: WireRole, W> {
    incoming: mpsc::Receiver<RxJsonRpcMessage<R>>,
    writer: Arc<Mutex<Option<W>>>,
    pending: Pending,
    reader: JoinHandle<()>,
}

impl<R: WireRole, W: AsyncWrite + Send + Unpin + 'static> Lines<R, W> {
    /// Starts reading. `name` is for the log. A line longer than `max_line_bytes` makes the
    /// request that it answers fail.
    pub fn new(
        name: impl Into<String>,
        reader: impl AsyncBufRead + Send + Unpin + 'static,
        writer: W,
        max_line_bytes: u64,
    ) -> Self {
        let (sender, incoming) = mpsc::channel(MAX_WAITING);
        let (pending, writer) = (Pending::default(), Arc::new(Mutex::new(Some(writer))));
        let receiving = Receiving::<R, W> {
            name: name.into(),
            sender,
            pending: Arc::clone(&pending),
            writer: Arc::clone(&writer),
            max_line_bytes: usize::try_from(max_line_bytes).unwrap_or(usize::MAX),
        };
        Lines { incoming, writer, pending, reader: tokio::spawn(receiving.run(reader)) }
    }
}

impl<R: WireRole, W> Drop for Lines<R, W> {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl<R: WireRole, W: AsyncWrite + Send + Unpin + 'static> Transport<R> for Lines<R, W> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<R>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        match &message {
            JsonRpcMessage::Request(request) => {
                let method = R::method_of(&request.request).to_owned();
                lock(&self.pending).insert(request.id.clone(), method);
            }
            JsonRpcMessage::Notification(notification) => {
                if let Some(id) = R::cancels(&notification.notification) {
                    lock(&self.pending).remove(id);
                }
            }
            _ => {}
        }
        let line = match R::is_introduction(&message) {
            true => serde_json::to_value(&message).and_then(|mut message| {
                restore_capabilities(&mut message);
                serde_json::to_vec(&message)
            }),
            false => serde_json::to_vec(&message),
        };
        let writer = Arc::clone(&self.writer);
        async move { write(&writer, line?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<R>> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.writer.lock().await.take();
        Ok(())
    }
}

fn lock(pending: &Pending) -> std::sync::MutexGuard<'_, HashMap<RequestId, String>> {
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn write<W: AsyncWrite + Unpin>(writer: &Mutex<Option<W>>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut writer = writer.lock().await;
    let writer = writer.as_mut().ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected))?;
    writer.write_all(&line).await?;
    writer.flush().await
}

/// The receiving side.
struct Receiving<R: WireRole, W> {
    name: String,
    sender: mpsc::Sender<RxJsonRpcMessage<R>>,
    pending: Pending,
    writer: Arc<Mutex<Option<W>>>,
    max_line_bytes: usize,
}

/// A line, or both ends of a line that is too long.
enum Line {
    Whole(Vec<u8>),
    TooLong { head: Vec<u8>, tail: Vec<u8>, bytes: u64 },
}

impl<R: WireRole, W: AsyncWrite + Send + Unpin + 'static> Receiving<R, W> {
    async fn run(self, mut reader: impl AsyncBufRead + Send + Unpin) {
        loop {
            let line = match read_line(&mut reader, self.max_line_bytes).await {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(error) => {
                    tracing::warn!("{}: cannot read: {error}", self.name);
                    return;
                }
            };
            let is_open = match line {
                Line::Whole(line) => self.take(line).await,
                Line::TooLong { head, tail, bytes } => {
                    let (bytes, most) = (human_bytes(bytes), human_bytes(self.max_line_bytes as u64));
                    let why = format!("a message of {bytes}, which exceeds the limit of {most} (max_result)");
                    self.refuse(id_near_the_ends(&head, &tail), &why).await
                }
            };
            if !is_open {
                return;
            }
        }
    }

    /// Handles a line. Returns false once nobody receives messages any more.
    async fn take(&self, line: Vec<u8>) -> bool {
        if line.iter().all(u8::is_ascii_whitespace) {
            return true;
        }
        let (line, parsed) = match line.len() > MAX_PARSED_HERE {
            false => parse(line),
            true => match tokio::task::spawn_blocking(|| parse(line)).await {
                Ok(parsed) => parsed,
                Err(_) => return false,
            },
        };
        match parsed {
            Ok(frames) => {
                for frame in frames {
                    if !self.deliver(frame).await {
                        return false;
                    }
                }
                true
            }
            Err(why) => {
                let ends = |bytes: &[u8]| bytes[..bytes.len().min(END_BYTES)].to_vec();
                let tail = &line[line.len().saturating_sub(END_BYTES)..];
                let is_message = contains(&ends(&line), b"\"jsonrpc\"") || contains(tail, b"\"jsonrpc\"");
                let id = is_message.then(|| id_near_the_ends(&ends(&line), tail)).flatten();
                let shown = String::from_utf8_lossy(&ends(&line)).into_owned();
                let shown = cut::head(&shown, MAX_LOGGED).escape_debug().to_string();
                tracing::warn!("{}: not a message: {shown} ({why})", self.name);
                match is_message {
                    true => self.refuse(id, &format!("an invalid message: {why}")).await,
                    false => true,
                }
            }
        }
    }

    async fn deliver(&self, frame: Frame) -> bool {
        let id = frame.request_id();
        let params = || match frame.params {
            Some(Value::Object(params)) => params,
            _ => serde_json::Map::new(),
        };
        let message = match (frame.method, id) {
            (Some(method), Some(id)) => JsonRpcMessage::request(R::request(Call::new(method, params())), id),
            (Some(method), None) if frame.id.is_none() => {
                JsonRpcMessage::notification(R::notification(Call::new(method, params())))
            }
            (None, Some(id)) => {
                let method = lock(&self.pending).remove(&id).unwrap_or_default();
                match frame.error {
                    Some(error) => JsonRpcMessage::error(error_of(&error), Some(id)),
                    None => {
                        JsonRpcMessage::response(R::result(&method, frame.result.unwrap_or_default()), id)
                    }
                }
            }
            _ => {
                tracing::warn!("{}: ignored a message that has neither a method nor a valid id", self.name);
                return true;
            }
        };
        self.sender.send(message).await.is_ok()
    }

    /// Fails the request whose answer cannot be used, or answers a request that cannot be used
    /// with an error.
    async fn refuse(&self, id: Option<RequestId>, why: &str) -> bool {
        let only = || {
            let pending = lock(&self.pending);
            (R::IS_CLIENT && pending.len() == 1).then(|| pending.keys().next().cloned()).flatten()
        };
        let Some(id) = id.or_else(only) else {
            tracing::warn!("{}: sent {why}", self.name);
            return true;
        };
        if R::IS_CLIENT {
            lock(&self.pending).remove(&id);
            let error = lost(format!("The server {} sent {why}.", self.name));
            return self.sender.send(JsonRpcMessage::error(error, Some(id))).await.is_ok();
        }
        let error = ErrorData::invalid_request(format!("The client sent {why}."), None);
        let reply: TxJsonRpcMessage<R> = JsonRpcMessage::error(error, Some(id));
        match serde_json::to_vec(&reply) {
            Ok(line) => write(&self.writer, line).await.is_ok(),
            Err(_) => true,
        }
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Parses a line: one message, or a batch of them (revision 2025-03-26).
fn parse(line: Vec<u8>) -> (Vec<u8>, Result<Vec<Frame>, serde_json::Error>) {
    let text = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line);
    let read = |text: &[u8]| match text.trim_ascii_start().first() {
        Some(b'[') => serde_json::from_slice(text),
        _ => serde_json::from_slice(text).map(|frame| vec![frame]),
    };
    let parsed = read(text).or_else(|error| match repaired(text) {
        Some(repaired) => read(&repaired),
        None => Err(error),
    });
    (line, parsed)
}

/// Reads a line without its line end. Returns `None` at the end of the input, where an
/// incomplete line is not a message.
async fn read_line(reader: &mut (impl AsyncBufRead + Unpin), most: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut tail: Option<Vec<u8>> = None;
    let mut bytes = 0_u64;
    loop {
        let read = reader.fill_buf().await?;
        if read.is_empty() {
            return Ok(None);
        }
        let end = read.iter().position(|&byte| byte == b'\n');
        let part = &read[..end.unwrap_or(read.len())];
        bytes += part.len() as u64;
        match &mut tail {
            None if line.len() + part.len() <= most => line.extend_from_slice(part),
            None => {
                line.extend_from_slice(&part[..part.len().min(END_BYTES)]);
                line.truncate(END_BYTES);
                line.shrink_to_fit();
                tail = Some(part[part.len().saturating_sub(END_BYTES)..].to_vec());
            }
            Some(tail) => {
                tail.extend_from_slice(part);
                tail.drain(..tail.len().saturating_sub(END_BYTES));
            }
        }
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(match tail {
                None => Line::Whole(line),
                Some(tail) => Line::TooLong { head: line, tail, bytes },
            }));
        }
    }
}
