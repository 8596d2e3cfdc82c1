//! Writes to and reads from the store. Ids, sizes and reads are validated here, once,
//! for all modules above.

use tuckaway_contract::{Artifact, Error, ErrorKind, StoreError, check_artifact_id, is_artifact_id};
use tuckaway_search::source::LARGEST_READ;

use crate::ports::Store;

/// Maximum bytes of one call of the store.
pub const CHUNK_BYTES: usize = LARGEST_READ;

/// Stores bytes as a new artifact. An artifact that cannot be completed is deleted.
///
/// Errors: `store`.
pub fn write(
    store: &dyn Store,
    tool: &str,
    media_type: &str,
    bytes: &[u8],
    line_count: u64,
) -> Result<Artifact, Error> {
    let id = store.create(tool, media_type).map_err(|e| write_error(e, "beginning an artifact"))?;
    if !is_artifact_id(&id) {
        return Err(contract_violation(format!("it returned {id:?}, which is not a valid id")));
    }
    let sealed = bytes
        .chunks(CHUNK_BYTES)
        .try_for_each(|chunk| store.append(&id, chunk).map_err(|e| write_error(e, "writing an artifact")))
        .and_then(|()| store.seal(&id, line_count).map_err(|e| write_error(e, "sealing an artifact")))
        .and_then(|sealed| match sealed.id == id && sealed.size_bytes == bytes.len() as u64 {
            true => Ok(sealed),
            false => Err(contract_violation(format!(
                "it sealed {} bytes as {:?}, but {} bytes were written to {id:?}",
                sealed.size_bytes,
                sealed.id,
                bytes.len()
            ))),
        });
    if sealed.is_err() {
        // The first failure is the one to report: if the deletion fails too, the
        // host has to collect the unsealed artifact.
        let _: Result<(), StoreError> = store.delete(&id);
    }
    sealed
}

/// Returns the store's record of a sealed artifact.
///
/// Errors: `invalid-input` for a malformed id, and those of the store.
pub fn stat(store: &dyn Store, id: &str) -> Result<Artifact, Error> {
    check_artifact_id(id)?;
    let artifact = store.stat(id).map_err(|e| e.into_error("looking up an artifact", id))?;
    match artifact.id == id {
        true => Ok(artifact),
        false => Err(contract_violation(format!("it returned {:?} instead of {id:?}", artifact.id))),
    }
}

/// Reads a whole sealed artifact.
///
/// Errors: `limit` if it does not fit into memory, and those of the store.
pub fn load(store: &dyn Store, artifact: &Artifact) -> Result<Vec<u8>, Error> {
    // The component's address space is the limit on every platform, so that all
    // give the same answers.
    let size = u32::try_from(artifact.size_bytes).map_err(|_| too_large(artifact))?;
    read_range(store, artifact, 0, size as usize)
}

/// Reads `length` bytes from `offset`; fewer only at the artifact's end.
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
        // Growing in steps would need twice the memory.
        bytes.try_reserve_exact(length).map_err(|_| too_large(artifact))?;
    }
    while bytes.len() < length {
        let wanted = (length - bytes.len()).min(CHUNK_BYTES);
        let at = offset + bytes.len() as u64;
        let chunk = store
            .read(&artifact.id, at, wanted as u32)
            .map_err(|e| e.into_error("reading an artifact", &artifact.id))?;
        if chunk.is_empty() || chunk.len() > wanted {
            return Err(contract_violation(format!(
                "it returned {} bytes of {:?} at offset {at}, but {wanted} were requested and exist",
                chunk.len(),
                artifact.id,
            )));
        }
        // A range that one call returns is not copied.
        if chunk.len() == length {
            return Ok(chunk);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn too_large(artifact: &Artifact) -> Error {
    Error::limit(format!(
        "Artifact {:?} has {} bytes, too many to load into memory. Read or search parts of it instead.",
        artifact.id, artifact.size_bytes
    ))
}

/// Lists all artifacts of the session, oldest first. Omits artifacts with a malformed id, because
/// they cannot be queried.
pub fn list(store: &dyn Store) -> Result<Vec<Artifact>, Error> {
    let mut artifacts = store.list_artifacts().map_err(|e| e.into_error("listing artifacts", ""))?;
    artifacts.retain(|artifact| is_artifact_id(&artifact.id));
    Ok(artifacts)
}

/// Converts an error of a write. The id comes from the store, so `NotFound` and `Expired` are
/// failures of the store, too.
fn write_error(error: StoreError, doing: &str) -> Error {
    let error = match error {
        StoreError::NotFound | StoreError::Expired(_) => StoreError::Other("it lost the artifact".to_owned()),
        error => error,
    };
    error.into_error(doing, "")
}

fn contract_violation(what: String) -> Error {
    Error::new(ErrorKind::Store, format!("The store broke its contract: {what}."))
}
