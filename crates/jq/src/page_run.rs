//! A run of a filter over the documents of a source, for one page of its outputs.

use crate::documents::Documents;
use crate::error::Error;
use crate::failure;
use crate::limits::{self, MAX_DOCUMENT_DEPTH};
use crate::natives;
use crate::options::Options;
use crate::page::{Cursor, Origin, PageWriter};
use crate::program::Program;
use crate::push::{Document, Plan, ResumePoint};
use crate::read::{self, ReadError};
use crate::run::{self, Output, Run, Surroundings};
use crate::source::Source;
use crate::stream::{self, Stream};
use crate::value::Val;
use tuckaway_json::scan::Scanner;

/// The way in which the outputs for one document end.
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

/// The input of a filter that fails, as its error shows it.
enum Input {
    /// The document of an origin.
    Document(Origin),
    /// An array of all documents.
    Slurped,
    Null,
}

/// A page of outputs.
pub(crate) struct Ran {
    pub(crate) text: String,
    /// The number of outputs that end on the page.
    pub(crate) count: u64,
    /// The start of the next page, if there is one.
    pub(crate) next: Option<Cursor>,
    /// The error that stopped the filter.
    pub(crate) failure: Option<Error>,
}

/// A run of a filter, for one page.
pub(crate) struct PageRun<'r, 's, 'a> {
    program: &'r Program<'r>,
    source: &'s Source<'a>,
    options: &'r Options,
    documents: Documents<'s, 'a>,
    /// The values of the filter's variables.
    variables: Vec<Val>,
    page: PageWriter,
}

impl<'r, 's, 'a> PageRun<'r, 's, 'a> {
    /// Prepares a run from a cursor on, with the values of variables.
    pub(crate) fn new(
        program: &'r Program<'r>,
        (source, variables): (&'s Source<'a>, Vec<Val>),
        options: &'r Options,
        start: Cursor,
        max_bytes: usize,
    ) -> Self {
        natives::clear_pattern_cache();
        let Origin { document, index, .. } = start.origin;
        let documents = Documents::new(source, document, index, options.slurp);
        PageRun { program, source, options, documents, variables, page: PageWriter::new(start, max_bytes) }
    }

    /// Writes outputs from an origin on, until the page is full, the documents end, or the
    /// filter fails. Returns the page, where the next one begins, and the error that stopped the
    /// filter.
    pub(crate) fn run(mut self, from: Origin) -> Ran {
        let failure = match (self.options.null_input, self.options.slurp) {
            (true, _) => {
                let end = self.run_whole(Val::Null, from);
                self.failure(end, Input::Null)
            }
            (false, true) => {
                let end = self.slurped(from);
                end.map_or_else(Some, |end| self.failure(end, Input::Slurped))
            }
            (false, false) => self.each_document(from),
        };
        run::clear_halt_message();
        let count = self.page.count();
        let (text, next) = self.page.finish();
        Ran { text, count, next, failure }
    }

    /// Runs the filter on each document.
    fn each_document(&mut self, from: Origin) -> Option<Error> {
        let mut member = from.member;
        loop {
            let offset = self.documents.scanner().borrow().offset();
            let origin = Origin { document: offset, index: self.documents.index(), member: member.take() };
            let end = match origin.member {
                Some(_) => self.resume(origin),
                None => self.next_document(origin),
            };
            let end = match end {
                Ok(end) => end?,
                Err(error) => return Some(self.documents.unreadable(origin.document, error)),
            };
            match end {
                DocumentEnd::Exhausted => {}
                end => return self.failure(end, Input::Document(origin)),
            }
        }
    }

    /// Runs the filter on an array of all documents: one after the other, if it asks for them in
    /// their order, otherwise in memory.
    fn slurped(&mut self, from: Origin) -> Result<DocumentEnd, Error> {
        let plan = self.program.plan.as_ref();
        let document = match (plan, from.member) {
            (Some(plan), Some(member)) => Some(Document::resume_slurped(self.source, plan, member)),
            (Some(plan), None) => Document::slurped(self.source, plan),
            (None, _) => None,
        };
        if let (Some(plan), Some(document)) = (plan, document) {
            return Ok(self.run_planned(&document, plan, from));
        }
        let slurped = self.documents.slurp().map_err(|error| self.documents.unreadable(0, error))?;
        if let Some(failure) = stream::failure(self.documents.scanner().borrow().input()) {
            return Err(failure.clone());
        }
        self.documents.pass();
        Ok(self.run_whole(slurped, from))
    }

    /// Returns the error that a run ended with.
    fn failure(&self, end: DocumentEnd, input: Input) -> Option<Error> {
        let message = match end {
            DocumentEnd::Exhausted | DocumentEnd::PageEnd => return None,
            DocumentEnd::Stopped(error) => return Some(error),
            DocumentEnd::Failed(message) => message,
        };
        let input = match input {
            Input::Document(origin) => {
                let is_only = origin.index == 0 && self.documents.is_at_end();
                let number = (!is_only).then_some(origin.index + 1);
                failure::describe_input(self.source, origin.document, number)
            }
            Input::Slurped => " The input is: an array of all documents.".to_owned(),
            Input::Null => " The input is: null.".to_owned(),
        };
        Some(failure::filter_failed(&message, &input))
    }

