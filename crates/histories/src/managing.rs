//! One look at a history in an agent loop, as a state machine: what the engine plans is
//! applied, and the engine is called again with each summary.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tuckaway_conversation::{
    Account, Alarm, Conversation, Entry, Part, Plan, PlanState, Receipt, Step, SummaryRequest, TokenUsage,
    Usage,
};

use crate::history::usage_of_answer;
use crate::{History, HistoryError, Notes};

/// More summaries than any history needs: each request covers at least one message.
const MAX_REQUESTS: usize = 10_000;

/// What is kept between two looks at a history, as plain data. Starts empty.
///
/// Add to `artifacts` what the engine stored when it processed an output, by the id of the
/// call, and to `pinned` what has to stay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The state of the last plan.
    pub state: PlanState,
    /// The texts of the messages that plans inserted.
    pub inserted: BTreeSet<String>,
    /// The artifacts from which results can be read, by the id of the call.
    pub artifacts: BTreeMap<String, String>,
    /// The messages that stay as they are, by their index in the conversation. A system
    /// prompt that is a member of the request is message 0.
    pub pinned: BTreeSet<u32>,
    /// The usage that the last plan computed for the history that it returned.
    pub usage: Option<Usage>,
}

/// What one look at a history led to.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The account of the history as it came.
    pub before: Account,
    /// The account of the new history.
    pub after: Account,
    /// What went, and where it can be read. Messages are those of the history before each
    /// of the `plans`.
    pub receipts: Vec<Receipt>,
    /// What the caller should know.
    pub alarms: Vec<Alarm>,
    /// How many summaries were asked for.
    pub requests: u32,
    /// Why summaries could not be had. The plan does without, and says so in `alarms`.
    pub summary_errors: Vec<String>,
    /// Why the summary was refused; none if none was, or none was needed.
    pub refusal: Option<String>,
    /// The plans that were applied, one after the other.
    pub plans: Vec<Plan>,
}

/// A history that is being managed.
///
/// ```text
/// new ─► conversation, answers, state ─► (engine: plan) ─► step ─► advance ─┬─► none ─► finish
///              ▲                                                            └─► request
///              └───────────────── answer ◄────────── (the model) ◄──────────────┘
/// ```
///
/// The plan of a step is applied before its request is asked: it needs no model, and the
/// engine plans the next step over its result.
#[derive(Debug)]
pub struct Managing {
    history: History,
    conversation: Conversation,
    memory: Memory,
    answers: Vec<String>,
    summary_errors: Vec<String>,
    refusal: Option<String>,
    plans: Vec<Plan>,
}

impl Managing {
    /// Starts with a history, and the usage that came with its last answer.
    ///
    /// A usage is only used for an answer that is newer than the last plan: one that was
    /// reported before counts messages that are not there any more.
    pub fn new(history: &History, memory: &Memory, usage: Option<TokenUsage>) -> Result<Self, HistoryError> {
        let mut conversation = history.conversation(&notes(memory, None))?;
        if let Some(tokens) = usage {
            conversation.usage = usage_of_answer(tokens, &conversation.messages);
        }
        let remembered = memory.usage.filter(|usage| usage.messages as usize <= conversation.messages.len());
        if let Some(remembered) = remembered
            && conversation.usage.is_none_or(|usage| usage.messages <= remembered.messages)
        {
            conversation.usage = Some(remembered);
        }
        Ok(Managing {
            history: history.clone(),
            conversation,
            memory: memory.clone(),
            answers: Vec::new(),
            summary_errors: Vec::new(),
            refusal: None,
            plans: Vec::new(),
        })
    }

    /// Returns the conversation to plan for.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Returns the answers so far.
    pub fn answers(&self) -> &[String] {
        &self.answers
    }

    /// Returns the state to plan with.
    pub fn state(&self) -> &PlanState {
        &self.memory.state
    }

