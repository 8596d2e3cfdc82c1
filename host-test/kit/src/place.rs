//! The location of a store, as an argument of `store_worker`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Error, Result};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use tuckaway_host::{BucketStore, DirStore, Limits, Sessions};

use crate::object_servers::{ACCESS_KEY, AZURE_ACCOUNT, AZURE_KEY, REGION, SECRET_KEY};

/// Files that a worker's thread opens, inspects and closes before it begins: more than the main
/// thread does altogether.
pub const WARM_UP: usize = 50;

/// Time for each operation of a store of objects: less than the deadline of a call.
const TIMEOUT: Duration = Duration::from_secs(4);

/// The same where a slow answer says only that the machine is busy.
const PATIENT_TIMEOUT: Duration = Duration::from_secs(60);

/// A place of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// `dir:PATH`.
    Directory(PathBuf),
    /// `s3:URL BUCKET PREFIX`: a bucket of a server, with its fixed credentials.
    Objects {
        /// The URL of the server, or of a proxy in front of it.
        url: String,
        /// The bucket.
        bucket: String,
        /// The prefix, which may be empty.
        prefix: String,
    },
}

impl Place {
    /// Opens the store that is there.
    pub fn open(&self, limits: Limits) -> Result<Arc<dyn Sessions>> {
        self.open_within(limits, TIMEOUT)
    }

    /// Opens the store that is there, for many processes that are busy with one server.
    pub fn open_patiently(&self) -> Result<Arc<dyn Sessions>> {
        self.open_within(Limits::none(), PATIENT_TIMEOUT)
    }

    fn open_within(&self, limits: Limits, timeout: Duration) -> Result<Arc<dyn Sessions>> {
        Ok(match self {
            Place::Directory(path) => Arc::new(DirStore::open(path)?.with_limits(limits)),
            Place::Objects { url, bucket, prefix } => {
                Arc::new(objects(url, bucket, prefix)?.with_timeout(timeout).with_limits(limits))
            }
        })
    }
}

/// Opens a store in a bucket of a server.
pub fn objects(url: &str, bucket: &str, prefix: &str) -> Result<BucketStore> {
    let credentials =
        [("aws_access_key_id", ACCESS_KEY), ("aws_secret_access_key", SECRET_KEY), ("aws_region", REGION)];
    let store = BucketStore::from_url_with(&format!("s3://{bucket}/{prefix}"), Some(url), &credentials)?;
    Ok(store.with_timeout(TIMEOUT))
}

/// Opens a store in a container of Azurite.
pub fn azure(url: &str, container: &str, prefix: &str) -> Result<BucketStore> {
    let credentials =
        [("azure_storage_account_name", AZURE_ACCOUNT), ("azure_storage_account_key", AZURE_KEY)];
    let endpoint = format!("{url}/{AZURE_ACCOUNT}");
    let store =
        BucketStore::from_url_with(&format!("az://{container}/{prefix}"), Some(&endpoint), &credentials)?;
    Ok(store.with_timeout(TIMEOUT))
}

/// Opens a bucket of a server by the crate `object_store` alone.
pub fn bucket(url: &str, name: &str) -> Result<AmazonS3> {
    // Its client wants to know how it would encrypt. It is an error if that was said before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = AmazonS3Builder::new().with_endpoint(url).with_allow_http(true).with_bucket_name(name);
    let builder = builder.with_access_key_id(ACCESS_KEY).with_secret_access_key(SECRET_KEY);
    Ok(builder.with_region(REGION).build()?)
}

impl FromStr for Place {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (kind, rest) = text.split_once(':').context("a place is dir:PATH or s3:URL BUCKET PREFIX")?;
        if kind == "dir" {
            return Ok(Place::Directory(rest.into()));
        }
        let mut parts = rest.splitn(3, ' ').map(str::to_owned);
        let mut next = || parts.next().context("a place in a server is s3:URL BUCKET PREFIX");
        Ok(Place::Objects { url: next()?, bucket: next()?, prefix: next()? })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Directory(path) => write!(f, "dir:{}", path.display()),
            Place::Objects { url, bucket, prefix } => write!(f, "s3:{url} {bucket} {prefix}"),
        }
    }
}
