//! The facts in an output that an extraction finds, with a model that reports every fact it
//! sees: the cost of each strategy, the guest's memory, and the facts found if the output is
//! truncated to the window.

mod made;
mod model;
mod plant;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tuckaway_host::{
    Answer, Block, Content, Estimate, ExtractOptions, ExtractionConfig, ExtractionEstimate, ExtractionMode,
    MemoryStore, Policy, Question, Store, Tiktoken, ToolOutput, Tuckaway, Turn,
};

use crate::report::{Report, Row};
use made::{Made, Source};
use model::{Scripted, Seen, question};
use plant::{Planted, facts, plant};

/// The facts in each text.
const FACTS: usize = 10;
/// The windows of the model, in tokens.
const WINDOW: u64 = 128_000;
const SMALL_WINDOW: u64 = 32_000;
/// The sizes of the text of each kind, in bytes.
const SIZES: [usize; 3] = [100_000, 1_000_000, 10_000_000];
/// The size of one more text of two kinds.
const LARGE: usize = 100_000_000;
/// The maximum memory of the guest, in MiB.
const MEMORY: usize = 64;
/// Limits under which texts with more chunks than the default allows are read in full.
const MAX_CHUNKS: u32 = 1_024;
const MAX_REQUESTS: u32 = 2_048;

/// A text is read with the default limits.
fn by_default(config: ExtractionConfig) -> ExtractionConfig {
    config
}

/// Chunks share no text: nothing is found a second time in an overlap.
fn without_overlap(config: ExtractionConfig) -> ExtractionConfig {
    ExtractionConfig { overlap_pct: 0, ..config }
}

/// All of a text is read, however many chunks that takes.
fn raised(config: ExtractionConfig) -> ExtractionConfig {
    ExtractionConfig { max_chunks: MAX_CHUNKS, max_requests: MAX_REQUESTS, ..config }
}

/// Adds a row for each real file and each that is made, more for a small window, and the sum.
pub async fn measure(report: &mut Report) -> Result<()> {
    report.name_columns([
        "output; what auto chooses",
        "full-chunked",
        "read-grep; goal of both: all facts, ≤ 64 MiB, within the window",
        "head and tail of a window",
    ]);
    let mut needles = Needles { report, tokens: Tiktoken::default(), sum: Sum::default() };
    for source in made::real()? {
        needles.add(&source, WINDOW, "", by_default).await?;
    }
    for made in Made::ALL {
        for bytes in SIZES {
            let source = made.source(bytes);
            needles.add(&source, WINDOW, "", by_default).await?;
            if bytes == SIZES[1] {
                needles.add(&source, SMALL_WINDOW, ", no overlap", without_overlap).await?;
            }
        }
    }
    needles.add(&Made::Log.source(LARGE), WINDOW, "", by_default).await?;
    needles.add(&Made::OneLine.source(LARGE), WINDOW, ", 1,024 chunks allowed", raised).await?;
    let Needles { report, sum, .. } = needles;
    report.add(Row {
        budget: sum.grep.shown(),
        ratio: sum.truncated.shown(),
        ..Row::without_budget("all of them".to_owned(), sum.full.shown())
    });
    Ok(())
}

/// Facts found of those planted.
#[derive(Clone, Copy, Default)]
struct Share {
    found: usize,
    planted: usize,
}

impl Share {
    fn add(&mut self, found: usize, planted: usize) {
        self.found += found;
        self.planted += planted;
    }

    fn shown(self) -> String {
        let percent = (self.found * 100).checked_div(self.planted).unwrap_or_default();
        format!("{} of {}, {percent} %", self.found, self.planted)
    }
}

/// The facts of all rows.
#[derive(Default)]
struct Sum {
    full: Share,
    grep: Share,
    truncated: Share,
}

/// The rows so far.
struct Needles<'a> {
    report: &'a mut Report,
    tokens: Tiktoken,
    sum: Sum,
}

impl Needles<'_> {
    /// Adds the row of a text in a window, with limits that are named.
    async fn add(
        &mut self,
        source: &Source,
        window: u64,
        named: &str,
        limits: fn(ExtractionConfig) -> ExtractionConfig,
    ) -> Result<()> {
        // The ends of the chunks must be known before facts are planted near them.
        let bare = Stored::of(source.text.clone(), self.tokens).await?;
        let config = limits(bare.engine(MEMORY)?.extraction_config(window).await?);
        let chunks = bare.estimate(ExtractionMode::FullChunked, &config).await?.chunks;
        drop(bare);
        let planted = plant(&source.text, source.kind, FACTS, chunks.max(1) as usize);
        let count = planted.facts.len();
        ensure!(count == FACTS, "{} has places for {count} facts", source.name);
        let stored = Stored::of(planted.text.clone(), self.tokens).await?;
        let auto = stored.estimate(ExtractionMode::Auto, &config).await?;
        let full = stored.run(ExtractionMode::FullChunked, &config, &planted).await?;
        let grep = stored.run(ExtractionMode::ReadGrep, &config, &planted).await?;
        let of_window = truncated(&planted, auto.tokens, window - config.max_output_tokens);
        self.sum.truncated.add(of_window, count);
        for (run, share) in [(&full, &mut self.sum.full), (&grep, &mut self.sum.grep)] {
            if let Run::Done(done) = run {
                share.add(done.found, count);
            }
        }
        let strategy = auto.strategy.name();
        self.report.add(Row {
            what: format!("{}, window {}k{named}; {strategy}", source.name, window / 1_000),
            measured: full.shown(),
            budget: grep.shown(),
            met: Some(full.meets_goal(window) && grep.meets_goal(window)),
            ratio: format!("{of_window} of {count}"),
        });
        Ok(())
    }
}

