//! Gathers an output of any size: in memory while it is small enough to be passed to
//! the engine, beyond that in the store.

use std::sync::Arc;

use tuckaway_host::{Content, Error, Store, StoreError};

/// Bytes that are appended to the store at once.
const CHUNK_BYTES: usize = 1 << 20;

/// Bytes of the beginning that stay in memory in case the store fails.
const HEAD_BYTES: usize = 1 << 20;

pub struct Sink {
    store: Arc<dyn Store>,
    tool: String,
    media_type: Option<String>,
    /// The number of bytes to keep in memory.
    limit: usize,
    buffer: Vec<u8>,
    /// The beginning, once the buffer no longer holds it.
    head: Vec<u8>,
    /// The artifact to which the output was moved.
    spilled: Option<String>,
    /// Why the store failed; anything after that is lost.
    failure: Option<StoreError>,
    /// Bytes received so far.
    pub size: u64,
    feeds: u64,
    last: u8,
}

/// The part of an output that is available once it has ended.
pub enum Gathered {
    /// The whole output.
    Whole(Content),
    /// Only its beginning, because the store failed on the rest.
    Beginning(Beginning),
}

/// The beginning of an output whose rest is lost.
pub struct Beginning {
    pub bytes: Vec<u8>,
    /// The size of the whole output.
    pub size: u64,
    /// The lines of the whole output.
    pub lines: u64,
    /// Why the rest is lost.
    pub error: Error,
}

impl Sink {
    pub fn new(store: Arc<dyn Store>, tool: &str, media_type: Option<&str>, limit: usize) -> Self {
        Sink {
            store,
            tool: tool.to_owned(),
            media_type: media_type.map(str::to_owned),
            limit,
            buffer: Vec::new(),
            head: Vec::new(),
            spilled: None,
            failure: None,
            size: 0,
            feeds: 0,
            last: b'\n',
        }
    }

    /// Returns the number of lines, including a last one without a line feed.
    pub fn lines(&self) -> u64 {
        self.feeds + u64::from(self.last != b'\n')
    }

    /// Adds the next bytes of the output.
    pub async fn push(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        self.last = last;
        self.size += bytes.len() as u64;
        self.feeds += memchr::memchr_iter(b'\n', bytes).count() as u64;
        if self.failure.is_some() {
            return;
        }
        self.buffer.extend_from_slice(bytes);
        let full = if self.spilled.is_some() { CHUNK_BYTES } else { self.limit };
        if self.buffer.len() > full
            && let Err(error) = self.spill().await
        {
            self.fail(error);
        }
    }

    /// Gives up on everything but the beginning: further bytes are only counted.
    fn fail(&mut self, error: StoreError) {
        self.failure = Some(error);
        // The bytes that could not be stored may be many, and are no longer of use.
        self.buffer = Vec::new();
    }

    /// Moves the bytes in memory to the store.
    async fn spill(&mut self) -> Result<(), StoreError> {
        if self.spilled.is_none() && self.head.is_empty() {
            // The first time, the buffer is the beginning of the output.
            self.head = self.buffer[..self.buffer.len().min(HEAD_BYTES)].to_vec();
        }
        let id = match &self.spilled {
            Some(id) => id.clone(),
            None => {
                let media_type = self.media_type.clone().unwrap_or_else(|| guess(&self.buffer).to_owned());
                self.store.create(&self.tool, &media_type).await?
            }
        };
        self.spilled = Some(id.clone());
        for chunk in self.buffer.chunks(CHUNK_BYTES) {
            self.store.append(&id, chunk.to_vec()).await?;
        }
        self.buffer.clear();
        Ok(())
    }

    /// Returns the whole output or, if the store failed, its beginning and the error.
    pub async fn finish(mut self) -> Gathered {
        if self.spilled.is_none() && self.failure.is_none() {
            return Gathered::Whole(Content::Bytes(self.buffer));
        }
        let lines = self.lines();
        if self.failure.is_none()
            && let Err(error) = self.spill().await
        {
            self.fail(error);
        }
        if let (None, Some(id)) = (&self.failure, &self.spilled) {
            match self.store.seal(id, lines).await {
                Ok(artifact) => return Gathered::Whole(Content::Stored(artifact.id)),
                Err(error) => self.fail(error),
            }
        }
        let id = self.spilled.unwrap_or_default();
        if !id.is_empty() {
            // A part that could be mistaken for the whole is worse than nothing.
            let _ = self.store.delete(&id).await;
        }
        let error = self.failure.unwrap_or(StoreError::NotFound).into_error("storing the output", &id);
        Gathered::Beginning(Beginning { bytes: self.head, size: self.size, lines, error })
    }
}

/// Guesses the media type of an output from its beginning.
pub fn guess(bytes: &[u8]) -> &'static str {
    let head = &bytes[..bytes.len().min(4096)];
    let text = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    match head.trim_ascii_start().first() {
        _ if !text || head.contains(&0) => "application/octet-stream",
        Some(b'{' | b'[') => "application/json",
        _ => "text/plain",
    }
}
