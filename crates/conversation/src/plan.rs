//! Runs the steps of a plan, each only if due.

use tuckaway_contract::{
    AlarmKind, BudgetConfig, BudgetTask, CompactionConfig, Conversation, Error, ManageTask, PlanState,
    ProviderRefusal, Step, Task, TrimTask,
};

use crate::budget;
use crate::cache;
use crate::compaction::{self, ProviderCompaction};
use crate::draft::Draft;
use crate::host::Host;
use crate::pairs;
use crate::recovery::{self, Recovery};
use crate::refusal;
use crate::repeats;
use crate::unread;

/// Plans a task. `answers` has the model's answers to the requests of earlier steps of the same
/// task; it is empty at first.
///
/// Errors: a history whose calls and results are not paired, a usage that covers more messages than
/// there are, a configuration that contradicts itself, an unknown context limit.
pub fn plan(
    conversation: &Conversation,
    task: &Task,
    answers: &[String],
    state: &PlanState,
    host: &dyn Host,
) -> Result<Step, Error> {
    run(conversation, task, Answer::Texts(answers), answers.is_empty(), state, host)
}

/// Plans the first step of a task once more, because the provider's compaction was not used. The count is
/// already that of the refusal, if the task has one.
///
/// Errors: as [`plan`].
pub fn plan_again(
    conversation: &Conversation,
    task: &Task,
    state: &PlanState,
    host: &dyn Host,
) -> Result<Step, Error> {
    run(conversation, task, Answer::Texts(&[]), false, state, host)
}

/// Plans a task whose first request the provider's own compaction answers. The plan lacks the items
/// of the compaction; the caller puts them after the developer's first messages. If the compaction
/// is refused, the caller discards the plan, and plans without it.
///
/// Errors: as [`plan`].
pub fn plan_compacted(
    conversation: &Conversation,
    task: &Task,
    compaction: &ProviderCompaction,
    state: &PlanState,
    host: &dyn Host,
) -> Result<Step, Error> {
    run(conversation, task, Answer::Compaction(compaction), false, state, host)
}

