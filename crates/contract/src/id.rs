//! The grammar of artifact ids.

use crate::Error;

/// Returns whether a text follows the grammar of artifact ids: 1 to 64 bytes of
/// `[A-Za-z0-9_-]`.
pub fn is_artifact_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Refuses a malformed id before it reaches the store.
///
/// Errors: [`InvalidInput`](crate::ErrorKind::InvalidInput), with a message that explains the
/// grammar.
pub fn check_artifact_id(id: &str) -> Result<(), Error> {
    if is_artifact_id(id) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "{id:?} is not an artifact id (1 to 64 letters, digits, '_' or '-'). Pass an artifact_id exactly as its envelope shows it."
    )))
}
