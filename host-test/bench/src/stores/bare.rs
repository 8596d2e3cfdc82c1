//! The same bytes by the crate `object_store` alone, in requests of the same size.

use std::time::{Duration, Instant};

use anyhow::Result;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{ObjectStoreExt, PutPayload};
use tuckaway_test_kit::place;

/// Bytes of an object: as many as in a segment.
const OBJECT_BYTES: u64 = 8 << 20;

/// A bucket of a server.
pub struct Bare(AmazonS3);

impl Bare {
    pub fn new(url: &str, bucket: &str) -> Result<Bare> {
        Ok(Bare(place::bucket(url, bucket)?))
    }

    /// Puts this many bytes, as one object after the other.
    pub async fn put(&self, bytes: u64) -> Result<Duration> {
        let content = vec![b'x'; OBJECT_BYTES.min(bytes) as usize];
        let mut took = Duration::ZERO;
        for number in 0..bytes.div_ceil(OBJECT_BYTES) {
            let payload = PutPayload::from(content.clone());
            let begun = Instant::now();
            self.0.put(&object(number), payload).await?;
            took += begun.elapsed();
        }
        Ok(took)
    }

    /// Gets this many of the bytes, each object in one request.
    pub async fn get(&self, bytes: u64) -> Result<Duration> {
        let begun = Instant::now();
        for number in 0..bytes.div_ceil(OBJECT_BYTES) {
            let length = (bytes - number * OBJECT_BYTES).min(OBJECT_BYTES);
            // Bytes beyond the last object are read from the first one again.
            let size = self.0.head(&object(number)).await.map_or(0, |meta| meta.size);
            let number = if size < length { 0 } else { number };
            self.0.get_range(&object(number), 0..length).await?;
        }
        Ok(begun.elapsed())
    }
}

fn object(number: u64) -> Path {
    Path::from(format!("bare/{number:08}"))
}
