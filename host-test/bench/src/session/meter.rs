//! The cost of the requests of a session: tokens by o200k_base, and the provider's prompt
//! cache, which holds the messages at the start of the last request.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use anyhow::{Result, anyhow};
use tuckaway_host::{Conversation, CountTokens, Medium, Message, Part, Tiktoken, TokenUsage};

/// The price of a token that is read from the cache, relative to an uncached token.
pub const READ: f64 = 0.1;
/// The price of a token that is written to the cache.
pub const WRITE: f64 = 1.25;
/// The price of a token that is neither.
pub const MISS: f64 = 1.0;
/// The price of a token of a summary.
pub const OUTPUT: f64 = 5.0;
/// The tokens that a provider adds to each message.
const MESSAGE_TOKENS: u64 = 4;

/// Counts the tokens of texts, each once.
#[derive(Default)]
pub struct Tokens {
    counter: Tiktoken,
    known: HashMap<u64, u64>,
}

impl Tokens {
    pub async fn of_text(&mut self, text: &str) -> Result<u64> {
        let key = hash(&text);
        if let Some(tokens) = self.known.get(&key) {
            return Ok(*tokens);
        }
        let tokens = self.counter.count(text).await.map_err(|why| anyhow!(why))?;
        self.known.insert(key, tokens);
        Ok(tokens)
    }

    pub async fn of_message(&mut self, message: &Message) -> Result<u64> {
        let mut tokens = MESSAGE_TOKENS + media(message).map(|medium| medium.tokens).sum::<u64>();
        for text in texts(message) {
            tokens += self.of_text(text).await?;
        }
        Ok(tokens)
    }

    pub async fn of(&mut self, conversation: &Conversation) -> Result<u64> {
        let mut tokens = 0;
        for tool in &conversation.tools {
            tokens += self.of_text(&tool.definition).await?;
        }
        for message in &conversation.messages {
            tokens += self.of_message(message).await?;
        }
        Ok(tokens)
    }
}

/// Returns the texts of a message that a model reads.
pub fn texts(message: &Message) -> impl Iterator<Item = &str> {
    message.parts.iter().flat_map(|part| match part {
        Part::Text(text) => vec![text.as_str()],
        Part::ToolCall(call) => vec![call.name.as_str(), call.arguments.as_str()],
        Part::ToolResult(result) => vec![result.text.as_str()],
        Part::Media(_) | Part::Opaque(_) | Part::Thinking(_) => Vec::new(),
    })
}

/// Returns the media of a message.
pub fn media(message: &Message) -> impl Iterator<Item = &Medium> {
    message.parts.iter().filter_map(|part| match part {
        Part::Media(medium) => Some(medium),
        _ => None,
    })
}

/// The tokens of a session.
#[derive(Default)]
pub struct Meter {
    /// Tokens of all requests, including requests for summaries.
    pub sent: u64,
    pub read: u64,
    pub written: u64,
    /// Tokens of the summaries that a model wrote.
    pub summaries: u64,
    /// How many summaries were asked for.
    pub asked: u64,
    /// The cost of all summaries.
    summing: f64,
    /// The tools, and then the messages of the last request.
    cached: Vec<u64>,
}

impl Meter {
    /// Adds a request of the agent. Returns the usage that a provider would report for it
    /// and an answer.
    pub async fn request(
        &mut self,
        conversation: &Conversation,
        answer: &Message,
        tokens: &mut Tokens,
    ) -> Result<TokenUsage> {
        let tools: Vec<&str> = conversation.tools.iter().map(|tool| tool.definition.as_str()).collect();
        let mut keys = vec![hash(&tools)];
        let key = |message| hash(&(texts(message).collect::<Vec<_>>(), media(message).count()));
        keys.extend(conversation.messages.iter().map(key));
        let shared = keys.iter().zip(&self.cached).take_while(|(new, old)| new == old).count();
        let (mut read, mut written) = (0, 0);
        let mut add = |index: usize, count: u64| match index < shared {
            true => read += count,
            false => written += count,
        };
        for tool in tools {
            add(0, tokens.of_text(tool).await?);
        }
        for (index, message) in conversation.messages.iter().enumerate() {
            add(index + 1, tokens.of_message(message).await?);
        }
        self.cached = keys;
        self.sent += read + written;
        self.read += read;
        self.written += written;
        Ok(TokenUsage {
            input_tokens: 0,
            output_tokens: tokens.of_message(answer).await?,
            cache_creation_tokens: written,
            cache_read_tokens: read,
        })
    }

    /// Adds a request for a summary, which no cache has, at a price relative to the agent's model.
    pub async fn summary(
        &mut self,
        asked: &[&str],
        answer: &str,
        price: f64,
        tokens: &mut Tokens,
    ) -> Result<()> {
        let mut missed = 0;
        for text in asked {
            missed += tokens.of_text(text).await? + MESSAGE_TOKENS;
        }
        let written = tokens.of_text(answer).await?;
        self.sent += missed;
        self.summaries += written;
        self.asked += 1;
        self.summing += (missed as f64 * MISS + written as f64 * OUTPUT) * price;
        Ok(())
    }

    /// Returns the cost in tokens that no cache has.
    pub fn cost(&self) -> f64 {
        self.read as f64 * READ + self.written as f64 * WRITE + self.summing
    }
}

/// Hashes a value, the same in each run.
pub fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
