//! A compiled filter, and its run over the documents of a source, one after the other.

use std::cell::OnceCell;

use crate::compile;
use crate::demand::Demand;
use crate::error::{Error, ErrorKind};
use crate::failure;
use crate::hint;
use crate::limits::{self, MAX_DOCUMENT_DEPTH};
use crate::natives;
use crate::options::Options;
use crate::page::{Cursor, Origin, PageWriter};
use crate::push::{Document, Plan};
use crate::read::{self, Builder, ReadError};
use crate::run::{self, Compiled, Output};
use crate::source::Source;
use crate::stream::{self, Stream};
use crate::term::Term;
use crate::value::Val;
use crate::watch::{self, Key};
use tuckaway_json::scan::Scanner;

/// Documents up to this length are read into memory at once, without what the filter does not
/// demand. That takes one pass; a planned filter may take two.
const SMALL_DOCUMENT_BYTES: u64 = 1 << 20;

/// A compiled jq filter.
pub struct Filter<'f> {
    text: &'f str,
    /// The filter as it was written, which runs on a document in memory.
    whole: Compiled,
    /// The parts of a document that `whole` needs.
    demand: Demand,
    /// How the filter runs on parts of a document, if its paths name all that it needs.
    plan: Option<Plan<'f>>,
    /// The keys that it asks of objects.
    keys: Vec<Key>,
    /// The filter of the plan, compiled when the first large document needs it.
    planned: OnceCell<Compiled>,
    /// Longer documents are run by the plan, if there is one.
    small_document_bytes: u64,
}

/// One page of a filter's outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The outputs, each followed by a line feed.
    pub text: String,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
    /// The error that stopped the filter, after these outputs or before the first one. There
    /// is no next page then.
    pub failure: Option<Error>,
    /// If the outputs are empty or only nulls: where the filter's first path leaves the
    /// document, and which keys that place has. After other outputs: a key that none of the objects
    /// has that the filter asked for it. On the first page only.
    pub hint: Option<String>,
}

impl<'f> Filter<'f> {
    /// Parses and compiles a filter of at most 16 KiB, 64 open brackets and 256 levels.
    ///
    /// Errors: `InvalidInput` for a malformed filter, with line, column and what was expected;
    /// `Limit` for one that is too long or nests too deep.
    ///
    /// ```
    /// use tuckaway_jq::{ErrorKind, Filter};
    ///
    /// let error = Filter::compile(".a | lenght").err().unwrap();
    /// assert_eq!(error.kind, ErrorKind::InvalidInput);
    /// assert_eq!(
    ///     error.message,
    ///     "The filter is not valid at column 6: the filter `lenght` is not defined. The nearest is `length`."
    /// );
    /// ```
    pub fn compile(text: &'f str) -> Result<Self, Error> {
        let term: Term = compile::parse(text)?;
        let (demand, plan) = (Demand::of(&term, &Demand::All), Plan::of(&term));
        let mut keys = hint::keys(&term);
        for key in &mut keys {
            key.is_demanded =
                demand.names(&key.name) || plan.as_ref().is_some_and(|plan| plan.names(&key.name));
        }
        Ok(Filter {
            text,
            demand,
            plan,
            keys,
            planned: OnceCell::new(),
            small_document_bytes: SMALL_DOCUMENT_BYTES,
            whole: compile::compile(text, term)?,
        })
    }

