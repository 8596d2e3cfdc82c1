//! Generated histories of every format that a provider accepts. Also used by the tests of
//! `host-test`, which plan them.

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway_contract::HistoryFormat;

/// All formats. No provider accepts the last one.
pub const FORMATS: [HistoryFormat; 9] = [
    HistoryFormat::OpenaiChat,
    HistoryFormat::OpenaiResponses,
    HistoryFormat::Anthropic,
    HistoryFormat::AiSdk,
    HistoryFormat::AiSdkUi,
    HistoryFormat::Gemini,
    HistoryFormat::Bedrock,
    HistoryFormat::Langchain,
    HistoryFormat::Neutral,
];

/// A step of an agent: the number of tools that it calls at once, and whether it thinks and says
/// something before.
#[derive(Clone, Debug)]
pub struct Step {
    calls: usize,
    /// Whether a program at the provider makes the calls.
    by_program: bool,
    thinks: bool,
    text: String,
    /// Whether the message of the user before it has an image, if it is the first of its turn.
    shows: bool,
    /// Features that only some formats allow.
    extras: Extras,
}

/// Features of only some formats.
#[derive(Clone, Debug)]
struct Extras {
    /// Whether the provider compacted everything before the turn, if the step is its first.
    compacts: bool,
    /// Whether the developer reminds the model of something before the turn, if the step is its first.
    reminds: bool,
    /// Whether the model searches for tools first.
    searches: bool,
    /// Whether each result has an image.
    draws: bool,
    /// Whether the answer ends amid the thinking; only in the last step of a turn.
    is_cut: bool,
    /// Whether the results repeat those of other such steps.
    repeats: Option<Repetition>,
}

/// How results repeat earlier ones: their texts are equal, or one line differs.
#[derive(Clone, Copy, Debug)]
enum Repetition {
    Equal,
    Similar,
}

/// Generates the turns of a session.
pub fn turns() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let text = ("[a-z\"\\\\é😀\n]{0,12}", prop_oneof![Just(1), 1..200_usize]);
    let seldom = || prop::bool::weighted(0.1);
    let kind = prop_oneof![Just(Repetition::Equal), Just(Repetition::Similar)];
    let repeats = prop::option::weighted(0.2, kind);
    let extras = (seldom(), prop::bool::weighted(0.3), seldom(), seldom(), any::<bool>(), repeats);
    let extras = extras.prop_map(|(compacts, reminds, searches, draws, is_cut, repeats)| Extras {
        compacts,
        reminds,
        searches,
        draws,
        is_cut,
        repeats,
    });
    let step =
        (0..4_usize, prop::bool::weighted(0.2), any::<bool>(), text, prop::bool::weighted(0.3), extras);
    let step = step.prop_map(|(calls, by_program, thinks, (text, times), shows, extras)| Step {
        calls,
        by_program: by_program && calls > 0,
        thinks,
        // Only results of calls with equal arguments are compared.
        text: if extras.repeats.is_some() { "again".to_owned() } else { text.repeat(times) },
        shows,
        extras: Extras { is_cut: extras.is_cut && thinks && calls == 0, ..extras },
    });
    let turn = prop::collection::vec(step, 1..4).prop_map(|mut steps| {
        steps.iter_mut().rev().skip(1).for_each(|step| step.extras.is_cut = false);
        steps
    });
    prop::collection::vec(turn, 1..6)
}

/// Returns turns in which the provider runs no program and searches no tools.
#[allow(dead_code)] // the properties of one of the two crates need it
pub fn without_hosted_calls(mut turns: Vec<Vec<Step>>) -> Vec<Vec<Step>> {
    for step in turns.iter_mut().flatten() {
        (step.by_program, step.extras.searches) = (false, false);
    }
    turns
}

/// Returns turns before which the provider has compacted nothing.
#[allow(dead_code)] // the properties of one of the two crates need it
pub fn without_compactions(mut turns: Vec<Vec<Step>>) -> Vec<Vec<Step>> {
    turns.iter_mut().flatten().for_each(|step| step.extras.compacts = false);
    turns
}

