//! A compiled filter.

use std::borrow::Cow;

use crate::compile;
use crate::demand::Demand;
use crate::documents::Documents;
use crate::error::{Error, ErrorKind};
use crate::hint;
use crate::limits;
use crate::options::Options;
use crate::page::Cursor;
use crate::page_run::{PageRun, Ran};
use crate::program::Program;
use crate::push::Plan;
use crate::rewrite;
use crate::source::Source;
use crate::term::Term;
use crate::value::Val;
use crate::watch::{self, Key};

/// A compiled jq filter.
pub struct Filter<'f> {
    program: Program<'f>,
    /// The keys that it requests from objects.
    keys: Vec<Key>,
    takes_inputs: bool,
}

/// One page of a filter's outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The outputs, each followed by a line feed.
    pub text: String,
    /// The number of outputs that end on the page.
    pub count: u64,
    /// The start of the next page, if there is one.
    pub next: Option<Cursor>,
    /// The error that stopped the filter, after these outputs or before the first one. There
    /// is no next page then.
    pub failure: Option<Error>,
    /// If the outputs are empty or only nulls: where the filter's first path leaves the document,
    /// and which keys that place has. After other outputs: a requested key that no object has. On
    /// the first page only.
    pub hint: Option<String>,
}

/// Joins the surrogate pairs in the strings of a filter (`\\ud83d\\ude00`), which jaq refuses. The text
/// keeps its length, so that errors keep their positions.
pub fn joined_surrogates(text: &str) -> Cow<'_, str> {
    /// Bytes of a pair.
    const PAIR: usize = 12;
    let half = |at: usize| -> Option<u16> {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
    };
    let (mut joined, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let pair = half(at).zip(half(at + 6));
        let decoded = pair.and_then(|(high, low)| char::decode_utf16([high, low]).next()?.ok());
        match decoded.filter(|char| char.len_utf8() == 4) {
            Some(char) => {
                // An empty interpolation takes the other bytes.
                joined += &text[copied..at];
                joined.push(char);
                joined += "\\(\"\"  )";
                at += PAIR;
                copied = at;
            }
            // The character after a backslash begins no escape.
            None => at = text.ceil_char_boundary(at + 2),
        }
    }
    match copied {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(joined + &text[copied..]),
    }
}

impl<'f> Filter<'f> {
    /// Parses and compiles a filter of at most 16 KiB, 64 open brackets and 256 levels.
    ///
    /// Errors: `InvalidInput` for a malformed filter, with line, column and the expected syntax;
    /// `Limit` for a filter that is too long or nested too deeply.
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
        Filter::with_variables(text, Vec::new())
    }

    /// Compiles a filter like [`compile`](Filter::compile), with variables of these names, which begin
    /// with a dollar sign: [`run_with`](Filter::run_with) takes their values.
    ///
    /// ```
    /// use tuckaway_jq::{Bytes, Filter, Options};
    ///
    /// let filter = Filter::with_variables(".[] | $names[.]", vec!["$names".to_owned()])?;
    /// let (source, names) = (Bytes(b"[1, 0]".to_vec()), Bytes(br#"["a", "b"]"#.to_vec()));
    /// let page = filter.run_with(&source, &[&names], &Options::default(), None, 256)?;
    /// assert_eq!(page.text, "\"b\"\n\"a\"\n");
    /// # Ok::<(), tuckaway_jq::Error>(())
    /// ```
    pub fn with_variables(text: &'f str, names: Vec<String>) -> Result<Self, Error> {
        let term: Term = compile::parse(text)?;
        let takes_inputs = rewrite::calls(&term, &["input", "inputs"]);
        // Only documents in memory are followed by others.
        let plan = if takes_inputs { None } else { Plan::of(&term) };
        let demand = Demand::of(&term, &Demand::All);
        let mut keys = hint::keys(&term);
        for key in &mut keys {
            key.is_demanded =
                demand.names(&key.name) || plan.as_ref().is_some_and(|plan| plan.names(&key.name));
        }
        Ok(Filter { program: Program::new(text, names, term, demand, plan)?, keys, takes_inputs })
    }

    /// Runs the filter and returns one page of its outputs, at most `max_bytes` long.
    ///
    /// The filter runs once for each document of the source (NDJSON, concatenated JSON), or as the
    /// options say. Calls of `input` and `inputs` take documents that follow. A page
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
        self.run_with(source, &[], options, cursor, max_bytes)
    }

    /// Runs the filter like [`run`](Filter::run). `variables` has the source of each variable: the value
    /// is its only document, or an array of its documents. The values share the memory for documents
    /// with the source.
    ///
    /// Errors: as [`run`](Filter::run); `InvalidInput` for another number of variables than the filter
    /// was compiled with. The message of an error in a variable begins with its name.
    pub fn run_with(
        &self,
        source: &Source,
        variables: &[&Source],
        options: &Options,
        cursor: Option<Cursor>,
        max_bytes: usize,
    ) -> Result<Outputs, Error> {
        let start = cursor.unwrap_or_default();
        if start.origin.member.is_some() && self.program.plan.is_none() {
            return Err(Error::invalid(
                "This cursor points into a document, where this filter never stops: omit it to start over.",
            ));
        }
        let size =
            variables.iter().fold(source.size(), |size, variable| size.saturating_add(variable.size()));
        limits::start(options.max_steps, options.max_memory, size);
        let variables = self.values(variables)?;
        watch::start(if cursor.is_none() { &self.keys } else { &[] });
        let run = PageRun::new(&self.program, (source, variables), options, start, max_bytes);
        let Ran { text, count, next, failure } = run.run(start.origin);
        let missing = watch::finish();
        if text.is_empty() {
            match failure {
                // The failure of a filter is a result. Content that is not JSON, or a limit that was
                // exceeded, is not.
                Some(error) if error.kind != ErrorKind::InvalidInput => return Err(error),
                None if cursor.is_some() => {
                    return Err(Error::invalid(
                        "This cursor is past the last output: omit it to start over.",
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
            documents: match options {
                Options { null_input: true, .. } => hint::Documents::NotInput,
                Options { slurp: true, .. } => hint::Documents::Slurped,
                _ => hint::Documents::Input,
            },
        };
        let hint = match cursor.is_none() && run.needs_hint() {
            true => hint::hint(source, &compile::parse(self.program.text)?, &run),
            false => None,
        };
        Ok(Outputs { text, count, next, failure, hint })
    }

    /// Reads the values of the variables.
    fn values(&self, sources: &[&Source]) -> Result<Vec<Val>, Error> {
        let names = self.program.variables();
        if sources.len() != names.len() {
            return Err(Error::invalid(format!(
                "The filter has {} variables, but {} sources were passed: pass one for each.",
                names.len(),
                sources.len()
            )));
        }
        let mut values = Vec::new();
        for (source, name) in sources.iter().zip(names) {
            values.push(Documents::variable(*source).map_err(|error| error.about_variable(name))?);
        }
        Ok(values)
    }

    /// Returns whether the filter calls `input` or `inputs`.
    pub fn takes_inputs(&self) -> bool {
        self.takes_inputs
    }

    /// Sets the length up to which documents are read into memory. With `u64::MAX`, they are
    /// read as a whole.
    #[cfg(test)]
    pub(crate) fn with_small_documents(mut self, bytes: u64) -> Self {
        self.program.small_document_bytes = bytes;
        if bytes == u64::MAX {
            self.program.demand = Demand::All;
        }
        self
    }
}
