//! Thinking that a provider needs, and that no plan may remove.

use tuckaway_contract::{HistoryFormat, Message, Part, Role};

use crate::adapters::Model;

/// Returns whether the provider of a model refuses requests that lack the thinking of earlier turns with
/// calls, as DeepSeek and Moonshot do, but not Anthropic, OpenAI and Google. In formats of many providers,
/// an unknown model counts as theirs. The caller of a neutral conversation decides itself.
pub(crate) fn is_needed_with_calls(format: HistoryFormat, model: &str) -> bool {
    let is_of_many = matches!(
        format,
        HistoryFormat::OpenaiChat | HistoryFormat::AiSdk | HistoryFormat::AiSdkUi | HistoryFormat::Langchain
    );
    let is_unknown = Model::named(model).is_none();
    format != HistoryFormat::Neutral && is_unknown && (is_of_many || !model.is_empty())
}

/// Marks thinking as content that stays: the thinking of turns with calls if `with_calls` is true, and the
/// thinking of messages that would be empty without it. Items of Responses and neutral messages may
/// consist of thinking. Anthropic and Bedrock refuse thinking before a gap, so all later thinking stays too;
/// other providers with these formats need only the thinking of calls.
pub(crate) fn keep_needed(messages: &mut [Message], format: HistoryFormat, with_calls: bool) {
    let may_vanish = matches!(format, HistoryFormat::OpenaiResponses | HistoryFormat::Neutral);
    let refuses_gaps = !with_calls && matches!(format, HistoryFormat::Anthropic | HistoryFormat::Bedrock);
    let mut keeps_rest = false;
    let is_call = |part: &Part| matches!(part, Part::ToolCall(_) | Part::ToolResult(_));
    let is_users = |message: &Message| message.role == Role::User && !message.parts.iter().any(is_call);
    for turn in messages.chunk_by_mut(|_, next| !is_users(next)) {
        let has_calls = turn.iter().any(|message| message.parts.iter().any(is_call));
        for message in turn {
            let is_empty = !may_vanish && !message.parts.iter().any(is_content);
            if keeps_rest || is_empty || with_calls && has_calls {
                for part in &mut message.parts {
                    if let Part::Thinking(bytes) = part {
                        *part = Part::Opaque(*bytes);
                        keeps_rest = refuses_gaps;
                    }
                }
            }
        }
    }
}

/// Returns whether a part alone makes a message that providers accept.
fn is_content(part: &Part) -> bool {
    match part {
        Part::Text(text) => !text.is_empty(),
        Part::Opaque(_) | Part::Thinking(_) => false,
        _ => true,
    }
}
