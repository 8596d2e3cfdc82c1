//! An MCP client that writes lines of JSON, for tests: it can say what no SDK would, and sees
//! answers as they are on the wire.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as SyncMutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, mpsc, oneshot};

/// How long a message is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

type Pending = Arc<SyncMutex<HashMap<u64, oneshot::Sender<Value>>>>;

/// A client.
pub struct McpClient {
    writer: Mutex<Option<Box<dyn AsyncWrite + Send + Unpin>>>,
    pending: Pending,
    /// Messages other than answers to [`McpClient::request`].
    others: Mutex<mpsc::UnboundedReceiver<Value>>,
    next: AtomicU64,
    /// The `_meta` of each request (revision 2026-07-28).
    meta: Option<Value>,
}

impl McpClient {
    /// Creates a client that reads and writes these.
    pub fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let (sender, others) = mpsc::unbounded_channel();
        let pending = Pending::default();
        tokio::spawn(read(input, Arc::clone(&pending), sender));
        McpClient {
            writer: Mutex::new(Some(Box::new(output))),
            pending,
            others: Mutex::new(others),
            next: AtomicU64::new(1),
            meta: None,
        }
    }

    /// Introduces itself from now on in each request, as revision 2026-07-28 does.
    pub fn inline(&mut self, capabilities: &Value) {
        self.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        }));
    }

    /// Sends `initialize` and the notification after it. Returns the answer.
    pub async fn initialize(&self, version: &str, capabilities: Value) -> Result<Value> {
        let params = json!({
            "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": { "name": "raw", "version": "1" },
        });
        let answer = self.request("initialize", params).await?;
        // A server that refuses the client need not read on.
        if answer["result"].is_object() {
            self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        }
        Ok(answer)
    }

    /// Sends a message.
    pub async fn send(&self, message: &Value) -> Result<()> {
        self.send_line(message.to_string().as_bytes()).await
    }

    /// Sends a line of any bytes.
    pub async fn send_line(&self, line: &[u8]) -> Result<()> {
        let mut writer = self.writer.lock().await;
        let writer = writer.as_mut().context("the client was closed")?;
        writer.write_all(line).await?;
        writer.write_all(b"\n").await?;
        Ok(writer.flush().await?)
    }

    /// Closes the output.
    pub async fn close(&self) {
        if let Some(mut writer) = self.writer.lock().await.take() {
            // The other side may be closed.
            let _ = writer.shutdown().await;
        }
    }

    /// Sends a request. Returns its id, and a receiver of its answer.
    pub async fn begin(&self, method: &str, mut params: Value) -> Result<(u64, oneshot::Receiver<Value>)> {
        if let Some(Value::Object(meta)) = &self.meta {
            let own = params["_meta"].take();
            let mut meta = meta.clone();
            meta.extend(own.as_object().cloned().unwrap_or_default());
            params["_meta"] = Value::Object(meta);
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        lock(&self.pending).insert(id, sender);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await?;
        Ok((id, answer))
    }

    /// Sends a request. Returns the answer as a whole.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value> {
        let (_, answer) = self.begin(method, params).await?;
        wait(answer).await.with_context(|| method.to_owned())
    }

    /// Sends a request. Returns its result.
    pub async fn result(&self, method: &str, params: Value) -> Result<Value> {
        let mut answer = self.request(method, params).await?;
        match answer.get_mut("result") {
            Some(result) => Ok(result.take()),
            None => bail!("{method}: {answer}"),
        }
    }

    /// Calls a tool. Returns its result.
    pub async fn call(&self, name: &str, arguments: Value) -> Result<Value> {
        self.result("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Calls a tool. Returns the text of its result.
    pub async fn text(&self, name: &str, arguments: Value) -> Result<String> {
        Ok(text_of(&self.call(name, arguments).await?))
    }

    /// Returns the next message that is not the answer to a request of this type.
    pub async fn other(&self) -> Result<Value> {
        let mut others = self.others.lock().await;
        let next = tokio::time::timeout(PATIENCE, others.recv()).await.context("no message came")?;
        next.context("the connection was closed")
    }

    /// Returns the next message of a method, and ignores earlier messages.
    pub async fn other_of(&self, method: &str) -> Result<Value> {
        loop {
            let other = self.other().await.with_context(|| method.to_owned())?;
            if other["method"] == method {
                return Ok(other);
            }
        }
    }

    /// Answers a request.
    pub async fn answer(&self, request: &Value, result: Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result })).await
    }

    /// Returns how many requests have no answer.
    pub fn open(&self) -> usize {
        lock(&self.pending).len()
    }
}

/// Waits for an answer.
pub async fn wait(answer: oneshot::Receiver<Value>) -> Result<Value> {
    let answer = tokio::time::timeout(PATIENCE, answer).await.context("no answer came")?;
    answer.context("the connection was closed")
}

/// Returns the first text of a result.
pub fn text_of(result: &Value) -> String {
    let texts = result["content"].as_array().into_iter().flatten();
    texts.filter_map(|block| block["text"].as_str()).next().unwrap_or_default().to_owned()
}

fn lock<T>(mutex: &SyncMutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn read(input: impl AsyncRead + Unpin, pending: Pending, others: mpsc::UnboundedSender<Value>) {
    let mut lines = BufReader::new(input).split(b'\n');
    while let Ok(Some(line)) = lines.next_segment().await {
        let message = serde_json::from_slice::<Value>(&line).unwrap_or_else(
            |error| json!({ "not JSON": String::from_utf8_lossy(&line), "why": error.to_string() }),
        );
        let is_answer = message.get("method").is_none();
        let waiting = message["id"].as_u64().filter(|_| is_answer).and_then(|id| lock(&pending).remove(&id));
        // The waiting caller may have given up.
        let _ = match waiting {
            Some(waiting) => waiting.send(message).is_ok(),
            None => others.send(message).is_ok(),
        };
    }
    // Nobody waits for ever.
    lock(&pending).clear();
}
