//! Reads values at their locations in a source, within bounds of memory and time.

use std::cell::{Cell, RefCell};

use jaq_core::{Exn, ValX};

use super::locate::Location;
use super::request::Request;
use crate::demand::Demand;
use crate::error::{Error, ErrorKind};
use crate::failure;
use crate::limits::{self, MAX_DOCUMENT_DEPTH};
use crate::read::{Builder, ReadError, VALUE_BYTES, skip_rest};
use crate::source::Source;
use crate::stream::{self, Stream};
use crate::value::{Arr, Val};
use tuckaway_json::scan::{Scanner, TokenKind};

/// Maximum times that the source may be read for one document, in addition to the part that fits
/// into memory.
const MAX_PASSES: u64 = 4;

const TOO_MANY_PASSES: &str = "The filter was stopped: it repeatedly reads a document that is too large to keep in memory. Read it only once, or select less of it with a longer path.";

/// A value at which a filter can resume, if it processes the values around it independently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResumePoint {
    /// Offset of the value, or of its key.
    pub(crate) offset: u64,
    /// Whether it is a member of an object.
    pub(crate) in_object: bool,
}

/// Marks that there is no response to a request. The reader keeps the error, and the run halts.
pub(super) struct Aborted;

impl Aborted {
    /// Returns the exception that halts the run.
    pub(super) fn halt<'a>(self) -> Exn<'a, Val> {
        Exn::halt(0)
    }
}

/// Reads values of a document.
pub(super) struct ValueReader<'s, 'a> {
    source: &'s Source<'a>,
    /// Bytes that values may still occupy.
    budget: Cell<u64>,
    /// Bytes of the source that may still be read for single values of a container.
    allowance: Cell<u64>,
    last_read: Cell<Option<ResumePoint>>,
    failure: RefCell<Option<Error>>,
    /// Whether the documents of the source are the values of one array.
    is_slurped: bool,
}

impl<'s, 'a> ValueReader<'s, 'a> {
    /// Reads the values of a document.
    pub(super) fn new(source: &'s Source<'a>) -> Self {
        let budget = limits::document_memory();
        ValueReader {
            source,
            budget: Cell::new(budget),
            allowance: Cell::new(source.size().saturating_mul(MAX_PASSES).saturating_add(budget)),
            last_read: Cell::new(None),
            failure: RefCell::new(None),
            is_slurped: false,
        }
    }

    /// Reads the documents of a source as the values of one array.
    pub(super) fn slurped(source: &'s Source<'a>) -> Self {
        ValueReader { is_slurped: true, ..ValueReader::new(source) }
    }

    /// Returns the bytes that values may still occupy.
    pub(super) fn budget(&self) -> u64 {
        self.budget.get()
    }

    /// Returns the value that the filter received last, of those at which it can resume.
    pub(super) fn last_read(&self) -> Option<ResumePoint> {
        self.last_read.get()
    }

    pub(super) fn set_last_read(&self, point: ResumePoint) {
        self.last_read.set(Some(point));
    }

    /// Takes the error that aborted a request.
    pub(super) fn take_failure(&self) -> Option<Error> {
        self.failure.take()
    }

    fn abort(&self, error: Error) -> Aborted {
        self.failure.borrow_mut().get_or_insert(error);
        Aborted
    }

    fn unreadable(&self, error: ReadError, stream: &Stream) -> Aborted {
        self.abort(match (stream::failure(stream), error) {
            (Some(failure), _) => failure.clone(),
            (None, ReadError::Size(_)) => failure::unreadable(self.source, error),
            // No pass has checked them before.
            (None, _) if self.is_slurped => failure::unreadable(self.source, error),
            (None, _) => Error::new(
                ErrorKind::Source,
                "The store broke its contract: it returned other bytes of the artifact than before.",
            ),
        })
    }

