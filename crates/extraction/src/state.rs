//! The state between two steps: JSON with a version and a checksum.

use tuckaway_search::hash::Fnv;

use crate::codec::{self, Codec, Values};
use crate::config::{check_config, defaults};
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

/// What is asked of what, as the prompts have it.
#[derive(Clone, Debug, Default, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Chunks are read.
    Map(Map),
    /// What was extracted from them is put together.
    Reduce(Reduce),
    /// A model reads and searches.
    Search(Search),
}

/// An extraction, whatever is going on.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The extraction.
    pub job: Job,
    /// What is going on.
    pub work: Work,
}

/// A request that is not answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Its id.
    pub request: String,
    /// Its tokens, and the most of its answer.
    pub tokens: u64,
}

/// What a state begins with, before its version, its checksum and its values.
const BEGINNING: [&str; 3] = ["{\"version\":", ",\"checksum\":\"", "\",\"extraction\":"];

impl State {
    /// Writes the state.
    pub fn into_json(mut self) -> String {
        let values = codec::write(&mut self);
        let [version, checksum, extraction] = BEGINNING;
        format!("{version}{VERSION}{checksum}{:016x}{extraction}{values}}}", hash(&values))
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
        let (version, checksum, values) = unsealed(json).ok_or_else(malformed)?;
        if version != VERSION.to_string() {
            return Err(Error::invalid(format!(
                "The state has version {}, but this is version {VERSION}: start the extraction again.",
                tuckaway_text::cut::head(version, 20)
            )));
        }
        if checksum != format!("{:016x}", hash(values)) {
            return Err(malformed());
        }
        let state = codec::read(values, State::blank()).filter(State::is_consistent);
        state.ok_or_else(malformed)
    }

    /// Returns a state to read over.
    fn blank() -> State {
        let job = Job {
            subject: Subject::default(),
            config: defaults(0),
            size: Size::default(),
            strategy: ExtractionMode::Auto,
            warnings: Vec::new(),
            usage: ExtractionUsage::default(),
        };
        State { job, work: Work::Search(Search::default()) }
    }

    /// Returns whether nothing in the state contradicts its size and limits: the checksum
    /// is for accidents.
    fn is_consistent(&self) -> bool {
        if check_config(&self.job.config).is_err() {
            return false;
        }
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

/// Returns the version, the checksum and the values of a state.
fn unsealed(json: &str) -> Option<(&str, &str, &str)> {
    let [version, checksum, extraction] = BEGINNING;
    let (version, rest) = json.strip_prefix(version)?.split_once(checksum)?;
    let (checksum, rest) = rest.split_once(extraction)?;
    Some((version, checksum, rest.strip_suffix('}')?))
}

impl Values for State {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        self.job.pass(codec);
        let index = match self.work {
            Work::Map(_) => 0,
            Work::Reduce(_) => 1,
            Work::Search(_) => 2,
        };
        match (codec.case(index, 3), &mut self.work) {
            (_, Work::Map(map)) => map.pass(codec),
            (_, Work::Reduce(reduce)) => reduce.pass(codec),
            (0, work) => *work = Work::Map(codec.read_new()),
            (1, work) => *work = Work::Reduce(codec.read_new()),
            (_, Work::Search(search)) => search.pass(codec),
        }
    }
}

impl Values for Job {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        let Subject { artifact, tool, arguments, extract, nonce } = &mut self.subject;
        [artifact, tool, arguments, extract, nonce].into_iter().for_each(|text| codec.text(text));
        self.config.pass(codec);
        let Size { bytes, lines, tokens } = &mut self.size;
        [bytes, lines, tokens].into_iter().for_each(|number| codec.number(number));
        let modes = ExtractionMode::ALL;
        let index = modes.iter().position(|mode| *mode == self.strategy).unwrap_or(0);
        self.strategy = modes[codec.case(index, modes.len())];
        codec.list(&mut self.warnings);
        codec.small(&mut self.usage.requests);
        codec.number(&mut self.usage.input_tokens);
        codec.number(&mut self.usage.output_tokens);
    }
}

impl Values for ExtractionConfig {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        codec.number(&mut self.context_tokens);
        codec.number(&mut self.max_output_tokens);
        codec.number(&mut self.long_line_bytes);
        codec.option(&mut self.max_tokens);
        let small = [
            &mut self.max_full_chunks,
            &mut self.max_chunks,
            &mut self.overlap_pct,
            &mut self.max_parallel,
            &mut self.max_requests,
            &mut self.max_turns,
            &mut self.max_tool_calls,
            &mut self.max_reply_bytes,
            &mut self.max_answer_bytes,
        ];
        small.into_iter().for_each(|number| codec.small(number));
    }
}

impl Values for Open {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        codec.text(&mut self.request);
        codec.number(&mut self.tokens);
    }
}

fn hash(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(text.as_bytes());
    hash.value()
}
