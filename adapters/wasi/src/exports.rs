//! The exports: the store, which is opened by the first call that needs it, and the token counter.

use std::cell::RefCell;

use tuckaway_contract as contract;
use tuckaway_text::tokens::estimate;

use crate::bindings::Component;
use crate::bindings::exports::tuckaway::context::{store, tokens};
#[cfg(feature = "keyvalue")]
use crate::bucket::{Store, open};
#[cfg(feature = "filesystem")]
use crate::files::{Store, open};

thread_local! {
    static STORE: RefCell<Option<Store>> = const { RefCell::new(None) };
}

/// Calls the store. If it cannot be opened, a later call tries again.
fn with_store<T>(
    call: impl FnOnce(&Store) -> Result<T, contract::StoreError>,
) -> Result<T, store::StoreError> {
    STORE.with_borrow_mut(|kept| {
        let opened = match kept.take() {
            Some(opened) => opened,
            None => open()?,
        };
        Ok(call(kept.insert(opened))?)
    })
}

impl store::Guest for Component {
    fn create(tool: String, media_type: String) -> Result<String, store::StoreError> {
        with_store(|store| store.create(&tool, &media_type))
    }

    fn append(id: String, bytes: Vec<u8>) -> Result<(), store::StoreError> {
        with_store(|store| store.append(&id, &bytes))
    }

    fn seal(id: String, line_count: u64) -> Result<store::Artifact, store::StoreError> {
        with_store(|store| store.seal(&id, line_count)).map(Into::into)
    }

    fn stat(id: String) -> Result<store::Artifact, store::StoreError> {
        with_store(|store| store.stat(&id)).map(Into::into)
    }

    fn read(id: String, offset: u64, length: u32) -> Result<Vec<u8>, store::StoreError> {
        with_store(|store| store.read(&id, offset, length))
    }

    fn list_artifacts() -> Result<Vec<store::Artifact>, store::StoreError> {
        with_store(Store::list_artifacts).map(|all| all.into_iter().map(Into::into).collect())
    }

    fn delete(id: String) -> Result<(), store::StoreError> {
        with_store(|store| store.delete(&id))
    }
}

impl tokens::Guest for Component {
    fn count(text: String) -> Result<u64, String> {
        Ok(estimate(&text))
    }
}

impl From<contract::Artifact> for store::Artifact {
    fn from(artifact: contract::Artifact) -> Self {
        let contract::Artifact { id, tool, media_type, size_bytes, line_count, created_at, .. } = artifact;
        store::Artifact { id, tool, media_type, size_bytes, line_count, created_at }
    }
}

impl From<contract::StoreError> for store::StoreError {
    fn from(error: contract::StoreError) -> Self {
        match error {
            contract::StoreError::NotFound => store::StoreError::NotFound,
            contract::StoreError::Expired(expiry) => store::StoreError::Expired(
                expiry.map(|contract::Expiry { tool, expired_at, .. }| store::Expiry { tool, expired_at }),
            ),
            contract::StoreError::QuotaExceeded => store::StoreError::QuotaExceeded,
            contract::StoreError::Other(why) => store::StoreError::Other(why),
        }
    }
}
