//! The model: a script that knows nothing but the request. It reports the facts that the
//! text of the request has; with `Grep` it searches page by page, as the replies tell it to
//! continue.

use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::{Value, json};
use tuckaway_host::{
    CountTokens, Model, ModelCall, ModelError, ModelReply, ModelRequest, ModelTurn, RequestMessage,
    StopReason, Tiktoken,
};
use tuckaway_test_kit::model_server::{handle, nonce, wanted};

use super::plant::{DIGITS, LEAD, facts};

/// The matches of a page: fewer than there are facts, so that there is more than one page.
const PAGE: u32 = 4;

/// Returns the question.
pub fn question() -> String {
    format!("Every code that matches \"{LEAD}[0-9a-f]{{{DIGITS}}}\", one a line.")
}

/// The scripted model, which counts its tokens.
pub struct Scripted {
    tokens: Tiktoken,
    seen: Mutex<Seen>,
}

/// The requests and tokens of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub requests: u32,
    /// Tokens of all requests, as the model counts them.
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// The maximum tokens of a request and its answer together.
    pub most_tokens: u64,
}

impl Scripted {
    pub fn new(tokens: Tiktoken) -> Self {
        Scripted { tokens, seen: Mutex::default() }
    }

    /// Returns the counts so far.
    pub fn seen(&self) -> Seen {
        *self.seen.lock().expect("nothing panics while it counts")
    }

    async fn count(&self, texts: &[&str]) -> Result<u64, ModelError> {
        let mut tokens = 0;
        for text in texts {
            tokens += self.tokens.count(text).await.map_err(ModelError::permanent)?;
        }
        Ok(tokens)
    }
}

#[async_trait]
impl Model for Scripted {
    async fn complete(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let turn = answer(request)?;
        let input_tokens = self.count(&texts(request)).await?;
        let arguments = turn.calls.iter().map(|call| call.arguments.as_str());
        let output: Vec<&str> = arguments.chain([turn.text.as_str()]).collect();
        let output_tokens = self.count(&output).await?;
        let mut seen = self.seen.lock().expect("nothing panics while it counts");
        seen.requests += 1;
        seen.input_tokens += input_tokens;
        seen.output_tokens += output_tokens;
        seen.most_tokens = seen.most_tokens.max(input_tokens + request.max_output_tokens);
        let (input_tokens, output_tokens) = (Some(input_tokens), Some(output_tokens));
        Ok(ModelReply { turn, stop: StopReason::Finished, input_tokens, output_tokens })
    }
}

/// Returns all texts of a request.
fn texts(request: &ModelRequest) -> Vec<&str> {
    let mut texts = vec![request.system.as_str()];
    for message in &request.messages {
        match message {
            RequestMessage::User(text) => texts.push(text),
            RequestMessage::Model(turn) => {
                texts.push(&turn.text);
                texts.extend(turn.calls.iter().map(|call| call.arguments.as_str()));
            }
            RequestMessage::Results(results) => {
                texts.extend(results.iter().map(|result| result.text.as_str()))
            }
        }
    }
    for tool in &request.tools {
        texts.extend([tool.description.as_str(), tool.input_schema.as_str()]);
    }
    texts
}

/// Calls `Grep` as long as there is another page, and then answers.
fn answer(request: &ModelRequest) -> Result<ModelTurn, ModelError> {
    let results: Vec<&str> = request.messages.iter().flat_map(results).collect();
    let cursor = results.last().and_then(|reply| cursor(reply));
    if request.may_call && (results.is_empty() || cursor.is_some()) {
        return Ok(grep(request, results.len(), cursor));
    }
    let nonce = nonce(&request.system)
        .ok_or_else(|| ModelError::permanent("The request names no wrapper of the answer."))?;
    let mut found = Vec::new();
    for fact in texts(request).into_iter().flat_map(facts) {
        if !found.contains(&fact) {
            found.push(fact);
        }
    }
    let content = match found.is_empty() {
        true => "NO RELEVANT DATA FOUND\nText without codes.".to_owned(),
        false => found.join("\n"),
    };
    let wrapper = format!("ai-agent-{nonce}-FINAL");
    let text = format!("<{wrapper} format=\"text\">\n{content}\n</{wrapper}>");
    Ok(ModelTurn { text, calls: Vec::new() })
}

