//! The formats of histories, and their detection.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::HistoryError;

/// The format of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Messages of OpenAI's Chat Completions.
    OpenaiChat,
    /// Input items of OpenAI's Responses.
    OpenaiResponses,
    /// Messages of Anthropic.
    Anthropic,
    /// `ModelMessage`s of the AI SDK.
    AiSdk,
    /// A [`Conversation`](tuckaway_conversation::Conversation) in snake case, or its
    /// messages.
    Neutral,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] =
        [Format::OpenaiChat, Format::OpenaiResponses, Format::Anthropic, Format::AiSdk, Format::Neutral];

    /// Returns its name, such as `openai-chat`.
    pub fn name(self) -> &'static str {
        match self {
            Format::OpenaiChat => "openai-chat",
            Format::OpenaiResponses => "openai-responses",
            Format::Anthropic => "anthropic",
            Format::AiSdk => "ai-sdk",
            Format::Neutral => "neutral",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = HistoryError;

    fn from_str(name: &str) -> Result<Self, HistoryError> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = Format::ALL.map(Format::name).join(", ");
            HistoryError::new(format!("{name:?} is not a format; use one of {names}."))
        })
    }
}

/// The types that only blocks of Anthropic have.
const ANTHROPIC_BLOCKS: [&str; 6] =
    ["tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "document"];
/// The types that only parts of the AI SDK have.
const AI_SDK_PARTS: [&str; 5] =
    ["tool-call", "tool-result", "reasoning", "tool-approval-request", "tool-approval-response"];

/// Detects the format by the first item that only one format has. Plain text messages look the same
/// in Chat Completions, Anthropic and the AI SDK; with a separate system prompt they count as
/// Anthropic's, otherwise as Chat Completions.
pub(crate) fn detect<'a>(
    items_member: Option<&str>,
    has_system: bool,
    items: impl Iterator<Item = &'a str>,
) -> Format {
    if items_member == Some("input") {
        return Format::OpenaiResponses;
    }
    let mut items = items.filter_map(|item| serde_json::from_str::<Value>(item).ok());
    let found = items.find_map(|item| format_of(&item));
    found.unwrap_or(if has_system { Format::Anthropic } else { Format::OpenaiChat })
}

/// Returns the format that an item must have; none if several have such items.
fn format_of(item: &Value) -> Option<Format> {
    if item["parts"].is_array() {
        return Some(Format::Neutral);
    }
    // Messages of the other formats have a role, and no type.
    if item["type"].is_string() {
        return Some(Format::OpenaiResponses);
    }
    let calls = ["tool_calls", "tool_call_id", "function_call"];
    if calls.iter().any(|name| !item[*name].is_null()) {
        return Some(Format::OpenaiChat);
    }
    item["content"].as_array()?.iter().find_map(|block| {
        let kind = block["type"].as_str()?;
        let source = || block["source"].is_object() || !block["cache_control"].is_null();
        Some(match kind {
            _ if ANTHROPIC_BLOCKS.contains(&kind) => Format::Anthropic,
            _ if AI_SDK_PARTS.contains(&kind) => Format::AiSdk,
            "input_text" | "output_text" | "input_image" | "input_file" => Format::OpenaiResponses,
            "image_url" | "input_audio" | "refusal" => Format::OpenaiChat,
            "image" | "text" if source() => Format::Anthropic,
            "image" => Format::AiSdk,
            "file" if block["file"].is_object() => Format::OpenaiChat,
            "file" => Format::AiSdk,
            _ => return None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_item_decides() {
        let of = |items: &[&str]| detect(Some("messages"), false, items.iter().copied());
        let plain = r#"{"role":"user","content":"hi"}"#;
        assert_eq!(of(&[plain]), Format::OpenaiChat);
        let developer = r#"{"role":"developer","content":"hi"}"#;
        assert_eq!(of(&[developer]), Format::OpenaiChat);
        assert_eq!(of(&[developer, r#"{"type":"reasoning"}"#]), Format::OpenaiResponses);
        assert_eq!(detect(Some("messages"), true, [plain].into_iter()), Format::Anthropic);
        assert_eq!(detect(Some("input"), false, [plain].into_iter()), Format::OpenaiResponses);
        let decisive = [
            (r#"{"role":"tool","tool_call_id":"c","content":"x"}"#, Format::OpenaiChat),
            (r#"{"role":"user","content":[{"type":"image_url","image_url":{}}]}"#, Format::OpenaiChat),
            (r#"{"type":"function_call","call_id":"c"}"#, Format::OpenaiResponses),
            (r#"{"type":"compaction","encrypted_content":"g"}"#, Format::OpenaiResponses),
            (r#"{"role":"user","content":[{"type":"input_text","text":"x"}]}"#, Format::OpenaiResponses),
            (r#"{"role":"assistant","content":[{"type":"tool_use","id":"t"}]}"#, Format::Anthropic),
            (
                r#"{"role":"user","content":[{"type":"text","text":"x","cache_control":{}}]}"#,
                Format::Anthropic,
            ),
            (r#"{"role":"tool","content":[{"type":"tool-result"}]}"#, Format::AiSdk),
            (r#"{"role":"user","content":[{"type":"image","image":"…"}]}"#, Format::AiSdk),
            (r#"{"role":"user","parts":[]}"#, Format::Neutral),
        ];
        for (item, format) in decisive {
            assert_eq!(of(&[plain, item]), format, "{item}");
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert!("xml".parse::<Format>().is_err());
    }
}
