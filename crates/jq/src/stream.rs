//! A source as input of the JSON scanner, read in parts.

use std::error::Error as AnyError;

use crate::error::Error;
use crate::limits;
use crate::source::Source;
use tuckaway_json::input::PartReader;
pub(crate) use tuckaway_json::input::Stream;
use tuckaway_search::source::Reads;

/// Longest token in bytes, and with it the longest string that is read: a token is buffered as a whole.
const MAX_TOKEN_BYTES: usize = limits::STRING_BYTES;

/// Opens a source at an offset.
pub(crate) fn open<'s>(source: &'s Source, offset: u64) -> Stream<'s> {
    Stream::open(SourceReader { source, reads: source.reads() }, offset)
}

/// Returns the error that ended a stream early, if any.
pub(crate) fn failure<'f>(stream: &'f Stream) -> Option<&'f Error> {
    stream.failure().and_then(|failure| failure.downcast_ref())
}

struct SourceReader<'s, 'a> {
    source: &'s Source<'a>,
    reads: Reads,
}

impl PartReader for SourceReader<'_, '_> {
    fn read(&mut self, offset: u64, used: usize, kept: usize) -> Result<Vec<u8>, Box<dyn AnyError>> {
        limits::record_read(used as u64);
        if kept > MAX_TOKEN_BYTES {
            return Err(Box::new(Error::limit(format!(
                "The string at byte {} is longer than {} MiB, which is more than jq can query. Search it with grep or read it instead.",
                offset - kept as u64,
                MAX_TOKEN_BYTES >> 20
            ))));
        }
        self.source.read_at(offset, self.reads.next()).map_err(|error| Error::from(error).into())
    }
}