    /// Runs the filter and returns one page of its outputs, at most `max_bytes` long.
    ///
    /// The filter runs once for each document of the source (NDJSON, concatenated JSON). A page
    /// ends after an output, unless that output alone is longer than a page: then it ends
    /// between graphemes. An error of the running filter is the page's `failure`, after the
    /// outputs before it.
    ///
    /// Errors, if there is no output before them: `InvalidInput` for a cursor that does not
    /// belong to this filter, `Unsupported` for content that is not JSON, `Limit` for a document
    /// or a value that exceeds a limit, `Source` for a source that cannot be read.
    pub fn run(
        &self,
        source: &Source,
        options: &Options,
        cursor: Option<Cursor>,
        max_bytes: usize,
    ) -> Result<Outputs, Error> {
        let start = cursor.unwrap_or_default();
        if start.origin.member.is_some() && self.plan.is_none() {
            return Err(Error::invalid(
                "This cursor goes on inside of a document, where this filter never stops: leave it out to start over.",
            ));
        }
        let mut run = Run { filter: self, source, options, page: PageWriter::new(start, max_bytes) };
        watch::start(if cursor.is_none() { &self.keys } else { &[] });
        let failure = run.documents(start.origin);
        let missing = watch::finish();
        run::clear_halt_message();
        let (text, next) = run.page.finish();
        if text.is_empty() {
            match failure {
                // The failure of a filter is a result. Content that is not JSON, or a limit that was
                // exceeded, is not.
                Some(error) if error.kind != ErrorKind::InvalidInput => return Err(error),
                None if cursor.is_some() => {
                    return Err(Error::invalid(
                        "This cursor is past the last output: leave it out to start over.",
                    ));
                }
                Some(_) | None => {}
            }
        }
        let failure = failure.filter(|_| next.is_none());
        let run = hint::Run {
            is_empty: hint::is_only_nulls(&text),
            failed: failure.is_some(),
            is_partial: next.is_some(),
            missing,
        };
        let hint = match cursor.is_none() && run.needs_hint() {
            true => hint::hint(source, &compile::parse(self.text)?, &run),
            false => None,
        };
        Ok(Outputs { text, next, failure, hint })
    }

    /// Sets the length up to which documents are read into memory. With `u64::MAX`, they are
    /// read as a whole.
    #[cfg(test)]
    pub(crate) fn with_small_documents(self, bytes: u64) -> Self {
        let demand = if bytes == u64::MAX { Demand::All } else { self.demand };
        Filter { small_document_bytes: bytes, demand, ..self }
    }
}

/// How the outputs for one document end.
enum DocumentEnd {
    /// There are no more outputs.
    Exhausted,
    /// The page is full, or the filter halted.
    PageEnd,
    /// The filter failed with this value.
    Failed(Val),
    /// An error stopped the run.
    Stopped(Error),
}

/// A run of a filter over the documents of a source, for one page.
struct Run<'r, 's, 'a> {
    filter: &'r Filter<'r>,
    source: &'s Source<'a>,
    options: &'r Options,
    page: PageWriter,
}

impl<'s> Run<'_, 's, '_> {
    /// Writes outputs from an origin on, until the page is full, the documents end, or the
    /// filter fails. Returns the error that stopped it.
    fn documents(&mut self, from: Origin) -> Option<Error> {
        let mut scanner = match from.document {
            0 => Scanner::new(stream::open(self.source, 0)),
            offset => self.scanner(offset),
        };
        let (mut index, mut member) = (from.index, from.member);
        limits::start(self.options.max_steps, self.options.max_memory, self.source.size());
        natives::clear_pattern_cache();
        let mut builder = Builder::default();
        loop {
            let origin = Origin { document: scanner.offset(), index, member: member.take() };
            let end = match origin.member {
                Some(_) => self.resume(&mut scanner, origin),
                None => self.next_document(&mut scanner, &mut builder, origin),
            };
            let end = match end {
                Ok(end) => end?,
                Err(error) => return Some(self.unreadable(origin.document, &scanner, error)),
            };
            match end {
                DocumentEnd::Exhausted => index = index.saturating_add(1),
                DocumentEnd::PageEnd => return None,
                DocumentEnd::Stopped(error) => return Some(error),
                DocumentEnd::Failed(message) => {
                    let is_only = index == 0 && matches!(scanner.next_token(), Ok(None));
                    let number = (!is_only).then_some(index + 1);
                    return Some(failure::filter_failed(&message, self.source, origin.document, number));
                }
            }
        }
    }

