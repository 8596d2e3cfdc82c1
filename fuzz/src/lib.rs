//! Code that the fuzz targets share: a store of one artifact that keeps the contract, and
//! the grammar from which the engine's own tests generate filters.

use std::cell::RefCell;

#[path = "../../crates/jq/src/tests/grammar.rs"]
pub mod grammar;

use tuckaway::{Artifact, CountTokens, Store, StoreError};

/// A store with only the last artifact that was sealed, under the id `art`.
#[derive(Default)]
pub struct OneArtifact(pub RefCell<Vec<u8>>);

impl OneArtifact {
    fn artifact(&self) -> Artifact {
        Artifact {
            id: "art".to_owned(),
            tool: String::new(),
            media_type: String::new(),
            size_bytes: self.0.borrow().len() as u64,
            line_count: self.0.borrow().split_inclusive(|&byte| byte == b'\n').count() as u64,
            created_at: 0,
        }
    }
}

impl Store for OneArtifact {
    fn create(&self, _: &str, _: &str) -> Result<String, StoreError> {
        self.0.borrow_mut().clear();
        Ok("art".to_owned())
    }

    fn append(&self, _: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(())
    }

    fn seal(&self, _: &str, _: u64) -> Result<Artifact, StoreError> {
        Ok(self.artifact())
    }

    fn stat(&self, _: &str) -> Result<Artifact, StoreError> {
        Ok(self.artifact())
    }

    fn read(&self, _: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let bytes = self.0.borrow();
        let from = (offset as usize).min(bytes.len());
        Ok(bytes[from..bytes.len().min(from + length as usize)].to_vec())
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(vec![self.artifact()])
    }

    fn delete(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Counts one token for every four bytes.
pub struct Quarters;

impl CountTokens for Quarters {
    fn count(&self, text: &str) -> Result<u64, String> {
        Ok(text.len() as u64 / 4)
    }
}
