//! The store in a bucket of `wasi:keyvalue`.

use tuckaway_contract::StoreError;
use tuckaway_keyvalue::{Bucket, KeyValueStore};

use crate::bindings::wasi::keyvalue::store::{Bucket as Opened, Error, open as open_bucket};
use crate::settings;

/// The buckets that are tried if none is set: most hosts call theirs `default`, wasmtime's has no name.
const DEFAULTS: [&str; 2] = ["default", ""];

pub type Store = KeyValueStore<HostBucket>;

/// A bucket of the host.
pub struct HostBucket(Opened);

/// Opens the store.
pub fn open() -> Result<Store, StoreError> {
    let bucket = match settings::place() {
        Some(name) => open_bucket(&name),
        None => match open_bucket(DEFAULTS[0]) {
            Err(Error::NoSuchStore) => open_bucket(DEFAULTS[1]),
            opened => opened,
        },
    };
    let bucket =
        bucket.map_err(|error| StoreError::Other(format!("opening the bucket: {}", reason(error))))?;
    KeyValueStore::new(HostBucket(bucket), settings::session().as_deref(), settings::limits()?)
}

fn reason(error: Error) -> String {
    match error {
        Error::NoSuchStore => "the host has no such bucket; set TUCKAWAY_STORE to its name".to_owned(),
        Error::AccessDenied => "the host denies access to it".to_owned(),
        Error::Other(why) => why,
    }
}

impl Bucket for HostBucket {
    type Cursor = u64;

    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
        self.0.get(key).map_err(reason)
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
        self.0.set(key, value).map_err(reason)
    }

    fn delete(&self, key: &str) -> Result<(), String> {
        self.0.delete(key).map_err(reason)
    }

    fn exists(&self, key: &str) -> Result<bool, String> {
        self.0.exists(key).map_err(reason)
    }

    fn list_keys(&self, cursor: Option<u64>) -> Result<(Vec<String>, Option<u64>), String> {
        self.0.list_keys(cursor).map(|page| (page.keys, page.cursor)).map_err(reason)
    }
}