fn results(message: &RequestMessage) -> Vec<&str> {
    match message {
        RequestMessage::Results(results) => results.iter().map(|result| result.text.as_str()).collect(),
        RequestMessage::User(_) | RequestMessage::Model(_) => Vec::new(),
    }
}

/// Returns the cursor for the next page, from the last line of a reply.
fn cursor(reply: &str) -> Option<&str> {
    let (_, behind) = reply.lines().last()?.split_once("call again with cursor \"")?;
    behind.split_once('"').map(|(cursor, _)| cursor)
}

fn grep(request: &ModelRequest, before: usize, cursor: Option<&str>) -> ModelTurn {
    let mut arguments = json!({
        "filename": handle(&request.system), "pattern": wanted(&request.system), "max_matches": PAGE,
    });
    if let Some(cursor) = cursor {
        arguments["cursor"] = Value::from(cursor);
    }
    let call =
        ModelCall { id: format!("call_{before}"), name: "Grep".to_owned(), arguments: arguments.to_string() };
    ModelTurn { text: String::new(), calls: vec![call] }
}

#[cfg(test)]
mod tests {
    use tuckaway_host::{CallResult, RequestPurpose};

    use super::*;

    fn request(messages: Vec<RequestMessage>, may_call: bool) -> ModelRequest {
        let system = format!(
            "SOURCE TOOL\n- Name: x\n- Handle/filename: art_x_1\n\nWHAT TO EXTRACT\n{}\n\nOUTPUT FORMAT\n<ai-agent-abc-FINAL format=\"text\"> ...",
            question()
        );
        ModelRequest {
            id: "extract-1".to_owned(),
            purpose: RequestPurpose::Extract,
            system,
            messages,
            tools: Vec::new(),
            may_call,
            input_tokens: 0,
            max_output_tokens: 100,
        }
    }

    fn reply(text: &str) -> RequestMessage {
        let result = CallResult { call_id: "call_0".to_owned(), text: text.to_owned(), is_error: false };
        RequestMessage::Results(vec![result])
    }

    #[test]
    fn it_reports_what_the_request_has_and_nothing_else() {
        let text = "a FACT-0123456789ab and FACT-ba9876543210, FACT-0123456789ab";
        let turn = answer(&request(vec![RequestMessage::User(text.to_owned())], false)).unwrap();
        let expected = "<ai-agent-abc-FINAL format=\"text\">\nFACT-0123456789ab\nFACT-ba9876543210\n</ai-agent-abc-FINAL>";
        assert_eq!((turn.text.as_str(), turn.calls.len()), (expected, 0));
        let turn = answer(&request(vec![RequestMessage::User("nothing".to_owned())], false)).unwrap();
        assert!(turn.text.contains("NO RELEVANT DATA FOUND"), "the pattern in the question is no fact");
    }

    #[test]
    fn it_goes_on_as_the_replies_say() {
        let first = &answer(&request(Vec::new(), true)).unwrap().calls[0];
        let pattern = "FACT-[0-9a-f]{12}";
        let arguments: Value = serde_json::from_str(&first.arguments).unwrap();
        assert_eq!(arguments, json!({"filename": "art_x_1", "pattern": pattern, "max_matches": PAGE}));
        let page = "1:FACT-0123456789ab\n[4 of 10 matching lines, limited by max_matches: narrow the pattern or, for more, call again with cursor \"c1\"]";
        let next = &answer(&request(vec![reply(page)], true)).unwrap().calls[0];
        let arguments: Value = serde_json::from_str(&next.arguments).unwrap();
        assert_eq!(arguments["cursor"], "c1");
        for (page, may_call) in [(page, false), ("1:FACT-0123456789ab\n[1 matching line]", true)] {
            let turn = answer(&request(vec![reply(page)], may_call)).unwrap();
            assert!(turn.calls.is_empty() && turn.text.contains("\nFACT-0123456789ab\n"));
        }
    }
}
