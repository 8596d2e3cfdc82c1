//! Plans, applied to histories of every format.

use serde_json::{Value, json};
use tuckaway_contract::{Entry, HistoryFormat, Part, PartPlace, Plan, Replacement, Role, Usage};

use super::common::{
    ALL, ANTHROPIC, CHAT, Given, NEUTRAL, RESPONSES, insert, keep, last_turn, messages, plan, replacement,
    results,
};
use crate::memory::Memory;

fn items(history: &Given) -> Vec<String> {
    history.items()
}

#[test]
fn an_empty_plan_changes_no_byte() {
    for (_, text) in ALL {
        let history = Given::parse(text, None).unwrap();
        let all = keep(0, messages(&history).len());
        let empty = Plan { is_empty: true, history: vec![all.clone()], ..plan() };
        assert_eq!(history.apply(&empty).unwrap().text, text);
        // A plan that keeps everything only removes members that it would contradict.
        let kept = history.apply(&Plan { history: vec![all], ..plan() }).unwrap();
        assert_eq!(items(&kept), items(&history));
    }
}

#[test]
fn only_edited_items_are_written_again() {
    for (format, text) in ALL {
        let history = Given::parse(text, None).unwrap();
        let all = messages(&history);
        let places = results(&all);
        let replacements: Vec<_> =
            places.iter().map(|(message, part)| replacement(*message, *part)).collect();
        let applied =
            history.apply(&Plan { history: vec![keep(0, all.len())], replacements, ..plan() }).unwrap();
        assert_eq!(applied.violations(), [] as [&str; 0], "{format:?}");
        let new = messages(&applied);
        assert_eq!(new.len(), all.len());
        for (index, (old, new)) in all.iter().zip(&new).enumerate() {
            for (part, (old, new)) in old.parts.iter().zip(&new.parts).enumerate() {
                match (old, new) {
                    (Part::ToolResult(old), Part::ToolResult(new)) => {
                        assert_eq!(new.text, replacement(index, part).text, "{format:?}");
                        assert_eq!((&new.call_id, new.is_error), (&old.call_id, old.is_error));
                    }
                    (old, new) => assert_eq!(new, old),
                }
            }
        }
        let edited: Vec<usize> =
            places.iter().map(|(message, _)| message - history.history.offset()).collect();
        for (index, (old, new)) in items(&history).into_iter().zip(items(&applied)).enumerate() {
            assert!(old == new || edited.contains(&index), "{format:?}: {new}");
        }
    }
}

#[test]
fn a_text_of_the_user_is_written_again_and_the_rest_stays() {
    for (format, text) in ALL {
        let history = Given::parse(text, None).unwrap();
        let all = messages(&history);
        let is_text = |index: &usize| matches!(all[*index].parts.first(), Some(Part::Text(_)));
        let of_user = (0..all.len()).filter(|index| all[*index].role == Role::User).find(is_text);
        let Some(message) = of_user else { panic!("{format:?} has no text of the user") };
        let replacements = vec![replacement(message, 0)];
        let applied =
            history.apply(&Plan { history: vec![keep(0, all.len())], replacements, ..plan() }).unwrap();
        assert_eq!(applied.violations(), [] as [&str; 0], "{format:?}");
        let mut expected = all.clone();
        expected[message].parts[0] = Part::Text(replacement(message, 0).text);
        if format == HistoryFormat::Neutral {
            expected[message].tokens = None;
        }
        assert_eq!(messages(&applied), expected, "{format:?}");
    }
}

#[test]
fn a_text_of_the_user_is_found_in_a_large_item_and_its_image_stays() {
    let image = json!({"type": "image_url", "image_url": {"url": "x".repeat(100_000)}});
    let text = json!({"type": "text", "text": "a pasted line\n".repeat(6_000)});
    let asked = |text: &Value| json!({"role": "user", "content": [text, image]});
    let answer = json!({"role": "assistant", "content": "Done."});
    let history = Given::parse(json!([asked(&text), answer]).to_string(), None).unwrap();
    let replacements = vec![replacement(0, 0)];
    let applied = history.apply(&Plan { history: vec![keep(0, 2)], replacements, ..plan() }).unwrap();
    let shorter = json!({"type": "text", "text": replacement(0, 0).text});
    assert_eq!(items(&applied), [asked(&shorter).to_string(), answer.to_string()]);
}

#[test]
fn a_result_that_only_gets_an_artifact_is_not_written_again() {
    let history = Given::parse(ANTHROPIC, None).unwrap();
    let all = messages(&history);
    let (message, part) = results(&all)[0];
    let Part::ToolResult(result) = &all[message].parts[part] else { panic!("not a result") };
    let same = Replacement { text: result.text.clone(), ..replacement(message, part) };
    let made = Plan { history: vec![keep(0, all.len())], replacements: vec![same], ..plan() };
    assert_eq!(items(&history.apply(&made).unwrap()), items(&history));
    let mut memory = Memory::default();
    memory.record(&history.conversation().unwrap(), &made, &[]);
    assert_eq!(memory.artifact(&result.call_id, &result.text), Some(&replacement(message, part).artifact));
}

