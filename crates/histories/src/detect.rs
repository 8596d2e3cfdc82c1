//! Detects the format of a history, or names a similar format.
//!
//! Each item fits some formats; the format of the history is the one that fits all items. Plain
//! texts fit several formats, which read and write them alike.

use serde_json::Value;
use tuckaway_contract::{Error, HistoryFormat};

/// A set of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Formats(u16);

impl Formats {
    const ALL: Formats = Formats((1 << HistoryFormat::ALL.len()) - 1);
    /// Formats whose messages have a role, and a content that may be a text.
    const WITH_ROLE: Formats = Formats::of(&[
        HistoryFormat::OpenaiChat,
        HistoryFormat::OpenaiResponses,
        HistoryFormat::Anthropic,
        HistoryFormat::AiSdk,
    ]);

    const fn of(formats: &[HistoryFormat]) -> Formats {
        let (mut bits, mut index) = (0, 0);
        while index < formats.len() {
            bits |= 1 << formats[index] as u16;
            index += 1;
        }
        Formats(bits)
    }

    const fn only(format: HistoryFormat) -> Formats {
        Formats::of(&[format])
    }

    fn and(self, other: Formats) -> Formats {
        Formats(self.0 & other.0)
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn has(self, format: HistoryFormat) -> bool {
        !self.and(Formats::only(format)).is_empty()
    }

    fn names(self) -> Vec<&'static str> {
        HistoryFormat::ALL.into_iter().filter(|format| self.has(*format)).map(HistoryFormat::name).collect()
    }
}

const CHAT: Formats = Formats::only(HistoryFormat::OpenaiChat);
const RESPONSES: Formats = Formats::only(HistoryFormat::OpenaiResponses);
const ANTHROPIC: Formats = Formats::only(HistoryFormat::Anthropic);
const AI_SDK: Formats = Formats::only(HistoryFormat::AiSdk);
const AI_SDK_UI: Formats = Formats::only(HistoryFormat::AiSdkUi);
const GEMINI: Formats = Formats::only(HistoryFormat::Gemini);
const BEDROCK: Formats = Formats::only(HistoryFormat::Bedrock);
const LANGCHAIN: Formats = Formats::only(HistoryFormat::Langchain);
const NEUTRAL: Formats = Formats::only(HistoryFormat::Neutral);
/// Gateways pass on Anthropic's blocks inside Chat Completions.
const CHAT_OR_ANTHROPIC: Formats = Formats::of(&[HistoryFormat::OpenaiChat, HistoryFormat::Anthropic]);

/// Detects the format of a history. `members` are the names in the request around the items.
///
/// Errors: items that fit no format or different ones, and items that fit several formats which
/// read them differently.
pub(crate) fn detect(members: &[&str], items: &[Value]) -> Result<HistoryFormat, Error> {
    if let Some((index, looks_like)) =
        items.iter().enumerate().find_map(|(index, item)| Some((index, similar(item)?)))
    {
        return Err(Error::invalid(format!("Item {index} looks like {looks_like}.")));
    }
    let mut fitting = Formats::ALL;
    let mut last: Option<(usize, Formats)> = None;
    for (index, item) in items.iter().enumerate() {
        let own = formats_of(item);
        if own.is_empty() {
            return Err(Error::invalid(format!(
                "Item {index} has none of the known forms; convert the history to one of {}, and pass the format.",
                Formats::ALL.names().join(", ")
            )));
        }
        let both = fitting.and(own);
        if both.is_empty() {
            let (before, forms) = last.unwrap_or((0, fitting));
            return Err(Error::invalid(format!(
                "Item {before} has the form of {}, but item {index} that of {}; pass the format, or convert the items to one.",
                forms.and(fitting).names().join(" or "),
                own.names().join(" or ")
            )));
        }
        if both != fitting {
            last = Some((index, own));
        }
        fitting = both;
    }
    choose(fitting, members, items)
}

