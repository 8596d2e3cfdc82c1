//! The tokens of each part of a conversation.

use tuckaway_contract::{Account, Alarm, AlarmKind, Bucket, Conversation, Error, Message, Part, Role, Usage};
use tuckaway_text::tokens::estimate;

use crate::host::Host;

/// Tokens that providers add to each message for its role and its delimiters.
pub const MESSAGE_TOKENS: u64 = 4;
/// Tokens that providers add to a call or a result for its id.
pub const CALL_TOKENS: u64 = 8;
/// Bytes of a token in opaque content.
const OPAQUE_BYTES: u64 = 4;
/// Maximum tokens of a part, a message or a definition, so that sums do not overflow.
const MAX_TOKENS: u64 = 1 << 36;
/// The maximum factor between a usage and its estimate, in either direction.
const MAX_DEVIATION: u64 = 8;

/// The tokens of a message.
pub struct MessageTokens {
    /// Tokens of the message itself.
    pub own: u64,
    /// Tokens of its parts.
    pub parts: Vec<u64>,
}

impl MessageTokens {
    /// Returns the sum.
    pub fn total(&self) -> u64 {
        self.parts.iter().fold(self.own, |sum, part| sum.saturating_add(*part))
    }

    /// Returns all of them.
    fn all(&mut self) -> impl Iterator<Item = &mut u64> {
        std::iter::once(&mut self.own).chain(&mut self.parts)
    }
}

/// The tokens of a conversation.
pub struct Measured {
    /// Tokens of each message.
    pub messages: Vec<MessageTokens>,
    /// Tokens of each tool definition.
    pub tools: Vec<u64>,
    /// Alarms about the count.
    pub alarms: Vec<Alarm>,
    /// The usage, if it was used.
    pub anchor: Option<Anchor>,
}

/// A usage to which tokens are scaled.
pub struct Anchor {
    /// The number of messages that it covers.
    pub messages: usize,
    total: u64,
    estimated: u64,
}

impl Anchor {
    /// Returns the tokens that the provider would count for this estimate.
    pub fn scaled(&self, estimated: u64) -> u64 {
        scaled(estimated, self.total, self.estimated)
    }
}

/// Counts texts with the host, and estimates those that it cannot count.
struct Counter<'h> {
    host: &'h dyn Host,
    has_failed: bool,
}

impl Counter<'_> {
    fn count(&mut self, text: &str) -> u64 {
        if text.is_empty() || self.has_failed {
            return estimate(text);
        }
        // A token is at least one byte.
        match self.host.count(text).filter(|count| *count <= text.len() as u64) {
            Some(count) => count,
            None => {
                self.has_failed = true;
                estimate(text)
            }
        }
    }
}

impl Measured {
    /// Measures a conversation. The messages that a usage covers are estimated, and scaled to the
    /// usage; the host counts the rest.
    ///
    /// Errors: a usage that covers more messages than there are.
    pub fn of(
        conversation: &Conversation,
        usage: Option<&Usage>,
        host: &dyn Host,
    ) -> Result<Measured, Error> {
        let covered = usage.map_or(0, |usage| usage.messages as usize);
        if covered > conversation.messages.len() {
            return Err(Error::invalid(format!(
                "The usage counts {covered} messages, but the conversation has {}; count the messages up to and including the answer that the usage was reported with.",
                conversation.messages.len()
            ))
            .about(&["usage"]));
        }
        let mut counter = Counter { host, has_failed: false };
        let tools = |count: &mut dyn FnMut(&str) -> u64| -> Vec<u64> {
            let tools = conversation.tools.iter();
            tools.map(|tool| tool.tokens.unwrap_or_else(|| count(&tool.definition)).min(MAX_TOKENS)).collect()
        };
        let mut measured =
            Measured { messages: Vec::new(), tools: Vec::new(), alarms: Vec::new(), anchor: None };
        measured.tools = match covered {
            1.. => tools(&mut estimate),
            0 => tools(&mut |text| counter.count(text)),
        };
        for (index, message) in conversation.messages.iter().enumerate() {
            measured.messages.push(match index < covered {
                true => tokens_of(message, &mut estimate),
                false => tokens_of(message, &mut |text| counter.count(text)),
            });
        }
        if counter.has_failed {
            let why = "The host's tokenizer failed; tokens are estimated.";
            measured.alarms.push(Alarm {
                kind: AlarmKind::TokensEstimated,
                bucket: None,
                message: why.to_owned(),
            });
        }
        // A usage of zero tokens says nothing about the rest.
        if let Some(usage) = usage.filter(|usage| usage.messages > 0) {
            measured.anchor(usage.tokens.total_tokens(), usage.messages);
        }
        Ok(measured)
    }

