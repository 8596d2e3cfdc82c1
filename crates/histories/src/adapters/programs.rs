//! Programs that run at the provider and call tools of the host: everything from the program to its
//! output is one unit.

use std::collections::HashMap;

use tuckaway_contract::Message;

/// A mention of a program in an item.
pub(super) enum Mention<'a> {
    /// The item starts the program with this id.
    Start(&'a str),
    /// The item has a call by the program.
    Call(&'a str),
    /// The item has the program's output.
    Output(&'a str),
}

/// Joins the messages from each program to its output, or to its last call if there is no output
/// yet. The mentions are in the order of their messages.
pub(super) fn join<'a>(mentions: impl Iterator<Item = (usize, Mention<'a>)>, messages: &mut [Message]) {
    let mut started: HashMap<&str, usize> = HashMap::new();
    for (index, mention) in mentions {
        let from = match mention {
            Mention::Start(id) => {
                started.insert(id, index);
                continue;
            }
            // The result of the call is in the next message.
            Mention::Call(id) => started.get(id).copied().map(|from| (from, index + 1)),
            Mention::Output(id) => started.remove(id).map(|from| (from, index)),
        };
        if let Some((from, until)) = from {
            let until = until.min(messages.len().saturating_sub(1));
            messages[from..until.max(from)].iter_mut().for_each(|message| message.joined = true);
        }
    }
}
