//! A stored text in an encoding other than UTF-8, read as UTF-8 from any offset.
//!
//! ```text
//! stored   |  part 0  |  part 1  |  part 2 …        PART_BYTES each
//! text     |    part 0    |  part 1 |  part 2 …     `starts` has where each begins
//! ```
//!
//! One pass over the artifact finds the starts; a read decodes the parts that it needs.

use tuckaway_contract::{Artifact, Error};
use tuckaway_text::encoding::{Encoding, HEAD_BYTES, Part};

use crate::artifact;
use crate::ports::Store;

/// Stored bytes that are decoded together: an even number.
const PART_BYTES: u64 = 64 << 10;

/// The text of an artifact.
pub(super) struct Decoded {
    encoding: Encoding,
    /// The start of each part's text, in bytes of UTF-8.
    starts: Vec<u64>,
    /// The bytes of the whole text.
    pub(super) size: u64,
}

impl Decoded {
    /// Reads an artifact to its end if its head is in an encoding other than UTF-8; returns none
    /// otherwise.
    ///
    /// Errors: those of the store.
    pub(super) fn open(store: &dyn Store, artifact: &Artifact) -> Result<Option<Self>, Error> {
        let head = artifact::read_range(store, artifact, 0, HEAD_BYTES)?;
        let Some(encoding) = Encoding::of(&head) else { return Ok(None) };
        let mut decoded = Decoded { encoding, starts: Vec::new(), size: 0 };
        for index in 0..artifact.size_bytes.div_ceil(PART_BYTES) {
            decoded.starts.push(decoded.size);
            decoded.size += decoded.part(store, artifact, index)?.len() as u64;
        }
        Ok(Some(decoded))
    }

    /// Reads `length` bytes of the text from `offset`; fewer only at the end.
    pub(super) fn read_at(
        &self,
        store: &dyn Store,
        artifact: &Artifact,
        offset: u64,
        length: usize,
    ) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let first = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        for (index, &start) in self.starts.iter().enumerate().skip(first) {
            if bytes.len() == length {
                break;
            }
            let text = self.part(store, artifact, index as u64)?;
            let from = usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX).min(text.len());
            let to = text.len().min(from + (length - bytes.len()));
            bytes.extend_from_slice(&text.as_bytes()[from..to]);
        }
        Ok(bytes)
    }

    /// Reads and decodes a part of the artifact, with the bytes around it that decoding needs.
    fn part(&self, store: &dyn Store, artifact: &Artifact, index: u64) -> Result<String, Error> {
        const UNIT: u64 = 2;
        let start = index * PART_BYTES;
        let from = start.saturating_sub(UNIT);
        let length = PART_BYTES + UNIT + (start - from);
        let bytes = artifact::read_range(store, artifact, from, length as usize)?;
        let (before, rest) = bytes.split_at((start - from) as usize);
        let (bytes, behind) = rest.split_at(rest.len().min(PART_BYTES as usize));
        let mut text = String::with_capacity(bytes.len());
        self.encoding.decode_part(&Part { bytes, before, behind }, &mut text);
        Ok(text)
    }
}
