//! Which of the facts in an output an extraction finds, with a model that reports what it is
//! given: what each strategy takes, how much of the guest's memory, and what is found if the
//! output is truncated to the window.

mod made;
mod model;
mod plant;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tuckaway_host::{
    Answer, ArtifactTools, Block, Content, Driving, Estimate, ExtractionConfig, ExtractionMode, MemoryStore,
    Policy, Question, Store, Tiktoken, ToolOutput, Tuckaway, Turn,
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
/// The sizes of which each kind is made.
const SIZES: [usize; 3] = [100_000, 1_000_000, 10_000_000];
/// The size of which two kinds are made.
const LARGE: usize = 100_000_000;
/// The most memory of the guest, in MiB.
const MEMORY: usize = 64;
/// The limits under which everything is read of what has more chunks than the default allows.
const MAX_CHUNKS: u32 = 1_024;
const MAX_REQUESTS: u32 = 2_048;

/// Adds a row for each real file and each that is made, and more for a small window.
pub async fn measure(report: &mut Report) -> Result<()> {
    report.name_columns([
        "output; what auto chooses",
        "full-chunked",
        "read-grep; goal of both: all facts, ≤ 64 MiB, within the window",
        "head and tail of a window",
    ]);
    let tokens = Tiktoken::default();
    for source in made::real()? {
        add(report, &tokens, &source, WINDOW, false).await?;
    }
    for made in Made::ALL {
        for bytes in SIZES {
            let source = made.source(bytes);
            add(report, &tokens, &source, WINDOW, false).await?;
            if bytes == SIZES[1] {
                add(report, &tokens, &source, SMALL_WINDOW, false).await?;
            }
        }
    }
    add(report, &tokens, &Made::Log.source(LARGE), WINDOW, false).await?;
    add(report, &tokens, &Made::OneLine.source(LARGE), WINDOW, true).await
}

/// Adds the row of a text in a window. With `is_raised` limits all of it is read, however
/// many chunks that takes.
async fn add(
    report: &mut Report,
    tokens: &Tiktoken,
    source: &Source,
    window: u64,
    is_raised: bool,
) -> Result<()> {
    let limits = |config| match is_raised {
        true => ExtractionConfig { max_chunks: MAX_CHUNKS, max_requests: MAX_REQUESTS, ..config },
        false => config,
    };
    // Where the chunks end is known before the facts are planted beside their ends.
    let bare = Stored::of(source.text.clone(), tokens).await?;
    let config = limits(bare.engine(MEMORY)?.extraction_config(window).await?);
    let planned = bare
        .engine(MEMORY)?
        .estimate_extraction(&bare.question(ExtractionMode::FullChunked), &config)
        .await?;
    drop(bare);
    let planted = plant(&source.text, source.kind, FACTS, planned.chunks.max(1) as usize);
    ensure!(planted.facts.len() >= 2, "{} has no places for facts", source.name);
    let stored = Stored::of(planted.text.clone(), tokens).await?;
    let auto =
        stored.engine(MEMORY)?.estimate_extraction(&stored.question(ExtractionMode::Auto), &config).await?;
    let full = stored.run(ExtractionMode::FullChunked, &config, &planted).await?;
    let grep = stored.run(ExtractionMode::ReadGrep, &config, &planted).await?;
    let by_head = truncated(&planted, auto.tokens, window - config.max_output_tokens);
    let raised = if is_raised { format!(", {MAX_CHUNKS} chunks allowed") } else { String::new() };
    report.add(Row {
        what: format!("{}, window {}k{raised}; {}", source.name, window / 1_000, name(auto.strategy)),
        measured: full.shown(),
        budget: grep.shown(),
        met: Some(full.meets_goal(window) && grep.meets_goal(window)),
        ratio: format!("{by_head} of {}", planted.facts.len()),
    });
    Ok(())
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

fn name(strategy: ExtractionMode) -> &'static str {
    strategy.name()
}

/// A text in a store.
struct Stored {
    store: Arc<dyn Store>,
    tokens: Tiktoken,
    id: String,
}

/// What a strategy led to.
enum Run {
    /// It takes more than the limits allow.
    Refused {
        chunks: u64,
    },
    Done(Done),
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
    async fn of(text: String, tokens: &Tiktoken) -> Result<Stored> {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let block = Block { content: Content::Text(text), media_type: None };
        let output =
            ToolOutput { tool: "bench".to_owned(), is_error: false, blocks: vec![block], structured: None };
        let turn = Turn { context_window: 1, used_tokens: 0, tools: ArtifactTools::new() };
        let policy = Policy { keep_all: true, ..Policy::default() };
        // An output that is passed in takes more memory than one that is read from the store.
        let tuckaway = Tuckaway::builder().shared_store(Arc::clone(&store)).tokens(Estimate).build()?;
        let view = tuckaway.process(&output, &turn, &policy).await?;
        let id = view.artifacts.first().context("the output is stored")?.id.clone();
        Ok(Stored { store, tokens: tokens.clone(), id })
    }

    /// Builds the engine with this many MiB of guest memory.
    fn engine(&self, mebibytes: usize) -> Result<Tuckaway> {
        let builder = Tuckaway::builder().shared_store(Arc::clone(&self.store)).tokens(self.tokens.clone());
        builder.memory_limit(mebibytes << 20).deadline(Duration::from_secs(600)).build()
    }

    fn question(&self, mode: ExtractionMode) -> Question {
        Question {
            artifact: self.id.clone(),
            extract: question(),
            mode,
            tool_arguments: None,
            nonce: Some("needles0".to_owned()),
        }
    }

    /// Runs a strategy, with twice the memory until it suffices.
    async fn run(&self, mode: ExtractionMode, config: &ExtractionConfig, planted: &Planted) -> Result<Run> {
        let question = self.question(mode);
        let planned = self.engine(MEMORY)?.estimate_extraction(&question, config).await?;
        if planned.strategy != mode {
            let count = ExtractionConfig { max_chunks: MAX_CHUNKS, max_requests: MAX_REQUESTS, ..*config };
            let planned = self.engine(MEMORY)?.estimate_extraction(&question, &count).await?;
            return Ok(Run::Refused { chunks: planned.chunks.into() });
        }
        let mut memory = 4;
        loop {
            let model = Scripted::new(self.tokens.clone());
            match self.engine(memory)?.extract(&question, config, &model, Driving::new()).await {
                Ok(answer) => {
                    let reported = facts(&answer.content);
                    let found = planted.facts.iter().filter(|fact| reported.contains(&fact.as_str())).count();
                    let (planted, seen) = (planted.facts.len(), model.seen());
                    return Ok(Run::Done(Done { answer, found, planted, seen, memory }));
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
        let Done { answer, found, planted, seen, memory } = done;
        let read: u64 = answer.coverage.read.iter().map(|span| span.end - span.start).sum();
        let share = (read * 100).checked_div(answer.coverage.size_bytes).unwrap_or_default();
        let requests = if seen.requests == 1 { "request" } else { "requests" };
        format!(
            "{found} of {planted}; {} {requests}, {} tokens in, {} out; {share} % read; ≤ {memory} MiB",
            seen.requests, seen.input_tokens, seen.output_tokens
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
