//! Old thinking, which a plan removes without a replacement.

use tuckaway_contract::{Bucket, Message, Part, Receipt, Removal, Role};

use super::{Candidate, Draft, Rank, Replaced, span};

impl Draft<'_> {
    /// Returns the thinking of messages before the newest `keep` turns, in order, one candidate for each
    /// message; none if all turns keep theirs. Providers accept that the oldest thinking is missing, but
    /// not that some between others is: where thinking has to stay, all later thinking stays too.
    pub fn old_thinking(&self, keep: Option<u32>) -> Vec<Candidate> {
        let mut old = Vec::new();
        let Some(keep) = keep else { return old };
        let messages = &self.conversation.messages;
        for index in 0..self.shape.newest_answered(keep) {
            let message = &messages[index];
            let tokens = self.thinking_tokens(index);
            if tokens == 0 || message.role != Role::Assistant || !self.stays(index) {
                continue;
            }
            let is_needed = || message.kept || messages.get(index + 1).is_some_and(|next| next.pinned);
            if message.pinned || is_only_thinking(message) && is_needed() {
                break;
            }
            let first = message.parts.iter().position(is_thinking).unwrap_or(0);
            old.push(Candidate {
                place: (index, first),
                tokens,
                saved: tokens,
                bytes: 0,
                rank: Rank::Usual,
                limit: 0,
            });
        }
        old
    }

    /// Removes the thinking of a message; the whole message if it has nothing else. Returns the saved
    /// tokens.
    pub(super) fn clear(&mut self, index: usize) -> u64 {
        let message = &self.conversation.messages[index];
        let mut tokens = self.thinking_tokens(index);
        if is_only_thinking(message) {
            tokens = self.message_tokens(index);
            self.is_removed[index] = true;
        } else {
            for (part, _) in message.parts.iter().enumerate().filter(|(_, part)| is_thinking(part)) {
                self.set((index, part), Replaced::default());
            }
        }
        self.after.subtract(Bucket::History, tokens);
        self.receipts.push(Receipt {
            removal: Removal::Cleared,
            messages: span(&(index..index + 1)),
            tool: None,
            tokens_before: tokens,
            tokens_after: 0,
            artifact: None,
        });
        tokens
    }

    fn thinking_tokens(&self, index: usize) -> u64 {
        let mut tokens = 0u64;
        for (part, of) in self.conversation.messages[index].parts.iter().enumerate() {
            if is_thinking(of) {
                tokens = tokens.saturating_add(self.tokens_at((index, part)));
            }
        }
        tokens
    }
}

fn is_thinking(part: &Part) -> bool {
    matches!(part, Part::Thinking(_))
}

pub(super) fn is_only_thinking(message: &Message) -> bool {
    message.parts.iter().all(is_thinking)
}
