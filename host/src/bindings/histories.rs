//! Converts the records of histories. Arguments are borrowed: a history of 50 MB is copied once,
//! into the guest.

use tuckaway as model;

use super::convert::{all, same_cases};
use super::exported::histories;

same_cases! {
    model::HistoryFormat => histories::HistoryFormat {
        OpenaiChat, OpenaiResponses, Anthropic, AiSdk, AiSdkUi, Gemini, Bedrock, Langchain, Neutral
    }
    histories::HistoryFormat => model::HistoryFormat {
        OpenaiChat, OpenaiResponses, Anthropic, AiSdk, AiSdkUi, Gemini, Bedrock, Langchain, Neutral
    }
}

impl From<histories::HistoryItem> for model::HistoryItem {
    fn from(item: histories::HistoryItem) -> Self {
        match item {
            histories::HistoryItem::Keep(span) => model::HistoryItem::Keep(span.into()),
            histories::HistoryItem::Insert(json) => model::HistoryItem::Insert(json),
        }
    }
}

impl From<histories::HistoryReport> for model::HistoryReport {
    fn from(report: histories::HistoryReport) -> Self {
        model::HistoryReport {
            is_changed: report.is_changed,
            item_count: report.item_count,
            before: report.before.into(),
            after: report.after.into(),
            receipts: all(report.receipts),
            alarms: all(report.alarms),
            requests: report.requests,
            summary_errors: report.summary_errors,
            refusal: report.refusal,
            originals: report.originals,
            repairs: report.repairs,
        }
    }
}

impl From<histories::HistoryStep> for model::HistoryStep {
    fn from(step: histories::HistoryStep) -> Self {
        let history = step.history;
        model::HistoryStep {
            state: step.state,
            request: step.request.map(Into::into),
            history: model::ManagedHistory {
                format: history.format.into(),
                items: all(history.items),
                kept_tools: history.kept_tools,
                json: history.json,
                memory: history.memory,
                report: history.report.into(),
            },
        }
    }
}

/// Converts the known artifacts, for [`input`] to borrow.
pub(crate) fn artifacts(input: &model::HistoryInput) -> Vec<histories::KnownArtifact<'_>> {
    let artifacts = input.artifacts.iter();
    artifacts
        .map(|known| histories::KnownArtifact {
            call_id: &known.call_id,
            text: known.text.as_deref(),
            artifact: &known.artifact,
        })
        .collect()
}

/// Converts a history to the argument of an export.
pub(crate) fn input<'a>(
    input: &'a model::HistoryInput,
    artifacts: &'a [histories::KnownArtifact<'a>],
) -> histories::HistoryInput<'a> {
    histories::HistoryInput {
        json: &input.json,
        format: input.format.map(Into::into),
        usage: input.usage.as_deref(),
        artifacts,
        pinned: &input.pinned,
        is_strict: input.is_strict,
        with_json: input.with_json,
    }
}

/// Converts an answer to the argument of an export.
pub(crate) fn answer(answer: &model::SummaryAnswer) -> histories::SummaryAnswer<'_> {
    match answer {
        model::SummaryAnswer::Text(text) => histories::SummaryAnswer::Text(text),
        model::SummaryAnswer::Failed(why) => histories::SummaryAnswer::Failed(why),
    }
}