    /// Scales the messages that a usage covers to its total.
    fn anchor(&mut self, total: u64, covered: u32) {
        let messages = &mut self.messages[..covered as usize];
        let of_messages: u64 = messages.iter().map(MessageTokens::total).fold(0, u64::saturating_add);
        let estimated = self.tools.iter().fold(of_messages, |sum, tool| sum.saturating_add(*tool));
        if total == 0
            || total.saturating_mul(MAX_DEVIATION) < estimated
            || estimated.saturating_mul(MAX_DEVIATION) < total
        {
            self.alarms.push(Alarm {
                kind: AlarmKind::UsageIgnored,
                bucket: None,
                message: format!(
                    "The usage reports {total} tokens, but its messages are estimated at {estimated}, so it was ignored. Report the usage of the last answer, with the number of messages that it covers."
                ),
            });
            return;
        }
        let of_messages = messages.iter_mut().flat_map(MessageTokens::all);
        distribute(self.tools.iter_mut().chain(of_messages), total, estimated);
        self.anchor = Some(Anchor { messages: covered as usize, total, estimated });
    }

    /// Returns the account of a whole conversation.
    pub fn account(&self, conversation: &Conversation, breakpoint: usize) -> Account {
        let mut account = Account { cache_breakpoint: breakpoint as u32, ..Account::default() };
        for (message, tokens) in conversation.messages.iter().zip(&self.messages) {
            account.add(message_bucket(message), tokens.own);
            for (part, tokens) in message.parts.iter().zip(&tokens.parts) {
                account.add(part_bucket(message, part), *tokens);
            }
        }
        for tool in &self.tools {
            account.add(Bucket::Tools, *tool);
        }
        account
    }
}

/// Returns the bucket of a message without its parts.
pub fn message_bucket(message: &Message) -> Bucket {
    match message.role {
        Role::System => Bucket::System,
        _ => Bucket::History,
    }
}

/// Returns the bucket of a part of a message.
pub fn part_bucket(message: &Message, part: &Part) -> Bucket {
    match part {
        Part::ToolResult(_) => Bucket::ToolOutputs,
        _ => message_bucket(message),
    }
}

/// Returns the tokens of a message; a known count is distributed over its parts.
pub fn tokens_of(message: &Message, count: &mut dyn FnMut(&str) -> u64) -> MessageTokens {
    let count: &mut dyn FnMut(&str) -> u64 = match message.tokens {
        Some(_) => &mut estimate,
        None => count,
    };
    let parts = message.parts.iter().map(|part| match part {
        Part::Text(text) => count(text),
        Part::ToolCall(call) => count(&call.name) + count(&call.arguments) + CALL_TOKENS,
        Part::ToolResult(result) => count(&result.text) + CALL_TOKENS,
        Part::Media(medium) => medium.tokens.min(MAX_TOKENS),
        Part::Opaque(bytes) | Part::Thinking(bytes) => bytes.div_ceil(OPAQUE_BYTES).min(MAX_TOKENS),
    });
    let mut tokens = MessageTokens { own: MESSAGE_TOKENS, parts: parts.collect() };
    if let Some(known) = message.tokens {
        let estimated = tokens.total();
        distribute(tokens.all(), known.min(MAX_TOKENS), estimated);
    }
    tokens
}

/// Scales tokens that add up to `of` so that they add up to `by`; rounding errors carry over to the
/// next.
fn distribute<'t>(tokens: impl Iterator<Item = &'t mut u64>, by: u64, of: u64) {
    let (mut sum, mut distributed) = (0u64, 0);
    for tokens in tokens {
        sum = sum.saturating_add(*tokens);
        let until = scaled(sum, by, of);
        *tokens = until - distributed;
        distributed = until;
    }
}

fn scaled(tokens: u64, by: u64, of: u64) -> u64 {
    let scaled = u128::from(tokens) * u128::from(by) / u128::from(of.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}