/// Chooses among the formats that fit all items.
fn choose(fitting: Formats, members: &[&str], items: &[Value]) -> Result<HistoryFormat, Error> {
    let has = |name: &str| members.contains(&name);
    let hinted = [
        ("input", RESPONSES),
        ("contents", GEMINI),
        ("systemInstruction", GEMINI),
        ("instructions", RESPONSES),
        ("toolConfig", BEDROCK),
    ];
    for (_, formats) in hinted.iter().filter(|(name, _)| has(name)) {
        if let Some(format) = only(fitting.and(*formats)) {
            return Ok(format);
        }
    }
    if let Some(format) = only(fitting) {
        return Ok(format);
    }
    // These formats read and write texts alike, but not documents.
    let is_anthropic = fitting.has(HistoryFormat::Anthropic)
        && (has("system") || items.iter().any(|item| !fits_role_only(item)));
    let is_clear = has("system") || !items.iter().any(has_document);
    if fitting.has(HistoryFormat::OpenaiChat) && is_clear {
        return Ok(if is_anthropic { HistoryFormat::Anthropic } else { HistoryFormat::OpenaiChat });
    }
    Err(Error::invalid(format!("The history could be {}; pass the format.", fitting.names().join(" or "))))
}

/// Returns the format if it is the only one.
fn only(formats: Formats) -> Option<HistoryFormat> {
    let mut found = HistoryFormat::ALL.into_iter().filter(|format| formats.has(*format));
    found.next().filter(|_| found.next().is_none())
}

/// Returns whether nothing but its role and its texts shows the format of an item.
fn fits_role_only(item: &Value) -> bool {
    formats_of(item).and(CHAT_OR_ANTHROPIC.and(Formats::WITH_ROLE)) == CHAT_OR_ANTHROPIC
        && formats_of(item).has(HistoryFormat::AiSdk)
}

/// Returns whether an item has a document: the only medium whose block is the same in several formats.
fn has_document(item: &Value) -> bool {
    item["content"].as_array().is_some_and(|blocks| blocks.iter().any(|block| block["type"] == "document"))
}

/// Returns the formats that an item fits.
fn formats_of(item: &Value) -> Formats {
    if let Some(parts) = item["parts"].as_array() {
        return of_parts(item, parts);
    }
    if item["type"].is_string() {
        return if item["data"].is_object() { LANGCHAIN } else { RESPONSES };
    }
    let Some(role) = item["role"].as_str() else { return Formats(0) };
    let is_given = |name: &str| match &item[name] {
        Value::Null => false,
        Value::Array(list) => !list.is_empty(),
        _ => true,
    };
    let of_role = match role {
        "developer" => Formats::of(&[HistoryFormat::OpenaiChat, HistoryFormat::OpenaiResponses]),
        "function" => CHAT,
        "tool" if item["tool_call_id"].is_string() => CHAT,
        "tool" => AI_SDK,
        _ if is_given("tool_calls") || item["function_call"].is_object() => CHAT,
        _ if is_given("providerOptions") => AI_SDK,
        "user" | "assistant" => Formats(Formats::WITH_ROLE.0 | BEDROCK.0),
        _ => Formats::WITH_ROLE,
    };
    match &item["content"] {
        Value::Array(blocks) => blocks.iter().map(of_block).fold(of_role, Formats::and),
        _ => of_role.and(Formats::WITH_ROLE),
    }
}

/// Returns the formats that a block of a content fits.
fn of_block(block: &Value) -> Formats {
    let Some(kind) = block["type"].as_str() else {
        return match block {
            Value::Object(members) if !members.is_empty() => BEDROCK,
            Value::String(_) => Formats::WITH_ROLE,
            _ => Formats(Formats::WITH_ROLE.0 | BEDROCK.0),
        };
    };
    let has_source = block["source"].is_object();
    match kind {
        "tool_use" | "tool_result" | "redacted_thinking" | "server_tool_use" | "compaction"
        | "container_upload" | "search_result" | "tool_reference" | "tool_addition" | "tool_removal"
        | "mcp_tool_use" => ANTHROPIC,
        _ if kind.ends_with("_tool_result") => ANTHROPIC,
        "thinking" | "document" => CHAT_OR_ANTHROPIC,
        "tool-call"
        | "tool-result"
        | "reasoning"
        | "tool-approval-request"
        | "tool-approval-response"
        | "reasoning-file"
        | "custom" => AI_SDK,
        "input_text" | "output_text" | "input_image" | "input_file" => RESPONSES,
        "image_url" | "input_audio" | "refusal" | "video_url" => CHAT,
        "image" if has_source => ANTHROPIC,
        "image" => AI_SDK,
        "file" if block["file"].is_object() => CHAT,
        "file" => AI_SDK,
        "text" if !block["cache_control"].is_null() => CHAT_OR_ANTHROPIC,
        "text" if !block["providerOptions"].is_null() => AI_SDK,
        _ => Formats::WITH_ROLE,
    }
}