    fn scanner(&self, offset: u64) -> Scanner<Stream<'s>> {
        Scanner::at_value(stream::open(self.source, offset))
    }

    /// Reads the demanded parts of the value at an offset.
    pub(super) fn read(&self, offset: u64, demand: &Demand) -> Result<Val, Aborted> {
        let (mut scanner, mut builder) = (self.scanner(offset), Builder::with_budget(self.budget()));
        match builder.next(&mut scanner, demand) {
            Ok(value) => {
                self.budget.set(builder.budget());
                Ok(value.unwrap_or_default())
            }
            Err(error) => Err(self.unreadable(error, scanner.input())),
        }
    }

    /// Reads a value with nulls in place of the values in it.
    pub(super) fn outline(&self, location: Location) -> Result<Val, Aborted> {
        match location.kind {
            TokenKind::ArrayStart => {
                let fits = location.count.saturating_mul(VALUE_BYTES) <= self.budget();
                let count = usize::try_from(location.count).ok().filter(|_| fits);
                let count = count.ok_or_else(|| {
                    self.unreadable(ReadError::Size(location.start), self.scanner(location.start).input())
                })?;
                Ok(Val::Arr(Arr::from(vec![Val::Null; count]).into()))
            }
            TokenKind::ObjectStart => {
                let mut scanner = self.scanner(location.start);
                let mut builder = Builder::with_budget(self.budget());
                let keys = scanner
                    .next_token()
                    .map_err(ReadError::from)
                    .and_then(|_| builder.keys_of(&mut scanner, MAX_DOCUMENT_DEPTH))
                    .map_err(|error| self.unreadable(error, scanner.input()))?;
                Ok(Val::Obj(keys.into()))
            }
            _ => self.read(location.start, &Demand::All),
        }
    }

    /// Counts the documents of the source.
    pub(super) fn count_documents(&self) -> Result<u64, Aborted> {
        let mut scanner = Scanner::new(stream::open(self.source, 0));
        scanner.drop_texts();
        let mut count = 0;
        let mut skip_next = || -> Result<bool, ReadError> {
            let Some(token) = scanner.next_token()? else { return Ok(false) };
            skip_rest(&mut scanner, token, MAX_DOCUMENT_DEPTH)?;
            Ok(true)
        };
        loop {
            match skip_next() {
                Ok(true) => count += 1,
                Ok(false) if stream::failure(scanner.input()).is_none() => return Ok(count),
                Ok(false) => return Err(self.unreadable(ReadError::Cutoff, scanner.input())),
                Err(error) => return Err(self.unreadable(error, scanner.input())),
            }
        }
    }

    /// Reads the elements of an array from one index up to another.
    pub(super) fn slice(
        &self,
        array: Location,
        from: u64,
        upto: u64,
        demand: &Demand,
    ) -> Result<Vec<Val>, Aborted> {
        let (mut scanner, mut builder) = (self.scanner(array.start), Builder::with_budget(self.budget()));
        let mut items = Vec::new();
        let mut read = || -> Result<(), ReadError> {
            scanner.next_token()?;
            scanner.drop_texts();
            for _ in 0..from {
                let Some(token) = scanner.next_token()? else { return Ok(()) };
                skip_rest(&mut scanner, token, MAX_DOCUMENT_DEPTH)?;
            }
            scanner.keep_texts();
            for _ in from..upto {
                let Some(token) = scanner.next_token()? else { return Ok(()) };
                builder.charge_memory(VALUE_BYTES, token)?;
                items.push(builder.value(&mut scanner, token, demand)?);
            }
            Ok(())
        };
        match read() {
            Ok(()) => {
                self.budget.set(builder.budget());
                Ok(items)
            }
            Err(error) => Err(self.unreadable(error, scanner.input())),
        }
    }

    /// Reads the values of a container from a given one on, each when it is consumed. If the filter
    /// can resume at them, they are recorded as last read.
    pub(super) fn values<'t>(
        &'t self,
        from: ResumePoint,
        request: &'t Request,
        is_resumable: bool,
    ) -> Values<'t, 's, 'a> {
        Values {
            reader: self,
            request,
            scanner: match (self.is_slurped, from.offset) {
                (false, _) => Scanner::at_member(stream::open(self.source, from.offset), from.in_object),
                (true, 0) => Scanner::new(stream::open(self.source, 0)),
                (true, offset) => self.scanner(offset),
            },
            builder: Builder::with_budget(self.budget()),
            in_object: from.in_object,
            is_resumable,
            is_aborted: false,
        }
    }
}

/// The values of a container that a request accepts.
pub(super) struct Values<'t, 's, 'a> {
    reader: &'t ValueReader<'s, 'a>,
    request: &'t Request,
    scanner: Scanner<Stream<'s>>,
    builder: Builder,
    in_object: bool,
    is_resumable: bool,
    is_aborted: bool,
}

impl Values<'_, '_, '_> {
    /// Reads up to the next value that the request accepts. Returns `None` at the end of the
    /// container.
    fn read_next(&mut self) -> Result<Option<Val>, Aborted> {
        let next = self.try_read_next();
        let stream = self.scanner.input();
        match next {
            Ok(None) if stream::failure(stream).is_some() => {
                Err(self.reader.unreadable(ReadError::Size(0), stream))
            }
            next => next.map_err(|error| self.reader.unreadable(error, stream)),
        }
    }

    fn try_read_next(&mut self) -> Result<Option<Val>, ReadError> {
        let reader = self.reader;
        while let Some(mut token) = self.scanner.next_token()? {
            if matches!(token.kind, TokenKind::ArrayEnd | TokenKind::ObjectEnd) {
                return Ok(None);
            }
            let point = ResumePoint { offset: token.start, in_object: self.in_object };
            if token.kind == TokenKind::Key {
                let Some(value) = self.scanner.next_token()? else { break };
                token = value;
            }
            self.builder.set_budget(reader.budget());
            let value = self.builder.value(&mut self.scanner, token, &self.request.demand)?;
            let bytes = self.scanner.offset() - point.offset;
            reader.allowance.set(reader.allowance.get().saturating_sub(bytes));
            if self.request.accepts(&value) {
                if self.is_resumable {
                    reader.set_last_read(point);
                }
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

impl<'t> Iterator for Values<'t, '_, '_> {
    type Item = ValX<'t, Val>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_aborted {
            return None;
        }
        let next = match self.reader.allowance.get() {
            0 => Err(self.reader.abort(Error::limit(TOO_MANY_PASSES))),
            _ => self.read_next(),
        };
        self.is_aborted = next.is_err();
        next.map_err(Aborted::halt).transpose()
    }
}
