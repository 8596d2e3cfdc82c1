//! Any plan that an engine may make, for any history: providers accept the result, and everything
//! that stays is preserved byte for byte.

use proptest::prelude::*;
use tuckaway_conversation::{Entry, Plan};
use tuckaway_histories::{Format, History, rules};

use crate::common::{insert, keep, messages, plan, replacement, results};
use crate::generated::{history, turns};

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
