//! Running a filter on the documents of an artifact, one after the other.

use std::cell::OnceCell;

use super::compile::{self, Term};
use super::demand::Demand;
use super::failure;
use super::limits;
use super::natives;
use super::page::{Origin, Page};
use super::push::{Document, Plan};
use super::read::{Builder, ReadError};
use super::run::{self, Compiled, Output};
use super::stream::{self, Stream};
use super::value::Val;
use crate::Options;
use crate::error::Error;
use crate::source::Source;
use tuckaway_json::scan::Scanner;

/// Documents up to this long are read as values at once, without what the filter
/// does not ask for: that takes one pass, and a planned filter two.
const SMALL_DOCUMENT_BYTES: u64 = 1 << 20;

/// A jq filter, compiled.
pub struct Filter<'f> {
    text: &'f str,
    /// On a document as a value.
    whole: Compiled,
    demand: Demand,
    /// On the places of a document, if it names what it needs by paths.
    plan: Option<Plan<'f>>,
    planned: OnceCell<Compiled>,
    /// Documents that are longer than this go by the plan.
    small: u64,
}

/// How the outputs of one document end.
enum Ended {
    /// There are no more.
    Here,
    /// The page is full, or the filter has ended all of it.
    Page,
    /// The filter failed with this.
    Failed(Val),
    /// It was ended.
    Stopped(Error),
}

impl<'f> Filter<'f> {
    /// Parses and compiles a filter of at most 16 KiB, 64 open brackets and 256 levels.
    ///
    /// Errors: `InvalidInput` if it is malformed, with line, column and what was
    /// expected; `Limit` if it is too long or nests too deep.
    pub fn compile(text: &'f str) -> Result<Self, Error> {
        let term: Term = compile::parse(text)?;
        Ok(Filter {
            text,
            demand: Demand::of(&term, &Demand::All),
            plan: Plan::of(&term),
            planned: OnceCell::new(),
            small: SMALL_DOCUMENT_BYTES,
            whole: compile::compile(text, term)?,
        })
    }

