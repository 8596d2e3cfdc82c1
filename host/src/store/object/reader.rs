//! Reads of sealed artifacts.

use object_store::path::Path;
use tuckaway_contract::StoreError;
use tuckaway_stores::Sealed;

use super::BucketStore;
use super::blocks::BLOCK_BYTES;

/// A segment of an artifact.
struct Segment {
    key: Path,
    /// The offset of the segment in the artifact.
    start: u64,
    length: u64,
}

impl BucketStore {
    pub(super) async fn read_range(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let sealed = match self.remembered(id) {
            Some(sealed) => sealed,
            None => self.look_up(id).await?,
        };
        let end = sealed.artifact.size_bytes.min(offset.saturating_add(u64::from(length)));
        let mut bytes = Vec::with_capacity(end.saturating_sub(offset) as usize);
        while offset + (bytes.len() as u64) < end {
            self.read_some(&sealed, offset + bytes.len() as u64, end, &mut bytes).await?;
        }
        Ok(bytes)
    }

    /// Reads from `at` to the end of one block or one request, but not beyond `end`.
    async fn read_some(
        &self,
        sealed: &Sealed,
        at: u64,
        end: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let segment = self.segment_at(sealed, at);
        let within = at - segment.start;
        let wanted = end.min(segment.start + segment.length) - at;
        let number = within / BLOCK_BYTES;
        let skipped = (within % BLOCK_BYTES) as usize;
        let found = match self.blocks.get(&segment.key, number) {
            Some(block) => block,
            None => self.fetch(sealed, &segment, number, within + wanted).await?,
        };
        let part = &found[skipped..found.len().min(skipped.saturating_add(wanted as usize))];
        bytes.extend_from_slice(part);
        Ok(())
    }

    /// Reads blocks of a segment from the bucket: up to `needed`, or more if the artifact is read
    /// from start to end. Returns the bytes from the first block on.
    async fn fetch(
        &self,
        sealed: &Sealed,
        segment: &Segment,
        first: u64,
        needed: u64,
    ) -> Result<bytes::Bytes, StoreError> {
        let artifact = self.keys.data_of(&sealed.artifact.id);
        let start = first * BLOCK_BYTES;
        let ahead = self.blocks.ahead(&artifact, segment.start + start);
        let blocks = ahead.max((needed - start).div_ceil(BLOCK_BYTES));
        let stop = segment.length.min(start + blocks * BLOCK_BYTES);
        let found = self.bucket.get_range("reading a segment", &segment.key, start..stop).await?;
        let found = match found {
            Some(found) if found.len() as u64 == stop - start => found,
            found => return Err(self.missing(sealed, found.map(|found| found.len())).await),
        };
        for (block, number) in found.chunks(BLOCK_BYTES as usize).zip(first..) {
            self.blocks.put(&segment.key, number, block);
        }
        self.blocks.was_read(&artifact, segment.start + stop, blocks);
        Ok(found)
    }

    fn segment_at(&self, sealed: &Sealed, at: u64) -> Segment {
        let number = at / sealed.segment_bytes;
        let start = number * sealed.segment_bytes;
        let length = sealed.segment_bytes.min(sealed.artifact.size_bytes - start);
        Segment { key: self.keys.segment(&sealed.artifact.id, number), start, length }
    }

    /// Explains a segment that is missing or too short: the artifact may have been removed since
    /// it was looked up.
    async fn missing(&self, sealed: &Sealed, length: Option<usize>) -> StoreError {
        self.forget(&sealed.artifact.id);
        match (self.look_up(&sealed.artifact.id).await, length) {
            (Err(error), _) => error,
            (Ok(_), None) => StoreError::Other("its content is damaged: a segment is missing".to_owned()),
            (Ok(_), Some(_)) => {
                StoreError::Other("its content is damaged: a segment is too short".to_owned())
            }
        }
    }
}
