//! The state between two steps: JSON with a version and a checksum.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tuckaway_search::hash::Fnv;

use crate::config::check_config;
use crate::host::{Error, Host};
use crate::map::Map;
use crate::measure::{Size, count};
use crate::model::{
    ExtractionConfig, ExtractionMode, ExtractionUsage, ModelReply, ModelRequest, Question, RequestMessage,
    RequestPurpose,
};
use crate::prompt;
use crate::reduce::Reduce;
use crate::search::Search;

/// The version of states. It changes with what they contain.
const VERSION: u32 = 1;
/// The most bytes of a state that are parsed.
const MAX_BYTES: usize = 64 << 20;

/// What is asked of what, as the prompts have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The artifact.
    pub artifact: String,
    /// The tool that produced it, as one line.
    pub tool: String,
    /// The arguments of its call, as one line.
    pub arguments: String,
    /// What to extract.
    pub extract: String,
    /// Marks what the model answers.
    pub nonce: String,
}

impl Subject {
    /// Prepares a question for the prompts.
    pub fn of(question: &Question, tool: &str) -> Self {
        let nonce = question.nonce.clone().unwrap_or_else(|| format!("{:016x}", hash(&question.artifact)));
        let masked = |text: String| prompt::mask(&text, &nonce);
        Subject {
            artifact: question.artifact.clone(),
            tool: masked(prompt::tool_name(tool)),
            arguments: masked(prompt::arguments(question.tool_arguments.as_deref())),
            extract: question.extract.clone(),
            nonce,
        }
    }

    /// Returns a text without the nonce.
    pub fn masked(&self, text: &str) -> String {
        prompt::mask(text, &self.nonce)
    }
}

/// What is going on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Chunks are read.
    Map(Map),
    /// What was extracted from them is put together.
    Reduce(Reduce),
    /// A model reads and searches.
    Search(Search),
}

/// An extraction, whatever is going on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// What is asked.
    pub subject: Subject,
    /// The limits.
    pub config: ExtractionConfig,
    /// The size of the document.
    pub size: Size,
    /// The strategy: never `auto`.
    pub strategy: ExtractionMode,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// What was used.
    pub usage: ExtractionUsage,
}

/// Everything that the next step needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The extraction.
    pub job: Job,
    /// What is going on.
    pub work: Work,
}

/// A request that is not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Its id.
    pub request: String,
    /// Its tokens, and the most of its answer.
    pub tokens: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed<'a> {
    version: u32,
    checksum: String,
    #[serde(borrow)]
    extraction: &'a RawValue,
}

impl State {
    /// Writes the state.
    pub fn to_json(&self) -> String {
        let body = serde_json::value::to_raw_value(self);
        let sealed = body.as_ref().ok().and_then(|body| {
            let checksum = format!("{:016x}", hash(body.get()));
            serde_json::to_string(&Sealed { version: VERSION, checksum, extraction: body }).ok()
        });
        // Strings, numbers and lists are always written.
        sealed.unwrap_or_default()
    }

    /// Reads a state.
    ///
    /// Errors: invalid for one that was cut or changed, or is of another version.
    pub fn from_json(json: &str) -> Result<State, Error> {
        let malformed = || {
            Error::invalid(
                "This is not the state of an extraction: pass the state of the last step unchanged, or start again.",
            )
        };
        if json.len() > MAX_BYTES {
            return Err(malformed());
        }
        let sealed: Sealed<'_> = serde_json::from_str(json).map_err(|_| malformed())?;
        if sealed.version != VERSION {
            return Err(Error::invalid(format!(
                "The state has version {}, but this is version {VERSION}: start the extraction again.",
                sealed.version
            )));
        }
        if sealed.checksum != format!("{:016x}", hash(sealed.extraction.get())) {
            return Err(malformed());
        }
        let state: State = serde_json::from_str(sealed.extraction.get()).map_err(|_| malformed())?;
        match check_config(&state.job.config).is_ok() && state.is_consistent() {
            true => Ok(state),
            false => Err(malformed()),
        }
    }

