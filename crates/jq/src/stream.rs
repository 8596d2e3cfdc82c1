//! The scanner's view of an artifact that is read in parts.

use std::error::Error as AnyError;

use super::limits;
use crate::error::Error;
use crate::source::Source;
use tuckaway_json::input::PartReader;
pub(crate) use tuckaway_json::input::Stream;
use tuckaway_search::source::Reads;

/// The longest token that is held whole, and with it the longest string.
pub(crate) const MAX_HELD_BYTES: usize = limits::MAX_STRING_BYTES;

/// The bytes of `source` from `offset` on.
pub(crate) fn open<'s>(source: &'s Source, offset: u64) -> Stream<'s> {
    Stream::open(Reader { source, reads: source.reads() }, offset)
}

/// What went wrong as bytes were read.
pub(crate) fn failure<'f>(stream: &'f Stream) -> Option<&'f Error> {
    stream.failure().and_then(|failure| failure.downcast_ref())
}

struct Reader<'s, 'a> {
    source: &'s Source<'a>,
    reads: Reads,
}

impl PartReader for Reader<'_, '_> {
    fn read(&mut self, offset: u64, used: usize, held: usize) -> Result<Vec<u8>, Box<dyn AnyError>> {
        limits::read(used as u64);
        if held > MAX_HELD_BYTES {
            return Err(Box::new(Error::limit(format!(
                "The string at byte {} is longer than {} MiB, which is more than jq can query. Search it with grep or read it instead.",
                offset - held as u64,
                MAX_HELD_BYTES >> 20
            ))));
        }
        self.source.read_at(offset, self.reads.next()).map_err(|error| Error::from(error).into())
    }
}
