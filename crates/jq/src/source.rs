//! The sources that documents are read from.

use std::error::Error;

use tuckaway_search::source::slice_at;

pub use tuckaway_search::source::{ByteSource, Reads};

/// The reason why a source could not be read: any error type of the caller. A run returns it as the
/// [`source`](std::error::Error::source) of a [`crate::Error`].
pub type SourceError = Box<dyn Error + Send + Sync>;

/// The bytes that a filter runs on, read in parts.
pub type Source<'a> = dyn ByteSource<Error = SourceError> + 'a;

/// Bytes in memory as a [`Source`].
///
/// ```
/// use tuckaway_jq::{Bytes, Filter, Options};
///
/// let filter = Filter::compile(".rows[] | .id").unwrap();
/// let rows = Bytes(br#"{"rows": [{"id": 1}, {"id": 2}]}"#.to_vec());
/// let page = filter.run(&rows, &Options::default(), None, 16_384).unwrap();
/// assert_eq!(page.text, "1\n2\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl ByteSource for Bytes {
    type Error = SourceError;

    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        Ok(slice_at(&self.0, offset, length).to_vec())
    }
}
