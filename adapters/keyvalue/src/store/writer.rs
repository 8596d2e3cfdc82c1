//! Writes artifacts, from their creation to their sealing.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tuckaway_contract::{Artifact, StoreError};
use tuckaway_stores::{Record, broken, mint, random_seal};

use super::{KeyValueStore, SEGMENT_BYTES, check};
use crate::bucket::{Bucket, failed};

/// An artifact that is not sealed yet.
pub(crate) struct Writer {
    tool: String,
    media_type: String,
    pub(crate) written: u64,
    /// The bytes of the incomplete segment.
    buffer: Vec<u8>,
    segments: u64,
    /// Bytes of content in the session when this artifact was created.
    others: u64,
    /// Whether an append failed: the artifact can only be deleted then.
    broken: bool,
}

/// The value of the key `open`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Opened {
    /// In Unix seconds.
    pub(crate) begun_at: u64,
}

impl<B: Bucket> KeyValueStore<B> {
    /// Begins an artifact, and returns its id. It is invisible until it is sealed.
    pub fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.sweep_if_due();
        let others = match self.limits.quota() {
            Some(_) => self.used()?,
            None => 0,
        };
        let mut id = mint(tool)?;
        while self.exists(&self.keys.meta(&id))? || self.exists(&self.keys.open(&id))? {
            id = mint(tool)?;
        }
        let opened = Opened { begun_at: self.limits.now().as_secs() };
        let json = serde_json::to_vec(&opened).expect("numbers are JSON");
        self.bucket.set(&self.keys.open(&id), &json).map_err(|why| failed("beginning an artifact", &why))?;
        let writer = Writer {
            tool: tool.to_owned(),
            media_type: media_type.to_owned(),
            written: 0,
            buffer: Vec::new(),
            segments: 0,
            others,
            broken: false,
        };
        self.state.borrow_mut().writers.insert(id.clone(), writer);
        Ok(id)
    }

    /// Appends bytes to an artifact that is not sealed. After a failure, it can only be deleted.
    pub fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let mut writer = self.take_writer(id)?;
        let appended = match writer.broken {
            true => Err(broken()),
            false => self.append_to(id, &mut writer, bytes),
        };
        if appended.is_err() && !writer.broken {
            writer = Writer { broken: true, buffer: Vec::new(), written: 0, ..writer };
            // Frees the space at once. A failure does not matter: the append failed anyway.
            let _ = self.remove_segments(id);
        }
        self.state.borrow_mut().writers.insert(id.to_owned(), writer);
        appended
    }

    /// Makes the whole artifact visible, or stores nothing.
    pub fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let mut writer = self.take_writer(id)?;
        let sealed = match writer.broken {
            true => Err(broken()),
            false => self.finish(id, &mut writer, line_count),
        };
        if sealed.is_err() {
            // Keys that cannot be removed now are invisible, and are swept later.
            let _ = self.delete(id);
        }
        sealed
    }

    fn append_to(&self, id: &str, writer: &mut Writer, bytes: &[u8]) -> Result<(), StoreError> {
        let grown = writer.written.saturating_add(bytes.len() as u64);
        if self.limits.is_exceeded_by(writer.others.saturating_add(grown)) {
            return Err(StoreError::QuotaExceeded);
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(SEGMENT_BYTES - writer.buffer.len()));
            writer.buffer.extend_from_slice(now);
            rest = later;
            if writer.buffer.len() == SEGMENT_BYTES {
                self.set_segment(id, writer)?;
            }
        }
        writer.written = grown;
        Ok(())
    }

    /// Sets the buffer as a segment.
    fn set_segment(&self, id: &str, writer: &mut Writer) -> Result<(), StoreError> {
        let key = self.keys.segment(id, writer.segments);
        self.bucket.set(&key, &writer.buffer).map_err(|why| failed("setting a segment", &why))?;
        writer.buffer.clear();
        writer.segments += 1;
        Ok(())
    }

    fn finish(&self, id: &str, writer: &mut Writer, line_count: u64) -> Result<Artifact, StoreError> {
        if !self.exists(&self.keys.open(id))? {
            return Err(StoreError::Other("the artifact was removed before it was sealed".to_owned()));
        }
        if !writer.buffer.is_empty() {
            self.set_segment(id, writer)?;
        }
        if self.limits.quota().is_some()
            && self.limits.is_exceeded_by(self.used()?.saturating_add(writer.written))
        {
            return Err(StoreError::QuotaExceeded);
        }
        let now = self.limits.now();
        let artifact = Artifact {
            id: id.to_owned(),
            tool: writer.tool.clone(),
            media_type: writer.media_type.clone(),
            size_bytes: writer.written,
            line_count,
            created_at: now.as_secs(),
        };
        self.set_record(&artifact, now)?;
        // A marker that remains is swept later; its artifact is sealed.
        let _ = self.bucket.delete(&self.keys.open(id));
        Ok(artifact)
    }

    /// Sets the metadata, which makes the artifact visible.
    fn set_record(&self, artifact: &Artifact, now: Duration) -> Result<(), StoreError> {
        let sealed_at_us = {
            let mut state = self.state.borrow_mut();
            let now_us = u64::try_from(now.as_micros()).unwrap_or(u64::MAX);
            state.sealed_at_us = now_us.max(state.sealed_at_us.saturating_add(1));
            state.sealed_at_us
        };
        let record = Record::new(artifact, SEGMENT_BYTES as u64, sealed_at_us, random_seal()?);
        let Err(why) = self.bucket.set(&self.keys.meta(&artifact.id), &record.to_json()) else {
            return Ok(());
        };
        // The key may have been set although the answer was lost.
        match self.record(&artifact.id)? {
            Some(Ok(found)) if found.seal == record.seal => Ok(()),
            _ => Err(failed("setting metadata", &why)),
        }
    }

    /// Takes the writer of an artifact; the caller puts it back unless the artifact is done.
    fn take_writer(&self, id: &str) -> Result<Writer, StoreError> {
        check(id)?;
        let open = self.state.borrow_mut().writers.remove(id);
        match open {
            Some(writer) => Ok(writer),
            None => match self.look_up(id) {
                Ok(_) => Err(StoreError::Other("the artifact is already sealed".to_owned())),
                Err(error) => Err(error),
            },
        }
    }
}