    /// Returns whether nothing in the state contradicts its size and limits: the checksum
    /// is for accidents.
    fn is_consistent(&self) -> bool {
        let chunks = match &self.work {
            Work::Map(map) => &map.chunks,
            Work::Reduce(reduce) => &reduce.chunks,
            Work::Search(search) => return search.is_consistent(&self.job.config, self.job.size.bytes),
        };
        chunks.iter().all(|chunk| chunk.is_within(self.job.size.bytes))
    }
}

impl Job {
    /// Returns the most tokens of a request.
    pub fn max_input_tokens(&self) -> u64 {
        self.config.context_tokens - self.config.max_output_tokens
    }

    /// Returns the most bytes of an answer that are kept.
    pub fn max_output_bytes(&self) -> usize {
        usize::try_from(self.config.max_output_tokens.saturating_mul(8)).unwrap_or(usize::MAX).min(1 << 20)
    }

    /// Returns whether one more request may be made, beside those that are open, if
    /// `reserved` more have to follow.
    pub fn can_afford(&self, input_tokens: u64, open: u64, reserved: u32) -> bool {
        let requests = u64::from(self.usage.requests) + u64::from(reserved);
        let used = self.usage.input_tokens.saturating_add(self.usage.output_tokens).saturating_add(open);
        let next = input_tokens.saturating_add(self.config.max_output_tokens);
        let follow = self.config.context_tokens.saturating_mul(reserved.into());
        requests < u64::from(self.config.max_requests)
            && self
                .config
                .max_tokens
                .is_none_or(|most| used.saturating_add(next).saturating_add(follow) <= most)
    }

    /// Makes a request, and counts it.
    pub fn request(
        &mut self,
        purpose: RequestPurpose,
        prompt: (String, Vec<RequestMessage>),
        input_tokens: u64,
    ) -> (Open, ModelRequest) {
        let name = match purpose {
            RequestPurpose::Extract => "extract",
            RequestPurpose::Synthesize => "synthesize",
            RequestPurpose::Search => "search",
        };
        self.usage.requests += 1;
        let open = Open {
            request: format!("{name}-{}", self.usage.requests),
            tokens: input_tokens + self.config.max_output_tokens,
        };
        let request = self.open_request(&open, purpose, prompt);
        (open, request)
    }

    /// Makes a request that is open again.
    pub fn open_request(
        &self,
        open: &Open,
        purpose: RequestPurpose,
        (system, messages): (String, Vec<RequestMessage>),
    ) -> ModelRequest {
        ModelRequest {
            id: open.request.clone(),
            purpose,
            system,
            messages,
            tools: Vec::new(),
            may_call: false,
            input_tokens: open.tokens.saturating_sub(self.config.max_output_tokens),
            max_output_tokens: self.config.max_output_tokens,
        }
    }

    /// Counts what an answer took.
    pub fn count_reply(&mut self, host: &dyn Host, open: &Open, reply: &ModelReply) {
        let counted = || {
            let calls = reply.turn.calls.iter().map(|call| count(host, &call.arguments)).sum::<u64>();
            count(host, &reply.turn.text) + calls
        };
        let output = reply.output_tokens.unwrap_or_else(counted);
        self.count_tokens(open, reply.input_tokens, output);
    }

    /// Counts what a request without an answer may have taken.
    pub fn count_failure(&mut self, open: &Open) {
        self.count_tokens(open, None, 0);
    }

    fn count_tokens(&mut self, open: &Open, input: Option<u64>, output: u64) {
        let planned = open.tokens.saturating_sub(self.config.max_output_tokens);
        let usage = &mut self.usage;
        usage.input_tokens = usage.input_tokens.saturating_add(input.unwrap_or(planned));
        usage.output_tokens = usage.output_tokens.saturating_add(output);
    }

    /// Adds a warning once.
    pub fn warn(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

fn hash(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(text.as_bytes());
    hash.value()
}
