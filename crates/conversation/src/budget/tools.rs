//! Definitions of tools that were not called recently.

use std::collections::HashMap;

use tuckaway_contract::Part;
use tuckaway_text::order;

use crate::draft::Draft;

/// Removes definitions until the rest has at most `max_tokens`: those of tools that were
/// not called in the newest `turns` turns and are not pinned, the longest unused first.
pub fn prune(draft: &mut Draft, max_tokens: u64, turns: u32) {
    let mut last_calls: HashMap<&str, usize> = HashMap::new();
    for (index, message) in draft.conversation.messages.iter().enumerate() {
        for part in &message.parts {
            if let Part::ToolCall(call) = part {
                last_calls.insert(&call.name, index);
            }
        }
    }
    let border = draft.shape.newest_turns(turns, draft.conversation.messages.len());
    let tools = draft.conversation.tools.iter().enumerate();
    let mut unused: Vec<(Option<usize>, usize)> = tools
        .filter(|(_, tool)| !tool.pinned)
        .map(|(index, tool)| (last_calls.get(tool.name.as_str()).copied(), index))
        .filter(|(last, _)| last.is_none_or(|last| last < border))
        .collect();
    order::sort(&mut unused);
    for (_, index) in unused {
        if draft.after.tools <= max_tokens {
            break;
        }
        draft.remove_tool(index);
    }
}
