//! Detects invalid and unusual settings of a budget.

use tuckaway_contract::{
    Alarm, AlarmKind, Bucket, BudgetConfig, Error, Layer, Overflow, Strategy, Violations,
};

use crate::config::MAX_ITEMS;

/// The maximum share of the window for all buckets together, in percent.
const MAX_SUM_PCT: u128 = 90;
/// The minimum share of the window for the headroom, in percent.
const MIN_HEADROOM_PCT: u128 = 5;
/// The buckets with their names in messages.
const BUCKETS: [(Bucket, &str); 5] = [
    (Bucket::System, "system"),
    (Bucket::Tools, "tools"),
    (Bucket::History, "history"),
    (Bucket::ToolOutputs, "tool_outputs"),
    (Bucket::Working, "working"),
];

/// Returns the name of a bucket.
pub fn name(bucket: Bucket) -> &'static str {
    BUCKETS.iter().find(|(other, _)| *other == bucket).map_or("", |(_, name)| name)
}

/// Returns alarms for unusual settings of a budget.
///
/// Errors: a budget that contradicts itself, with one sentence for each violation.
pub fn check(config: &BudgetConfig) -> Result<Vec<Alarm>, Error> {
    let mut violations = Violations::default();
    let window = config.total_window;
    if window == 0 {
        violations.add(&["total_window"], "total_window is 0; pass the model's context window in tokens.");
    }
    let caps = BUCKETS.iter().map(|(bucket, _)| config.cap(*bucket).max_tokens);
    let sum = caps.fold(0, u64::saturating_add);
    let planned = sum.saturating_add(config.headroom_tokens);
    if planned > window {
        violations.add(&[], format!(
            "The buckets and the headroom add up to {planned} tokens, more than the window of {window}; lower a cap."
        ));
    }
    for (bucket, name) in BUCKETS {
        let overflow = config.cap(bucket).on_overflow;
        let is_possible = match overflow {
            Overflow::Reject => true,
            Overflow::Summarize | Overflow::Truncate => {
                matches!(bucket, Bucket::History | Bucket::ToolOutputs)
            }
            Overflow::PruneUnused => bucket == Bucket::Tools,
        };
        if !is_possible {
            violations.add(
                &[name],
                format!("The overflow of {name} cannot be {}; choose another.", overflow_name(overflow)),
            );
        }
    }
    if config.layers.len() > MAX_ITEMS {
        violations.add(&["layers"], format!("There are more than {MAX_ITEMS} layers; remove some."));
    }
    let layers = config.layers.iter().enumerate().take(MAX_ITEMS);
    for (index, layer) in layers {
        check_layer(index + 1, layer, &mut violations);
    }
    violations.into_result()?;
    let percent = |tokens: u64| u128::from(tokens) * 100 / u128::from(window.max(1));
    let setting = |message| Alarm { kind: AlarmKind::Setting, bucket: None, message };
    let mut alarms = Vec::new();
    if u128::from(sum) * 100 > u128::from(window) * MAX_SUM_PCT {
        alarms.push(setting(format!(
            "The buckets add up to {} % of the window; keep them within {MAX_SUM_PCT} % to leave enough headroom.",
            percent(sum)
        )));
    }
    if u128::from(config.headroom_tokens) * 100 < u128::from(window) * MIN_HEADROOM_PCT {
        alarms.push(setting(format!(
            "The headroom is {} % of the window; keep at least {MIN_HEADROOM_PCT} % to absorb estimation errors.",
            percent(config.headroom_tokens)
        )));
    }
    Ok(alarms)
}

/// Adds the violations of the layer with this number.
fn check_layer(number: usize, layer: &Layer, violations: &mut Violations) {
    let target = match layer.strategy {
        Strategy::TruncateLargest => Bucket::ToolOutputs,
        Strategy::SlidingWindow | Strategy::RecursiveSummarize => Bucket::History,
    };
    if layer.target != target {
        violations.add(
            &["target", name(target)],
            format!("Layer {number}: the target of this strategy must be {}.", name(target)),
        );
    }
    if !(1..=100).contains(&layer.at_pct) || layer.to_pct >= layer.at_pct {
        violations.add(&["at_pct", "to_pct"], format!(
            "Layer {number}: at_pct is {} and to_pct is {}; at_pct must be from 1 to 100, and to_pct below it.",
            layer.at_pct, layer.to_pct
        ));
    }
    if !(1..=100).contains(&layer.evict_pct) {
        violations.add(
            &["evict_pct"],
            format!("Layer {number}: evict_pct is {}; it must be from 1 to 100.", layer.evict_pct),
        );
    }
}

fn overflow_name(overflow: Overflow) -> &'static str {
    match overflow {
        Overflow::Reject => "reject",
        Overflow::Summarize => "summarize",
        Overflow::Truncate => "truncate",
        Overflow::PruneUnused => "prune_unused",
    }
}