#[test]
fn the_past_gives_way_to_messages() {
    for (format, text) in ALL {
        let history = Given::parse(text, None).unwrap();
        let all = messages(&history);
        let (lead, turn) =
            (usize::from(format != HistoryFormat::Neutral || all[0].role == Role::System), last_turn(&all));
        let entries =
            vec![keep(0, lead), insert("Retained: \"x\"\n"), insert("Summary"), keep(turn, all.len())];
        let made = Plan { history: entries, ..plan() };
        let applied = history.apply(&made).unwrap();
        assert_eq!(applied.violations(), [] as [&str; 0], "{format:?}");
        let new = messages(&applied);
        assert_eq!(new.len(), lead + 2 + all.len() - turn, "{format:?}");
        assert_eq!(new[lead].parts, [Part::Text("Retained: \"x\"\n".to_owned())]);
        let tail = all.len() - turn;
        assert_eq!(
            items(&applied)[items(&applied).len() - tail..],
            items(&history)[items(&history).len() - tail..]
        );
        let mut memory = Memory::default();
        memory.record(&history.conversation().unwrap(), &made, &[]);
        assert!(applied.remembered(&memory).unwrap().messages[lead + 1].inserted);
    }
}

#[test]
fn unknown_fields_of_an_edited_item_stay() {
    let chat = Given::parse(CHAT, None).unwrap();
    let edit = |history: &Given, message, part| {
        let all = messages(history).len();
        let edits = vec![replacement(message, part)];
        let applied =
            history.apply(&Plan { history: vec![keep(0, all)], replacements: edits, ..plan() }).unwrap();
        let item = items(&applied)[message - history.history.offset()].to_owned();
        serde_json::from_str::<Value>(&item).unwrap()
    };
    let item = edit(&chat, 4, 0);
    assert_eq!(item["x_vendor"]["cost"], 1.5);
    assert_eq!(item["content"][0]["text"], "[tool output trimmed; ref=art_4_0]");
    assert_eq!(item["content"][0]["cache_control"]["type"], "ephemeral");
    assert_eq!(item["content"].as_array().unwrap().len(), 1);

    let anthropic = Given::parse(ANTHROPIC, None).unwrap();
    let item = edit(&anthropic, 3, 1);
    assert_eq!(item["content"][0]["cache_control"]["type"], "ephemeral");
    let content = item["content"][1]["content"].as_array().unwrap();
    assert_eq!(
        (&content[0]["text"], &content[1]["type"]),
        (&Value::from("[tool output trimmed; ref=art_3_1]"), &Value::from("image"))
    );

    let responses = Given::parse(RESPONSES, None).unwrap();
    let item = edit(&responses, 14, 0);
    assert_eq!(item["output"][0]["stdout"], "[tool output trimmed; ref=art_14_0]");
    assert_eq!(
        (&item["output"][0]["stderr"], &item["output"][0]["outcome"]["type"]),
        (&Value::from(""), &Value::from("exit"))
    );
}

#[test]
fn the_request_stays_consistent() {
    let history = Given::parse(CHAT, None).unwrap();
    let all = messages(&history).len();
    let fewer = Plan { history: vec![keep(0, all)], removed_tools: vec!["read_file".to_owned()], ..plan() };
    let request: Value = history.apply(&fewer).unwrap().value();
    assert_eq!(request["tools"].as_array().unwrap().len(), 2);
    assert!(request.get("usage").is_none() && request["tool_choice"].is_object());
    assert!(history.apply(&fewer).unwrap().text.contains("\"temperature\": 0.20"));
    let names = ["read_file", "run", "apply_patch"].map(str::to_owned).to_vec();
    let none = history.apply(&Plan { removed_tools: names, ..fewer }).unwrap();
    let request: Value = none.value();
    assert!(request.get("tools").is_none() && request.get("tool_choice").is_none());

    let responses = Given::parse(RESPONSES, None).unwrap();
    let all = messages(&responses).len();
    let kept = responses.apply(&Plan { history: vec![keep(0, all)], ..plan() }).unwrap();
    let request: Value = kept.value();
    assert!(request.get("previous_response_id").is_none() && request["store"] == true);

    let neutral = Given::parse(NEUTRAL, None).unwrap();
    let usage = Usage { tokens: Default::default(), messages: 3 };
    let applied = neutral.apply(&Plan { history: vec![keep(0, 6)], usage: Some(usage), ..plan() }).unwrap();
    assert_eq!(applied.conversation().unwrap().usage, Some(usage));
}