/// Returns how many facts the head and the tail of a text have that together fill a window.
fn truncated(planted: &Planted, tokens: u64, window: u64) -> usize {
    let text = &planted.text;
    let bytes = (text.len() as u64 * window / tokens.max(1)) as usize;
    if bytes >= text.len() {
        return planted.facts.len();
    }
    let head = &text[..text.floor_char_boundary(bytes / 2)];
    let tail = &text[text.ceil_char_boundary(text.len() - bytes / 2)..];
    planted.facts.iter().filter(|fact| head.contains(&**fact) || tail.contains(&**fact)).count()
}

/// A text in a store.
struct Stored {
    store: Arc<dyn Store>,
    tokens: Tiktoken,
    id: String,
}

/// The outcome of a strategy.
enum Run {
    /// It takes more than the limits allow.
    Refused {
        chunks: u32,
    },
    Done(Box<Done>),
}

struct Done {
    answer: Answer,
    found: usize,
    planted: usize,
    seen: Seen,
    /// The limit of the guest's memory under which it succeeded, in MiB.
    memory: usize,
}

impl Stored {
    async fn of(text: String, tokens: Tiktoken) -> Result<Stored> {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let block = Block { content: Content::Text(text), media_type: None };
        let output =
            ToolOutput { tool: "bench".to_owned(), is_error: false, blocks: vec![block], structured: None };
        let turn = Turn { context_window: 1, used_tokens: 0, tools: Vec::new() };
        let policy = Policy { keep_all: true, ..Policy::default() };
        // An output that is passed in takes more memory than one that is read from the store.
        let tuckaway = Tuckaway::builder().shared_store(Arc::clone(&store)).tokens(Estimate).build()?;
        let view = tuckaway.process(&output, &turn, &policy).await?;
        let id = view.artifacts.first().context("the output is stored")?.id.clone();
        Ok(Stored { store, tokens, id })
    }

    /// Builds the engine with this many MiB of guest memory.
    fn engine(&self, mebibytes: usize) -> Result<Tuckaway> {
        let builder = Tuckaway::builder().shared_store(Arc::clone(&self.store)).tokens(self.tokens);
        Ok(builder.memory_limit(mebibytes << 20).deadline(Duration::from_secs(600)).build()?)
    }

    async fn estimate(&self, mode: ExtractionMode, config: &ExtractionConfig) -> Result<ExtractionEstimate> {
        Ok(self.engine(MEMORY)?.estimate_extraction(&self.question(mode), config).await?)
    }

    fn question(&self, mode: ExtractionMode) -> Question {
        Question {
            artifact: self.id.clone(),
            extract: question(),
            mode,
            tool_arguments: None,
            // The same in each run.
            nonce: Some("needles0".to_owned()),
        }
    }

    /// Runs a strategy, with twice the memory until it suffices.
    async fn run(&self, mode: ExtractionMode, config: &ExtractionConfig, planted: &Planted) -> Result<Run> {
        let question = self.question(mode);
        if self.estimate(mode, config).await?.strategy != mode {
            let chunks = self.estimate(mode, &raised(*config)).await?.chunks;
            return Ok(Run::Refused { chunks });
        }
        let mut memory = 4;
        loop {
            let model = Scripted::new(self.tokens);
            match self.engine(memory)?.extract(&question, config, &model, ExtractOptions::new()).await {
                Ok(answer) => {
                    let reported = facts(&answer.content);
                    let found = planted.facts.iter().filter(|fact| reported.contains(&fact.as_str())).count();
                    let (planted, seen) = (planted.facts.len(), model.seen());
                    return Ok(Run::Done(Box::new(Done { answer, found, planted, seen, memory })));
                }
                Err(error) if memory >= 1_024 => return Err(error.into()),
                Err(_) => memory *= 2,
            }
        }
    }
}

impl Run {
    fn shown(&self) -> String {
        let done = match self {
            Run::Refused { chunks } => return format!("refused: {chunks} chunks"),
            Run::Done(done) => done,
        };
        let Done { answer, found, planted, seen, memory } = &**done;
        let read: u64 = answer.coverage.read.iter().map(|span| span.end - span.start).sum();
        let share = (read * 100).checked_div(answer.coverage.size_bytes).unwrap_or_default();
        let requests = if seen.requests == 1 { "request" } else { "requests" };
        format!(
            "{found} of {planted}; {} {requests}, {:.1}k tokens in, {:.1}k out; {share} % read; ≤ {memory} MiB",
            seen.requests,
            seen.input_tokens as f64 / 1e3,
            seen.output_tokens as f64 / 1e3
        )
    }

    fn meets_goal(&self, window: u64) -> bool {
        match self {
            Run::Refused { .. } => true,
            Run::Done(done) => {
                done.found == done.planted && done.memory <= MEMORY && done.seen.most_tokens <= window
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_text_has_the_facts_of_its_head_and_tail() {
        let text = format!("FACT-000000000001 {0}FACT-000000000002{0} FACT-000000000003", "é ".repeat(500));
        let facts = facts(&text).into_iter().map(str::to_owned).collect();
        let planted = Planted { text, facts };
        assert_eq!(truncated(&planted, 1_000, 100), 2);
        assert_eq!(truncated(&planted, 1_000, 1_000), 3);
    }
}
