//! The ways to keep a session within its window.

use anyhow::Result;
use async_trait::async_trait;
use tuckaway_host::{
    CacheConfig, CompactionConfig, Conversation, ManageTask, Medium, Message, PairConfig, PairSummary, Part,
    PlanState, Preset, PromptCache, Role, SummaryRequest, Task, TokenUsage, Tuckaway, Usage,
};

use super::meter::{Meter, Tokens, media, texts};
use super::model::summary;
use super::script::Fact;

/// The context window in tokens.
pub const WINDOW: u64 = 200_000;
/// The tokens reserved for the answer.
const RESERVE: u64 = 8_000;
/// The fill at which summaries and sliding windows act.
const THRESHOLD: u64 = WINDOW * 8 / 10;
/// The tokens at which results are cleared, and how many of them stay.
const CLEAR_AT: u64 = 100_000;
const KEEP_LAST: usize = 3;
/// How many results stay if they are masked in each request.
const UNMASKED: usize = 10;
/// The fill at which a strategy that clears or masks results first has a summary written.
pub const HIGH_MARK: f64 = 0.4;
/// A provider's limits on a request besides tokens: the ones of Anthropic.
const MAX_MEDIA: u32 = 100;
const MAX_BYTES: u64 = 32 << 20;

/// The state that a strategy works on.
pub struct Session<'a> {
    pub conversation: Conversation,
    pub tokens: &'a mut Tokens,
    pub meter: Meter,
    pub facts: &'a [Fact],
    /// The usage in the last answer.
    pub usage: Option<TokenUsage>,
}

impl Session<'_> {
    async fn size(&mut self) -> Result<u64> {
        self.tokens.of(&self.conversation).await
    }

    /// Returns whether the provider accepts the next request.
    async fn fits(&mut self) -> Result<bool> {
        let messages = &self.conversation.messages;
        let images: Vec<&Medium> = messages.iter().flat_map(media).collect();
        let texts: u64 = messages.iter().flat_map(texts).map(|text| text.len() as u64).sum();
        let bytes = texts + images.iter().map(|medium| medium.bytes).sum::<u64>();
        let is_accepted = images.len() <= MAX_MEDIA as usize && bytes <= MAX_BYTES;
        Ok(is_accepted && self.size().await? <= WINDOW - RESERVE)
    }

    /// Clears all results but the newest, with their images.
    fn clear(&mut self, keep: usize) {
        let messages = self.conversation.messages.iter_mut().rev();
        for message in messages.filter(|message| message.role == Role::Tool).skip(keep) {
            message.parts.retain(|part| !matches!(part, Part::Media(_)));
            for part in &mut message.parts {
                if let Part::ToolResult(result) = part {
                    "[cleared]".clone_into(&mut result.text);
                }
            }
        }
    }

    /// Replaces everything but the last turn by a summary.
    async fn summarize(&mut self) -> Result<()> {
        let (first, last) = (1, self.turns().last().copied().unwrap_or(1));
        let past: Vec<Message> = self.conversation.messages.drain(first..last).collect();
        let asked: Vec<&str> = past.iter().flat_map(texts).collect();
        let mut message = said(Role::User, self.ask(&asked, 1.0).await?);
        message.inserted = true;
        self.conversation.messages.insert(first, message);
        Ok(())
    }

    /// Asks the simulated model, at a price relative to the agent's.
    async fn ask(&mut self, texts: &[&str], price: f64) -> Result<String> {
        let answer = summary(texts, self.facts, self.meter.asked);
        self.meter.summary(texts, &answer, price, self.tokens).await?;
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

    /// Changes the conversation before a request. Returns false if it cannot continue.
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
        session.fits().await
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
            session.clear(KEEP_LAST);
        }
        session.fits().await
    }
}

/// All results but the newest are masked in each request.
pub struct Masking;

#[async_trait]
impl Strategy for Masking {
    fn name(&self) -> &'static str {
        "masking, the last 10 stay"
    }

    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool> {
        session.clear(UNMASKED);
        session.fits().await
    }
}

/// Results are masked in each request; at the high mark, everything but the last turn is summarized.
pub struct MaskingHybrid;

#[async_trait]
impl Strategy for MaskingHybrid {
    fn name(&self) -> &'static str {
        "hybrid: masking, summary at 0.4"
    }

    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool> {
        session.clear(UNMASKED);
        if session.size().await? as f64 > WINDOW as f64 * HIGH_MARK {
            session.summarize().await?;
        }
        session.fits().await
    }
}

/// Results are cleared from a size on; if the rest is above the high mark then, everything but the
/// last turn is summarized.
pub struct ClearingHybrid;

#[async_trait]
impl Strategy for ClearingHybrid {
    fn name(&self) -> &'static str {
        "hybrid: clearing at 100k, summary at 0.4"
    }

    async fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool> {
        if session.size().await? > CLEAR_AT {
            session.clear(KEEP_LAST);
            if session.size().await? as f64 > WINDOW as f64 * HIGH_MARK {
                session.summarize().await?;
            }
        }
        session.fits().await
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
        session.fits().await
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
        if session.size().await? > THRESHOLD {
            session.summarize().await?;
        }
        session.fits().await
    }
}

/// tuckaway, with a prompt cache that is warm.
pub struct Managed {
    name: &'static str,
    tuckaway: Tuckaway,
    task: ManageTask,
    state: PlanState,
    /// The price of a model that summarizes single calls in the background, relative to the agent's.
    pair_price: f64,
}

impl Managed {
    /// Everything else is as by default.
    pub async fn new(
        name: &'static str,
        tuckaway: &Tuckaway,
        cache: CacheConfig,
        compaction: CompactionConfig,
    ) -> Result<Self> {
        let cache = CacheConfig {
            prompt_cache: Some(PromptCache::default()),
            max_media: Some(MAX_MEDIA),
            max_request_bytes: Some(MAX_BYTES),
            ..cache
        };
        let budget = tuckaway.budget_preset(Preset::General, Some(WINDOW)).await?;
        let task = ManageTask {
            context_window: WINDOW,
            cache,
            budget: Some(budget),
            compaction,
            refusal: None,
            pairs: None,
        };
        let state = PlanState::default();
        Ok(Managed { name, tuckaway: tuckaway.clone(), task, state, pair_price: 1.0 })
    }

    /// Has a model of this price summarize single calls. Its answers arrive before the next request.
    pub fn with_pairs(mut self, price: f64) -> Self {
        self.task.pairs = Some(PairConfig::default());
        self.pair_price = price;
        self
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
        let task = Task::Manage(self.task.clone());
        loop {
            let step = self.tuckaway.plan(&session.conversation, &task, &answers, &self.state).await?;
            if !step.plan.is_empty {
                session.conversation = step.plan.apply(&session.conversation);
            }
            self.state = step.plan.state;
            if let Some(pairs) = &mut self.task.pairs {
                for request in &step.background {
                    let text = session.ask(&texts_of(request), self.pair_price).await?;
                    let pair = request.pair.unwrap_or_default();
                    pairs.answers.push(PairSummary { pair, text });
                }
            }
            let Some(request) = step.request else { break };
            answers.push(session.ask(&texts_of(&request), 1.0).await?);
        }
        session.fits().await
    }
}

/// Returns the texts of a request for a summary.
fn texts_of(request: &SummaryRequest) -> Vec<&str> {
    let messages = request.messages.iter().map(|message| message.text.as_str());
    messages.chain([request.prompt.as_str()]).collect()
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
        kept: false,
    }
}
