//! Generated histories of every format that a provider accepts. Also used by the tests of
//! `host-test`, which plan them.

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway_histories::{Format, History};

/// A step of an agent: how many tools it calls at once, and whether it thinks and says
/// something before.
#[derive(Clone, Debug)]
pub struct Step {
    calls: usize,
    thinks: bool,
    text: String,
}

/// Generates the turns of a session.
pub fn turns() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let step = (0..4_usize, any::<bool>(), "[a-z\"\\\\é😀\n]{0,12}", prop_oneof![Just(1), 1..200_usize]);
    let step = step.prop_map(|(calls, thinks, text, times)| Step { calls, thinks, text: text.repeat(times) });
    prop::collection::vec(prop::collection::vec(step, 1..4), 1..6)
}

/// Writes turns in a format. Also returns the index of the first item of each turn.
pub fn history(format: Format, turns: &[Vec<Step>]) -> (History, Vec<usize>) {
    let (mut items, mut starts, mut next) = (Vec::new(), Vec::new(), 0);
    for turn in turns {
        starts.push(items.len());
        items.push(json!({"role": "user", "content": "go on"}));
        for step in turn {
            let ids: Vec<String> = (next..next + step.calls).map(|id| format!("call_{id}")).collect();
            next += step.calls;
            items.extend(written(format, step, &ids));
        }
    }
    let text = serde_json::to_string_pretty(&items).unwrap();
    (History::parse(text, Some(format)).unwrap(), starts)
}

/// Returns the text of a result; no other result has the same text.
fn returned(id: &str, step: &Step) -> String {
    format!("{id}: {}", step.text)
}

fn written(format: Format, step: &Step, ids: &[String]) -> Vec<Value> {
    let said = format!("{}.", step.text);
    let text = json!({"type": "text", "text": said});
    match format {
        Format::OpenaiChat => {
            let call = |id: &String| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}});
            let mut answer = json!({"role": "assistant", "content": said, "x": step.thinks});
            if !ids.is_empty() {
                answer["tool_calls"] = ids.iter().map(call).collect();
            }
            let result =
                |id: &String| json!({"role": "tool", "tool_call_id": id, "content": returned(id, step)});
            [answer].into_iter().chain(ids.iter().map(result)).collect()
        }
        Format::OpenaiResponses => {
            let mut items = Vec::new();
            if step.thinks {
                items.push(json!({"type": "reasoning", "id": format!("rs_{ids:?}"), "summary": []}));
            }
            items.push(json!({"type": "message", "id": "msg", "role": "assistant", "content": [{"type": "output_text", "text": said}]}));
            items.extend(ids.iter().map(|id| json!({"type": "function_call", "id": "fc", "call_id": id, "name": "f", "arguments": "{}"})));
            items.extend(ids.iter().map(
                |id| json!({"type": "function_call_output", "call_id": id, "output": returned(id, step)}),
            ));
            items
        }
        Format::Anthropic => {
            let mut blocks = vec![text];
            if step.thinks {
                blocks.insert(0, json!({"type": "thinking", "thinking": step.text, "signature": "s+/="}));
            }
            blocks
                .extend(ids.iter().map(|id| json!({"type": "tool_use", "id": id, "name": "f", "input": {}})));
            let results: Vec<Value> = ids
                .iter()
                .map(|id| json!({"type": "tool_result", "tool_use_id": id, "content": returned(id, step)}))
                .collect();
            let mut items = vec![json!({"role": "assistant", "content": blocks})];
            items.extend((!ids.is_empty()).then(|| json!({"role": "user", "content": results})));
            items
        }
        Format::AiSdk | Format::Neutral => {
            let mut parts = vec![text];
            parts.extend(
                ids.iter()
                    .map(|id| json!({"type": "tool-call", "toolCallId": id, "toolName": "f", "input": {}})),
            );
            let results: Vec<Value> = ids
                .iter()
                .map(|id| json!({"type": "tool-result", "toolCallId": id, "toolName": "f", "output": {"type": "json", "value": [returned(id, step)]}}))
                .collect();
            let mut items = vec![json!({"role": "assistant", "content": parts})];
            items.extend((!ids.is_empty()).then(|| json!({"role": "tool", "content": results})));
            items
        }
    }
}
