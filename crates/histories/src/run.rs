//! Manages a history, as a state machine that performs no input or output: the caller asks the
//! model, everything else happens here.
//!
//! ```text
//! start ─► repair ─► plan ─► apply ─┬─► no request: the last step
//!                     ▲             └─► request, state ─► (the caller asks the model) ─► step ─┐
//!                     └────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! The plan of a step is applied before its request is sent: it needs no model, and the next step
//! plans over its result.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base64::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tuckaway_contract::{
    Account, Alarm, AlarmKind, Conversation, Entry, Error, HistoryInput, HistoryReport, HistoryStep,
    ManagedHistory, Message, Part, Plan, Receipt, Removal, Role, Span, Step, SummaryAnswer, SummaryRequest,
    Task, Usage,
};
use tuckaway_conversation::{Host, plan, plan_again, plan_compacted};

use crate::apply::pieces;
use crate::compaction::{Compacted, compactable};
use crate::history::{History, Known, Purpose, Working};
use crate::item_host::ItemHost;
use crate::memory::Memory;
use crate::repair::repair;

/// The version of the form of states.
const STATE_VERSION: u32 = 2;
/// Maximum requests of a run, more than any history needs: each request covers at least one
/// message.
const MAX_REQUESTS: usize = 10_000;

/// Starts to manage a history: plans a task, usually [`Task::Manage`], and applies its first step.
///
/// Errors: a malformed history, memory or usage, and the errors of
/// [`plan`](tuckaway_conversation::plan).
pub fn start(
    mut input: HistoryInput,
    memory: Option<&str>,
    task: Task,
    host: &dyn Host,
) -> Result<HistoryStep, Error> {
    let memory = Memory::parse(memory)?;
    let history = History::parse(&mut input)?;
    let count = u32::try_from(history.items.len()).map_err(|_| Error::invalid("The history is too long."))?;
    let state = State {
        version: STATE_VERSION,
        memory: String::new(),
        items: (0..count).map(Working::given).collect(),
        removed_tools: BTreeSet::new(),
        answers: Vec::new(),
        report: HistoryReport { item_count: count, ..HistoryReport::default() },
        has_planned: false,
        compactable: 0,
    };
    let mut run = Run { history, input, task, memory, state };
    let messages = if run.input.is_strict { None } else { run.repair()? };
    let mut conversation = run.conversation(messages, None, Purpose::Plan)?;
    conversation.usage = run.usage_to_count_with(&conversation.messages)?;
    run.advance(conversation, host)
}

/// Continues after the model has answered a request. `input` and `task` are those of [`start`].
///
/// Errors: as [`start`], and a state that was changed, comes from another version, or belongs to
/// another history.
pub fn step(
    mut input: HistoryInput,
    task: Task,
    state: &str,
    answer: SummaryAnswer,
    host: &dyn Host,
) -> Result<HistoryStep, Error> {
    let history = History::parse(&mut input)?;
    let mut state = State::parse(state, &history)?;
    state.report.requests = state.report.requests.saturating_add(1);
    let through = std::mem::take(&mut state.compactable) as usize;
    let memory = Memory::parse(Some(&state.memory))?;
    let mut run = Run { history, input, task, memory, state };
    match answer {
        SummaryAnswer::Text(text) => run.state.answers.push(text),
        SummaryAnswer::Failed(why) => run.fail(why),
        SummaryAnswer::Compacted(_) if through == 0 => {
            run.fail("The request has nothing to compact; answer it with the text of a summary.".to_owned());
        }
        SummaryAnswer::Compacted(json) => match run.compact(&json, through, host)? {
            Ok((step, conversation, compacted)) => {
                return run.take(step, conversation, Some(compacted), host);
            }
            Err(why) => {
                let why = format!("The provider's compaction was not used: {}.", why.trim_end_matches('.'));
                run.state.report.summary_errors.push(why);
            }
        },
    }
    let conversation = run.conversation(None, run.memory.usage, Purpose::Plan)?;
    run.advance(conversation, host)
}

/// The state that a run needs to continue, in addition to the history and the task. As text, it is
/// postcard data in base64.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    version: u32,
    /// The memory, as text.
    memory: String,
    items: Vec<Working>,
    removed_tools: BTreeSet<String>,
    answers: Vec<String>,
    report: HistoryReport,
    has_planned: bool,
    /// The number of messages that the request covers, if the provider may compact them; otherwise 0.
    compactable: u32,
}