/// The answers to the requests of a task.
#[derive(Clone, Copy)]
enum Answer<'a> {
    /// The model's answers, in order.
    Texts(&'a [String]),
    /// The provider's own compaction.
    Compaction(&'a ProviderCompaction),
}

fn run(
    conversation: &Conversation,
    task: &Task,
    answer: Answer<'_>,
    is_first: bool,
    state: &PlanState,
    host: &dyn Host,
) -> Result<Step, Error> {
    let mut draft = Draft::of(conversation, host, state)?;
    let (mut refusal, mut recovery) = (None, None);
    let (past, summaries) = match task {
        Task::Account => (Vec::new(), CompactionConfig::default()),
        Task::Trim(TrimTask { context_window, config }) => {
            cache::trim(&mut draft, *context_window, config)?;
            (Vec::new(), CompactionConfig::default())
        }
        Task::Compact(config) => {
            let limit = compaction::limit(config)?;
            let past = compaction::before_newest(&draft, limit, config);
            (compaction::if_new(&draft, past), config.clone())
        }
        Task::Budget(BudgetTask { config, compaction }) => {
            let summaries = with_limit(compaction, config.total_window)?;
            (keep(&mut draft, config, &summaries)?, summaries)
        }
        Task::Manage(task) => {
            refusal = task.refusal.as_deref().map(refusal::read);
            let begin = |refusal| recovery::begin(&mut draft, task.context_window, refusal, is_first);
            recovery = refusal.as_ref().and_then(begin);
            manage(&mut draft, task, refusal.as_ref(), recovery)?
        }
    };
    let is_required = !matches!(task, Task::Compact(_));
    let mut outcome = match answer {
        Answer::Texts(answers) => compaction::summarize(&mut draft, &past, answers, &summaries, is_required),
        Answer::Compaction(compaction) => compaction::compact(&mut draft, compaction, &summaries),
    };
    let mut is_fitted = false;
    if outcome.request.is_none() {
        match task {
            Task::Trim(task) => repeats::replace(&mut draft, &task.config),
            Task::Manage(task) => {
                repeats::replace(&mut draft, &task.cache);
                is_fitted = unread::fit(&mut draft, &summaries);
                if let (Answer::Texts(answers), true, None) = (answer, past.is_empty(), recovery) {
                    // Old messages can be a good part of the excess only now that new results are short.
                    let past = due(&draft, &summaries);
                    outcome = compaction::summarize(&mut draft, &past, answers, &summaries, is_required);
                }
            }
            Task::Account | Task::Compact(_) | Task::Budget(_) => {}
        }
    }
    let mut background = Vec::new();
    if outcome.request.is_none() {
        background = pairs::requests(&mut draft, task, &summaries);
        report(&mut draft, task, refusal.as_ref(), recovery, &summaries, is_fitted);
    }
    Ok(Step { plan: draft.finish(), request: outcome.request, refusal: outcome.refusal, background })
}

/// Trims, evicts and chooses the messages to summarize. Returns the messages, and the configuration
/// of their summary.
fn manage(
    draft: &mut Draft,
    task: &ManageTask,
    refusal: Option<&ProviderRefusal>,
    recovery: Option<Recovery>,
) -> Result<(Vec<usize>, CompactionConfig), Error> {
    let cache = &recovery::limits(&task.cache, refusal);
    let window = recovery.map_or(task.context_window, |recovery| recovery.limit);
    pairs::learn(draft, task.pairs.as_ref());
    cache::trim(draft, window, cache)?;
    if let Some(refusal) = refusal {
        recovery::replace_large(draft, cache, refusal);
    }
    let mut summaries = with_limit(&task.compaction, window)?;
    if let Some(recovery) = recovery {
        summaries.context_limit = summaries.context_limit.map(|limit| limit.min(recovery.limit));
        cache::trim_to(draft, recovery.goal, cache);
    }
    let mut past = Vec::new();
    if let Some(budget) = &task.budget {
        budget::check(budget)?;
        let smaller = recovery.filter(|recovery| recovery.limit < budget.total_window);
        let smaller = smaller.map(|recovery| budget::scaled(budget.clone(), recovery.limit));
        past = budget::keep(draft, smaller.as_ref().unwrap_or(budget), &summaries);
    }
    match recovery.filter(|recovery| draft.after.total > recovery.goal) {
        Some(recovery) => {
            let fixed = draft.after.system.saturating_add(draft.after.tools);
            past = compaction::before_newest(draft, recovery.goal.saturating_sub(fixed), &summaries);
        }
        None if past.is_empty() => past = due(draft, &summaries),
        None => {}
    }
    Ok((past, summaries))
}

/// Adds alarms for goals that a task could not reach. Results that were just made to fit are not too many:
/// the next plans trim them.
fn report(
    draft: &mut Draft,
    task: &Task,
    refusal: Option<&ProviderRefusal>,
    recovery: Option<Recovery>,
    summaries: &CompactionConfig,
    is_fitted: bool,
) {
    match task {
        Task::Account | Task::Compact(_) => {}
        Task::Trim(TrimTask { context_window, config }) => {
            cache::report(draft, *context_window, config, false)
        }
        Task::Budget(BudgetTask { config, .. }) => budget::report(draft, config, false),
        Task::Manage(task) => {
            let cache = recovery::limits(&task.cache, refusal);
            cache::report(draft, task.context_window, &cache, is_fitted);
            if let Some(budget) = &task.budget {
                budget::report(draft, budget, is_fitted);
            }
            match recovery {
                Some(recovery) => recovery::report(draft, recovery),
                None => {
                    if let Some(refusal) = refusal {
                        recovery::report_request(draft, refusal);
                    }
                    report_threshold(draft, summaries);
                    report_window(draft, task.context_window);
                }
            }
        }
    }
}

/// Reports that a conversation does not fit its window.
fn report_window(draft: &mut Draft, window: u64) {
    let total = draft.after.total;
    if total > window {
        let message = format!(
            "The conversation has {total} tokens, more than its window of {window}: only the system prompt, tools, pinned messages, unread results and the newest turns are left."
        );
        draft.alarm(AlarmKind::Headroom, None, message);
    }
}

/// Returns the messages to summarize because the conversation has reached the threshold.
fn due(draft: &Draft, summaries: &CompactionConfig) -> Vec<usize> {
    let (limit, total) = (summaries.context_limit.unwrap_or(0), draft.after.total);
    if !compaction::is_due(total, limit, summaries) {
        return Vec::new();
    }
    let past = compaction::before_fitting(draft, limit, summaries);
    compaction::if_it_pays(draft, past, compaction::excess(total, limit, summaries))
}

/// Reports that a conversation stays above the threshold because none of it can be summarized.
fn report_threshold(draft: &mut Draft, summaries: &CompactionConfig) {
    let (limit, total) = (summaries.context_limit.unwrap_or(0), draft.after.total);
    if compaction::is_due(total, limit, summaries) && due(draft, summaries).is_empty() {
        let message = format!(
            "The conversation has {total} of {limit} tokens, and too few of them are old enough to be summarized; the rest is the system prompt, tools, pinned messages and the newest turns."
        );
        draft.alarm(AlarmKind::OverCap, None, message);
    }
}

/// Applies a valid budget.
fn keep(draft: &mut Draft, config: &BudgetConfig, summaries: &CompactionConfig) -> Result<Vec<usize>, Error> {
    budget::check(config)?;
    Ok(budget::keep(draft, config, summaries))
}

/// Returns a valid configuration whose context limit defaults to a window.
fn with_limit(summaries: &CompactionConfig, window: u64) -> Result<CompactionConfig, Error> {
    let summaries =
        CompactionConfig { context_limit: summaries.context_limit.or(Some(window)), ..summaries.clone() };
    compaction::limit(&summaries)?;
    Ok(summaries)
}