    /// Returns the filter as it was written.
    pub(super) fn text(&self) -> &'f str {
        self.text
    }

    /// These filters, but that documents count as small up to so many bytes; all
    /// of a document is read where none is longer.
    #[cfg(test)]
    pub(super) fn small_up_to(self, small: u64) -> Self {
        let all = small == u64::MAX;
        Filter { small, demand: if all { Demand::All } else { self.demand }, ..self }
    }

    /// Whether outputs can come from a member of a document, apart from the others.
    pub(super) fn resumes_inside(&self) -> bool {
        self.plan.is_some()
    }

    /// Puts outputs into the page from an origin on, until it is full, the
    /// documents end, or the filter fails.
    pub(super) fn fill(
        &self,
        page: &mut Page,
        source: &Source,
        from: Origin,
        options: &Options,
    ) -> Option<Error> {
        let mut scanner = match from.document {
            0 => Scanner::new(stream::open(source, 0)),
            offset => Scanner::at_value(stream::open(source, offset)),
        };
        let (mut before, mut member) = (from.before, from.member);
        limits::start(options.max_steps, options.max_memory, source.size());
        natives::forget_patterns();
        let mut builder = Builder::default();
        loop {
            let start = scanner.offset();
            let mut origin = Origin { document: start, before, member: None };
            let ended = match (&self.plan, member.take()) {
                (Some(plan), Some(member)) => {
                    origin.member = Some(member);
                    let document = Document::resume(source, plan, member);
                    self.run_planned(page, &document, origin, options)
                }
                _ => self.run_on_next(page, source, (&mut scanner, &mut builder), origin, options),
            };
            let ended = match ended {
                Ok(ended) => ended?,
                Err(error) => return Some(self.unreadable(source, start, &scanner, error)),
            };
            if origin.member.is_some() && !matches!(ended, Ended::Page | Ended::Stopped(_)) {
                // It was gone on with inside, and is now left as a whole.
                if let Err(error) = read_past(&mut scanner) {
                    return Some(self.unreadable(source, start, &scanner, error));
                }
            }
            match ended {
                Ended::Here => before = before.saturating_add(1),
                Ended::Page => return None,
                Ended::Stopped(error) => return Some(error),
                Ended::Failed(message) => {
                    let only = before == 0 && matches!(scanner.next_token(), Ok(None));
                    return Some(failure::failed(&message, source, start, (!only).then_some(before + 1)));
                }
            }
        }
    }

    /// Runs on the next document; none if there is none.
    fn run_on_next<'s, 'a>(
        &self,
        page: &mut Page,
        source: &'s Source<'a>,
        (scanner, builder): (&mut Scanner<Stream<'s>>, &mut Builder),
        origin: Origin,
        options: &Options,
    ) -> Result<Option<Ended>, ReadError> {
        builder.refill(limits::document_bytes());
        if self.plan.is_some() {
            builder.stop_at(origin.document.saturating_add(self.small));
        }
        match (builder.next(scanner, &self.demand), &self.plan) {
            (Ok(None), _) => match stream::failure(scanner.input()) {
                None => Ok(None),
                Some(failure) => Ok(Some(Ended::Stopped(failure.clone()))),
            },
            (Ok(Some(document)), _) => {
                let outputs = run::run(&self.whole, document, None);
                Ok(Some(put(page, outputs, options, |page| page.come_from(origin), || None)))
            }
            (Err(ReadError::Long | ReadError::Size(_)), Some(plan)) => {
                let again = || Scanner::at_value(stream::open(source, origin.document));
                if let Some(document) = Document::once(source, plan, again()) {
                    let before = page.clone();
                    let ended = self.run_planned(page, &document, origin, options)?;
                    if let Ok(behind) = document.finish() {
                        *scanner = behind;
                        return Ok(ended);
                    }
                    *page = before;
                }
                *scanner = again();
                let document = Document::locate(source, plan, scanner)?;
                self.run_planned(page, &document, origin, options)
            }
            (Err(error), _) => Err(error),
        }
    }

    fn run_planned(
        &self,
        page: &mut Page,
        document: &Document,
        origin: Origin,
        options: &Options,
    ) -> Result<Option<Ended>, ReadError> {
        let filter = match (self.planned.get(), &self.plan) {
            (Some(filter), _) => filter,
            (None, Some(plan)) => match compile::compile(self.text, plan.term.clone()) {
                Ok(filter) => self.planned.get_or_init(|| filter),
                Err(error) => return Ok(Some(Ended::Stopped(error))),
            },
            (None, None) => return Ok(None),
        };
        let outputs = run::run(filter, Val::Null, Some(document));
        let come_from = |page: &mut Page| {
            page.come_from(Origin { member: document.reached().or(origin.member), ..origin });
        };
        Ok(Some(put(page, outputs, options, come_from, || document.take_failure())))
    }

    fn unreadable(&self, source: &Source, start: u64, scanner: &Scanner<Stream>, error: ReadError) -> Error {
        match (stream::failure(scanner.input()), error) {
            (Some(failure), _) => failure.clone(),
            (None, ReadError::Size(_)) => failure::too_large(source, start),
            (None, error) => failure::unreadable(source, error),
        }
    }
}

/// Puts outputs into a page until they end.
fn put(
    page: &mut Page,
    mut outputs: impl Iterator<Item = Output>,
    options: &Options,
    come_from: impl Fn(&mut Page),
    unanswered: impl Fn() -> Option<Error>,
) -> Ended {
    loop {
        let output = outputs.next();
        if let Some(error) = unanswered() {
            return Ended::Stopped(error);
        }
        if let Some(error) = limits::error() {
            return Ended::Stopped(error);
        }
        match output {
            None => return Ended::Here,
            Some(Output::Value(value)) => {
                come_from(page);
                if !page.push(&value, options) {
                    // The page is full, unless it is writing that took too much.
                    let Some(error) = limits::error() else { return Ended::Page };
                    page.drop_part();
                    return Ended::Stopped(error);
                }
            }
            Some(Output::Halt(None)) => return Ended::Page,
            Some(Output::Error(message) | Output::Halt(Some(message))) => return Ended::Failed(message),
        }
    }
}

/// Runs over the next document.
fn read_past(scanner: &mut Scanner<Stream>) -> Result<(), ReadError> {
    scanner.drop_texts();
    if let Some(token) = scanner.next_token()? {
        super::read::skip_rest(scanner, token, limits::MAX_DOCUMENT_DEPTH)?;
    }
    scanner.keep_texts();
    Ok(())
}
