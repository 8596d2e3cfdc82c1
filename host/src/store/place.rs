//! The location of a store, as written in options and files.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::Context;

use super::{DirStore, Limits, MemoryStore, Sessions};
use crate::OpenError;

/// The location of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAt {
    /// In memory, until the process exits: `memory`.
    Memory,
    /// In a directory: `dir:PATH`.
    Directory(PathBuf),
    /// In a bucket: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or `az://CONTAINER/PREFIX`. Needs
    /// the feature `object-store`.
    Bucket(String),
}

impl FromStr for StoreAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("dir:") {
            Some("") => Err("`dir:` needs a path after it".to_owned()),
            Some(path) => Ok(StoreAt::Directory(path.into())),
            None if text == "memory" => Ok(StoreAt::Memory),
            None if ["s3://", "gs://", "az://"].iter().any(|scheme| text.starts_with(scheme)) => {
                match cfg!(feature = "object-store") {
                    true => Ok(StoreAt::Bucket(text.to_owned())),
                    false => Err(format!(
                        "this build cannot store artifacts in a bucket such as {text:?}; build it with the feature object-store"
                    )),
                }
            }
            None => Err(format!(
                "{text:?} is not a store; write dir:PATH, memory, s3://BUCKET/PREFIX, gs:// or az://"
            )),
        }
    }
}

impl StoreAt {
    /// Opens the store. `endpoint` is the URL of the bucket's server, if it is not the
    /// provider's.
    ///
    /// Errors: a directory that cannot be used, or a bucket that
    /// [`BucketStore::from_url`](super::BucketStore) refuses.
    pub fn open(&self, limits: Limits, endpoint: Option<&str>) -> Result<Arc<dyn Sessions>, OpenError> {
        Ok(self.opened(limits, endpoint)?)
    }

    fn opened(&self, limits: Limits, endpoint: Option<&str>) -> anyhow::Result<Arc<dyn Sessions>> {
        if endpoint.is_some() && !matches!(self, StoreAt::Bucket(_)) {
            anyhow::bail!("an endpoint can be set only for a store in a bucket, such as s3://BUCKET/PREFIX");
        }
        Ok(match self {
            StoreAt::Memory => Arc::new(MemoryStore::new().with_limits(limits)),
            StoreAt::Directory(path) => {
                let opened = DirStore::open(path);
                let opened = opened.with_context(|| format!("cannot open the store {}", path.display()))?;
                Arc::new(opened.with_limits(limits))
            }
            #[cfg(feature = "object-store")]
            StoreAt::Bucket(url) => {
                let opened = super::BucketStore::from_url(url, endpoint);
                Arc::new(opened.with_context(|| format!("cannot open the store {url}"))?.with_limits(limits))
            }
            #[cfg(not(feature = "object-store"))]
            StoreAt::Bucket(url) => {
                anyhow::bail!("this build cannot open {url}; build it with the feature object-store")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_parsed() {
        assert_eq!("memory".parse(), Ok(StoreAt::Memory));
        assert_eq!("dir:a:b".parse(), Ok(StoreAt::Directory("a:b".into())));
        for wrong in ["", "dir:", "/tmp", "http://x", "s3:x"] {
            assert!(wrong.parse::<StoreAt>().is_err(), "{wrong}");
        }
        let bucket = "s3://bucket/a/b".parse::<StoreAt>();
        assert_eq!(bucket.is_ok(), cfg!(feature = "object-store"));
    }
}
