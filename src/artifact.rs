//! What goes into the store and what comes back, with nothing believed: ids,
//! sizes and reads are checked here, once, for everything above.

use tuckaway_search::source::LARGEST_READ;

use crate::error::{Error, ErrorKind};
use crate::model::Artifact;
use crate::ports::{Store, StoreError};

/// Bytes per call across the boundary.
pub const CHUNK_BYTES: usize = LARGEST_READ;

/// Returns whether a text follows the grammar of artifact ids: 1 to 64 bytes of
/// `[A-Za-z0-9_-]`.
pub fn is_artifact_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Refuses a malformed id before it reaches the store.
///
/// Errors: `invalid-input`, with a message that says how ids are written.
pub fn check_artifact_id(id: &str) -> Result<(), Error> {
    if is_artifact_id(id) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "{id:?} is not an artifact id: 1 to 64 letters, digits, '_' or '-'. Use an artifact_id exactly as an envelope gave it."
    )))
}

/// Puts bytes away, whole or not at all: what could not be finished is deleted.
pub fn put(
    store: &dyn Store,
    tool: &str,
    media_type: &str,
    bytes: &[u8],
    line_count: u64,
) -> Result<Artifact, Error> {
    let id = store.create(tool, media_type).map_err(|e| refused(e, "beginning an artifact"))?;
    if !is_artifact_id(&id) {
        return Err(bad_answer(format!("it named an artifact {id:?}, which is no id")));
    }
    let sealed = bytes
        .chunks(CHUNK_BYTES)
        .try_for_each(|chunk| store.append(&id, chunk).map_err(|e| refused(e, "writing an artifact")))
        .and_then(|()| store.seal(&id, line_count).map_err(|e| refused(e, "sealing an artifact")))
        .and_then(|sealed| match sealed.id == id && sealed.size_bytes == bytes.len() as u64 {
            true => Ok(sealed),
            false => Err(bad_answer(format!(
                "it sealed {} bytes as {:?} where {} bytes were written to {id:?}",
                sealed.size_bytes,
                sealed.id,
                bytes.len()
            ))),
        });
    if sealed.is_err() {
        // The failure that is reported is the first one; what it left behind is
        // the host's to collect if it can't be deleted either.
        let _: Result<(), StoreError> = store.delete(&id);
    }
    sealed
}

/// What the store knows of a sealed artifact.
pub fn stat(store: &dyn Store, id: &str) -> Result<Artifact, Error> {
    check_artifact_id(id)?;
    let artifact = store.stat(id).map_err(|e| e.into_error("looking up an artifact", id))?;
    match artifact.id == id {
        true => Ok(artifact),
        false => Err(bad_answer(format!("it answered for {:?} when asked for {id:?}", artifact.id))),
    }
}

/// All of a sealed artifact's bytes, as many as `stat` said.
pub fn load(store: &dyn Store, artifact: &Artifact) -> Result<Vec<u8>, Error> {
    // The component's memory is the measure everywhere, so that answers are too.
    let size = u32::try_from(artifact.size_bytes).map_err(|_| too_big(artifact))?;
    read_range(store, artifact, 0, size as usize)
}

/// `length` bytes from `offset`; fewer only where the artifact ends.
pub fn read_range(
    store: &dyn Store,
    artifact: &Artifact,
    offset: u64,
    length: usize,
) -> Result<Vec<u8>, Error> {
    let left = artifact.size_bytes.saturating_sub(offset);
    let length = usize::try_from(left).unwrap_or(usize::MAX).min(length);
    let mut bytes = Vec::new();
    if length > CHUNK_BYTES {
        // All of it at once: growing step by step would take it twice over.
        bytes.try_reserve_exact(length).map_err(|_| too_big(artifact))?;
    }
    while bytes.len() < length {
        let wanted = (length - bytes.len()).min(CHUNK_BYTES);
        let at = offset + bytes.len() as u64;
        let chunk = store
            .read(&artifact.id, at, wanted as u32)
            .map_err(|e| e.into_error("reading an artifact", &artifact.id))?;
        if chunk.is_empty() || chunk.len() > wanted {
            return Err(bad_answer(format!(
                "it gave {} bytes of {:?} at {at} where {wanted} were asked for and are there",
                chunk.len(),
                artifact.id,
            )));
        }
        // What one call gives whole is passed on as it is.
        if chunk.len() == length {
            return Ok(chunk);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn too_big(artifact: &Artifact) -> Error {
    Error::limit(format!(
        "Artifact {:?} has {} bytes, more than fits into memory here.",
        artifact.id, artifact.size_bytes
    ))
}

/// All artifacts of the session, oldest first, those left out whose id is none:
/// they could not be asked for.
pub fn list(store: &dyn Store) -> Result<Vec<Artifact>, Error> {
    let mut artifacts = store.list_artifacts().map_err(|e| e.into_error("listing artifacts", ""))?;
    artifacts.retain(|artifact| is_artifact_id(&artifact.id));
    Ok(artifacts)
}

/// While an artifact is written, nobody has got its id wrong: whatever goes
/// wrong is the store's failure.
fn refused(error: StoreError, doing: &str) -> Error {
    let error = match error {
        StoreError::NotFound | StoreError::Expired => StoreError::Other("it lost the artifact".to_owned()),
        error => error,
    };
    error.into_error(doing, "")
}

fn bad_answer(what: String) -> Error {
    Error::new(ErrorKind::Store, format!("The store broke its contract: {what}."))
}
