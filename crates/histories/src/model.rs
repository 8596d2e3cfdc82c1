//! The records of `wit/histories.wit` as plain Rust, with the same names and meanings.

use serde::{Deserialize, Serialize};
use tuckaway_conversation::{Account, Alarm, Receipt, Span, SummaryRequest};

use crate::Format;

/// A history in a provider's format, and what is known about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HistoryInput {
    /// The history as JSON: the list of items, or an object with the items as `items` or under the
    /// provider's name (`messages`, `input`, `contents`), and optionally with the system prompt
    /// (`system` or the provider's name) and `tools`.
    pub json: String,
    /// The format; detected if `None`.
    pub format: Option<Format>,
    /// The usage of the last answer, as JSON in the form in which the provider reported it. Without
    /// it, a member `usage` of the object counts.
    pub usage: Option<String>,
    /// Artifacts that have results.
    pub artifacts: Vec<KnownArtifact>,
    /// The indexes of items that must stay unchanged.
    pub pinned: Vec<u32>,
    /// Whether a call without a result, and a result without a call, are errors instead of being
    /// repaired.
    pub is_strict: bool,
    /// Whether the result has the new history as JSON, too.
    pub with_json: bool,
}

/// An artifact that has the result of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KnownArtifact {
    /// The id of the call.
    pub call_id: String,
    /// The text of the result in the history. Providers may reuse ids: with a text, the artifact
    /// belongs only to a result with this text, without one only to a result whose id no other has.
    pub text: Option<String>,
    /// The id of the artifact.
    pub artifact: String,
}

/// A piece of the new history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryItem {
    /// Items of the given history that stay unchanged, by their indexes.
    Keep(Span),
    /// A new or changed item, as JSON.
    Insert(String),
}

/// What was done to a history.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryReport {
    /// Whether the history or its tools changed.
    pub is_changed: bool,
    /// The number of items of the given history.
    pub item_count: u32,
    /// The account of the given history.
    pub before: Account,
    /// The account of the new history.
    pub after: Account,
    /// The removed parts, and the artifacts that have them. Messages are items of the given history.
    pub receipts: Vec<Receipt>,
    /// Warnings for the caller.
    pub alarms: Vec<Alarm>,
    /// The number of answered requests for summaries.
    pub requests: u32,
    /// Why summaries could not be obtained.
    pub summary_errors: Vec<String>,
    /// Why a summary was refused; none if it was not refused or not needed.
    pub refusal: Option<String>,
    /// Artifacts with the removed items that had images or files, as NDJSON. Their texts are in the
    /// artifacts of `receipts`.
    pub originals: Vec<String>,
    /// What was repaired, one sentence each.
    pub repairs: Vec<String>,
}

/// A history after the steps so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManagedHistory {
    /// The format that was read.
    pub format: Format,
    /// The new history, in order.
    pub items: Vec<HistoryItem>,
    /// The indexes of the tools that stay: elements of the list of tools, or members of the object.
    /// None if all stay.
    pub kept_tools: Option<Vec<u32>>,
    /// The new history as JSON, in the form of the given one, if it was asked for.
    pub json: Option<String>,
    /// What to pass to the next call for this history, as JSON: small, without texts, the same in
    /// every home.
    pub memory: String,
    /// What was done.
    pub report: HistoryReport,
}

/// A step of managing a history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryStep {
    /// The state for the next step; empty if this is the last.
    pub state: String,
    /// The request to send to the model; none if this is the last step.
    pub request: Option<SummaryRequest>,
    /// The history after the steps so far. A caller may end here at any time.
    pub history: ManagedHistory,
}

/// The model's answer to a request for a summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SummaryAnswer {
    /// The text of the answer.
    Text(String),
    /// The model could not be asked: why. The history is planned without a summary.
    Failed(String),
}
