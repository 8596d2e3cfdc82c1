//! Reads the metadata of one or all sealed artifacts.

use std::collections::HashSet;

use futures_util::{StreamExt, stream};
use object_store::ObjectMeta;
use tuckaway_contract::StoreError;
use tuckaway_stores::{Record, Sealed};

use super::BucketStore;

/// The maximum number of metadata objects that are read at the same time.
const GETS_AT_ONCE: usize = 16;

/// The maximum number of artifacts whose metadata is remembered.
const MAX_KNOWN: usize = 20_000;

/// Metadata that was read.
#[derive(Clone)]
pub(super) struct Known {
    sealed: Sealed,
    /// The version of the object from which it was read, if a listing contained it.
    version: Option<Version>,
}

/// The fields of a listing that distinguish the versions of an object.
#[derive(Clone, PartialEq)]
struct Version {
    e_tag: Option<String>,
    modified: i64,
    bytes: u64,
}

impl Version {
    fn of(object: &ObjectMeta) -> Self {
        let modified = object.last_modified.timestamp_millis();
        Version { e_tag: object.e_tag.clone(), modified, bytes: object.size }
    }
}

impl BucketStore {
    /// Looks up a sealed artifact that has not expired.
    pub(super) async fn look_up(&self, id: &str) -> Result<Sealed, StoreError> {
        let Some(json) = self.bucket.get("reading metadata", &self.keys.meta(id)).await? else {
            self.forget(id);
            return Err(StoreError::NotFound);
        };
        let sealed = self.readable(Record::parse(&json)?.of(id)?)?;
        self.remember(id, Known { sealed: sealed.clone(), version: None });
        Ok(sealed)
    }

    /// Returns an artifact that was looked up before and has not expired since.
    pub(super) fn remembered(&self, id: &str) -> Option<Sealed> {
        let known = self.known().get(id).cloned()?;
        self.readable(known.sealed).ok()
    }

    /// Lists the sealed artifacts that have not expired, oldest first.
    pub(super) async fn sealed(&self) -> Result<Vec<Sealed>, StoreError> {
        let all = self.all_sealed().await?;
        Ok(all.into_iter().filter_map(|sealed| self.readable(sealed).ok()).collect())
    }

    /// Lists the sealed artifacts, including expired ones, oldest first. Damaged metadata is
    /// skipped, so that it does not hide other artifacts.
    pub(super) async fn all_sealed(&self) -> Result<Vec<Sealed>, StoreError> {
        let objects = self.bucket.list("listing metadata", &self.keys.metas()).await?;
        let objects =
            objects.into_iter().filter_map(|object| Some((self.keys.id_of_meta(&object.location)?, object)));
        let objects: Vec<_> = objects.collect();
        let ids: HashSet<&String> = objects.iter().map(|(id, _)| id).collect();
        self.known().retain(|id, _| ids.contains(id));
        let read = objects.into_iter().map(|(id, object)| async move { self.listed(&id, &object).await });
        let mut read = stream::iter(read).buffer_unordered(GETS_AT_ONCE);
        let mut listed: Vec<Sealed> = Vec::new();
        while let Some(each) = read.next().await {
            listed.extend(each?);
        }
        listed.sort_by(|a, b| {
            let order = |sealed: &Sealed| (sealed.artifact.created_at, sealed.sealed_at_us);
            order(a).cmp(&order(b)).then_with(|| a.artifact.id.cmp(&b.artifact.id))
        });
        Ok(listed)
    }

    /// Returns the artifact of a listed object; `None` if it is damaged, or was removed in the
    /// meantime.
    async fn listed(&self, id: &str, object: &ObjectMeta) -> Result<Option<Sealed>, StoreError> {
        let version = Version::of(object);
        if let Some(known) = self.known().get(id)
            && known.version.as_ref() == Some(&version)
        {
            return Ok(Some(known.sealed.clone()));
        }
        let Some(json) = self.bucket.get("reading metadata", &object.location).await? else {
            return Ok(None);
        };
        let Ok(sealed) = Record::parse(&json).and_then(|record| record.of(id)) else { return Ok(None) };
        self.remember(id, Known { sealed: sealed.clone(), version: Some(version) });
        Ok(Some(sealed))
    }

    /// Returns an artifact unless it has expired.
    fn readable(&self, sealed: Sealed) -> Result<Sealed, StoreError> {
        match sealed.expiry.clone().or_else(|| self.limits.expiry(&sealed.artifact)) {
            Some(expiry) => Err(StoreError::Expired(Some(expiry))),
            None => Ok(sealed),
        }
    }

    fn remember(&self, id: &str, known: Known) {
        let mut all = self.known();
        if all.len() >= MAX_KNOWN {
            all.clear();
        }
        all.insert(id.to_owned(), known);
    }
}
