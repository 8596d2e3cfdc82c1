//! Errors that several stores return.

use tuckaway_contract::StoreError;

/// Returns the error for an artifact that can only be deleted because an append failed.
pub fn broken() -> StoreError {
    StoreError::Other("an earlier write to the artifact failed".to_owned())
}