    fn scanner(&self, offset: u64) -> Scanner<Stream<'s>> {
        Scanner::at_value(stream::open(self.source, offset))
    }

    /// Runs the filter on the values of the next document from a member on, and moves the
    /// scanner past the document.
    fn resume(
        &mut self,
        scanner: &mut Scanner<Stream>,
        origin: Origin,
    ) -> Result<Option<DocumentEnd>, ReadError> {
        let (Some(plan), Some(member)) = (&self.filter.plan, origin.member) else { return Ok(None) };
        let document = Document::resume(self.source, plan, member);
        let end = self.run_planned(&document, plan, origin);
        if matches!(end, DocumentEnd::Exhausted | DocumentEnd::Failed(_)) {
            skip_document(scanner)?;
        }
        Ok(Some(end))
    }

    /// Runs the filter on the next document. Returns `None` if there is none.
    fn next_document(
        &mut self,
        scanner: &mut Scanner<Stream<'s>>,
        builder: &mut Builder,
        origin: Origin,
    ) -> Result<Option<DocumentEnd>, ReadError> {
        let filter = self.filter;
        builder.set_budget(limits::document_memory());
        if filter.plan.is_some() {
            builder.set_cutoff(origin.document.saturating_add(filter.small_document_bytes));
        }
        match (builder.next(scanner, &filter.demand), &filter.plan) {
            (Ok(None), _) => Ok(stream::failure(scanner.input()).cloned().map(DocumentEnd::Stopped)),
            (Ok(Some(value)), _) => {
                let outputs = run::run(&filter.whole, value, None);
                Ok(Some(self.write_outputs(outputs, origin, None)))
            }
            (Err(ReadError::Cutoff | ReadError::Size(_)), Some(plan)) => {
                self.large_document(scanner, plan, origin).map(Some)
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Runs the plan on the document of this origin: in a single pass if that works, otherwise
    /// in two. Moves the scanner past the document.
    fn large_document(
        &mut self,
        scanner: &mut Scanner<Stream<'s>>,
        plan: &Plan,
        origin: Origin,
    ) -> Result<DocumentEnd, ReadError> {
        if let Some(document) = Document::single_pass(self.source, plan, self.scanner(origin.document)) {
            let page = self.page.clone();
            let end = self.run_planned(&document, plan, origin);
            if let Ok(past_document) = document.finish() {
                *scanner = past_document;
                return Ok(end);
            }
            self.page = page;
        }
        *scanner = self.scanner(origin.document);
        let document = Document::locate(self.source, plan, scanner)?;
        Ok(self.run_planned(&document, plan, origin))
    }

    fn run_planned(&mut self, document: &Document, plan: &Plan, origin: Origin) -> DocumentEnd {
        let Filter { text, planned, .. } = self.filter;
        let filter = match planned.get() {
            Some(filter) => filter,
            None => match compile::compile(text, plan.term.clone()) {
                Ok(filter) => planned.get_or_init(|| filter),
                Err(error) => return DocumentEnd::Stopped(error),
            },
        };
        self.write_outputs(run::run(filter, Val::Null, Some(document)), origin, Some(document))
    }

    /// Writes outputs into the page until they end. If they come from parts of a document, that
    /// is the `document`.
    fn write_outputs(
        &mut self,
        mut outputs: impl Iterator<Item = Output>,
        origin: Origin,
        document: Option<&Document>,
    ) -> DocumentEnd {
        loop {
            let output = outputs.next();
            if let Some(error) = document.and_then(Document::take_failure).or_else(limits::error) {
                return DocumentEnd::Stopped(error);
            }
            match output {
                None => return DocumentEnd::Exhausted,
                Some(Output::Value(value)) => {
                    let member = document.and_then(Document::last_read).or(origin.member);
                    self.page.set_origin(Origin { member, ..origin });
                    if !self.page.push(&value, self.options) {
                        // The page is full, unless writing the output exceeded a limit.
                        let Some(error) = limits::error() else { return DocumentEnd::PageEnd };
                        self.page.discard_partial();
                        return DocumentEnd::Stopped(error);
                    }
                }
                Some(Output::Halt(None)) => return DocumentEnd::PageEnd,
                Some(Output::Error(message) | Output::Halt(Some(message))) => {
                    return DocumentEnd::Failed(message);
                }
            }
        }
    }

    fn unreadable(&self, document: u64, scanner: &Scanner<Stream>, error: ReadError) -> Error {
        match (stream::failure(scanner.input()), error) {
            (Some(failure), _) => failure.clone(),
            (None, ReadError::Size(_)) => failure::too_large(self.source, document),
            (None, error) => failure::unreadable(self.source, error),
        }
    }
}

/// Moves the scanner past the next document.
fn skip_document(scanner: &mut Scanner<Stream>) -> Result<(), ReadError> {
    scanner.drop_texts();
    if let Some(token) = scanner.next_token()? {
        read::skip_rest(scanner, token, MAX_DOCUMENT_DEPTH)?;
    }
    scanner.keep_texts();
    Ok(())
}
