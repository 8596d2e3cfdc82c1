//! The worked examples of the budgeting document (docs/origins.md), scaled to any window.

use tuckaway_contract::{Bucket, BucketCap, BudgetConfig, Error, Layer, Overflow, Preset, Strategy};

/// A tool that was not called in this many turns counts as unused.
const UNUSED_TURNS: u32 = 10;

/// An example: thousands of tokens of the window, the buckets in their order, and the
/// headroom.
struct Example {
    window: u64,
    caps: [u64; 5],
    headroom: u64,
    layers: Vec<Layer>,
}

const fn layer(target: Bucket, strategy: Strategy, at_pct: u32, to_pct: u32) -> Layer {
    Layer { target, strategy, at_pct, to_pct, keep_recent_turns: 8, evict_pct: 70 }
}

const LARGEST_AT_80: Layer = layer(Bucket::ToolOutputs, Strategy::TruncateLargest, 80, 60);
const WINDOW_AT_85: Layer = layer(Bucket::History, Strategy::SlidingWindow, 85, 65);
const SUMMARY_AT_95: Layer = layer(Bucket::History, Strategy::RecursiveSummarize, 95, 60);

fn example(preset: Preset) -> Example {
    match preset {
        Preset::General => Example {
            window: 128,
            caps: [8, 16, 48, 32, 16],
            headroom: 8,
            layers: vec![LARGEST_AT_80, WINDOW_AT_85, SUMMARY_AT_95],
        },
        Preset::CustomerSupport => Example {
            window: 128,
            caps: [8, 12, 56, 32, 16],
            headroom: 4,
            layers: vec![LARGEST_AT_80, layer(Bucket::History, Strategy::RecursiveSummarize, 85, 60)],
        },
        Preset::CodeEditing => Example {
            window: 200,
            caps: [10, 20, 80, 60, 24],
            headroom: 6,
            // File contents are trimmed early, because the model has already summarized them in the
            // history.
            layers: vec![
                layer(Bucket::ToolOutputs, Strategy::TruncateLargest, 70, 40),
                WINDOW_AT_85,
                SUMMARY_AT_95,
            ],
        },
        Preset::Research => Example {
            window: 256,
            caps: [12, 16, 64, 120, 32],
            headroom: 12,
            layers: vec![LARGEST_AT_80, SUMMARY_AT_95],
        },
        Preset::Voice => Example {
            window: 32,
            caps: [2, 4, 12, 8, 4],
            headroom: 2,
            layers: vec![
                LARGEST_AT_80,
                Layer { keep_recent_turns: 4, ..layer(Bucket::History, Strategy::SlidingWindow, 60, 45) },
                layer(Bucket::History, Strategy::RecursiveSummarize, 70, 45),
            ],
        },
        Preset::Automation => Example {
            window: 128,
            caps: [8, 12, 40, 48, 16],
            headroom: 4,
            layers: vec![LARGEST_AT_80, WINDOW_AT_85, SUMMARY_AT_95],
        },
    }
}

/// Returns a preset, scaled to a window.
///
/// Errors: a window of 0.
pub fn preset(preset: Preset, total_window: Option<u64>) -> Result<BudgetConfig, Error> {
    let example = example(preset);
    let window = total_window.unwrap_or(example.window * 1_000);
    if window == 0 {
        return Err(Error::invalid("total_window is 0; pass the model's context window in tokens.")
            .about(&["total_window"]));
    }
    let scaled = |tokens: u64| (u128::from(tokens) * u128::from(window) / u128::from(example.window)) as u64;
    let cap =
        |bucket: usize, on_overflow| BucketCap { max_tokens: scaled(example.caps[bucket]), on_overflow };
    Ok(BudgetConfig {
        total_window: window,
        system: cap(0, Overflow::Reject),
        tools: cap(1, Overflow::PruneUnused),
        history: cap(2, Overflow::Summarize),
        tool_outputs: cap(3, Overflow::Truncate),
        working: cap(4, Overflow::Reject),
        headroom_tokens: scaled(example.headroom),
        layers: example.layers,
        unused_turns: UNUSED_TURNS,
    })
}
