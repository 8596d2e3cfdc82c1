//! Queries on a stored artifact: [`read`] lines, [`grep`] for a pattern, run a [`jq`]
//! filter. Each answer is one page of at most `max-bytes` with a cursor to the next
//! one: see `cursor`.

pub(crate) mod characters;
pub(crate) mod cursor;
mod decoded;
pub mod grep;
mod index;
pub mod jq;
mod json_part;
mod lossy;
#[cfg(test)]
mod outline_tests;
mod parsed;
pub mod read;
pub(crate) mod source;
pub(crate) mod truncated;
mod variables;

use tuckaway_contract::{DEFAULT_PAGE_BYTES, Error, MIN_PAGE_BYTES};
use tuckaway_search::source::ByteSource;

pub(crate) use source::Source;

use crate::ports::Store;
use tuckaway_text::human_bytes;

/// An artifact, and the words for messages about it.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub store: &'a dyn Store,
    pub id: &'a str,
    pub words: &'static Words,
}

impl<'a> Target<'a> {
    /// Returns a target with the words of the contract.
    pub(crate) fn artifact(store: &'a dyn Store, id: &'a str) -> Self {
        Target { store, id, words: &ARTIFACT }
    }

    /// Opens the artifact: see [`source::Source::open`].
    pub(crate) fn open(&self) -> Result<source::Source<'a>, Error> {
        source::Source::open(self.store, self.id, self.words)
    }
}

/// The words that a query's messages use.
#[derive(Debug)]
pub(crate) struct Words {
    /// The noun for the content that is read or searched.
    pub noun: &'static str,
    /// How to search for a plain text.
    pub literal: &'static str,
    /// How to read the bytes of a file, as the last sentence of a text; empty if no tool can.
    pub bytes: &'static str,
    /// Whether each match is shown with its position, which takes space in a page.
    pub shows_positions: bool,
}

/// The words of the contract.
pub(crate) const ARTIFACT: Words = Words {
    noun: "artifact",
    literal: "set fixed_string to true",
    bytes: " To read its bytes, pass start_byte and end_byte.",
    shows_positions: false,
};

/// Returns the limit of a page in bytes: [`DEFAULT_PAGE_BYTES`] if the caller sets none.
///
/// Errors: `invalid-input` for fewer than [`MIN_PAGE_BYTES`].
pub(crate) fn page_bytes(max_bytes: Option<u32>) -> Result<usize, Error> {
    let bytes = max_bytes.map_or(DEFAULT_PAGE_BYTES, |bytes| bytes as usize);
    match bytes >= MIN_PAGE_BYTES {
        true => Ok(bytes),
        false => Err(Error::invalid(format!(
            "max_bytes is {bytes}, but a page has at least {MIN_PAGE_BYTES} bytes; omit it for the default of {DEFAULT_PAGE_BYTES}."
        ))
        .about(&["max_bytes"])),
    }
}

/// Rejects a query if the artifact's head shows that it is binary.
fn refuse_binary(head: &[u8], source: &source::Source<'_>, doing: &str) -> Result<(), Error> {
    match binary_name(head) {
        None => Ok(()),
        Some(name) => Err(Error::unsupported(format!(
            "This {} is binary ({name}, {}): there is nothing in it to {doing}.",
            source.words().noun,
            human_bytes(source.size())
        ))),
    }
}

/// Returns the name of an artifact's format if its head is binary.
pub(crate) fn binary_name(head: &[u8]) -> Option<&'static str> {
    const HEAD_BYTES: usize = 4 << 10;
    tuckaway_content::binary_name(&head[..head.len().min(HEAD_BYTES)])
}

#[cfg(test)]
pub(crate) mod testing {
    //! Stores of one sealed artifact, `art`, and of several.

    use crate::ports::Store;
    use tuckaway_contract::{Artifact, StoreError};

    /// The content of such a store.
    pub trait Holds {
        /// Returns the size that the store reports.
        fn size_bytes(&self) -> u64;

        /// Returns the number of lines that the store reports.
        fn line_count(&self) -> u64;

        /// Returns `length` bytes from `offset`; fewer only at the end.
        fn bytes_from(&self, offset: u64, length: u32) -> Vec<u8>;
    }

    /// A store that holds these bytes and honours the contract.
    pub struct One(pub Vec<u8>);

    impl Holds for One {
        fn size_bytes(&self) -> u64 {
            self.0.len() as u64
        }

        fn line_count(&self) -> u64 {
            tuckaway_text::count_lines(&self.0)
        }

        fn bytes_from(&self, offset: u64, length: u32) -> Vec<u8> {
            let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
            let end = start.saturating_add(length as usize).min(self.0.len());
            self.0[start..end].to_vec()
        }
    }

    /// A store of these artifacts, oldest first: their ids and their bytes, or the failure of each
    /// read.
    pub struct Many(pub Vec<(String, Result<Vec<u8>, StoreError>)>);

    impl Many {
        fn artifact((id, content): &(String, Result<Vec<u8>, StoreError>)) -> Artifact {
            let bytes = content.as_deref().unwrap_or(b"lost");
            Artifact {
                id: id.clone(),
                tool: "tool".to_owned(),
                media_type: "text/plain".to_owned(),
                size_bytes: bytes.len() as u64,
                line_count: tuckaway_text::count_lines(bytes),
                created_at: 0,
            }
        }

        fn entry(&self, id: &str) -> Result<&(String, Result<Vec<u8>, StoreError>), StoreError> {
            self.0.iter().find(|(own, _)| own == id).ok_or(StoreError::NotFound)
        }
    }

    impl Store for Many {
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
            self.entry(id).map(Many::artifact)
        }

        fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
            let (_, content) = self.entry(id)?;
            Ok(One(content.clone()?).bytes_from(offset, length))
        }

        fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
            Ok(self.0.iter().map(Many::artifact).collect())
        }

        fn delete(&self, _: &str) -> Result<(), StoreError> {
            Err(StoreError::NotFound)
        }
    }

    fn check(id: &str) -> Result<(), StoreError> {
        if id == "art" { Ok(()) } else { Err(StoreError::NotFound) }
    }

    impl<T: Holds> Store for T {
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
            check(id).map(|()| Artifact {
                id: id.to_owned(),
                tool: "tool".to_owned(),
                media_type: "text/plain".to_owned(),
                size_bytes: self.size_bytes(),
                line_count: self.line_count(),
                created_at: 0,
            })
        }

        fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
            check(id).map(|()| self.bytes_from(offset, length))
        }

        fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
            Ok(vec![self.stat("art")?])
        }

        fn delete(&self, id: &str) -> Result<(), StoreError> {
            check(id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_a_default_and_a_floor() {
        assert_eq!(page_bytes(None), Ok(DEFAULT_PAGE_BYTES));
        assert_eq!(page_bytes(Some(256)), Ok(256));
        for few in [0, 255] {
            assert!(page_bytes(Some(few)).is_err_and(|e| e.message.contains("at least 256")), "{few}");
        }
    }
}
