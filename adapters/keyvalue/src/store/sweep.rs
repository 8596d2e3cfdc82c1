//! Removes expired content, and the keys of writers that crashed.

use std::collections::BTreeSet;

use tuckaway_contract::{Expiry, StoreError};
use tuckaway_stores::{ABANDONED, SWEEP_EVERY, Sealed};

use super::KeyValueStore;
use super::writer::Opened;
use crate::bucket::{Bucket, all_keys, failed};
use crate::keys::Key;

impl<B: Bucket> KeyValueStore<B> {
    /// Removes garbage if artifacts have a maximum age, once in a while. A bucket cannot list the keys
    /// of a session alone, so this asks for all.
    pub(crate) fn sweep_if_due(&self) {
        if self.limits.max_age().is_none() {
            return;
        }
        let now = self.limits.now();
        let last = self.state.borrow_mut().swept;
        if last.is_none_or(|last| now.saturating_sub(last) >= SWEEP_EVERY) {
            self.state.borrow_mut().swept = Some(now);
            // After a failure, a later sweep tries again.
            let _ = self.sweep();
        }
    }

    /// Removes the content of expired artifacts, forgets those that expired long ago, and removes the
    /// keys of writers and deletions that were interrupted.
    pub(crate) fn sweep(&self) -> Result<(), StoreError> {
        let keys = all_keys(&self.bucket)?;
        let parsed: Vec<Key<'_>> = keys.iter().filter_map(|key| self.keys.parse(key)).collect();
        let with_meta: BTreeSet<&str> =
            parsed.iter().filter_map(|key| if let Key::Meta(id) = key { Some(*id) } else { None }).collect();
        let open: BTreeSet<&str> =
            parsed.iter().filter_map(|key| if let Key::Open(id) = key { Some(*id) } else { None }).collect();
        let with_segments: BTreeSet<&str> = parsed
            .iter()
            .filter_map(|key| if let Key::Segment(id, _) = key { Some(*id) } else { None })
            .collect();
        for sealed in self.all_sealed(&keys)? {
            self.sweep_sealed(&sealed, with_segments.contains(&*sealed.artifact.id))?;
        }
        for id in open {
            self.sweep_open(id, with_meta.contains(id))?;
        }
        for id in with_segments {
            // Looked up again: the artifact may have been begun or sealed during the listing. The marker
            // comes first: a seal sets the metadata before it removes the marker.
            if !with_meta.contains(id)
                && !self.exists(&self.keys.open(id))?
                && !self.exists(&self.keys.meta(id))?
            {
                self.remove_listed(&parsed, id)?;
            }
        }
        Ok(())
    }

    fn sweep_sealed(&self, sealed: &Sealed, has_segments: bool) -> Result<(), StoreError> {
        let Some(expiry) = sealed.expiry.clone().or_else(|| self.limits.expiry(&sealed.artifact)) else {
            return Ok(());
        };
        let id = &sealed.artifact.id;
        if sealed.expiry.is_none() {
            self.expire(sealed, &expiry)?;
        }
        if has_segments {
            self.forget(id);
            self.remove_segments(id)?;
        }
        let since = self.limits.now().as_secs().saturating_sub(expiry.expired_at);
        if since > self.limits.remembered().as_secs() {
            self.remove_key(&self.keys.meta(id))?;
        }
        Ok(())
    }

    /// Records that an artifact has expired.
    fn expire(&self, sealed: &Sealed, expiry: &Expiry) -> Result<(), StoreError> {
        let json = sealed.expired(expiry.expired_at).to_json();
        let key = self.keys.meta(&sealed.artifact.id);
        self.bucket.set(&key, &json).map_err(|why| failed("setting metadata", &why))
    }

    /// Removes an artifact that was begun more than a day ago and never sealed, or only its marker if
    /// it was sealed.
    fn sweep_open(&self, id: &str, is_sealed: bool) -> Result<(), StoreError> {
        if self.state.borrow().writers.contains_key(id) {
            return Ok(());
        }
        let key = self.keys.open(id);
        let json = self.bucket.get(&key).map_err(|why| failed("reading a marker", &why))?;
        let Some(json) = json else { return Ok(()) };
        // A damaged marker counts as old.
        let begun_at = serde_json::from_slice(&json).map_or(0, |opened: Opened| opened.begun_at);
        if self.limits.now().as_secs().saturating_sub(begun_at) > ABANDONED.as_secs() {
            if !is_sealed && !self.exists(&self.keys.meta(id))? {
                self.remove_segments(id)?;
            }
            self.remove_key(&key)?;
        }
        Ok(())
    }

    /// Removes the segments of an artifact that were listed, the last one first.
    fn remove_listed(&self, listed: &[Key<'_>], of: &str) -> Result<(), StoreError> {
        let mut numbers: Vec<u64> = listed
            .iter()
            .filter_map(|key| match key {
                Key::Segment(id, number) if *id == of => Some(*number),
                _ => None,
            })
            .collect();
        numbers.sort_unstable();
        numbers.into_iter().rev().try_for_each(|number| self.remove_key(&self.keys.segment(of, number)))
    }
}