/// Writes turns in a format. Also returns the index of the first item of each turn.
pub fn items(format: HistoryFormat, turns: &[Vec<Step>]) -> (Vec<Value>, Vec<usize>) {
    let (mut items, mut starts, mut next) = (Vec::new(), Vec::new(), 0);
    for turn in turns {
        starts.push(items.len());
        let image = turn.first().is_some_and(|step| step.shows).then(|| image_of(items.len()));
        let first = turn.first().map(|step| &step.extras);
        items.extend(first.filter(|extras| extras.compacts).and_then(|_| compaction(format)));
        let number = items.len();
        items.extend(first.filter(|extras| extras.reminds).and_then(|_| reminder(format, number)));
        items.push(said_by_user(format, items.len(), &asked(turn), image.as_deref()));
        for step in turn {
            if step.extras.searches {
                items.extend(search(format, items.len()));
            }
            let ids: Vec<String> = (next..next + step.calls).map(|id| format!("call_{id}")).collect();
            next += step.calls;
            items.extend(written(format, step, &ids, items.len()));
        }
        // A message of the user must follow.
        if format == HistoryFormat::Bedrock && items.last().is_some_and(|item| item["role"] == "user") {
            items.push(json!({"role": "assistant", "content": [{"text": "Done."}]}));
        }
    }
    (items, starts)
}

/// Returns all texts of the user, the model and the tools in turns, and the arguments that the
/// model passes: no plan may lose them.
#[allow(dead_code)] // the properties of one of the two crates need it
pub fn contents(turns: &[Vec<Step>]) -> Vec<String> {
    let (mut contents, mut next): (Vec<String>, _) = (turns.iter().map(|turn| asked(turn)).collect(), 0);
    for step in turns.iter().flatten() {
        contents.extend((!step.extras.is_cut).then(|| format!("{}.", step.text)));
        for id in next..next + step.calls {
            contents.extend([step.text.clone(), returned(&format!("call_{id}"), step)]);
        }
        next += step.calls;
    }
    contents.retain(|content| !content.is_empty());
    contents
}

/// How the data of all images begin: PNG of 640 x 480 pixels.
pub const IMAGE_HEAD: &str = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAAA";

/// Returns the data of the image in an item, as base64; no other item has the same.
fn image_of(item: usize) -> String {
    format!("{IMAGE_HEAD}{item:08}")
}

/// Returns the provider's compaction of everything before it.
fn compaction(format: HistoryFormat) -> Option<Value> {
    match format {
        HistoryFormat::OpenaiResponses => {
            Some(json!({"type": "compaction", "id": "cmp", "encrypted_content": "gAAAABearlier"}))
        }
        HistoryFormat::Anthropic => Some(
            json!({"role": "assistant", "content": [{"type": "compaction", "content": "All of it was fine."}]}),
        ),
        _ => None,
    }
}

/// Returns a message of the developer amid the others.
fn reminder(format: HistoryFormat, index: usize) -> Option<Value> {
    let text = format!("Reminder {index}: be brief.");
    match format {
        HistoryFormat::OpenaiChat | HistoryFormat::OpenaiResponses => {
            Some(json!({"role": "developer", "content": text}))
        }
        HistoryFormat::AiSdk => Some(json!({"role": "system", "content": text})),
        HistoryFormat::AiSdkUi => Some(
            json!({"id": format!("m{index}"), "role": "system", "parts": [{"type": "text", "text": text}]}),
        ),
        HistoryFormat::Langchain => {
            Some(json!({"type": "system", "data": {"content": text, "type": "system"}}))
        }
        HistoryFormat::Neutral => Some(json!({"role": "system", "parts": [{"text": text}]})),
        HistoryFormat::Anthropic | HistoryFormat::Gemini | HistoryFormat::Bedrock => None,
    }
}

/// Returns the items of a search for tools; none if the format has no such search.
fn search(format: HistoryFormat, index: usize) -> Vec<Value> {
    let id = format!("search_{index}");
    match format {
        HistoryFormat::OpenaiResponses => {
            let tools = json!([{"type": "function", "name": "f", "description": "Works.", "parameters": {}}]);
            vec![
                json!({"type": "tool_search_call", "execution": "client", "call_id": id, "arguments": {"q": "f"}}),
                json!({"type": "tool_search_output", "execution": "client", "call_id": id, "tools": tools}),
            ]
        }
        HistoryFormat::Anthropic => {
            let found = json!([{"type": "tool_reference", "tool_name": "f"}]);
            let call = json!({"type": "tool_use", "id": id, "name": "search_tools", "input": {"q": "f"}});
            let result = json!({"type": "tool_result", "tool_use_id": id, "content": found});
            vec![
                json!({"role": "assistant", "content": [call]}),
                json!({"role": "user", "content": [result]}),
            ]
        }
        _ => Vec::new(),
    }
}

/// Returns the text of the user before the steps of a turn, which may be large.
fn asked(turn: &[Step]) -> String {
    format!("go on{}", turn.first().map_or("", |step| step.text.as_str()))
}

