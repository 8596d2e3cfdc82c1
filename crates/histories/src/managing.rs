//! Manages a history in an agent loop, as a state machine: the engine's plans are applied, and the
//! engine is called again with each summary.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tuckaway_conversation::{
    Account, Alarm, AlarmKind, Conversation, Entry, Part, Plan, PlanState, Receipt, Span, Step,
    SummaryRequest, TokenUsage, Usage,
};

use crate::history::usage_of_answer;
use crate::{History, HistoryError, Notes};

/// More summaries than any history needs: each request covers at least one message.
const MAX_REQUESTS: usize = 10_000;

/// The state that is kept between two calls, as plain data. Starts empty.
///
/// Add to `artifacts` the artifacts that the engine stored when it processed an output, by the id
/// of the call, and to `pinned` the messages that must stay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The state of the last plan.
    pub state: PlanState,
    /// The texts of the messages that plans inserted.
    pub inserted: BTreeSet<String>,
    /// The artifacts that have results, by the id of the call.
    pub artifacts: BTreeMap<String, String>,
    /// The messages that must stay unchanged, by their index in the conversation. A system prompt
    /// that is a member of the request is message 0.
    pub pinned: BTreeSet<u32>,
    /// The usage that the last plan computed for the history that it returned.
    pub usage: Option<Usage>,
}

/// The report of one call.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The account of the history before.
    pub before: Account,
    /// The account of the new history.
    pub after: Account,
    /// The removed parts, and the artifacts that have them. Message indexes refer to the history
    /// before each of the `plans`.
    pub receipts: Vec<Receipt>,
    /// Warnings for the caller.
    pub alarms: Vec<Alarm>,
    /// The number of requested summaries.
    pub requests: u32,
    /// Why summaries could not be obtained. The plan has none, and `alarms` says so.
    pub summary_errors: Vec<String>,
    /// Why the summary was refused; none if it was not refused or not needed.
    pub refusal: Option<String>,
    /// Artifacts with the removed items that had images or files, as NDJSON. Their texts are in the
    /// artifacts of `receipts`.
    pub originals: Vec<String>,
    /// The applied plans, in order.
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
/// The plan of a step is applied before its request is sent: it needs no model, and the engine
/// plans the next step over its result.
#[derive(Debug)]
pub struct Managing {
    history: History,
    conversation: Conversation,
    memory: Memory,
    answers: Vec<String>,
    summary_errors: Vec<String>,
    refusal: Option<String>,
    originals: Vec<String>,
    plans: Vec<Plan>,
}

impl Managing {
    /// Starts with a history, and the usage that was reported with its last answer.
    ///
    /// A usage applies only to an answer newer than the last plan: an older usage counts messages
    /// that no longer exist.
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
            originals: Vec::new(),
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

    /// Applies the plan of a step. Returns the request to send to the model before the next step;
    /// none if this was the last step.
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

    /// Returns the items with images or files that a plan removes, as NDJSON, because the engine
    /// stores only their texts. Returns none if there are no such items.
    pub fn originals(&self, plan: &Plan) -> Option<String> {
        let mut stays = vec![false; self.conversation.messages.len()];
        for entry in &plan.history {
            if let Entry::Keep(span) = entry {
                let end = (span.end as usize).min(stays.len());
                stays.get_mut(span.start as usize..end)?.fill(true);
            }
        }
        let has_media = |part: &Part| matches!(part, Part::Media(_));
        let messages = self.conversation.messages.iter().zip(stays).skip(self.history.offset());
        let items = self.history.items().zip(messages);
        let lost = items.filter(|(_, (message, stays))| !stays && message.parts.iter().any(has_media));
        let lines: Vec<String> =
            lost.map(|(item, _)| format!("{{\"original\": {}}}", one_line(item))).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Records the artifact that holds [`originals`](Self::originals).
    pub fn add_originals(&mut self, artifact: String) {
        self.originals.push(artifact);
    }

    /// Leaves the history unchanged because the content that a plan removes could not be stored:
    /// `why`.
    pub fn decline(&mut self, plan: Plan, why: &str) {
        let messages = self.conversation.messages.len() as u32;
        let mut alarms = plan.alarms;
        alarms.push(Alarm {
            kind: AlarmKind::NotStored,
            bucket: None,
            message: format!(
                "The history is unchanged because images or files in it could not be stored. {why}"
            ),
        });
        self.plans.push(Plan {
            is_empty: true,
            history: vec![Entry::Keep(Span { start: 0, end: messages })],
            replacements: Vec::new(),
            removed_tools: Vec::new(),
            after: plan.before.clone(),
            before: plan.before,
            usage: self.conversation.usage,
            receipts: Vec::new(),
            alarms,
            state: self.memory.state.clone(),
        });
    }

    /// Adds the model's answer to a request. An error counts as an answer without usable content.
    pub fn answer(&mut self, answer: Result<String, String>) {
        self.answers.push(answer.unwrap_or_else(|why| {
            self.summary_errors.push(why);
            String::new()
        }));
    }

    /// Returns the new history, the state for the next call, and the report.
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
            originals: self.originals,
            plans: self.plans,
        };
        (self.history, self.memory, report)
    }

    /// Records the effects of a plan before it is applied.
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

    /// Forgets entries that the history no longer has, so that the state does not grow forever.
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

/// Returns every text, argument and reference of a conversation: a stored artifact that none of
/// them names is unreferenced.
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

/// Returns JSON without line feeds, which occur only between its tokens.
fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], " ")
}

fn notes(memory: &Memory, usage: Option<Usage>) -> Notes {
    Notes {
        artifacts: memory.artifacts.clone(),
        inserted: memory.inserted.clone(),
        pinned: memory.pinned.clone(),
        usage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use tuckaway_conversation::Removal;

    const HISTORY: &str = r#"[
        {"role": "user", "content": [{"type": "text", "text": "Look."},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]},
        {"role": "assistant", "content": "I see."},
        {"role": "user", "content": "Next."}]"#;

    fn removing_the_first_turn(managing: &Managing) -> Plan {
        Plan {
            is_empty: false,
            history: vec![Entry::Keep(Span { start: 2, end: 3 })],
            replacements: Vec::new(),
            removed_tools: Vec::new(),
            before: Account { total: 9, ..Account::default() },
            after: Account::default(),
            usage: None,
            receipts: vec![Receipt {
                removal: Removal::Evicted,
                messages: Span { start: 0, end: 2 },
                tool: None,
                tokens_before: 9,
                tokens_after: 0,
                artifact: Some("art".to_owned()),
            }],
            alarms: Vec::new(),
            state: managing.state().clone(),
        }
    }

    #[test]
    fn items_with_images_are_kept_whole() {
        let history = History::parse(HISTORY, Some(Format::OpenaiChat)).unwrap();
        let mut managing = Managing::new(&history, &Memory::default(), None).unwrap();
        let plan = removing_the_first_turn(&managing);
        let originals = managing.originals(&plan).unwrap();
        assert_eq!(originals.lines().count(), 1);
        let original: serde_json::Value = serde_json::from_str(&originals).unwrap();
        assert_eq!(original["original"]["content"][1]["image_url"]["url"], "data:image/png;base64,AAAA");
        managing.decline(plan, "The quota is used up.");
        let (left, _, report) = managing.finish();
        assert_eq!(left.as_json(), HISTORY);
        assert_eq!(report.after, report.before);
        assert_eq!(report.alarms[0].kind, AlarmKind::NotStored);
    }
}
