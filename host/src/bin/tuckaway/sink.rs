//! Where an output is gathered, whatever its size: in memory while it is small
//! enough to be handed to the engine, in the store from then on.

use std::sync::Arc;

use tuckaway_host::{Content, Store, StoreError};

use crate::exit::Failure;

/// Bytes that go into the store at once.
const CHUNK_BYTES: usize = 1 << 20;

pub struct Sink {
    store: Arc<dyn Store>,
    tool: String,
    media_type: Option<String>,
    /// What memory may hold.
    limit: usize,
    buffer: Vec<u8>,
    /// The artifact that took the output over.
    spilled: Option<String>,
    /// Why the store did not; what comes after that is lost.
    failure: Option<StoreError>,
    /// Bytes that have come.
    pub size: u64,
    feeds: u64,
    last: u8,
}

impl Sink {
    pub fn new(store: Arc<dyn Store>, tool: &str, media_type: Option<&str>, limit: usize) -> Self {
        Sink {
            store,
            tool: tool.to_owned(),
            media_type: media_type.map(str::to_owned),
            limit,
            buffer: Vec::new(),
            spilled: None,
            failure: None,
            size: 0,
            feeds: 0,
            last: b'\n',
        }
    }

    /// Line feeds, and one more for a last line that has none.
    pub fn lines(&self) -> u64 {
        self.feeds + u64::from(self.last != b'\n')
    }

    /// Takes more of the output.
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
            self.failure = Some(error);
        }
    }

    /// Moves what is in memory to the store.
    async fn spill(&mut self) -> Result<(), StoreError> {
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

    /// The whole output. If the store did not take all of it, what is known of it
    /// stays in memory, and the reason is told.
    pub async fn finish(mut self) -> Result<(Content, Option<Failure>), Failure> {
        if self.spilled.is_none() && self.failure.is_none() {
            return Ok((Content::Bytes(self.buffer), None));
        }
        let lines = self.lines();
        if self.failure.is_none() {
            self.failure = self.spill().await.err();
        }
        let id = self.spilled.clone().unwrap_or_default();
        if self.failure.is_none() {
            match self.store.seal(&id, lines).await {
                Ok(artifact) => return Ok((Content::Stored(artifact.id), None)),
                Err(error) => self.failure = Some(error),
            }
        }
        let _ = self.store.delete(&id).await;
        let error = self.failure.take().unwrap_or(StoreError::NotFound);
        let failure = Failure::from(error.into_error("putting the output away", &id));
        self.buffer.truncate(self.limit);
        match self.buffer.is_empty() {
            true => Err(failure),
            false => Ok((Content::Bytes(self.buffer), Some(failure))),
        }
    }
}

/// What an output looks like by its beginning, if nobody said.
fn guess(bytes: &[u8]) -> &'static str {
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
