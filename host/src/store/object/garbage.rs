//! Removes expired content, segments of crashed writers, and whole sessions.

use std::collections::{HashMap, HashSet};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use object_store::ObjectMeta;
use object_store::path::Path;
use tuckaway_contract::StoreError;
use tuckaway_stores::{ABANDONED, SWEEP_EVERY, Sealed, is_session_name};

use super::BucketStore;
use crate::store::{Garbage, Sessions};

/// The segments of an artifact.
#[derive(Default)]
struct Segments {
    keys: Vec<Path>,
    bytes: u64,
    /// When the newest segment was written, as the time since 1970.
    newest: Duration,
}

impl Segments {
    fn add(&mut self, object: ObjectMeta) {
        let modified = u64::try_from(object.last_modified.timestamp_millis()).unwrap_or_default();
        self.newest = self.newest.max(Duration::from_millis(modified));
        self.bytes += object.size;
        self.keys.push(object.location);
    }
}

impl BucketStore {
    /// Returns the bytes of content in this session, including unsealed artifacts.
    pub(super) async fn used(&self) -> Result<u64, StoreError> {
        let segments = self.bucket.list("listing segments", &self.keys.data()).await?;
        Ok(segments.iter().map(|segment| segment.size).sum())
    }

    /// Sweeps this session from time to time, in the background.
    pub(super) fn sweep_if_due(&self) {
        let mut swept = self.state.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.elapsed() >= SWEEP_EVERY {
            *swept = Instant::now();
            let store = self.clone();
            // After a failure, the next sweep tries again.
            tokio::spawn(async move { store.sweep().await });
        }
    }

    /// Implements [`Sessions::collect_garbage`].
    pub(super) async fn collect(&self) -> Result<Garbage, StoreError> {
        let mut garbage = self.sweep().await?;
        for name in self.session_names().await? {
            garbage += self.of_session(&name).collect_garbage().await?;
        }
        Ok(garbage)
    }

    /// Removes the garbage of this session.
    async fn sweep(&self) -> Result<Garbage, StoreError> {
        let now = self.limits.now();
        // Segments are listed first: if an artifact is sealed in the meantime, its segments have
        // metadata then.
        let mut segments = self.segments().await?;
        let sealed = self.all_sealed().await?;
        let mut garbage = Garbage::default();
        let excess = self.excess(&sealed, &segments);
        for each in &sealed {
            let id = &each.artifact.id;
            let stored = segments.remove(id).unwrap_or_default();
            let over = excess.contains(id).then_some(now.as_secs());
            let reached = each.expiry.clone().or_else(|| self.limits.expiry(&each.artifact));
            let Some(expired_at) = reached.map(|expiry| expiry.expired_at).or(over) else { continue };
            if each.expiry.is_none() || !stored.keys.is_empty() {
                garbage += self.expire(each, expired_at, stored).await?;
            } else if now.saturating_sub(Duration::from_secs(expired_at)) > self.limits.remembered() {
                self.bucket.delete("removing metadata", vec![self.keys.meta(id)]).await?;
                garbage.forgotten += 1;
            }
        }
        for (id, orphan) in segments {
            let is_open = self.writers().contains_key(&id);
            if !is_open && now.saturating_sub(orphan.newest) > ABANDONED && !self.has_metadata(&id).await? {
                garbage += Garbage { abandoned: 1, freed_bytes: orphan.bytes, ..Garbage::default() };
                self.bucket.delete("removing segments", orphan.keys).await?;
            }
        }
        Ok(garbage)
    }

    /// Returns the artifacts that must be removed so that the rest fits the quota.
    fn excess(&self, sealed: &[Sealed], segments: &HashMap<String, Segments>) -> HashSet<String> {
        let kept = sealed
            .iter()
            .filter(|each| each.expiry.is_none() && self.limits.expiry(&each.artifact).is_none());
        let kept: Vec<_> = kept.map(|each| each.artifact.clone()).collect();
        let ids: HashSet<&String> = sealed.iter().map(|each| &each.artifact.id).collect();
        let others = segments.iter().filter(|(id, _)| !ids.contains(id)).map(|(_, each)| each.bytes).sum();
        self.limits.excess(&kept, others).iter().map(|each| each.id.clone()).collect()
    }

    /// Removes the content of an artifact, after recording that it has expired.
    async fn expire(
        &self,
        sealed: &Sealed,
        expired_at: u64,
        stored: Segments,
    ) -> Result<Garbage, StoreError> {
        let id = &sealed.artifact.id;
        if sealed.expiry.is_none() {
            let json = sealed.expired(expired_at).to_json();
            self.bucket.put("putting metadata", &self.keys.meta(id), json.into()).await?;
        }
        self.bucket.delete("removing segments", stored.keys).await?;
        self.forget(id);
        Ok(Garbage { expired: 1, freed_bytes: stored.bytes, ..Garbage::default() })
    }

    /// Lists the segments of this session, by the ids of their artifacts.
    async fn segments(&self) -> Result<HashMap<String, Segments>, StoreError> {
        let mut segments: HashMap<String, Segments> = HashMap::new();
        for object in self.bucket.list("listing segments", &self.keys.data()).await? {
            if let Some(id) = self.keys.id_of_segment(&object.location) {
                segments.entry(id).or_default().add(object);
            }
        }
        Ok(segments)
    }

    /// Returns whether an artifact has metadata, even if it is damaged or of a later version.
    async fn has_metadata(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.bucket.get("reading metadata", &self.keys.meta(id)).await?.is_some())
    }

    pub(super) async fn session_names(&self) -> Result<Vec<String>, StoreError> {
        let sessions = self.keys.sessions();
        let listed = self.bucket.list_directory("listing sessions", &sessions).await?;
        let names = listed.common_prefixes.iter().filter_map(|prefix| prefix.filename());
        let mut names: Vec<_> = names.filter(|name| is_session_name(name)).map(str::to_owned).collect();
        names.sort();
        Ok(names)
    }

    /// Removes a session. All metadata is removed first, so that nobody sees part of an artifact.
    pub(super) async fn remove_whole_session(&self, name: &str) -> Result<(), StoreError> {
        let keys = self.keys.of_session(name);
        let all = self.bucket.list("listing a session", &keys.all()).await?;
        if all.is_empty() {
            return Err(StoreError::NotFound);
        }
        // This includes the sessions inside the session.
        let is_meta = |key: &Path| key.filename().is_some_and(|name| name.ends_with(".json"));
        let (metas, rest): (Vec<_>, Vec<_>) = all.into_iter().map(|each| each.location).partition(is_meta);
        self.bucket.delete("removing metadata", metas).await?;
        self.bucket.delete("removing segments", rest).await?;
        self.blocks.remove(&keys.all());
        Ok(())
    }
}
