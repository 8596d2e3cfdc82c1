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
    let cap =
        |bucket: usize, on_overflow| BucketCap { max_tokens: example.caps[bucket] * 1_000, on_overflow };
    let config = BudgetConfig {
        total_window: example.window * 1_000,
        system: cap(0, Overflow::Reject),
        tools: cap(1, Overflow::PruneUnused),
        history: cap(2, Overflow::Summarize),
        tool_outputs: cap(3, Overflow::Truncate),
        working: cap(4, Overflow::Reject),
        headroom_tokens: example.headroom * 1_000,
        layers: example.layers,
        unused_turns: UNUSED_TURNS,
    };
    match total_window {
        Some(0) => Err(Error::invalid("total_window is 0; pass the model's context window in tokens.")
            .about(&["total_window"])),
        Some(window) => Ok(scaled(config, window)),
        None => Ok(config),
    }
}

/// Scales a budget to another window.
pub fn scaled(mut config: BudgetConfig, window: u64) -> BudgetConfig {
    let of = u128::from(config.total_window.max(1));
    let caps = [
        &mut config.system,
        &mut config.tools,
        &mut config.history,
        &mut config.tool_outputs,
        &mut config.working,
    ];
    let tokens = caps.into_iter().map(|cap| &mut cap.max_tokens).chain([&mut config.headroom_tokens]);
    for tokens in tokens {
        *tokens = u64::try_from(u128::from(*tokens) * u128::from(window) / of).unwrap_or(u64::MAX);
    }
    config.total_window = window;
    config
}
