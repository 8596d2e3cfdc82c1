//! The documents of a source, one after the other: as the input of a filter, and for its calls of
//! `input` and `inputs`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jaq_core::{Exn, ValX};

use crate::demand::Demand;
use crate::error::Error;
use crate::failure;
use crate::limits;
use crate::read::{Builder, ReadError, VALUE_BYTES};
use crate::run::Inputs;
use crate::source::Source;
use crate::stream::{self, Stream};
use crate::value::{Arr, Val};
use tuckaway_json::scan::Scanner;

/// The documents from a given one on.
pub(crate) struct Documents<'s, 'a> {
    source: &'s Source<'a>,
    scanner: RefCell<Scanner<Stream<'s>>>,
    builder: RefCell<Builder>,
    /// The number of documents before the next one.
    index: Cell<u64>,
    /// Whether all documents are one array.
    is_slurped: bool,
    failure: RefCell<Option<Error>>,
}

impl<'s, 'a> Documents<'s, 'a> {
    /// Starts at the document with this offset and this index.
    pub(crate) fn new(source: &'s Source<'a>, offset: u64, index: u64, is_slurped: bool) -> Self {
        let scanner = match offset {
            0 => Scanner::new(stream::open(source, 0)),
            offset => Scanner::at_value(stream::open(source, offset)),
        };
        Documents {
            source,
            scanner: RefCell::new(scanner),
            builder: RefCell::new(Builder::default()),
            index: Cell::new(index),
            is_slurped,
            failure: RefCell::new(None),
        }
    }

    /// Reads the value of a variable: the only document of a source, or an array of its documents.
    /// The memory of the value is not available to documents that are read later.
    pub(crate) fn variable(source: &'s Source<'a>) -> Result<Val, Error> {
        let documents = Documents::new(source, 0, 0, true);
        let all = documents.slurp();
        if let Some(failure) = stream::failure(documents.scanner.borrow().input()) {
            return Err(failure.clone());
        }
        let all = all.map_err(|error| match error {
            ReadError::Size(_) => failure::too_large_variable(),
            error => failure::unreadable(source, error),
        })?;
        limits::hold(limits::document_memory().saturating_sub(documents.builder.borrow().budget()));
        Ok(match &all {
            Val::Arr(values) if values.len() == 1 => values[0].clone(),
            _ => all,
        })
    }

    pub(crate) fn scanner(&self) -> &RefCell<Scanner<Stream<'s>>> {
        &self.scanner
    }

    pub(crate) fn index(&self) -> u64 {
        self.index.get()
    }

    /// Marks the next document as read.
    pub(crate) fn pass(&self) {
        self.index.set(self.index.get().saturating_add(1));
    }

    /// Reads the demanded parts of the next document, which must not continue past the offset
    /// `cutoff`. Returns `None` if there is none.
    pub(crate) fn read(&self, demand: &Demand, cutoff: u64) -> Result<Option<Val>, ReadError> {
        let (mut scanner, mut builder) = (self.scanner.borrow_mut(), self.builder.borrow_mut());
        builder.set_budget(limits::document_memory());
        builder.set_cutoff(cutoff);
        let document = builder.next(&mut scanner, demand)?;
        if document.is_some() {
            self.pass();
        }
        Ok(document)
    }

    /// Reads all remaining documents into an array.
    pub(crate) fn slurp(&self) -> Result<Val, ReadError> {
        let (mut scanner, mut builder) = (self.scanner.borrow_mut(), self.builder.borrow_mut());
        builder.set_budget(limits::document_memory());
        let mut documents = Vec::new();
        while let Some(token) = scanner.next_token()? {
            builder.charge_memory(VALUE_BYTES, token)?;
            documents.push(builder.value(&mut scanner, token, &Demand::All)?);
        }
        Ok(limits::unmetered(|| Val::Arr(Rc::new(Arr::from(documents)))))
    }

    /// Returns whether no document is left.
    pub(crate) fn is_at_end(&self) -> bool {
        matches!(self.scanner.borrow_mut().next_token(), Ok(None))
    }

    /// Returns the error of a document that cannot be read.
    pub(crate) fn unreadable(&self, document: u64, error: ReadError) -> Error {
        match (stream::failure(self.scanner.borrow().input()), error) {
            (Some(failure), _) => failure.clone(),
            (None, ReadError::Size(_)) if self.is_slurped => failure::too_large_slurped(),
            (None, ReadError::Size(_)) => failure::too_large(self.source, document),
            (None, error) => failure::unreadable(self.source, error),
        }
    }

    /// Takes the error that halted the filter because a document could not be read.
    pub(crate) fn take_failure(&self) -> Option<Error> {
        self.failure.take()
    }

    fn try_next_input(&self) -> Result<Option<Val>, Error> {
        let offset = self.scanner.borrow().offset();
        let next = match self.is_slurped {
            true if self.index() > 0 => Ok(None),
            true => self.slurp().map(Some).inspect(|_| self.pass()),
            false => self.read(&Demand::All, u64::MAX),
        };
        let next = next.map_err(|error| self.unreadable(offset, error))?;
        match stream::failure(self.scanner.borrow().input()) {
            Some(failure) => Err(failure.clone()),
            None => Ok(next),
        }
    }
}

impl Inputs for Documents<'_, '_> {
    fn next_input<'x>(&self) -> Option<ValX<'x, Val>> {
        if self.failure.borrow().is_some() {
            return None;
        }
        self.try_next_input().transpose().map(|next| {
            next.map_err(|error| {
                self.failure.replace(Some(error));
                Exn::halt(0)
            })
        })
    }
}
