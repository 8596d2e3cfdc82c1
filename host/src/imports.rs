//! The component's two imports, as host functions. Nothing that the guest passes is
//! trusted.

use std::time::Instant;

use tuckaway::{Artifact, StoreError, is_artifact_id};

use crate::bindings::convert::all;
use crate::bindings::imported::{store, tokens};
use crate::state::State;

/// Fails for an id that no artifact can have, before any store sees it: a store may turn an
/// id into a path or a key.
fn check(id: &str) -> Result<(), StoreError> {
    match is_artifact_id(id) {
        true => Ok(()),
        false => Err(StoreError::NotFound),
    }
}

/// Waits for the store, for at most half of the time that the call has left: however often a
/// store does not answer, some time remains for a view that does not need it.
async fn answered<T>(
    ends: Instant,
    answer: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let half = ends.saturating_duration_since(Instant::now()) / 2;
    match tokio::time::timeout(half, answer).await {
        Ok(answer) => answer,
        Err(_) => Err(StoreError::Other("it did not answer in time".to_owned())),
    }
}

impl store::Host for State {
    async fn create(&mut self, tool: String, media_type: String) -> Result<String, store::StoreError> {
        Ok(answered(self.ends, self.store.create(&tool, &media_type)).await?)
    }

    async fn append(&mut self, id: String, bytes: Vec<u8>) -> Result<(), store::StoreError> {
        check(&id)?;
        Ok(answered(self.ends, self.store.append(&id, bytes)).await?)
    }

    async fn seal(&mut self, id: String, line_count: u64) -> Result<store::Artifact, store::StoreError> {
        check(&id)?;
        Ok(answered(self.ends, self.store.seal(&id, line_count)).await?.into())
    }

    async fn stat(&mut self, id: String) -> Result<store::Artifact, store::StoreError> {
        check(&id)?;
        Ok(answered(self.ends, self.store.stat(&id)).await?.into())
    }

    async fn read(&mut self, id: String, offset: u64, length: u32) -> Result<Vec<u8>, store::StoreError> {
        check(&id)?;
        // The host does not fetch bytes that would not fit into the guest's memory.
        if length as usize > self.limits.memory {
            return Err(store::StoreError::Other(format!("a read of {length} bytes is too large")));
        }
        Ok(answered(self.ends, self.store.read(&id, offset, length)).await?)
    }

    async fn list_artifacts(&mut self) -> Result<Vec<store::Artifact>, store::StoreError> {
        let artifacts: Vec<Artifact> = answered(self.ends, self.store.list_artifacts()).await?;
        Ok(all(artifacts))
    }

    async fn delete(&mut self, id: String) -> Result<(), store::StoreError> {
        check(&id)?;
        Ok(answered(self.ends, self.store.delete(&id)).await?)
    }
}

impl tokens::Host for State {
    async fn count(&mut self, text: String) -> Result<u64, String> {
        self.tokens.count(&text).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_could_escape_a_store_are_not_found() {
        assert_eq!(check("art_sql_1"), Ok(()));
        for id in [
            "",
            "..",
            "../art_sql_1",
            "art_sql_1/..",
            "/etc/passwd",
            "C:\\art_sql_1",
            "art_sql_1\0",
            "ａrt_sql_1",
        ] {
            assert_eq!(check(id), Err(StoreError::NotFound), "{id:?}");
        }
        assert_eq!(check(&"a".repeat(1 << 20)), Err(StoreError::NotFound));
    }
}