#[test]
fn reasoning_never_stands_without_its_item() {
    let history = Given::parse(RESPONSES, None).unwrap();
    let apply = |entries: Vec<Entry>| {
        let applied = history.apply(&Plan { history: entries, ..plan() }).unwrap();
        assert_eq!(applied.violations(), [] as [&str; 0]);
        applied.history.items.clone()
    };
    // The calls of the first answer are removed, and with them its reasoning.
    let new = apply(vec![keep(0, 3), keep(9, 16)]);
    assert!(new.iter().all(|item| item["id"] != "rs_01"));
    // The reasoning of the second answer is removed, so its call becomes the caller's.
    let new = apply(vec![keep(0, 2), keep(11, 16)]);
    let call = new.iter().find(|item| item["type"] == "custom_tool_call").unwrap();
    assert!(call.get("id").is_none() && call["call_id"] == "call_3");
    // Both stay unchanged.
    let new = apply(vec![keep(0, 1), keep(9, 16)]);
    assert!(new.iter().any(|item| item["id"] == "rs_02") && new.iter().any(|item| item["id"] == "ctc_1"));
}

#[test]
fn a_plan_for_another_history_is_refused() {
    for (format, text) in ALL {
        let history = Given::parse(text, None).unwrap();
        let read = messages(&history);
        let all = read.len();
        let error = |plan: Plan| history.apply(&plan).unwrap_err().to_string();
        assert!(error(Plan { history: vec![keep(0, all + 1)], ..plan() }).contains("it keeps more messages"));
        for (message, part) in [(1, 0), (all - 1, 0), (3, 77)] {
            let edits = vec![replacement(message, part)];
            let expected = match read[message].parts.get(part) {
                Some(Part::Text(_)) if read[message].role == Role::User => continue,
                Some(Part::Text(_)) => "is not a text of the user.",
                _ => "is not a tool result.",
            };
            let why = error(Plan { history: vec![keep(0, all)], replacements: edits, ..plan() });
            assert!(why.ends_with(expected), "{format:?}: {why}");
        }
    }
}

#[test]
fn a_large_item_that_is_written_again_keeps_its_image() {
    let data = format!("iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAAA{}", "AAAA".repeat(50_000));
    let image = format!(
        r#"{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{data}"}}}}"#
    );
    let text = format!(
        r#"[{{"role":"user","content":"go"}},
        {{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"f","input":{{}}}}]}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":[{{"type":"text","text":"old"}},{image},{image}]}}]}},
        {{"role":"assistant","content":"done"}}]"#
    );
    let history = Given::parse(text, None).unwrap();
    let replacements = [0, 2].map(|part| replacement(2, part)).to_vec();
    let new = history.apply(&Plan { history: vec![keep(0, 4)], replacements, ..plan() }).unwrap();
    let content = &new.value()[2]["content"][0]["content"];
    assert_eq!(content[0]["text"], *replacement(2, 0).text);
    assert_eq!(content[1]["source"]["data"], *data);
    assert_eq!(content[2]["text"], *replacement(2, 2).text);
}

#[test]
fn thinking_that_is_cleared_is_the_thinking_that_was_read() {
    let parts = json!([{"text": "a", "thinking": 5}, {"type": "x", "thinking": 5}, {"thinking": 5}]);
    let history = json!([
        {"role": "user", "parts": [{"text": "Go."}]},
        {"role": "assistant", "parts": parts},
    ]);
    let history = Given::parse(history.to_string(), Some(HistoryFormat::Neutral)).unwrap();
    let read = &messages(&history)[1].parts;
    assert_eq!(read[..], [Part::Text("a".to_owned()), Part::Thinking(5), Part::Thinking(5)]);
    let removed_parts = [1, 2].map(|part| PartPlace { message: 1, part }).to_vec();
    let clear = Plan { history: vec![keep(0, 2)], removed_parts, ..plan() };
    assert_eq!(messages(&history.apply(&clear).unwrap())[1].parts[..], read[..1]);
}

#[test]
fn several_media_of_one_message_are_replaced() {
    let image = r#"{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}"#;
    let text = format!(
        r#"[{{"role":"user","content":"go"}},
        {{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"f","input":{{}}}},{{"type":"tool_use","id":"b","name":"f","input":{{}}}}]}},
        {{"role":"user","content":[
            {{"type":"tool_result","tool_use_id":"a","content":[{{"type":"text","text":"old"}},{image},{image},{image}]}},
            {{"type":"tool_result","tool_use_id":"b","content":[{image}]}}]}},
        {{"role":"assistant","content":"done"}}]"#
    );
    let history = Given::parse(text, None).unwrap();
    // The first result, and the first, second and fourth of the media, which follow both results.
    let replacements = [0, 2, 3, 5].map(|part| replacement(2, part)).to_vec();
    let new = history.apply(&Plan { history: vec![keep(0, 4)], replacements, ..plan() }).unwrap();
    let [first, second] = [0, 1].map(|block| new.value()[2]["content"][block]["content"].clone());
    let kinds = |content: &Value| -> Vec<String> {
        let blocks = content.as_array().unwrap().iter();
        blocks.map(|block| block["text"].as_str().unwrap_or("image").to_owned()).collect()
    };
    let texts = [0, 2, 3, 5].map(|part| replacement(2, part).text);
    assert_eq!(kinds(&first), [&*texts[0], &*texts[1], &*texts[2], "image"]);
    assert_eq!(kinds(&second), [&*texts[3]]);
}
