//! The provider's own compaction as the answer to a request for a summary.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;
use tuckaway_contract::{Conversation, Error, HistoryInput, Message, Part, Role, SummaryRequest};
use tuckaway_conversation::ProviderCompaction;

use crate::history::{History, Working};
use crate::memory::Memory;

/// The items that a provider returned in place of others.
pub(crate) struct Compacted {
    /// The items.
    pub(crate) items: Vec<Working>,
    /// The last compaction among them.
    pub(crate) last: Value,
    /// The same compaction, in the form for a plan.
    pub(crate) plan: ProviderCompaction,
}

/// Returns the items that the provider may compact in place of a request: all that the request covers,
/// from the last compaction whose earlier items do not count.
pub(crate) fn compactable(
    history: &History,
    items: &[Working],
    conversation: &Conversation,
    request: &SummaryRequest,
) -> Vec<Working> {
    if !history.adapter().can_compact() || request.remaining > 0 {
        return Vec::new();
    }
    let messages = &conversation.messages;
    let covered = messages.iter().take(request.through as usize);
    let ignored = covered.clone().rposition(|message| message.tokens == Some(0)).map_or(0, |last| last + 1);
    let offset = history.offset();
    let indexes = covered.enumerate().skip(ignored.max(offset));
    // The developer's messages stay, wherever they are.
    let of_others = indexes.filter(|(_, message)| message.role != Role::System);
    of_others.filter_map(|(index, _)| items.get(index - offset).cloned()).collect()
}

impl Compacted {
    /// Reads the items that replace the first `through` messages of a conversation. User messages that
    /// stay or that an earlier plan inserted are omitted: the new history has their content elsewhere.
    ///
    /// Errors: the reason why they cannot be used.
    pub(crate) fn read(
        json: &str,
        through: usize,
        history: &History,
        conversation: &Conversation,
        memory: &Memory,
    ) -> Result<Compacted, String> {
        let mut input =
            HistoryInput { json: json.to_owned(), format: Some(history.format), ..HistoryInput::default() };
        let mut read = || -> Result<_, Error> {
            let given = History::parse(&mut input)?;
            let items: Vec<Working> = (0..given.items.len()).map(|at| Working::given(at as u32)).collect();
            let values: Vec<Cow<'_, Value>> = given.items.iter().map(Cow::Borrowed).collect();
            let messages = given.messages(&items, &values)?;
            Ok((given, messages))
        };
        let (given, messages) = read().map_err(|error| error.message)?;
        let last = given.items.iter().rposition(|item| history.adapter().is_compaction(item));
        let last = Working::given(last.ok_or("no item is a compaction")? as u32);
        let last = given.whole(&last).into_owned();
        let covered = conversation.messages.iter().take(through);
        let pinned = covered.filter(|message| message.pinned).filter_map(words).map(str::to_owned);
        let pinned: HashSet<String> = pinned.collect();
        let is_elsewhere = |text: &str| pinned.contains(text) || memory.is_inserted(text);
        let (mut items, mut kept) = (Vec::new(), Vec::new());
        for (index, message) in messages.into_iter().enumerate() {
            if !words(&message).is_some_and(is_elsewhere) {
                let json = given.document.item(index).to_owned();
                items.push(Working { origin: None, json: Some(json) });
                kept.push(message);
            }
        }
        let plan =
            ProviderCompaction { through, items: Conversation { messages: kept, ..Conversation::default() } };
        Ok(Compacted { items, last, plan })
    }
}

/// Returns the text of a user's message that has nothing else.
fn words(message: &Message) -> Option<&str> {
    match (message.role, &*message.parts) {
        (Role::User, [Part::Text(text)]) => Some(text),
        _ => None,
    }
}