impl State {
    /// Reads a state, and checks that its items are those of the history.
    fn parse(text: &str, history: &History) -> Result<State, Error> {
        let wrong = |why: &str| {
            Error::invalid(format!("The state is invalid: {why}. Start again.")).about(&["state"])
        };
        let bytes = BASE64_STANDARD.decode(text).map_err(|_| wrong("it was changed"))?;
        let state: State = postcard::from_bytes(&bytes).map_err(|_| wrong("it was changed"))?;
        if state.version != STATE_VERSION {
            let why = format!("its version is {}, but this is version {STATE_VERSION}", state.version);
            return Err(wrong(&why));
        }
        if state.answers.len() >= MAX_REQUESTS {
            return Err(wrong("it has too many answers"));
        }
        let is_object = |json: &str| serde_json::from_str::<Value>(json).is_ok_and(|value| value.is_object());
        let is_valid = |item: &Working| {
            let is_known = item.origin.is_none_or(|index| (index as usize) < history.items.len());
            is_known && item.json.as_deref().map_or(item.origin.is_some(), is_object)
        };
        if state.report.item_count as usize != history.items.len() || !state.items.iter().all(is_valid) {
            return Err(wrong("its items are not of this history"));
        }
        Ok(state)
    }
}

/// A history that is being managed.
struct Run {
    history: History,
    /// The input without its text, which the history has.
    input: HistoryInput,
    task: Task,
    memory: Memory,
    state: State,
}

impl Run {
    /// Repairs the traces of an aborted turn. Returns the messages of the items if nothing was
    /// repaired.
    fn repair(&mut self) -> Result<Option<Vec<Message>>, Error> {
        let history = &self.history;
        let given = &self.state.items;
        let items: Vec<Cow<'_, Value>> = given.iter().map(|item| history.value(item)).collect();
        let messages = history.messages(given, &items)?;
        if repair(history.adapter(), &items, &messages).is_none() {
            return Ok(Some(messages));
        }
        // Items that a repair changes are written with all of their texts.
        let items: Vec<Cow<'_, Value>> = given.iter().map(|item| history.whole(item)).collect();
        if let Some((items, repairs)) = repair(history.adapter(), &items, &messages) {
            self.state.items = items
                .into_iter()
                .map(|item| Working {
                    origin: item.origin.map(|index| index as u32),
                    json: match item.value {
                        Cow::Borrowed(_) => None,
                        Cow::Owned(value) => Some(value.to_string()),
                    },
                })
                .collect();
            self.state.report.is_changed = true;
            self.state.report.repairs = repairs;
        }
        Ok(None)
    }

    /// Returns the usage that counts the history: the reported one, unless it is older than the last
    /// plan and counts messages that no longer exist.
    fn usage_to_count_with(&mut self, messages: &[Message]) -> Result<Option<Usage>, Error> {
        let usage = self.input.usage.as_deref();
        let reported = self.history.reported(usage).map_err(|error| match usage {
            Some(_) => error.or_about("usage"),
            None => error,
        })?;
        let memory = &mut self.memory;
        let remembered = memory.usage.filter(|usage| usage.messages as usize <= messages.len());
        let Some(reported) = reported else { return Ok(remembered) };
        let is_repeated = memory.reported == Some(reported.tokens());
        let anchored = reported.anchored(messages);
        let is_older = |remembered: Usage| {
            is_repeated || anchored.is_none_or(|anchored| anchored.messages <= remembered.messages)
        };
        if let Some(remembered) = remembered.filter(|remembered| is_older(*remembered)) {
            return Ok(Some(remembered));
        }
        memory.reported = Some(reported.tokens());
        Ok(anchored)
    }

    /// Counts the request as answered without a summary, for a reason.
    fn fail(&mut self, why: String) {
        self.state.report.summary_errors.push(why);
        // An answer without content is unusable.
        self.state.answers.push(String::new());
    }

    /// Plans a step for the present conversation, and applies it.
    fn advance(self, conversation: Conversation, host: &dyn Host) -> Result<HistoryStep, Error> {
        let task = self.history.limits.within(&self.task);
        let items = ItemHost::of(&self.history, &self.state.items, host);
        let (answers, state) = (&self.state.answers, &self.memory.state);
        let step = match self.state.report.requests > 0 && answers.is_empty() {
            true => plan_again(&conversation, &task, state, &items)?,
            false => plan(&conversation, &task, answers, state, &items)?,
        };
        self.take(step, conversation, None, host)
    }

