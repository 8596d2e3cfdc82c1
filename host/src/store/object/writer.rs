//! Writes artifacts, from their creation to their sealing.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::task::JoinSet;
use tuckaway_contract::{Artifact, StoreError};
use tuckaway_stores::{LONG, Record, mint_with, random_seal};

use super::BucketStore;
use super::bucket::Created;

/// The size of each segment that this store writes, except the last one of an artifact.
const SEGMENT_BYTES: u64 = 8 << 20;

/// The maximum number of segments of an artifact that are sent at the same time.
const PUTS_AT_ONCE: usize = 3;

/// How often the metadata is written if the outcome is unknown.
const ATTEMPTS: usize = 2;

/// After this time without a write, an artifact cannot be sealed: after a day, its segments may
/// be removed as if the writer had crashed.
const LEFT_OPEN: Duration = Duration::from_secs(12 * 60 * 60);

/// An artifact that is not sealed yet.
pub(super) struct Writer {
    tool: String,
    media_type: String,
    written: u64,
    /// The bytes of the incomplete segment.
    buffer: Vec<u8>,
    segments: u64,
    /// The segments that are being sent. Dropping the writer aborts them.
    puts: JoinSet<Result<(), StoreError>>,
    /// Bytes of content in the session when this artifact was created.
    others: u64,
    last_write: Instant,
    /// Whether an append failed or was abandoned: the artifact can only be deleted then.
    broken: bool,
}

impl Writer {
    fn check(&self) -> Result<(), StoreError> {
        match self.broken {
            true => Err(StoreError::Other("an earlier write to the artifact failed".to_owned())),
            false => Ok(()),
        }
    }

    /// Waits until at most this many segments are being sent.
    async fn wait(&mut self, at_most: usize) -> Result<(), StoreError> {
        while self.puts.len() > at_most {
            match self.puts.join_next().await {
                Some(Ok(put)) => put?,
                Some(Err(_)) => {
                    return Err(StoreError::Other("putting a segment: the request was abandoned".to_owned()));
                }
                None => break,
            }
        }
        Ok(())
    }
}

impl BucketStore {
    pub(super) async fn begin(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let others = match self.limits.quota() {
            Some(_) => self.used().await?,
            None => 0,
        };
        let writer = Writer {
            tool: tool.to_owned(),
            media_type: media_type.to_owned(),
            written: 0,
            buffer: Vec::new(),
            segments: 0,
            puts: JoinSet::new(),
            others,
            last_write: Instant::now(),
            broken: false,
        };
        let id = mint_with(tool, LONG)?;
        self.writers().insert(id.clone(), Arc::new(tokio::sync::Mutex::new(writer)));
        Ok(id)
    }

    pub(super) async fn write(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let writer = self.writer(id).await?;
        let mut writer = writer.lock().await;
        writer.check()?;
        // Reset once everything has succeeded: the call may be abandoned at any await.
        writer.broken = true;
        let grown = writer.written.saturating_add(bytes.len() as u64);
        if self.limits.is_exceeded_by(writer.others.saturating_add(grown)) {
            return Err(StoreError::QuotaExceeded);
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let missing = SEGMENT_BYTES as usize - writer.buffer.len();
            let (now, later) = rest.split_at(missing.min(rest.len()));
            writer.buffer.extend_from_slice(now);
            rest = later;
            if writer.buffer.len() as u64 == SEGMENT_BYTES {
                self.put_segment(id, &mut writer).await?;
            }
        }
        writer.written = grown;
        writer.last_write = Instant::now();
        writer.broken = false;
        Ok(())
    }

    /// Sends the buffer as a segment, once not too many others are being sent.
    async fn put_segment(&self, id: &str, writer: &mut Writer) -> Result<(), StoreError> {
        writer.wait(PUTS_AT_ONCE - 1).await?;
        let (bucket, key) = (self.bucket.clone(), self.keys.segment(id, writer.segments));
        let bytes = Bytes::from(std::mem::take(&mut writer.buffer));
        writer.segments += 1;
        writer.puts.spawn(async move { bucket.put("putting a segment", &key, bytes).await });
        Ok(())
    }

    pub(super) async fn finish(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let writer = self.writer(id).await?;
        let mut writer = writer.lock().await;
        let sealed = match writer.check() {
            Ok(()) => {
                writer.broken = true;
                self.finish_writer(id, &mut writer, line_count).await
            }
            Err(error) => Err(error),
        };
        if sealed.is_err() {
            writer.puts.shutdown().await;
            // Segments that cannot be removed now are invisible, and are swept later.
            let _ = self.remove(id).await;
        }
        self.writers().remove(id);
        sealed
    }

    async fn finish_writer(
        &self,
        id: &str,
        writer: &mut Writer,
        line_count: u64,
    ) -> Result<Artifact, StoreError> {
        if writer.last_write.elapsed() > LEFT_OPEN {
            return Err(StoreError::Other("the artifact was not sealed in time".to_owned()));
        }
        if !writer.buffer.is_empty() {
            self.put_segment(id, writer).await?;
        }
        writer.wait(0).await?;
        if writer.segments > 1 {
            self.check_segments(id, writer).await?;
        }
        if self.limits.quota().is_some() && self.limits.is_exceeded_by(self.used().await?) {
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
        self.put_record(&artifact, now).await?;
        Ok(artifact)
    }

    /// Checks that segments written a while ago still exist: the session may have been removed.
    async fn check_segments(&self, id: &str, writer: &Writer) -> Result<(), StoreError> {
        let segments = self.bucket.list("listing segments", &self.keys.data_of(id)).await?;
        match segments.iter().map(|segment| segment.size).sum::<u64>() == writer.written {
            true => Ok(()),
            false => {
                Err(StoreError::Other("parts of the artifact were removed before it was sealed".to_owned()))
            }
        }
    }

    /// Writes the metadata, which makes the artifact visible.
    async fn put_record(&self, artifact: &Artifact, now: Duration) -> Result<(), StoreError> {
        let now_us = u64::try_from(now.as_micros()).unwrap_or(u64::MAX);
        let later = |last: u64| Some(now_us.max(last.saturating_add(1)));
        let last = self.state.sealed_at_us.fetch_update(Ordering::Relaxed, Ordering::Relaxed, later);
        let sealed_at_us = now_us.max(last.unwrap_or_default().saturating_add(1));
        let record = Record::new(artifact, SEGMENT_BYTES, sealed_at_us, random_seal()?);
        let (key, json) = (self.keys.meta(&artifact.id), Bytes::from(record.to_json()));
        let mut failure = StoreError::Other("putting metadata: the artifact already exists".to_owned());
        for _ in 0..ATTEMPTS {
            match self.bucket.create("putting metadata", &key, json.clone()).await {
                Ok(Created::Yes) => return Ok(()),
                Ok(Created::Exists) => {}
                Err(error) => failure = error,
            }
            // A request whose answer was lost, or an earlier attempt, may have arrived.
            match self.bucket.get("reading metadata", &key).await? {
                Some(found) if Record::parse(&found).is_ok_and(|found| found.seal == record.seal) => {
                    return Ok(());
                }
                Some(_) => break,
                None => {}
            }
        }
        Err(failure)
    }

    async fn writer(&self, id: &str) -> Result<Arc<tokio::sync::Mutex<Writer>>, StoreError> {
        let open = self.writers().get(id).map(Arc::clone);
        match open {
            Some(writer) => Ok(writer),
            None => match self.look_up(id).await {
                Ok(_) => Err(StoreError::Other("the artifact is already sealed".to_owned())),
                Err(error) => Err(error),
            },
        }
    }
}