fn said_by_user(format: HistoryFormat, index: usize, text: &str, image: Option<&str>) -> Value {
    let Some(data) = image else { return only_said_by_user(format, index, text) };
    let url = format!("data:image/png;base64,{data}");
    let block = json!({"type": "text", "text": text});
    let image_url = json!({"type": "image_url", "image_url": {"url": url}});
    match format {
        HistoryFormat::Gemini => {
            json!({"role": "user", "parts": [{"text": text}, {"inlineData": {"mimeType": "image/png", "data": data}}]})
        }
        HistoryFormat::Bedrock => {
            json!({"role": "user", "content": [{"text": text}, {"image": {"format": "png", "source": {"bytes": data}}}]})
        }
        HistoryFormat::Langchain => {
            json!({"type": "human", "data": {"content": [block, image_url], "type": "human"}})
        }
        HistoryFormat::AiSdkUi => {
            let file = json!({"type": "file", "mediaType": "image/png", "url": url});
            json!({"id": format!("m{index}"), "role": "user", "parts": [block, file]})
        }
        HistoryFormat::OpenaiChat => json!({"role": "user", "content": [block, image_url]}),
        HistoryFormat::OpenaiResponses => {
            json!({"role": "user", "content": [{"type": "input_text", "text": text}, {"type": "input_image", "image_url": url}]})
        }
        HistoryFormat::Anthropic => {
            let source = json!({"type": "base64", "media_type": "image/png", "data": data});
            json!({"role": "user", "content": [block, {"type": "image", "source": source}]})
        }
        HistoryFormat::AiSdk => {
            json!({"role": "user", "content": [block, {"type": "file", "mediaType": "image/png", "data": data}]})
        }
        HistoryFormat::Neutral => json!({"role": "user", "parts": [{"text": text}, medium()]}),
    }
}

fn only_said_by_user(format: HistoryFormat, index: usize, text: &str) -> Value {
    match format {
        HistoryFormat::Gemini | HistoryFormat::Neutral => json!({"role": "user", "parts": [{"text": text}]}),
        HistoryFormat::Bedrock => json!({"role": "user", "content": [{"text": text}]}),
        HistoryFormat::Langchain => json!({"type": "human", "data": {"content": text, "type": "human"}}),
        HistoryFormat::AiSdkUi => {
            json!({"id": format!("m{index}"), "role": "user", "parts": [{"type": "text", "text": text}]})
        }
        HistoryFormat::Anthropic if text.len().is_multiple_of(3) => {
            let source = json!({"type": "text", "media_type": "text/plain", "data": text});
            json!({"role": "user", "content": [{"type": "document", "source": source}]})
        }
        HistoryFormat::OpenaiResponses if text.len().is_multiple_of(3) => {
            json!({"role": "user", "content": [{"type": "input_text", "text": text}]})
        }
        _ => json!({"role": "user", "content": text}),
    }
}

/// Returns the arguments of a call, which may be large.
fn passed(step: &Step) -> Value {
    json!({"text": step.text})
}

/// Returns the text of a result; no other result has the same text, unless the step repeats others.
fn returned(id: &str, step: &Step) -> String {
    let lines = || (0..64).map(|line| format!("line {line} of an output\n")).collect::<String>();
    match step.extras.repeats {
        Some(Repetition::Equal) => lines(),
        Some(Repetition::Similar) => format!("{}{id}", lines()),
        None => format!("{id}: {}", step.text),
    }
}

/// Returns a medium in the neutral form, which has no data.
fn medium() -> Value {
    json!({"media": {"tokens": 400, "bytes": 4_000, "label": "PNG image: 640 x 480"}})
}

/// Returns the content of a result: its text, and the image that it may have.
fn content_of(format: HistoryFormat, id: &str, step: &Step) -> Value {
    let text = returned(id, step);
    let number: usize = id.trim_start_matches("call_").parse().unwrap_or_default();
    // Images of the user have the numbers of their items.
    let data = image_of(1_000_000 + number);
    let url = format!("data:image/png;base64,{data}");
    let block = json!({"type": "text", "text": text});
    match format {
        HistoryFormat::Bedrock if step.extras.draws => {
            json!([{"text": text}, {"image": {"format": "png", "source": {"bytes": data}}}])
        }
        HistoryFormat::Bedrock => json!([{"text": text}]),
        HistoryFormat::AiSdk if step.extras.draws => {
            let image = json!({"type": "image-data", "data": data, "mediaType": "image/png"});
            json!({"type": "content", "value": [block, image]})
        }
        HistoryFormat::AiSdk => json!({"type": "json", "value": [text]}),
        HistoryFormat::OpenaiResponses if step.extras.draws => {
            json!([{"type": "input_text", "text": text}, {"type": "input_image", "image_url": url}])
        }
        HistoryFormat::OpenaiChat | HistoryFormat::Langchain if step.extras.draws => {
            json!([block, {"type": "image_url", "image_url": {"url": url}}])
        }
        HistoryFormat::Anthropic if step.extras.draws => {
            let source = json!({"type": "base64", "media_type": "image/png", "data": data});
            json!([block, {"type": "image", "source": source}])
        }
        HistoryFormat::Gemini => {
            let mut response = json!({"name": "f", "response": {"output": text}});
            if step.extras.draws {
                response["parts"] = json!([{"inlineData": {"mimeType": "image/png", "data": data}}]);
            }
            response
        }
        HistoryFormat::Neutral => {
            let result = json!({"tool_result": {"call_id": id, "text": text}});
            if step.extras.draws { json!([result, medium()]) } else { json!([result]) }
        }
        _ => json!(text),
    }
}

