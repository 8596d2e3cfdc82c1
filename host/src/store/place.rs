//! The location and the limits of a store, as written in options and files.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tuckaway_text::units;

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

/// How long artifacts are kept: `12h`, `7d`, `forever`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxAge {
    /// For this time.
    Of(Duration),
    /// Until they are removed by hand.
    Forever,
}

impl FromStr for MaxAge {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "forever" => Ok(MaxAge::Forever),
            text => {
                let age = units::duration(text).map_err(|why| format!("{why}, or forever"))?;
                match age.is_zero() {
                    true => Err(
                        "an age of 0 would remove every artifact at once; write forever to keep artifacts"
                            .to_owned(),
                    ),
                    false => Ok(MaxAge::Of(age)),
                }
            }
        }
    }
}

/// The maximum size of the stored content: `512M`, `2G`, `unlimited`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// This number of bytes.
    Of(u64),
    /// No limit.
    Unlimited,
}

impl FromStr for Quota {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "unlimited" => Ok(Quota::Unlimited),
            text => units::size(text).map(Quota::Of).map_err(|why| format!("{why}, or unlimited")),
        }
    }
}

impl Limits {
    /// The limits of the user's own store: 7 days and 2 GiB.
    pub const OWN: (MaxAge, Quota) = (MaxAge::Of(Duration::from_secs(7 * 24 * 60 * 60)), Quota::Of(2 << 30));

    /// Creates limits from an age and a quota.
    pub fn of(age: MaxAge, quota: Quota) -> Self {
        let limits = match age {
            MaxAge::Of(age) => Limits::none().with_max_age(age),
            MaxAge::Forever => Limits::none(),
        };
        match quota {
            Quota::Of(bytes) => limits.with_quota(bytes),
            Quota::Unlimited => limits,
        }
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

    #[test]
    fn limits_are_parsed() {
        assert_eq!("forever".parse(), Ok(MaxAge::Forever));
        assert_eq!("2h".parse(), Ok(MaxAge::Of(Duration::from_secs(7_200))));
        assert!("0s".parse::<MaxAge>().is_err() && "soon".parse::<MaxAge>().is_err());
        assert_eq!("1K".parse(), Ok(Quota::Of(1024)));
        assert_eq!("unlimited".parse(), Ok(Quota::Unlimited));
        assert!("much".parse::<Quota>().is_err());
        let limits = Limits::of(Limits::OWN.0, Limits::OWN.1);
        assert_eq!((limits.quota(), limits.max_age()), (Some(2 << 30), Some(Duration::from_secs(604_800))));
    }
}
