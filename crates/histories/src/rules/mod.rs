//! The rules that providers publish for histories, as a checker: if a history breaks one, the
//! provider answers with an error instead of a message.
//!
//! The checker reads the JSON by itself, not through the adapters, so that it also finds their
//! mistakes.

mod ai_sdk;
mod ai_sdk_ui;
mod anthropic;
mod bedrock;
mod gemini;
mod langchain;
mod openai_chat;
mod openai_responses;
mod thinking;

pub use thinking::thinking_violations;

use serde_json::Value;

use tuckaway_contract::HistoryFormat;

/// Returns the violations for which a provider would reject items; empty if the provider would
/// accept them. Calls that still await their results are violations, too.
pub fn violations(format: HistoryFormat, items: &[Value]) -> Vec<String> {
    let mut violations = Violations::default();
    match format {
        HistoryFormat::OpenaiChat => openai_chat::check(items, &mut violations),
        HistoryFormat::OpenaiResponses => openai_responses::check(items, &mut violations),
        HistoryFormat::Anthropic => anthropic::check(items, &mut violations),
        HistoryFormat::AiSdk => ai_sdk::check(items, &mut violations),
        HistoryFormat::AiSdkUi => ai_sdk_ui::check(items, &mut violations),
        HistoryFormat::Gemini => gemini::check(items, &mut violations),
        HistoryFormat::Bedrock => bedrock::check(items, &mut violations),
        HistoryFormat::Langchain => langchain::check(items, &mut violations),
        // No provider accepts it.
        HistoryFormat::Neutral => {}
    }
    violations.0
}

/// The violations so far.
#[derive(Default)]
struct Violations(Vec<String>);

impl Violations {
    /// Adds a violation at an item.
    fn at(&mut self, index: usize, what: impl AsRef<str>) {
        self.0.push(format!("item {index}: {}", what.as_ref()));
    }
}

/// The calls of one message, which await their results.
#[derive(Default)]
struct Waiting {
    /// The index of the message.
    from: usize,
    ids: Vec<String>,
}

impl Waiting {
    /// Starts to await the results of a message's calls.
    fn start(&mut self, index: usize, ids: Vec<String>, violations: &mut Violations) {
        for (at, id) in ids.iter().enumerate() {
            if ids[..at].contains(id) {
                violations.at(index, format!("two calls have the id {id}"));
            }
        }
        *self = Waiting { from: index, ids };
    }

    /// Takes a result.
    fn answer(&mut self, index: usize, id: &str, violations: &mut Violations) {
        match self.ids.iter().position(|waiting| waiting == id) {
            Some(at) => drop(self.ids.remove(at)),
            None => violations.at(index, format!("the result {id} does not follow its call")),
        }
    }

    /// Ends the wait for results.
    fn end(&mut self, violations: &mut Violations) {
        for id in self.ids.drain(..) {
            violations.at(self.from, format!("the call {id} has no result directly after it"));
        }
    }
}