/// Returns the model's thinking before the item of an index; no other thinking has the same text.
fn thought(step: &Step, index: usize) -> String {
    format!("thought {index}: {}", step.text)
}

fn written(format: HistoryFormat, step: &Step, ids: &[String], index: usize) -> Vec<Value> {
    let said = format!("{}.", step.text);
    let thought = thought(step, index);
    let text = json!({"type": "text", "text": said});
    match format {
        HistoryFormat::OpenaiResponses if step.by_program => {
            let id = format!("program_{}", ids[0]);
            let by = json!({"type": "program", "caller_id": id});
            let mut items = vec![json!({"type": "program", "id": "prog", "call_id": id, "code": "f()"})];
            for call in ids {
                items.push(json!({"type": "function_call", "id": "fc", "call_id": call, "name": "f", "arguments": passed(step).to_string(), "caller": by}));
                items.push(json!({"type": "function_call_output", "call_id": call, "output": content_of(format, call, step), "caller": by}));
            }
            items.push(json!({"type": "program_output", "id": "po", "call_id": id, "result": "1"}));
            items.push(json!({"type": "message", "id": "msg", "role": "assistant", "content": [{"type": "output_text", "text": said}]}));
            items
        }
        HistoryFormat::Anthropic if step.by_program => {
            let id = format!("srvtoolu_{}", ids[0]);
            let by = json!({"type": "code_execution_20250825", "tool_id": id});
            let mut blocks =
                vec![json!({"type": "server_tool_use", "id": id, "name": "code_execution", "input": {}})];
            let mut items = Vec::new();
            for call in ids {
                blocks.push(
                    json!({"type": "tool_use", "id": call, "name": "f", "input": passed(step), "caller": by}),
                );
                items.push(json!({"role": "assistant", "content": std::mem::take(&mut blocks)}));
                let result = json!({"type": "tool_result", "tool_use_id": call, "content": content_of(format, call, step)});
                items.push(json!({"role": "user", "content": [result]}));
            }
            let output =
                json!({"type": "code_execution_tool_result", "tool_use_id": id, "content": {"stdout": "1"}});
            items.push(json!({"role": "assistant", "content": [output, text]}));
            items
        }
        HistoryFormat::OpenaiChat => {
            let call = |id: &String| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": passed(step).to_string()}});
            let mut answer = json!({"role": "assistant", "content": said, "x": step.thinks});
            if step.thinks {
                answer["reasoning_content"] = Value::from(thought);
            }
            if !ids.is_empty() {
                answer["tool_calls"] = ids.iter().map(call).collect();
            }
            let result = |id: &String| json!({"role": "tool", "tool_call_id": id, "content": content_of(format, id, step)});
            [answer].into_iter().chain(ids.iter().map(result)).collect()
        }
        HistoryFormat::OpenaiResponses => {
            let mut items = Vec::new();
            if step.thinks {
                let summary = json!([{"type": "summary_text", "text": thought}]);
                items.push(json!({"type": "reasoning", "id": format!("rs_{index}"), "summary": summary}));
            }
            items.push(json!({"type": "message", "id": "msg", "role": "assistant", "content": [{"type": "output_text", "text": said}]}));
            items.extend(ids.iter().map(|id| json!({"type": "function_call", "id": "fc", "call_id": id, "name": "f", "arguments": passed(step).to_string()})));
            items.extend(ids.iter().map(
                |id| json!({"type": "function_call_output", "call_id": id, "output": content_of(format, id, step)}),
            ));
            items
        }
        HistoryFormat::Anthropic => {
            let mut blocks = if step.extras.is_cut { vec![] } else { vec![text] };
            if step.thinks {
                blocks.insert(0, json!({"type": "thinking", "thinking": thought, "signature": "s+/="}));
            }
            blocks.extend(
                ids.iter()
                    .map(|id| json!({"type": "tool_use", "id": id, "name": "f", "input": passed(step)})),
            );
            let results: Vec<Value> = ids
                .iter()
                .map(|id| json!({"type": "tool_result", "tool_use_id": id, "content": content_of(format, id, step)}))
                .collect();
            let mut items = vec![json!({"role": "assistant", "content": blocks})];
            items.extend((!ids.is_empty()).then(|| json!({"role": "user", "content": results})));
            items
        }
        HistoryFormat::Neutral => {
            let mut parts = vec![json!({"text": said})];
            if step.thinks {
                parts.insert(0, json!({"thinking": thought.len(), "x": thought}));
            }
            let call = |id: &String| json!({"tool_call": {"id": id, "name": "f", "arguments": passed(step).to_string()}});
            parts.extend(ids.iter().map(call));
            let result = |id: &String| json!({"role": "tool", "parts": content_of(format, id, step)});
            let answer = json!({"role": "assistant", "parts": parts});
            [answer].into_iter().chain(ids.iter().map(result)).collect()
        }
        HistoryFormat::AiSdk => {
            let thinking = step.thinks.then(|| json!({"type": "reasoning", "text": thought}));
            let mut parts: Vec<Value> = thinking.into_iter().chain([text]).collect();
            parts.extend(ids.iter().map(
                |id| json!({"type": "tool-call", "toolCallId": id, "toolName": "f", "input": passed(step)}),
            ));
            let results: Vec<Value> = ids
                .iter()
                .map(|id| json!({"type": "tool-result", "toolCallId": id, "toolName": "f", "output": content_of(format, id, step)}))
                .collect();
            let mut items = vec![json!({"role": "assistant", "content": parts})];
            items.extend((!ids.is_empty()).then(|| json!({"role": "tool", "content": results})));
            items
        }
        HistoryFormat::AiSdkUi => {
            let call = |id: &String| json!({"type": "tool-f", "toolCallId": id, "state": "output-available", "input": passed(step), "output": [returned(id, step)]});
            let thinking = step.thinks.then(|| json!({"type": "reasoning", "text": thought}));
            let mut parts = vec![json!({"type": "step-start"})];
            parts.extend(thinking.into_iter().chain([text]));
            parts.extend(ids.iter().map(call));
            vec![json!({"id": format!("m{index}"), "role": "assistant", "parts": parts})]
        }
        HistoryFormat::Gemini => {
            let mut parts = vec![json!({"text": said})];
            if step.thinks {
                parts.insert(0, json!({"text": thought, "thought": true}));
            }
            let call = |id: &String| json!({"functionCall": {"name": "f", "args": {"id": id, "text": step.text}}, "thoughtSignature": "s+/="});
            let result = |id: &String| json!({"functionResponse": content_of(format, id, step)});
            parts.extend(ids.iter().map(call));
            let results: Vec<Value> = ids.iter().map(result).collect();
            let mut items = vec![json!({"role": "model", "parts": parts})];
            items.extend((!ids.is_empty()).then(|| json!({"role": "user", "parts": results})));
            items
        }
        HistoryFormat::Bedrock => {
            let mut blocks = if step.extras.is_cut { vec![] } else { vec![json!({"text": said})] };
            if step.thinks {
                blocks.insert(
                    0,
                    json!({"reasoningContent": {"reasoningText": {"text": thought, "signature": "s"}}}),
                );
            }
            blocks.extend(
                ids.iter()
                    .map(|id| json!({"toolUse": {"toolUseId": id, "name": "f", "input": passed(step)}})),
            );
            let result = |id: &String| json!({"toolResult": {"toolUseId": id, "content": content_of(format, id, step)}});
            let results: Vec<Value> = ids.iter().map(result).collect();
            let results = if results.is_empty() { vec![json!({"text": "Go on."})] } else { results };
            vec![json!({"role": "assistant", "content": blocks}), json!({"role": "user", "content": results})]
        }
        HistoryFormat::Langchain => {
            let call =
                |id: &String| json!({"name": "f", "args": passed(step), "id": id, "type": "tool_call"});
            let calls: Vec<Value> = ids.iter().map(call).collect();
            let content = match step.thinks {
                true => json!([{"type": "thinking", "thinking": thought, "signature": "s+/="}, text]),
                false => json!(said),
            };
            let mut items =
                vec![json!({"type": "ai", "data": {"content": content, "type": "ai", "tool_calls": calls}})];
            items.extend(ids.iter().map(
                |id| json!({"type": "tool", "data": {"content": content_of(format, id, step), "type": "tool", "tool_call_id": id}}),
            ));
            items
        }
    }
}
