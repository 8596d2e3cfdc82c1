//! Reads of sealed artifacts.

use std::rc::Rc;

use tuckaway_contract::StoreError;
use tuckaway_stores::Sealed;

use super::{KeyValueStore, SEGMENT_BYTES, check};
use crate::bucket::{Bucket, failed};

/// The maximum number of segments that are kept in memory.
const KEPT_SEGMENTS: usize = 8;
/// The maximum size of the segments that are kept together: another writer may have chosen larger ones.
/// The newest is always kept.
pub(crate) const KEPT_BYTES: usize = KEPT_SEGMENTS * SEGMENT_BYTES;

impl<B: Bucket> KeyValueStore<B> {
    /// Returns `length` bytes of a sealed artifact from `offset`, or fewer at its end.
    pub fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        check(id)?;
        let known = self.state.borrow().known.clone().filter(|known| known.artifact.id == id);
        let sealed = match known {
            // An artifact never changes, but it expires.
            Some(known) => self.readable(known)?,
            None => self.look_up(id)?,
        };
        let end = sealed.artifact.size_bytes.min(offset.saturating_add(u64::from(length)));
        // Not more at once: the size may be a lie.
        let mut bytes = Vec::with_capacity(end.saturating_sub(offset).min(SEGMENT_BYTES as u64) as usize);
        let mut at = offset;
        while at < end {
            let (number, within) = (at / sealed.segment_bytes, (at % sealed.segment_bytes) as usize);
            let segment = self.segment(&sealed, number)?;
            let part = &segment[within..];
            let part = &part[..part.len().min((end - at) as usize)];
            bytes.extend_from_slice(part);
            at += part.len() as u64;
        }
        Ok(bytes)
    }

    /// Returns a segment, which has the length that the metadata says.
    fn segment(&self, sealed: &Sealed, number: u64) -> Result<Rc<[u8]>, StoreError> {
        let key = self.keys.segment(&sealed.artifact.id, number);
        if let Some(kept) = self.kept(&key) {
            return Ok(kept);
        }
        let found = self.bucket.get(&key).map_err(|why| failed("reading a segment", &why))?;
        let start = number * sealed.segment_bytes;
        let length = sealed.segment_bytes.min(sealed.artifact.size_bytes - start);
        match found {
            Some(found) if found.len() as u64 == length => {
                let segment: Rc<[u8]> = found.into();
                let mut state = self.state.borrow_mut();
                state.segments.truncate(KEPT_SEGMENTS - 1);
                let mut left = KEPT_BYTES.saturating_sub(segment.len());
                state.segments.retain(|(_, kept)| {
                    let fits = kept.len() <= left;
                    left = left.saturating_sub(kept.len());
                    fits
                });
                state.segments.insert(0, (key, Rc::clone(&segment)));
                Ok(segment)
            }
            found => Err(self.missing(&sealed.artifact.id, found.is_some())),
        }
    }

    /// Returns a segment that is in memory, and makes it the first.
    fn kept(&self, key: &str) -> Option<Rc<[u8]>> {
        let mut state = self.state.borrow_mut();
        let at = state.segments.iter().position(|(kept, _)| kept == key)?;
        state.segments[..=at].rotate_right(1);
        Some(Rc::clone(&state.segments[0].1))
    }

    /// Explains a segment that is missing or has another length: the artifact may have been removed
    /// since it was looked up.
    fn missing(&self, id: &str, is_there: bool) -> StoreError {
        self.forget(id);
        match (self.look_up(id), is_there) {
            (Err(error), _) => error,
            (Ok(_), false) => StoreError::Other("its content is damaged: a segment is missing".to_owned()),
            (Ok(_), true) => {
                StoreError::Other("its content is damaged: a segment has another length".to_owned())
            }
        }
    }
}
