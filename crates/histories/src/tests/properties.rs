//! Any plan that an engine may make, for any history: providers accept the result, and everything
//! that stays is preserved byte for byte.

use proptest::prelude::*;
use tuckaway_contract::{Entry, HistoryFormat, Message, Part, PartPlace, Plan};

use super::common::{Given, insert, keep, messages, plan, replacement, results};
use super::generated::{FORMATS, items, turns};
use crate::rules::thinking_violations;

proptest! {
    #[test]
    fn providers_accept_what_a_plan_leaves(
        turns in turns(),
        format in prop::sample::select(&FORMATS[..]),
        cut in any::<prop::sample::Index>(),
        edits in prop::collection::vec(any::<bool>(), 64),
    ) {
        let (items, starts) = items(format, &turns);
        let before = Given::parse(serde_json::to_string_pretty(&items).unwrap(), Some(format)).unwrap();
        prop_assert_eq!(before.violations(), Vec::<String>::new());
        let all = messages(&before);
        let from = starts[cut.index(starts.len())];
        // No plan changes a pinned message.
        let kept = results(&all).into_iter().filter(|(message, _)| *message >= from && !all[*message].pinned);
        let kept: Vec<(usize, usize)> = kept.collect();
        let replacements = kept.iter().zip(edits).filter(|(_, edit)| *edit).map(|((message, part), _)| replacement(*message, *part));
        let entries: Vec<Entry> = match from {
            0 => vec![keep(0, all.len())],
            _ => vec![insert("Summary of what was before."), keep(from, all.len())],
        };
        let replacements: Vec<_> = replacements.collect();
        let edited: Vec<usize> = replacements.iter().map(|replacement| replacement.message as usize - from).collect();
        let after = before.apply(&Plan { history: entries, replacements, ..plan() }).unwrap();
        prop_assert_eq!(after.violations(), Vec::<String>::new());
        let (old, new) = (before.items(), after.items());
        // Where roles must alternate, a short answer follows the summary.
        let inserted = usize::from(from > 0) * if format == HistoryFormat::Bedrock { 2 } else { 1 };
        prop_assert_eq!(new.len(), old.len() - from + inserted);
        for (index, (old, new)) in old[from..].iter().zip(&new[inserted..]).enumerate() {
            prop_assert!(old == new || edited.contains(&index));
        }
    }

    /// Any thinking that a plan may clear: providers accept the rest, which is preserved byte for byte.
    #[test]
    fn providers_accept_what_is_left_without_old_thinking(
        turns in turns(),
        format in prop::sample::select(&FORMATS[..]),
        cut in any::<prop::sample::Index>(),
    ) {
        let (items, starts) = items(format, &turns);
        let before = Given::parse(serde_json::to_string_pretty(&items).unwrap(), Some(format)).unwrap();
        let all = messages(&before);
        let to = starts[cut.index(starts.len())];
        let is_thinking = |part: &Part| matches!(part, Part::Thinking(_));
        let is_old = |index: usize| index < to && !all[index].pinned && all[index].parts.iter().any(is_thinking);
        let is_whole = |index: usize| all[index].parts.iter().all(is_thinking);
        let stays: Vec<usize> = (0..all.len()).filter(|index| !is_old(*index) || !is_whole(*index)).collect();
        let edited: Vec<usize> = stays.iter().copied().filter(|index| is_old(*index)).collect();
        let removed_parts = edited.iter().flat_map(|index| {
            let parts = all[*index].parts.iter().enumerate().filter(|(_, part)| is_thinking(part));
            parts.map(|(part, _)| PartPlace { message: *index as u32, part: part as u32 })
        });
        let history = stays.iter().map(|index| keep(*index, index + 1)).collect();
        let plan = Plan { history, removed_parts: removed_parts.collect(), ..plan() };
        let after = before.apply(&plan).unwrap();
        prop_assert_eq!(after.violations(), Vec::<String>::new());
        prop_assert_eq!(thinking_violations(format, &before.history.items, &after.history.items), Vec::<String>::new());
        let (old, new) = (before.items(), after.items());
        prop_assert_eq!(new.len(), stays.len());
        for (index, new) in stays.iter().zip(&new) {
            // Items of Responses lose the id that belonged to their reasoning.
            let is_rewritten = edited.contains(index) || format == HistoryFormat::OpenaiResponses && *index < to;
            prop_assert!(old[*index] == *new || is_rewritten);
        }
        let left = messages(&after);
        let thinks = |messages: &[Message]| messages.iter().filter(|message| message.parts.iter().any(is_thinking)).count();
        let kept = (0..all.len()).filter(|index| !is_old(*index) && all[*index].parts.iter().any(is_thinking));
        prop_assert_eq!(thinks(&left), kept.count());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:a-z0-9 ]{0,60}", format in prop::option::of(prop::sample::select(&HistoryFormat::ALL[..]))) {
        if let Ok(history) = Given::parse(text, format) {
            let _ = history.conversation();
            let _ = history.violations();
        }
    }

    #[test]
    fn any_json_is_read_or_refused(
        members in prop::collection::vec((
            prop::sample::select(vec!["role", "type", "content", "tool_calls", "call_id", "output", "tool_call_id", "parts", "function_call"]),
            prop::sample::select(vec!["\"user\"", "\"tool\"", "\"assistant\"", "\"function_call_output\"", "\"tool_result\"", "[]", "{}", "null", "3", "[{}]", "[{\"type\":\"tool_result\",\"tool_use_id\":\"c\"}]", "[{\"type\":\"tool-result\",\"toolCallId\":\"c\"}]"]),
        ), 0..5),
        format in prop::sample::select(&HistoryFormat::ALL[..]),
    ) {
        let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        let text = format!("[{{{}}}]", members.join(","));
        let history = Given::parse(text, Some(format)).unwrap();
        let _ = history.violations();
        if let Ok(conversation) = history.conversation() {
            prop_assert_eq!(conversation.messages.len(), 1);
            for part in 0..2 {
                let edits = vec![replacement(0, part)];
                let _ = history.apply(&Plan { history: vec![keep(0, 1)], replacements: edits, ..plan() });
            }
        }
    }
}