    /// Applies the plan of a step. Returns the request that the model is asked before the
    /// next step; none if this was the last one.
    pub fn advance(&mut self, step: Step) -> Result<Option<SummaryRequest>, HistoryError> {
        let plan = step.plan;
        if !plan.is_empty {
            self.note(&plan);
            self.history = self.history.apply(&plan)?;
            self.conversation = self.history.conversation(&notes(&self.memory, plan.usage))?;
        }
        self.memory.state = plan.state.clone();
        self.memory.usage = plan.usage;
        self.plans.push(plan);
        self.refusal = step.refusal.or(self.refusal.take());
        if step.request.is_some() && self.answers.len() == MAX_REQUESTS {
            return Err(HistoryError::new(format!("The history needs more than {MAX_REQUESTS} summaries.")));
        }
        Ok(step.request)
    }

    /// Adds the model's answer to a request. An error counts as an answer with nothing
    /// usable.
    pub fn answer(&mut self, answer: Result<String, String>) {
        self.answers.push(answer.unwrap_or_else(|why| {
            self.summary_errors.push(why);
            String::new()
        }));
    }

    /// Returns the new history, what to keep for the next look at it, and the report.
    pub fn finish(mut self) -> (History, Memory, Report) {
        self.forget();
        let before = self.plans.first().map(|plan| plan.before.clone()).unwrap_or_default();
        let after = self.plans.last().map(|plan| plan.after.clone()).unwrap_or_default();
        let report = Report {
            before,
            after,
            receipts: self.plans.iter().flat_map(|plan| plan.receipts.clone()).collect(),
            alarms: self.plans.iter().flat_map(|plan| plan.alarms.clone()).collect(),
            requests: self.answers.len() as u32,
            summary_errors: self.summary_errors,
            refusal: self.refusal,
            plans: self.plans,
        };
        (self.history, self.memory, report)
    }

    /// Remembers what a plan does, before it is applied.
    fn note(&mut self, plan: &Plan) {
        for replacement in &plan.replacements {
            let message = self.conversation.messages.get(replacement.message as usize);
            let part = message.and_then(|message| message.parts.get(replacement.part as usize));
            if let Some(Part::ToolResult(result)) = part {
                self.memory.artifacts.insert(result.call_id.clone(), replacement.artifact.clone());
            }
        }
        let (mut pinned, mut next) = (BTreeSet::new(), 0);
        for entry in &plan.history {
            match entry {
                Entry::Insert(message) => {
                    self.memory.inserted.insert(message.text.clone());
                    next += 1;
                }
                Entry::Keep(span) => {
                    let kept = self.memory.pinned.range(span.start..span.end.max(span.start));
                    pinned.extend(kept.map(|index| index - span.start + next));
                    next += span.end.saturating_sub(span.start);
                }
            }
        }
        self.memory.pinned = pinned;
    }

    /// Forgets what the history does not have any more, so that the memory does not grow
    /// with it.
    fn forget(&mut self) {
        let (mut texts, mut ids) = (BTreeSet::new(), BTreeSet::new());
        for message in &self.conversation.messages {
            for part in &message.parts {
                match part {
                    Part::Text(text) if message.inserted => drop(texts.insert(text.as_str())),
                    Part::ToolCall(call) => drop(ids.insert(call.id.as_str())),
                    Part::ToolResult(result) => drop(ids.insert(result.call_id.as_str())),
                    _ => {}
                }
            }
        }
        self.memory.inserted.retain(|text| texts.contains(text.as_str()));
        self.memory.artifacts.retain(|id, _| ids.contains(id.as_str()));
    }
}

/// Returns every text, argument and reference of a conversation: an artifact of the store
/// that none of them names is unreferenced.
pub fn texts(conversation: &Conversation) -> Vec<String> {
    let parts = conversation.messages.iter().flat_map(|message| &message.parts);
    parts
        .flat_map(|part| match part {
            Part::Text(text) => vec![text.clone()],
            Part::ToolCall(call) => vec![call.arguments.clone()],
            Part::ToolResult(result) => {
                [Some(result.text.clone()), result.artifact.clone()].into_iter().flatten().collect()
            }
            Part::Media(_) | Part::Opaque(_) => Vec::new(),
        })
        .collect()
}

fn notes(memory: &Memory, usage: Option<Usage>) -> Notes {
    Notes {
        artifacts: memory.artifacts.clone(),
        inserted: memory.inserted.clone(),
        pinned: memory.pinned.clone(),
        usage,
    }
}
