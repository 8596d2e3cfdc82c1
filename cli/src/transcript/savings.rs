//! The tokens that would have been saved if large results had been stored when they arrived.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use tuckaway_host::{Action, CountTokens, MemoryStore, Mode, Policy, Store, ToolOutput, Tuckaway, Turn};

use super::{Arrived, content};
use crate::args::Cli;
use crate::choice::Counter;
use crate::exit::Failure;
use crate::setup;

/// The results of a session, and the tokens that storing the large ones would have saved.
///
/// A result saves its tokens minus the tokens of the view that takes its place. Queries, which the
/// model would have made instead, are not subtracted.
#[derive(Debug, Serialize)]
pub struct Savings {
    /// Results with more tokens count as stored.
    pub cap_tokens: u64,
    #[serde(flatten)]
    pub all: Sum,
    /// By tool, in descending order of tokens.
    pub by_tool: Vec<OfTool>,
}

#[derive(Debug, Serialize)]
pub struct OfTool {
    pub tool: String,
    #[serde(flatten)]
    pub sum: Sum,
}

/// Sums over results.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Sum {
    pub results: u64,
    /// The tokens of all results.
    pub tokens: u64,
    /// The tokens of the largest result.
    pub largest_tokens: u64,
    /// The number of results that would have been stored.
    pub stored: u64,
    /// The tokens that these would have saved in one request.
    pub saved_once: u64,
    /// The tokens that these would have saved in all later requests; each sends the whole history
    /// again.
    pub saved_in_all: u64,
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        self.results += other.results;
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.largest_tokens = self.largest_tokens.max(other.largest_tokens);
        self.stored += other.stored;
        self.saved_once = self.saved_once.saturating_add(other.saved_once);
        self.saved_in_all = self.saved_in_all.saturating_add(other.saved_in_all);
    }
}

impl Savings {
    /// Counts the tokens of all results, and makes the views of results with more tokens than the cap.
    /// Nothing is stored outside of this process.
    pub async fn new(
        cli: &Cli,
        results: &[Arrived<'_>],
        cap_tokens: u64,
        counter: Counter,
        window: u64,
    ) -> Result<Savings, Failure> {
        let store = Arc::new(MemoryStore::new());
        let views = Views {
            engine: setup::engine(cli, Arc::clone(&store) as Arc<dyn Store>, Some(counter))?,
            store,
            counter,
            policy: Policy {
                mode: Mode::Artifact,
                max_output_tokens: Some(cap_tokens),
                context_percentage: 1.0,
                headroom_percentage: 1.0,
                ..Policy::default()
            },
            turn: Turn::new(window),
        };
        let (mut all, mut by_tool) = (Sum::default(), BTreeMap::<&str, Sum>::new());
        for result in results {
            let sum = views.sum(result).await?;
            all.add(&sum);
            by_tool.entry(&result.tool).or_default().add(&sum);
        }
        let by_tool = by_tool.into_iter().map(|(tool, sum)| OfTool { tool: tool.to_owned(), sum });
        let mut by_tool: Vec<OfTool> = by_tool.collect();
        tuckaway_text::order::sort_by_key(&mut by_tool, |row| std::cmp::Reverse(row.sum.tokens));
        Ok(Savings { cap_tokens, all, by_tool })
    }
}

/// Makes views as an agent with all artifact tools gets them.
struct Views {
    engine: Tuckaway,
    store: Arc<MemoryStore>,
    counter: Counter,
    policy: Policy,
    turn: Turn,
}

impl Views {
    async fn sum(&self, result: &Arrived<'_>) -> Result<Sum, Failure> {
        let text = content::text(result.content);
        let tokens = self.count(&text).await?;
        let mut sum = Sum { results: 1, tokens, largest_tokens: tokens, ..Sum::default() };
        if tokens <= self.policy.max_output_tokens.unwrap_or(u64::MAX) {
            return Ok(sum);
        }
        let output = ToolOutput { is_error: result.is_error, ..ToolOutput::text(result.tool.as_str(), text) };
        let view = self.engine.process(&output, &self.turn, &self.policy).await?;
        for artifact in &view.artifacts {
            let deleted = self.store.delete(&artifact.id).await;
            deleted.map_err(|error| error.into_error("removing an artifact", &artifact.id))?;
        }
        if view.decision.action == Action::Artifact {
            sum.stored = 1;
            sum.saved_once = tokens.saturating_sub(self.count(&view.text).await?);
            sum.saved_in_all = sum.saved_once.saturating_mul(result.requests);
        }
        Ok(sum)
    }

    async fn count(&self, text: &str) -> Result<u64, Failure> {
        self.counter.count(text).await.map_err(|error| Failure::new(format!("cannot count tokens: {error}")))
    }
}