    /// Plans the last step with the items that the provider returned for those that the request
    /// covers.
    ///
    /// Errors: the inner error is the reason why they cannot be used.
    fn compact(
        &self,
        json: &str,
        through: usize,
        host: &dyn Host,
    ) -> Result<Result<(Step, Conversation, Compacted), String>, Error> {
        let conversation = self.conversation(None, self.memory.usage, Purpose::Compaction)?;
        let compacted = match Compacted::read(json, through, &self.history, &conversation, &self.memory) {
            Ok(compacted) => compacted,
            Err(why) => return Ok(Err(why)),
        };
        let task = self.history.limits.within(&self.task);
        let items = ItemHost::of(&self.history, &self.state.items, host);
        let mut step = plan_compacted(&conversation, &task, &compacted.plan, &self.memory.state, &items)?;
        Ok(match step.refusal.take() {
            Some(why) => Err(why),
            None => Ok((step, conversation, compacted)),
        })
    }

    /// Applies the plan of a step. The provider's compaction is put after the developer's first
    /// messages, because providers ignore or refuse items before a compaction.
    fn take(
        mut self,
        step: Step,
        conversation: Conversation,
        compacted: Option<Compacted>,
        host: &dyn Host,
    ) -> Result<HistoryStep, Error> {
        self.state.report.refusal = step.refusal.or(self.state.report.refusal.take());
        if let Err(why) = self.keep_media(&conversation, &step.plan, host) {
            self.decline(&step.plan, &why);
            return self.finish(None, Vec::new(), &conversation);
        }
        self.report(&step.plan);
        let mut texts = Vec::new();
        if !step.plan.is_empty {
            self.state.report.is_changed = true;
            self.state.removed_tools.extend(step.plan.removed_tools.iter().cloned());
            let applied = self.history.apply(&self.state.items, &step.plan)?;
            (self.state.items, texts) = (applied.items, applied.texts);
        }
        self.memory.record(&conversation, &step.plan, &texts);
        let is_summarized = step.plan.receipts.iter().any(|receipt| receipt.removal == Removal::Summarized);
        if let Some(compacted) = compacted.filter(|_| is_summarized) {
            let of_developer =
                conversation.messages.iter().take_while(|message| message.role == Role::System);
            let at = of_developer.count().saturating_sub(self.history.offset());
            self.state.items.splice(at..at, compacted.items);
            self.memory.record_compaction(&compacted.last);
        }
        let after = if step.plan.is_empty {
            conversation
        } else {
            self.conversation(None, step.plan.usage, Purpose::Plan)?
        };
        self.finish(step.request, step.background, &after)
    }

    /// Returns the present conversation. `messages` are those of its items, if they were read already.
    fn conversation(
        &self,
        messages: Option<Vec<Message>>,
        usage: Option<Usage>,
        purpose: Purpose,
    ) -> Result<Conversation, Error> {
        let origins = self.state.items.iter().filter_map(|item| item.origin);
        let mut pinned = vec![false; origins.max().map_or(0, |last| last as usize + 1)];
        for index in &self.input.pinned {
            if let Some(is_pinned) = pinned.get_mut(*index as usize) {
                *is_pinned = true;
            }
        }
        let known = Known {
            memory: &self.memory,
            artifacts: &self.input.artifacts,
            pinned: &pinned,
            removed_tools: &self.state.removed_tools,
            purpose,
        };
        self.history.conversation(&self.state.items, messages, usage, &known)
    }

    /// Stores the items that a plan removes and that are in no artifact: those with media, and
    /// compactions of the provider.
    fn keep_media(
        &mut self,
        conversation: &Conversation,
        plan: &Plan,
        host: &dyn Host,
    ) -> Result<(), String> {
        let mut stays = vec![false; conversation.messages.len()];
        for entry in &plan.history {
            if let Entry::Keep(span) = entry {
                let (start, end) = (span.start as usize, (span.end as usize).min(stays.len()));
                stays[start.min(end)..end].fill(true);
            }
        }
        let offset = self.history.offset();
        let is_original = |index: usize| {
            let is_medium = |part: &Part| matches!(part, Part::Media(_));
            let item = &self.state.items[index - offset];
            conversation.messages[index].parts.iter().any(is_medium)
                || self.history.adapter().is_compaction(&self.history.value(item))
        };
        let mut originals = String::new();
        for (at, item) in self.state.items.iter().enumerate() {
            if stays[at + offset] || !is_original(at + offset) {
                continue;
            }
            let json = self.history.json(item);
            originals.push_str("{\"original\":");
            // Line feeds occur only between the tokens of JSON.
            for (number, line) in json.split(['\n', '\r']).enumerate() {
                originals.push_str(if number > 0 { " " } else { "" });
                originals.push_str(line);
            }
            originals.push_str("}\n");
        }
        if !originals.is_empty() {
            let id = host.keep("conversation", Some("application/x-ndjson"), originals.as_bytes())?;
            self.state.report.originals.push(id);
        }
        Ok(())
    }