/// Returns the formats that a message with parts fits.
fn of_parts(item: &Value, parts: &[Value]) -> Formats {
    const OF_GEMINI: [&str; 8] = [
        "functionCall",
        "functionResponse",
        "inlineData",
        "fileData",
        "executableCode",
        "codeExecutionResult",
        "thought",
        "thoughtSignature",
    ];
    const OF_NEUTRAL: [&str; 4] = ["tool_call", "tool_result", "media", "opaque"];
    let of_role = match item["role"].as_str() {
        None | Some("model") => GEMINI,
        Some("function") => GEMINI,
        Some("user") => Formats(GEMINI.0 | NEUTRAL.0 | AI_SDK_UI.0),
        Some("tool") => NEUTRAL,
        _ => Formats(NEUTRAL.0 | AI_SDK_UI.0),
    };
    parts.iter().fold(of_role, |fitting, part| {
        let has = |names: &[&str]| names.iter().any(|name| !part[*name].is_null());
        fitting.and(match () {
            () if part["type"].is_string() => AI_SDK_UI,
            () if has(&OF_GEMINI) => GEMINI,
            () if has(&OF_NEUTRAL) => NEUTRAL,
            () => Formats(GEMINI.0 | NEUTRAL.0),
        })
    })
}

/// Returns the name of an item's form, if it is a known form that is not a format here, and how to
/// convert it.
fn similar(item: &Value) -> Option<&'static str> {
    const LANGCHAIN_TYPES: [&str; 5] = ["human", "ai", "tool", "system", "function"];
    let kind = item["type"].as_str().unwrap_or_default();
    let calls = item["tool_calls"].as_array().and_then(|calls| calls.first());
    let is_part_of = |name: &str| {
        item["parts"].as_array().is_some_and(|parts| parts.iter().any(|part| !part[name].is_null()))
    };
    match () {
        () if item["parts"].is_array() && item["kind"].is_string() => Some(
            "a message of Pydantic AI; convert the history to the format of its provider, or use tuckaway's integration",
        ),
        () if !item["callId"].is_null() || matches!(kind, "function_call_result" | "hosted_tool_call") => {
            Some("an item of the OpenAI Agents SDK; convert the history to input items of Responses")
        }
        () if LANGCHAIN_TYPES.contains(&kind) && item["data"].is_null() && !item["content"].is_null() => {
            Some("a message of LangChain; write the history with messages_to_dict")
        }
        () if calls.is_some_and(|call| call["args"].is_object() || call["arguments"].is_object()) => {
            Some("a message of LangChain; write the history with messages_to_dict")
        }
        () if !item["toolInvocations"].is_null() => {
            Some("a message of version 4 of the AI SDK; convert the history with convertToModelMessages")
        }
        () if calls.is_some_and(|call| call["function"].is_object() && call["id"].is_null()) => Some(
            "a message of Ollama, whose calls have no ids; give each call an id, and each result its tool_call_id",
        ),
        () if item["role"] == "tool" && item["content"].is_string() && item["tool_call_id"].is_null() => {
            Some(
                "a result of Ollama, which names no call; give each call an id, and each result its tool_call_id",
            )
        }
        () if is_part_of("function_call") || is_part_of("function_response") || is_part_of("inline_data") => {
            Some("a Python object of Gemini; write the history with model_dump(by_alias=True)")
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(members: &[&str], items: &[Value]) -> Result<HistoryFormat, String> {
        detect(members, items).map_err(|error| error.to_string())
    }

    #[test]
    fn one_item_decides() {
        let plain = json!({"role": "user", "content": "hi"});
        assert_eq!(of(&[], &[]), Ok(HistoryFormat::OpenaiChat));
        assert_eq!(of(&[], std::slice::from_ref(&plain)), Ok(HistoryFormat::OpenaiChat));
        assert_eq!(of(&["system"], std::slice::from_ref(&plain)), Ok(HistoryFormat::Anthropic));
        assert_eq!(of(&["input"], std::slice::from_ref(&plain)), Ok(HistoryFormat::OpenaiResponses));
        let text = |more: Value| {
            let mut block = json!({"type": "text", "text": "x"});
            block.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({"role": "user", "content": [block]})
        };
        let decisive = [
            (json!({"role": "tool", "tool_call_id": "c", "content": "x"}), HistoryFormat::OpenaiChat),
            (
                json!({"role": "user", "content": [{"type": "image_url", "image_url": {}}]}),
                HistoryFormat::OpenaiChat,
            ),
            (json!({"role": "developer", "content": "x"}), HistoryFormat::OpenaiChat),
            (json!({"type": "function_call", "call_id": "c"}), HistoryFormat::OpenaiResponses),
            (json!({"type": "compaction", "encrypted_content": "g"}), HistoryFormat::OpenaiResponses),
            (
                json!({"role": "user", "content": [{"type": "input_text", "text": "x"}]}),
                HistoryFormat::OpenaiResponses,
            ),
            (
                json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t"}]}),
                HistoryFormat::Anthropic,
            ),
            (
                json!({"role": "assistant", "content": [{"type": "compaction", "content": "s"}]}),
                HistoryFormat::Anthropic,
            ),
            (text(json!({"cache_control": {}})), HistoryFormat::Anthropic),
            (json!({"role": "tool", "content": [{"type": "tool-result"}]}), HistoryFormat::AiSdk),
            (json!({"role": "user", "content": [{"type": "image", "image": "…"}]}), HistoryFormat::AiSdk),
            (text(json!({"providerOptions": {}})), HistoryFormat::AiSdk),
        ];
        for (item, format) in decisive {
            assert_eq!(of(&[], &[plain.clone(), item.clone()]), Ok(format), "{item}");
        }
        let alone = [
            (json!({"role": "assistant", "parts": [{"tool_call": {}}]}), HistoryFormat::Neutral),
            (json!({"role": "assistant", "parts": [{"type": "text", "text": "x"}]}), HistoryFormat::AiSdkUi),
            (json!({"role": "model", "parts": [{"text": "x"}]}), HistoryFormat::Gemini),
            (json!({"role": "user", "parts": [{"functionResponse": {}}]}), HistoryFormat::Gemini),
            (json!({"role": "user", "content": [{"text": "x"}]}), HistoryFormat::Bedrock),
            (json!({"type": "human", "data": {"content": "x"}}), HistoryFormat::Langchain),
        ];
        for (item, format) in alone {
            assert_eq!(of(&[], std::slice::from_ref(&item)), Ok(format), "{item}");
        }
    }

    #[test]
    fn blocks_of_anthropic_in_chat_completions_are_chat_completions() {
        let marked = json!({"role": "user", "content": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]});
        for item in [
            json!({"role": "tool", "tool_call_id": "c", "content": "x"}),
            json!({"role": "developer", "content": "x"}),
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}),
        ] {
            assert_eq!(
                of(&["messages"], &[marked.clone(), item.clone()]),
                Ok(HistoryFormat::OpenaiChat),
                "{item}"
            );
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let user = json!({"role": "user", "parts": [{"text": "x"}]});
        assert_eq!(
            of(&[], std::slice::from_ref(&user)).unwrap_err(),
            "The history could be gemini or neutral; pass the format."
        );
        assert_eq!(of(&["contents"], &[user]), Ok(HistoryFormat::Gemini));
        let document = json!({"role": "user", "content": [{"type": "document", "source": {"type": "text", "data": "x"}}]});
        assert_eq!(
            of(&[], std::slice::from_ref(&document)).unwrap_err(),
            "The history could be openai-chat or anthropic; pass the format."
        );
        assert_eq!(of(&["system"], &[document]), Ok(HistoryFormat::Anthropic));
        let mixed = [
            json!({"role": "tool", "tool_call_id": "c", "content": "x"}),
            json!({"role": "assistant", "content": [{"type": "tool_use"}]}),
        ];
        assert!(
            of(&[], &mixed)
                .unwrap_err()
                .starts_with("Item 0 has the form of openai-chat, but item 1 that of anthropic;")
        );
        for (item, name) in [
            (json!({"type": "function_call_result", "callId": "c", "output": {}}), "OpenAI Agents"),
            (
                json!({"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}),
                "Ollama",
            ),
            (json!({"role": "tool", "tool_name": "f", "content": "x"}), "Ollama"),
            (json!({"kind": "request", "parts": [{"part_kind": "user-prompt"}]}), "Pydantic AI"),
            (json!({"type": "ai", "content": "x", "tool_calls": []}), "LangChain"),
            (json!({"role": "user", "content": "x", "toolInvocations": []}), "version 4"),
        ] {
            let why = of(&[], std::slice::from_ref(&item)).unwrap_err();
            assert!(why.contains(name), "{item}: {why}");
        }
        assert!(of(&[], &[json!({"x": 1})]).unwrap_err().contains("none of the known forms"));
    }
}
