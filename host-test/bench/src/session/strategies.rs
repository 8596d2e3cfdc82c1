//! The ways to keep a session within its window.

use anyhow::Result;
use async_trait::async_trait;
use tuckaway_host::{
    CacheConfig, CompactionConfig, Conversation, ManageTask, Message, Part, PlanState, Preset, PromptCache,
    Role, Task, TokenUsage, Tuckaway, Usage,
};

use super::meter::{Meter, Tokens, texts};
use super::model::summary;
use super::script::Fact;

/// The context window in tokens.
pub const WINDOW: u64 = 200_000;
/// What is left for the answer.
const RESERVE: u64 = 8_000;
/// The fill at which summaries and sliding windows act.
const THRESHOLD: u64 = WINDOW * 8 / 10;
/// The tokens at which results are cleared, and how many of them stay.
const CLEAR_AT: u64 = 100_000;
const KEEP_LAST: usize = 3;

/// What a strategy works with.
pub struct Session<'a> {
    pub conversation: Conversation,
    pub tokens: &'a mut Tokens,
    pub meter: Meter,
    pub facts: &'a [Fact],
    /// What the last answer came with.
    pub usage: Option<TokenUsage>,
}

impl Session<'_> {
    async fn size(&mut self) -> Result<u64> {
        self.tokens.of(&self.conversation).await
    }

    /// Asks the simulated model.
    async fn ask(&mut self, texts: &[&str]) -> Result<String> {
        let answer = summary(texts, self.facts, self.meter.asked);
        self.meter.summary(texts, &answer, self.tokens).await?;
        Ok(answer)
    }

    /// Returns the messages with which the user's turns begin.
    fn turns(&self) -> Vec<usize> {
        let messages = self.conversation.messages.iter().enumerate();
        let begins = |message: &Message| message.role == Role::User && !message.inserted;
        messages.filter(|(_, message)| begins(message)).map(|(index, _)| index).collect()
    }
}

/// A way to keep a session within its window.
#[async_trait]
pub trait Strategy {
    fn name(&self) -> &'static str;

    /// Changes the conversation before a request. Returns false if it cannot go on.
    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool>;
}

/// Nothing, until the window is full.
pub struct Nothing;

#[async_trait]
impl Strategy for Nothing {
    fn name(&self) -> &'static str {
        "nothing, until the window is full"
    }

    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool> {
        Ok(session.size().await? <= WINDOW - RESERVE)
    }
}

/// All results but the newest are cleared from a size on.
pub struct KeepLast;

#[async_trait]
impl Strategy for KeepLast {
    fn name(&self) -> &'static str {
        "clearing at 100k, the last 3 stay"
    }

    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool> {
        if session.size().await? > CLEAR_AT {
            let parts = session.conversation.messages.iter_mut().rev().flat_map(|message| &mut message.parts);
            let results = parts.filter_map(|part| match part {
                Part::ToolResult(result) => Some(result),
                _ => None,
            });
            for result in results.skip(KEEP_LAST) {
                "[cleared]".clone_into(&mut result.text);
            }
        }
        Ok(session.size().await? <= WINDOW - RESERVE)
    }
}

/// The oldest turns are removed at 0.8.
pub struct SlidingWindow;

#[async_trait]
impl Strategy for SlidingWindow {
    fn name(&self) -> &'static str {
        "sliding window at 0.8"
    }

    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool> {
        while session.size().await? > THRESHOLD {
            let turns = session.turns();
            let [first, second, ..] = turns[..] else { return Ok(false) };
            session.conversation.messages.drain(first..second);
        }
        Ok(true)
    }
}

/// Everything but the last turn is summarized at 0.8.
pub struct Summary;

#[async_trait]
impl Strategy for Summary {
    fn name(&self) -> &'static str {
        "summary at 0.8"
    }

    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool> {
        if session.size().await? <= THRESHOLD {
            return Ok(true);
        }
        let turns = session.turns();
        let (first, last) = (1, turns.last().copied().unwrap_or(1));
        let past: Vec<Message> = session.conversation.messages.drain(first..last).collect();
        let asked: Vec<&str> = past.iter().flat_map(texts).collect();
        let text = session.ask(&asked).await?;
        let mut message = said(Role::User, text);
        message.inserted = true;
        session.conversation.messages.insert(first, message);
        Ok(session.size().await? <= WINDOW - RESERVE)
    }
}

/// tuckaway, with a prompt cache that is warm.
pub struct Managed {
    name: &'static str,
    tuckaway: Tuckaway,
    task: Task,
    state: PlanState,
}

impl Managed {
    /// Everything else is as by default.
    pub async fn new(name: &'static str, tuckaway: &Tuckaway, cache: CacheConfig) -> Result<Self> {
        let cache = CacheConfig { prompt_cache: Some(PromptCache::default()), ..cache };
        let budget = tuckaway.budget_preset(Preset::General, Some(WINDOW)).await?;
        let compaction = CompactionConfig::default();
        let task = Task::Manage(ManageTask {
            context_window: WINDOW,
            cache,
            budget: Some(budget),
            compaction,
            refusal: None,
        });
        Ok(Managed { name, tuckaway: tuckaway.clone(), task, state: PlanState::default() })
    }
}

#[async_trait]
impl Strategy for Managed {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool> {
        if let Some(tokens) = session.usage.take() {
            let answered =
                session.conversation.messages.iter().rposition(|message| message.role == Role::Assistant);
            session.conversation.usage = answered.map(|last| Usage { tokens, messages: last as u32 + 1 });
        }
        let mut answers = Vec::new();
        loop {
            let step = self.tuckaway.plan(&session.conversation, &self.task, &answers, &self.state).await?;
            if !step.plan.is_empty {
                session.conversation = step.plan.apply(&session.conversation);
            }
            self.state = step.plan.state;
            let Some(request) = step.request else { break };
            let mut asked: Vec<&str> = request.messages.iter().map(|message| message.text.as_str()).collect();
            asked.push(&request.prompt);
            answers.push(session.ask(&asked).await?);
        }
        Ok(session.size().await? <= WINDOW - RESERVE)
    }
}

/// Creates a message of one text.
pub fn said(role: Role, text: String) -> Message {
    Message {
        role,
        parts: vec![Part::Text(text)],
        tokens: None,
        pinned: false,
        inserted: false,
        joined: false,
    }
}