    /// Leaves the history unchanged because media that a plan removes could not be stored.
    fn decline(&mut self, plan: &Plan, why: &str) {
        let report = &mut self.state.report;
        add_alarms(&mut report.alarms, &plan.alarms);
        let message =
            format!("The history is unchanged because images or files in it could not be stored. {why}");
        report.alarms.push(Alarm { kind: AlarmKind::NotStored, bucket: None, message });
        self.account(&plan.before, &plan.before);
    }

    /// Adds the effects of a plan to the report.
    fn report(&mut self, plan: &Plan) {
        let offset = self.history.offset();
        let receipts: Vec<Receipt> = plan
            .receipts
            .iter()
            .map(|receipt| Receipt { messages: self.given(&receipt.messages, offset), ..receipt.clone() })
            .collect();
        self.state.report.receipts.extend(receipts);
        add_alarms(&mut self.state.report.alarms, &plan.alarms);
        self.account(&plan.before, &plan.after);
    }

    fn account(&mut self, before: &Account, after: &Account) {
        let report = &mut self.state.report;
        if !std::mem::replace(&mut self.state.has_planned, true) {
            report.before = *before;
        }
        report.after = *after;
    }

    /// Returns messages as a range of items of the given history.
    fn given(&self, messages: &Span, offset: usize) -> Span {
        let at = |index: u32| (index as usize).saturating_sub(offset).min(self.state.items.len());
        let items = &self.state.items[at(messages.start)..at(messages.end).max(at(messages.start))];
        let mut origins = items.iter().filter_map(|item| item.origin);
        match (origins.next(), origins.next_back()) {
            (Some(first), last) => Span { start: first, end: last.unwrap_or(first) + 1 },
            (None, _) => Span { start: 0, end: 0 },
        }
    }

    /// Returns the step.
    fn finish(
        self,
        request: Option<SummaryRequest>,
        background: Vec<SummaryRequest>,
        after: &Conversation,
    ) -> Result<HistoryStep, Error> {
        let Run { history, input, mut memory, mut state, .. } = self;
        let is_first = state.report.requests == 0;
        let compactable = match &request {
            Some(request) if is_first => compactable(&history, &state.items, after, request),
            _ => Vec::new(),
        };
        if request.is_some() && state.answers.len() + 1 >= MAX_REQUESTS {
            return Err(Error::invalid(format!(
                "The history needs more than {MAX_REQUESTS} summaries. Raise the context window."
            )));
        }
        let next = match &request {
            Some(request) => {
                state.memory = memory.to_text();
                state.compactable = if compactable.is_empty() { 0 } else { request.through };
                BASE64_STANDARD.encode(postcard::to_allocvec(&state).unwrap_or_default())
            }
            None => String::new(),
        };
        memory.settle(after);
        let format = history.format;
        let kept_tools = history.kept_tools(&state.removed_tools);
        let usage = memory.usage.and_then(|usage| serde_json::to_string(&usage).ok());
        let json = input.with_json.then(|| match state.report.is_changed {
            true => history.write(&state.items, kept_tools.as_deref(), usage.as_deref()),
            false => history.document.into_given(),
        });
        let history = ManagedHistory {
            format,
            items: pieces(&state.items),
            kept_tools,
            json,
            memory: memory.to_text(),
            report: state.report,
            background,
        };
        Ok(HistoryStep { state: next, request, compactable: pieces(&compactable), history })
    }
}

/// Adds alarms that are not there yet.
fn add_alarms(all: &mut Vec<Alarm>, new: &[Alarm]) {
    for alarm in new {
        let is_same = |other: &Alarm| other.kind == alarm.kind && other.message == alarm.message;
        if !all.iter().any(is_same) {
            all.push(alarm.clone());
        }
    }
}
