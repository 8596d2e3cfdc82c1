//! Any plan that an engine may make, for any history: providers accept what comes out,
//! and what stays is the same, byte for byte.

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway_conversation::{Entry, Plan};
use tuckaway_histories::{Format, History, rules};

use crate::common::{insert, keep, messages, plan, replacement, results};

/// A step of an agent: how many tools it calls at once, and whether it thinks and says
/// something before.
#[derive(Clone, Debug)]
struct Step {
    calls: usize,
    thinks: bool,
    text: String,
}

fn turns() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let step = (0..4_usize, any::<bool>(), "[a-z\"\\\\é😀\n]{0,12}").prop_map(|(calls, thinks, text)| Step {
        calls,
        thinks,
        text,
    });
    prop::collection::vec(prop::collection::vec(step, 1..4), 1..6)
}

/// Writes turns in a format, and the index of the first item of each.
fn history(format: Format, turns: &[Vec<Step>]) -> (History, Vec<usize>) {
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
            let result = |id: &String| json!({"role": "tool", "tool_call_id": id, "content": step.text});
            [answer].into_iter().chain(ids.iter().map(result)).collect()
        }
        Format::OpenaiResponses => {
            let mut items = Vec::new();
            if step.thinks {
                items.push(json!({"type": "reasoning", "id": format!("rs_{ids:?}"), "summary": []}));
            }
            items.push(json!({"type": "message", "id": "msg", "role": "assistant", "content": [{"type": "output_text", "text": said}]}));
            items.extend(ids.iter().map(|id| json!({"type": "function_call", "id": "fc", "call_id": id, "name": "f", "arguments": "{}"})));
            items.extend(
                ids.iter()
                    .map(|id| json!({"type": "function_call_output", "call_id": id, "output": step.text})),
            );
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
                .map(|id| json!({"type": "tool_result", "tool_use_id": id, "content": step.text}))
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
                .map(|id| json!({"type": "tool-result", "toolCallId": id, "toolName": "f", "output": {"type": "json", "value": [step.text]}}))
                .collect();
            let mut items = vec![json!({"role": "assistant", "content": parts})];
            items.extend((!ids.is_empty()).then(|| json!({"role": "tool", "content": results})));
            items
        }
    }
}

proptest! {
    #[test]
    fn providers_accept_what_a_plan_leaves(
        turns in turns(),
        format in prop::sample::select(&Format::ALL[..4]),
        cut in any::<prop::sample::Index>(),
        edits in prop::collection::vec(any::<bool>(), 64),
    ) {
        let (before, starts) = history(format, &turns);
        prop_assert_eq!(rules::violations(&before), Vec::<String>::new());
        let all = messages(&before);
        let from = starts[cut.index(starts.len())];
        let kept: Vec<(usize, usize)> = results(&all).into_iter().filter(|(message, _)| *message >= from).collect();
        let replacements = kept.iter().zip(edits).filter(|(_, edit)| *edit).map(|((message, part), _)| replacement(*message, *part));
        let entries: Vec<Entry> = match from {
            0 => vec![keep(0, all.len())],
            _ => vec![insert("Summary of what was before."), keep(from, all.len())],
        };
        let replacements: Vec<_> = replacements.collect();
        let edited: Vec<usize> = replacements.iter().map(|replacement| replacement.message as usize - from).collect();
        let after = before.apply(&Plan { history: entries, replacements, ..plan() }).unwrap();
        prop_assert_eq!(rules::violations(&after), Vec::<String>::new());
        let (old, new): (Vec<&str>, Vec<&str>) = (before.items().collect(), after.items().collect());
        let inserted = usize::from(from > 0);
        prop_assert_eq!(new.len(), old.len() - from + inserted);
        for (index, (old, new)) in old[from..].iter().zip(&new[inserted..]).enumerate() {
            prop_assert!(old == new || edited.contains(&index));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:a-z0-9 ]{0,60}", format in prop::option::of(prop::sample::select(&Format::ALL[..]))) {
        if let Ok(history) = History::parse(text, format) {
            let _ = history.conversation(&Default::default());
            let _ = rules::violations(&history);
        }
    }

    #[test]
    fn any_json_is_read_or_refused(
        members in prop::collection::vec((
            prop::sample::select(vec!["role", "type", "content", "tool_calls", "call_id", "output", "tool_call_id", "parts", "function_call"]),
            prop::sample::select(vec!["\"user\"", "\"tool\"", "\"assistant\"", "\"function_call_output\"", "\"tool_result\"", "[]", "{}", "null", "3", "[{}]", "[{\"type\":\"tool_result\",\"tool_use_id\":\"c\"}]", "[{\"type\":\"tool-result\",\"toolCallId\":\"c\"}]"]),
        ), 0..5),
        format in prop::sample::select(&Format::ALL[..]),
    ) {
        let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        let text = format!("[{{{}}}]", members.join(","));
        let history = History::parse(text, Some(format)).unwrap();
        let _ = rules::violations(&history);
        if let Ok(conversation) = history.conversation(&Default::default()) {
            prop_assert_eq!(conversation.messages.len(), 1);
            for part in 0..2 {
                let edits = vec![replacement(0, part)];
                let _ = history.apply(&Plan { history: vec![keep(0, 1)], replacements: edits, ..plan() });
            }
        }
    }
}
