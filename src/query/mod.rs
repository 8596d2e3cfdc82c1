//! Questions about a stored artifact: [`read`] these lines, [`grep`] that, run
//! this [`jq`] filter. Each answer is one page of at most `max-bytes` and says
//! where to go on: see `cursor`.

pub(crate) mod cursor;
pub mod grep;
pub mod jq;
mod lossy;
mod pattern;
pub mod read;
mod source;

use crate::error::Error;

/// Bytes of a page where the caller names no bound.
pub const DEFAULT_PAGE_BYTES: usize = 16_384;

/// The smallest page that can be asked for.
pub const MIN_PAGE_BYTES: usize = 256;

/// The bound of a page as the caller gave it: 0 is the default, anything else
/// under [`MIN_PAGE_BYTES`] is `invalid-input`.
pub(crate) fn page_bytes(max_bytes: u32) -> Result<usize, Error> {
    match usize::try_from(max_bytes).unwrap_or(usize::MAX) {
        0 => Ok(DEFAULT_PAGE_BYTES),
        bytes if bytes >= MIN_PAGE_BYTES => Ok(bytes),
        bytes => Err(Error::invalid(format!(
            "max_bytes is {bytes}, but a page has at least {MIN_PAGE_BYTES} bytes; pass 0 for the default of {DEFAULT_PAGE_BYTES}."
        ))),
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! A store of one artifact, `art`, that keeps the contract.

    use crate::model::Artifact;
    use crate::ports::{Store, StoreError};

    pub struct One(pub Vec<u8>);

    impl One {
        fn artifact(&self) -> Artifact {
            Artifact {
                id: "art".to_owned(),
                tool: "tool".to_owned(),
                media_type: "text/plain".to_owned(),
                size_bytes: self.0.len() as u64,
                line_count: crate::text::count_lines(&self.0),
                created_at: 0,
            }
        }

        fn check(&self, id: &str) -> Result<(), StoreError> {
            if id == "art" { Ok(()) } else { Err(StoreError::NotFound) }
        }
    }

    impl Store for One {
        fn create(&self, _: &str, _: &str) -> Result<String, StoreError> {
            Err(StoreError::QuotaExceeded)
        }

        fn append(&self, _: &str, _: &[u8]) -> Result<(), StoreError> {
            Err(StoreError::NotFound)
        }

        fn seal(&self, _: &str, _: u64) -> Result<Artifact, StoreError> {
            Err(StoreError::NotFound)
        }

        fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
            self.check(id).map(|()| self.artifact())
        }

        fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
            self.check(id)?;
            let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
            let end = start.saturating_add(length as usize).min(self.0.len());
            Ok(self.0[start..end].to_vec())
        }

        fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
            Ok(vec![self.artifact()])
        }

        fn delete(&self, id: &str) -> Result<(), StoreError> {
            self.check(id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_a_default_and_a_floor() {
        assert_eq!(page_bytes(0), Ok(DEFAULT_PAGE_BYTES));
        assert_eq!(page_bytes(256), Ok(256));
        assert!(page_bytes(255).is_err_and(|e| e.message.contains("at least 256")));
    }
}
