//! A document in memory, and a model that follows a script.

use tuckaway_contract::{
    Answer, ExtractionConfig, ExtractionEvent, ExtractionMode, ExtractionStep, FailureEvent, ModelCall,
    ModelReply, ModelRequest, ModelTurn, Question, ReplyEvent, RequestMessage, StopReason, ToolDefinition,
};
use tuckaway_search::source::ByteSource;

use crate::State;
use crate::host::{Error, Failed, Format, Host, Reply};

/// A document whose tokens have four bytes each.
pub struct Doc {
    pub bytes: Vec<u8>,
    pub format: Format,
}

impl Doc {
    pub fn new(text: impl Into<Vec<u8>>, format: Format) -> Self {
        Doc { bytes: text.into(), format }
    }
}

impl ByteSource for Doc {
    type Error = Failed;

    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, Failed> {
        Ok(tuckaway_search::source::slice_at(&self.bytes, offset, length).to_vec())
    }
}

impl Host for Doc {
    fn tool(&self) -> &str {
        "sql\nquery"
    }

    fn line_count(&self) -> u64 {
        tuckaway_text::count_lines(&self.bytes)
    }

    fn format(&self) -> Format {
        self.format
    }

    fn count(&self, text: &str) -> Option<u64> {
        Some((text.len() as u64).div_ceil(4))
    }

    fn truncated(&self, max_bytes: usize) -> Result<String, Failed> {
        Ok(tuckaway_text::cut::head(&tuckaway_text::lossy(&self.bytes), max_bytes).to_owned())
    }

    fn tools(&self) -> Vec<ToolDefinition> {
        let tool = |name: &str| ToolDefinition {
            name: name.to_owned(),
            description: String::new(),
            input_schema: "{}".to_owned(),
        };
        vec![tool("Read"), tool("Grep")]
    }

    fn call(&self, name: &str, arguments: &str, max_bytes: u32) -> Result<Reply, Failed> {
        let start: u64 = arguments.parse().unwrap_or(0);
        let text = tuckaway_text::lossy(&self.read_at(start, max_bytes as usize / 3)?).into_owned();
        let end = start.saturating_add(u64::from(max_bytes) / 3).min(self.size());
        Ok(Reply { text, is_error: name != "Read", read: (start < end).then_some((start, end)) })
    }
}

pub const NONCE: &str = "Nonce4711";

pub fn question(mode: ExtractionMode) -> Question {
    Question {
        artifact: "art_1".to_owned(),
        extract: "every needle".to_owned(),
        mode,
        tool_arguments: Some("{\"q\": 1}".to_owned()),
        nonce: Some(NONCE.to_owned()),
    }
}

/// Returns limits for a window of 2048 tokens, with 128 for answers.
pub fn config() -> ExtractionConfig {
    ExtractionConfig { max_output_tokens: 128, ..crate::default_config(2_048).unwrap() }
}

/// Returns an answer in the wrapper.
pub fn report(text: &str) -> ModelReply {
    said(&format!("<ai-agent-{NONCE}-FINAL format=\"text\">{text}</ai-agent-{NONCE}-FINAL>"), &[])
}

/// Returns a reply with this text, and calls of `Read` with these arguments.
pub fn said(text: &str, calls: &[&str]) -> ModelReply {
    let call = |(index, arguments): (usize, &&str)| ModelCall {
        id: format!("call_{index}"),
        name: "Read".to_owned(),
        arguments: (*arguments).to_owned(),
    };
    let calls = calls.iter().enumerate().map(call).collect();
    ModelReply {
        turn: ModelTurn { text: text.to_owned(), calls },
        stop: StopReason::Finished,
        input_tokens: None,
        output_tokens: None,
    }
}

/// Returns the text of a request's last message.
pub fn last_message(request: &ModelRequest) -> &str {
    match request.messages.last() {
        Some(RequestMessage::User(text)) => text,
        _ => "",
    }
}

/// Continues from a state as a host keeps it.
pub fn advance(host: &Doc, state: &str, event: &ExtractionEvent) -> Result<ExtractionStep, Error> {
    crate::step(host, State::from_json(state)?, event)
}

/// The reply of a test's model to a request; none if the request fails.
pub type Script<'a> = dyn FnMut(&ModelRequest) -> Option<ModelReply> + 'a;

/// Runs an extraction to its end. Returns the answer and all requests.
pub fn run(
    host: &Doc,
    question: &Question,
    config: &ExtractionConfig,
    script: &mut Script<'_>,
) -> (Answer, Vec<ModelRequest>) {
    let mut step = crate::start(host, question, config).unwrap();
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for _ in 0..5_000 {
        let ExtractionStep { state, requests, answer } = step;
        if let Some(answer) = answer {
            return (answer, all);
        }
        all.extend(requests.iter().cloned());
        open.extend(requests);
        assert!(open.len() <= config.max_parallel as usize, "too many are open");
        assert!(!open.is_empty(), "nothing is open, and there is no answer");
        let request = open.remove(0);
        let event = match script(&request) {
            Some(reply) => ExtractionEvent::Reply(ReplyEvent { request: request.id, reply }),
            None => ExtractionEvent::Failed(FailureEvent {
                request: request.id,
                why: "the line was cut".to_owned(),
            }),
        };
        step = advance(host, &state, &event).unwrap();
    }
    panic!("the extraction does not end")
}