    /// Runs the filter on the values of the next document from a member on, and moves the
    /// scanner past the document.
    fn resume(&mut self, origin: Origin) -> Result<Option<DocumentEnd>, ReadError> {
        let (Some(plan), Some(member)) = (&self.program.plan, origin.member) else { return Ok(None) };
        let document = Document::resume(self.source, plan, member);
        let end = self.run_planned(&document, plan, origin);
        if matches!(end, DocumentEnd::Exhausted | DocumentEnd::Failed(_)) {
            skip_document(&mut self.documents.scanner().borrow_mut())?;
            self.documents.pass();
        }
        Ok(Some(end))
    }

    /// Runs the filter on the next document. Returns `None` if there is none.
    fn next_document(&mut self, origin: Origin) -> Result<Option<DocumentEnd>, ReadError> {
        let program = self.program;
        let cutoff = match program.plan {
            Some(_) => origin.document.saturating_add(program.small_document_bytes),
            None => u64::MAX,
        };
        match (self.documents.read(&program.demand, cutoff), &program.plan) {
            (Ok(None), _) => {
                let scanner = self.documents.scanner().borrow();
                Ok(stream::failure(scanner.input()).cloned().map(DocumentEnd::Stopped))
            }
            (Ok(Some(value)), _) => Ok(Some(self.run_whole(value, origin))),
            (Err(ReadError::Cutoff | ReadError::Size(_)), Some(plan)) => {
                self.large_document(plan, origin).map(Some)
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Runs the plan on the document of this origin: in a single pass if that works, otherwise
    /// in two. Moves the scanner past the document.
    fn large_document(&mut self, plan: &'r Plan, origin: Origin) -> Result<DocumentEnd, ReadError> {
        self.documents.pass();
        if let Some(document) = Document::single_pass(self.source, plan, self.scanner(origin.document)) {
            let page = self.page.clone();
            let end = self.run_planned(&document, plan, origin);
            if let Ok(past_document) = document.finish() {
                self.documents.scanner().replace(past_document);
                return Ok(end);
            }
            self.page = page;
        }
        let mut scanner = self.scanner(origin.document);
        let located = Document::locate(self.source, plan, &mut scanner);
        self.documents.scanner().replace(scanner);
        Ok(self.run_planned(&located?, plan, origin))
    }

    fn scanner(&self, offset: u64) -> Scanner<Stream<'s>> {
        Scanner::at_value(stream::open(self.source, offset))
    }

    /// Runs the filter on a document in memory.
    fn run_whole(&mut self, input: Val, origin: Origin) -> DocumentEnd {
        let PageRun { program, options, documents, variables, page, .. } = self;
        let surroundings = Surroundings { responder: None, inputs: Some(documents), variables };
        let run = Run::new(&program.whole, surroundings);
        write_outputs(run.outputs(input), (page, options), origin, &|| (None, documents.take_failure()))
    }

    /// Runs the filter on parts of a document.
    fn run_planned(&mut self, document: &Document, plan: &Plan, origin: Origin) -> DocumentEnd {
        let filter = match self.program.planned(plan) {
            Ok(filter) => filter,
            Err(error) => return DocumentEnd::Stopped(error),
        };
        let surroundings =
            Surroundings { responder: Some(document), inputs: None, variables: &self.variables };
        let run = Run::new(filter, surroundings);
        let state = || (document.last_read(), document.take_failure());
        write_outputs(run.outputs(Val::Null), (&mut self.page, self.options), origin, &state)
    }
}

/// Writes outputs into the page until they end. `state` returns the value that was read last, if the
/// filter can resume there, and the error that halted it.
fn write_outputs(
    mut outputs: impl Iterator<Item = Output>,
    (page, options): (&mut PageWriter, &Options),
    origin: Origin,
    state: &dyn Fn() -> (Option<ResumePoint>, Option<Error>),
) -> DocumentEnd {
    loop {
        let output = outputs.next();
        let (last_read, failure) = state();
        if let Some(error) = failure.or_else(limits::error) {
            return DocumentEnd::Stopped(error);
        }
        match output {
            None => return DocumentEnd::Exhausted,
            Some(Output::Value(value)) => {
                page.set_origin(Origin { member: last_read.or(origin.member), ..origin });
                if !page.push(&value, options) {
                    // The page is full, unless writing the output exceeded a limit.
                    let Some(error) = limits::error() else { return DocumentEnd::PageEnd };
                    page.discard_partial();
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

/// Moves the scanner past the next document.
fn skip_document(scanner: &mut Scanner<Stream>) -> Result<(), ReadError> {
    scanner.drop_texts();
    if let Some(token) = scanner.next_token()? {
        read::skip_rest(scanner, token, MAX_DOCUMENT_DEPTH)?;
    }
    scanner.keep_texts();
    Ok(())
}
