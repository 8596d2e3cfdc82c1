//! What the store needs of its host.

use tuckaway_contract::StoreError;

/// A bucket of keys and values. Errors are reasons, for people.
pub trait Bucket {
    /// The place in a listing at which its next page begins.
    type Cursor;

    /// Returns the value of a key, if it has one.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String>;
    /// Sets the value of a key as a whole.
    fn set(&self, key: &str, value: &[u8]) -> Result<(), String>;
    /// Removes a key; does nothing if it does not exist.
    fn delete(&self, key: &str) -> Result<(), String>;
    /// Returns whether a key has a value.
    fn exists(&self, key: &str) -> Result<bool, String>;
    /// Returns some of the keys, in any order, and where the next page begins, if there is one.
    fn list_keys(&self, cursor: Option<Self::Cursor>) -> Result<(Vec<String>, Option<Self::Cursor>), String>;
}

/// Returns all keys of a bucket.
pub(crate) fn all_keys<B: Bucket>(bucket: &B) -> Result<Vec<String>, StoreError> {
    let mut keys = Vec::new();
    let mut cursor = None;
    loop {
        let (page, next) = bucket.list_keys(cursor).map_err(|why| failed("listing the keys", &why))?;
        keys.extend(page);
        match next {
            Some(next) => cursor = Some(next),
            None => return Ok(keys),
        }
    }
}

/// Creates a store's error from the operation and the bucket's reason.
pub(crate) fn failed(doing: &str, why: &str) -> StoreError {
    StoreError::Other(format!("{doing}: {why}"))
}
