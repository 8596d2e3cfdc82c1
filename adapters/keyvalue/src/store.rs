//! The store, and its methods that neither write nor read content.

pub(crate) mod reader;
mod sweep;
mod writer;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use tuckaway_contract::{Artifact, StoreError, is_artifact_id};
use tuckaway_stores::{Limits, Record, Sealed, check_name};

use self::writer::Writer;
use crate::bucket::{Bucket, all_keys, failed};
use crate::keys::{Key, Keys};

/// The size of each segment, except the last one of an artifact: some hosts permit values of at most
/// a few hundred kilobytes.
pub(crate) const SEGMENT_BYTES: usize = 256 << 10;

/// A store in a session of a bucket, in the format that the crate's documentation describes.
pub struct KeyValueStore<B> {
    pub(crate) bucket: B,
    pub(crate) keys: Keys,
    pub(crate) limits: Limits,
    pub(crate) state: RefCell<State>,
}

/// What is known without asking the bucket.
#[derive(Default)]
pub(crate) struct State {
    /// The artifacts that are not sealed yet.
    pub(crate) writers: HashMap<String, Writer>,
    /// The artifact that was looked up last.
    pub(crate) known: Option<Sealed>,
    /// Segments that were read, the last one first, with their keys.
    pub(crate) segments: Vec<(String, Rc<[u8]>)>,
    /// When garbage was removed, as the time since 1970.
    pub(crate) swept: Option<Duration>,
    /// When the last artifact was sealed, in Unix microseconds.
    pub(crate) sealed_at_us: u64,
}

impl<B: Bucket> KeyValueStore<B> {
    /// Opens the store of a session, or of none. Fails for a name that no session can have.
    pub fn new(bucket: B, session: Option<&str>, limits: Limits) -> Result<Self, StoreError> {
        session.map(check_name).transpose()?;
        Ok(KeyValueStore { bucket, keys: Keys::new(session), limits, state: RefCell::default() })
    }

    /// Returns the metadata of a sealed artifact that has not expired.
    pub fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        Ok(self.look_up(id)?.artifact)
    }

    /// Lists the sealed artifacts, oldest first. Asks for all keys of the bucket.
    pub fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let sealed = self.all_sealed(&all_keys(&self.bucket)?)?;
        let visible = sealed.into_iter().filter_map(|sealed| self.readable(sealed).ok());
        Ok(visible.map(|sealed| sealed.artifact).collect())
    }

    /// Removes an artifact, sealed or not.
    pub fn delete(&self, id: &str) -> Result<(), StoreError> {
        check(id)?;
        let was_open = self.state.borrow_mut().writers.remove(id).is_some();
        self.forget(id);
        let (meta, open) = (self.exists(&self.keys.meta(id))?, self.exists(&self.keys.open(id))?);
        if meta {
            self.remove_key(&self.keys.meta(id))?;
        }
        let had_segments = self.remove_segments(id)?;
        if open {
            self.remove_key(&self.keys.open(id))?;
        }
        match was_open || meta || open || had_segments {
            true => Ok(()),
            false => Err(StoreError::NotFound),
        }
    }

    pub(crate) fn look_up(&self, id: &str) -> Result<Sealed, StoreError> {
        check(id)?;
        match self.record(id)? {
            Some(record) => {
                let sealed = self.readable(record?.of(id)?)?;
                self.state.borrow_mut().known = Some(sealed.clone());
                Ok(sealed)
            }
            None => {
                self.forget(id);
                Err(StoreError::NotFound)
            }
        }
    }

    /// Returns the metadata of an artifact, if it has any, which may be damaged.
    pub(crate) fn record(&self, id: &str) -> Result<Option<Result<Record, StoreError>>, StoreError> {
        let json = self.bucket.get(&self.keys.meta(id)).map_err(|why| failed("reading metadata", &why))?;
        Ok(json.map(|json| Record::parse(&json)))
    }

    /// Returns the sealed artifacts of these keys, also expired ones, oldest first. Damaged metadata is
    /// skipped, so that it does not hide other artifacts.
    pub(crate) fn all_sealed(&self, keys: &[String]) -> Result<Vec<Sealed>, StoreError> {
        let mut sealed = Vec::new();
        for key in keys {
            if let Some(Key::Meta(id)) = self.keys.parse(key)
                && let Some(Ok(record)) = self.record(id)?
                && let Ok(found) = record.of(id)
            {
                sealed.push(found);
            }
        }
        sealed.sort_by(|a, b| {
            let order = |sealed: &Sealed| (sealed.artifact.created_at, sealed.sealed_at_us);
            order(a).cmp(&order(b)).then_with(|| a.artifact.id.cmp(&b.artifact.id))
        });
        Ok(sealed)
    }

    /// Returns an artifact unless it has expired.
    pub(crate) fn readable(&self, sealed: Sealed) -> Result<Sealed, StoreError> {
        match sealed.expiry.clone().or_else(|| self.limits.expiry(&sealed.artifact)) {
            Some(expiry) => Err(StoreError::Expired(Some(expiry))),
            None => Ok(sealed),
        }
    }

    /// Returns the bytes of content in the session: of sealed artifacts, and of those that are being
    /// written here.
    pub(crate) fn used(&self) -> Result<u64, StoreError> {
        let sealed = self.all_sealed(&all_keys(&self.bucket)?)?;
        let kept = sealed.iter().filter(|sealed| sealed.expiry.is_none());
        let kept = kept.map(|sealed| sealed.artifact.size_bytes);
        let state = self.state.borrow();
        let written = state.writers.values().map(|writer| writer.written);
        // Anybody may have changed the metadata.
        Ok(kept.chain(written).fold(0, u64::saturating_add))
    }

    /// Removes the segments of an artifact, the last one first. Returns whether it had any.
    pub(crate) fn remove_segments(&self, id: &str) -> Result<bool, StoreError> {
        let mut count = 0;
        while self.exists(&self.keys.segment(id, count))? {
            count += 1;
        }
        for number in (0..count).rev() {
            self.remove_key(&self.keys.segment(id, number))?;
        }
        Ok(count > 0)
    }

    pub(crate) fn exists(&self, key: &str) -> Result<bool, StoreError> {
        self.bucket.exists(key).map_err(|why| failed("looking up a key", &why))
    }

    pub(crate) fn remove_key(&self, key: &str) -> Result<(), StoreError> {
        self.bucket.delete(key).map_err(|why| failed("removing a key", &why))
    }

    pub(crate) fn forget(&self, id: &str) {
        let mut state = self.state.borrow_mut();
        state.known.take_if(|known| known.artifact.id == id);
        state
            .segments
            .retain(|(key, _)| !matches!(self.keys.parse(key), Some(Key::Segment(of, _)) if of == id));
    }
}

/// Fails for an id that no artifact can have, because the id becomes part of a key.
pub(crate) fn check(id: &str) -> Result<(), StoreError> {
    if is_artifact_id(id) { Ok(()) } else { Err(StoreError::NotFound) }
}
