//! Extractions: questions about an artifact, over the host's store and token counter.

use std::cell::RefCell;

use tuckaway_contract::{
    Error, ErrorKind, ExtractionConfig, ExtractionEstimate, ExtractionEvent, ExtractionStep, Question,
    ToolDefinition, is_artifact_id,
};
use tuckaway_extraction::{Error as MachineError, Failed, Format, Host, Reply, State};
use tuckaway_search::source::ByteSource;

use crate::ports::{CountTokens, Store};
use crate::query::{Source, binary_name, truncated};
use crate::{query, tools};

/// Returns the default limits for a context window.
pub fn config(context_tokens: u64) -> Result<ExtractionConfig, Error> {
    tuckaway_extraction::default_config(context_tokens).map_err(|error| from_machine(error, None))
}

/// Reads the arguments of a call of `tool_output`.
pub fn parse_call(arguments: &str) -> Result<Question, Error> {
    let (artifact, extract, mode) = tools::extraction_arguments(arguments)?;
    Ok(Question { artifact, extract, mode, tool_arguments: None, nonce: None })
}

/// Returns the strategy and the cost of an extraction.
pub fn estimate(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    question: &Question,
    config: &ExtractionConfig,
) -> Result<ExtractionEstimate, Error> {
    let document = Document::open(store, tokens, &question.artifact)?;
    document.answered(tuckaway_extraction::estimate(&document, question, config))
}

/// Starts an extraction.
pub fn start(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    question: &Question,
    config: &ExtractionConfig,
) -> Result<ExtractionStep, Error> {
    let answered = |tool: Option<&str>, error: Error| match is_for_the_model(error.kind) {
        true => Ok(tuckaway_extraction::failed(&question.artifact, tool, question.mode, &error.message)),
        false => Err(error),
    };
    let document = match Document::open(store, tokens, &question.artifact) {
        Ok(document) => document,
        // A malformed handle is a mistake of the agent's model as well.
        Err(_) if !is_artifact_id(&question.artifact) => {
            let shown = tuckaway_text::cut::head(&question.artifact, 160);
            return answered(
                None,
                tools::in_words_of_handles(store, Error::new(ErrorKind::NotFound, ""), shown),
            );
        }
        Err(error) => return answered(None, tools::in_words_of_handles(store, error, &question.artifact)),
    };
    let step = document.answered(tuckaway_extraction::start(&document, question, config));
    step.or_else(|error| answered(Some(document.tool()), error))
}

/// Continues an extraction after an event.
pub fn step(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    state: &str,
    event: &ExtractionEvent,
) -> Result<ExtractionStep, Error> {
    let state = State::from_json(state).map_err(|error| from_machine(error, None))?;
    let document = match Document::open(store, tokens, state.artifact()) {
        Ok(document) => document,
        Err(error) if is_for_the_model(error.kind) => {
            let message = tools::in_words_of_handles(store, error, state.artifact()).message;
            return Ok(tuckaway_extraction::abandoned(state, &message));
        }
        Err(error) => return Err(error),
    };
    document.answered(tuckaway_extraction::step(&document, state, event))
}

/// Returns whether an error is an answer for the agent's model, which may have passed a wrong or
/// an expired handle.
fn is_for_the_model(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::Expired | ErrorKind::Unsupported)
}

/// An artifact whose text a model reads.
struct Document<'a> {
    store: &'a dyn Store,
    tokens: &'a dyn CountTokens,
    source: Source<'a>,
    format: Format,
    /// The error of the store, if it failed.
    failure: RefCell<Option<Error>>,
}

impl<'a> Document<'a> {
    fn open(store: &'a dyn Store, tokens: &'a dyn CountTokens, id: &str) -> Result<Self, Error> {
        let source = Source::open(store, id, &query::ARTIFACT)?;
        let format = format(&source)?;
        Ok(Document { store, tokens, source, format, failure: RefCell::new(None) })
    }

    /// Converts the machine's error; if the store failed, returns the store's error.
    fn answered<T>(&self, result: Result<T, MachineError>) -> Result<T, Error> {
        result.map_err(|error| from_machine(error, self.failure.take()))
    }

    fn noted<T>(&self, result: Result<T, Error>) -> Result<T, Failed> {
        result.map_err(|error| {
            self.failure.replace(Some(error));
            Failed
        })
    }
}

/// Returns how an artifact separates its records, as its head shows.
fn format(source: &Source<'_>) -> Result<Format, Error> {
    const HEAD_BYTES: usize = 64 << 10;
    let head = source.read_at(0, HEAD_BYTES)?;
    if binary_name(&head).is_some() {
        return Ok(Format::Binary);
    }
    let media_type = source.artifact().media_type.as_str();
    let starts_json = matches!(head.trim_ascii_start().first(), Some(b'{' | b'['));
    Ok(match media_type {
        "text/csv" | "text/tab-separated-values" => Format::Table,
        "application/x-ndjson" | "application/jsonl" => Format::Lines,
        // Lines with one JSON document each are covered by their media types above.
        _ if starts_json => Format::Json,
        _ => Format::Lines,
    })
}

fn from_machine(error: MachineError, failure: Option<Error>) -> Error {
    match error {
        MachineError::Rejected(error) => error,
        MachineError::Host => failure.unwrap_or_else(|| Error::new(ErrorKind::Store, "The store failed.")),
    }
}

impl ByteSource for Document<'_> {
    type Error = Failed;

    fn size(&self) -> u64 {
        self.source.size()
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, Failed> {
        self.noted(self.source.read_at(offset, length))
    }
}

impl Host for Document<'_> {
    fn tool(&self) -> &str {
        &self.source.artifact().tool
    }

    fn line_count(&self) -> u64 {
        self.source.line_count()
    }

    fn format(&self) -> Format {
        self.format
    }

    fn count(&self, text: &str) -> Option<u64> {
        self.tokens.count(text).ok()
    }

    fn truncated(&self, max_bytes: usize) -> Result<String, Failed> {
        self.noted(truncated::text(&self.source, max_bytes))
    }

    fn tools(&self) -> Vec<ToolDefinition> {
        tools::pinned::definitions()
    }

    fn call(&self, name: &str, arguments: &str, max_bytes: u32) -> Result<Reply, Failed> {
        let id = &self.source.artifact().id;
        self.noted(tools::pinned::call(self.store, id, name, arguments, max_bytes))
    }
}
