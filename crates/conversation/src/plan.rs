//! Runs the steps of a plan, each as far as it is due.

use crate::budget;
use crate::cache;
use crate::compaction;
use crate::config::{BudgetConfig, CompactionConfig, Task};
use crate::draft::Draft;
use crate::host::{Host, Invalid};
use crate::model::{Conversation, PlanState, Step};

/// Plans a task. `answers` are those of the model to the requests of earlier steps of the
/// same task; empty at first.
///
/// Errors: a history whose calls and results are not paired, a usage of more messages than
/// there are, a configuration that contradicts itself, an unknown context limit.
pub fn plan(
    conversation: &Conversation,
    task: &Task,
    answers: &[String],
    state: &PlanState,
    host: &dyn Host,
) -> Result<Step, Invalid> {
    let mut draft = Draft::of(conversation, host, state)?;
    let (past, limit, summaries) = match task {
        Task::Account => return Ok(compaction::without_summary(draft)),
        Task::Trim { context_window, config } => {
            cache::trim(&mut draft, *context_window, config)?;
            return Ok(compaction::without_summary(draft));
        }
        Task::Compact(config) => {
            let limit = compaction::limit(config)?;
            (compaction::before_newest(&draft, limit, config), limit, config.clone())
        }
        Task::Budget { config, compaction } => {
            let summaries = with_limit(compaction, config.total_window);
            let limit = compaction::limit(&summaries)?;
            (keep(&mut draft, config, &summaries)?, limit, summaries)
        }
        Task::Manage { context_window, cache, budget, compaction } => {
            let summaries = with_limit(compaction, *context_window);
            let limit = compaction::limit(&summaries)?;
            cache::trim(&mut draft, *context_window, cache)?;
            let mut past = match budget {
                Some(budget) => keep(&mut draft, budget, &summaries)?,
                None => Vec::new(),
            };
            if past.is_empty() && compaction::is_due(draft.after.total, limit, &summaries) {
                past = compaction::before_newest(&draft, limit, &summaries);
            }
            (past, limit, summaries)
        }
    };
    Ok(compaction::summarize(draft, &past, answers, limit, &summaries))
}

/// Keeps a budget, and says what is unusual about it.
fn keep(
    draft: &mut Draft,
    config: &BudgetConfig,
    summaries: &CompactionConfig,
) -> Result<Vec<usize>, Invalid> {
    for alarm in budget::check(config)? {
        draft.alarm(alarm.kind, alarm.bucket, alarm.message);
    }
    Ok(budget::keep(draft, config, summaries))
}

/// Returns a configuration whose context limit is a window, unless it names one.
fn with_limit(summaries: &CompactionConfig, window: u64) -> CompactionConfig {
    CompactionConfig { context_limit: summaries.context_limit.or(Some(window)), ..summaries.clone() }
}
