//! Summaries of single calls and their results. They are requested before the results have to leave,
//! so that a model can write them in the background, and take their place when they do: a change to
//! an earlier message costs the provider's prompt cache, and a trim makes that change anyway.

use tuckaway_contract::{AlarmKind, Bucket, CompactionConfig, ManageTask, PairConfig, SummaryRequest, Task};
use tuckaway_text::order;

use crate::cache;
use crate::compaction::{self, Answer};
use crate::draft::{Draft, MEDIUM_REF, Rank, Summary};
use crate::fingerprint;
use crate::shape::Place;

/// Maximum requests of a plan, which the next plans continue.
const MAX_REQUESTS: usize = 8;

/// Gives the draft the answers of a task that it may use. The state keeps only calls and results that are
/// still in the conversation and unchanged.
pub fn learn(draft: &mut Draft, config: Option<&PairConfig>) {
    let requested = std::mem::take(draft.requested());
    let Some(config) = config else { return };
    let answers = config.answers.iter().map(|answer| (answer.pair, answer.text.as_str()));
    let mut known: Vec<(u64, &str)> = requested.into_iter().map(|pair| (pair, "")).collect();
    known.extend(answers);
    if known.is_empty() {
        return;
    }
    // An answer comes before the request.
    order::sort_by_key(&mut known, |(pair, text)| (*pair, text.is_empty()));
    for (index, message) in draft.conversation.messages.iter().enumerate() {
        for place in (0..message.parts.len()).map(|part| (index, part)) {
            let Some(pair) = pair_at(draft, place) else { continue };
            let at = known.partition_point(|(known, _)| *known < pair);
            if let Some((_, answer)) = known.get(at).filter(|(known, _)| *known == pair) {
                let summary = usable(draft, place, answer);
                draft.summaries.push((place, summary));
                draft.requested().push(pair);
            }
        }
    }
}

/// Returns the summary in an answer, if the result at a place becomes smaller with it; otherwise, or if there
/// is no answer yet, an empty one.
fn usable(draft: &mut Draft, place: Place, answer: &str) -> Summary {
    if answer.is_empty() {
        return Summary { text: String::new(), tokens: 0 };
    }
    let text = Answer::read(answer).map_or_else(|_| String::new(), |answer| answer.summary);
    let tokens = draft.summarized_tokens(place, &text);
    let is_usable = !text.is_empty() && tokens < draft.part_tokens(place) && !text.contains(MEDIUM_REF);
    if is_usable {
        return Summary { text, tokens };
    }
    let why = "A summary of a call is unusable, or would not make the result smaller.";
    draft.alarm(AlarmKind::NoSummary, Some(Bucket::ToolOutputs), why);
    Summary { text: String::new(), tokens }
}

/// Returns the requests of a task for summaries of the results that the next trim will remove, the oldest
/// first, and records them in the state.
pub fn requests(draft: &mut Draft, task: &Task, summaries: &CompactionConfig) -> Vec<SummaryRequest> {
    let mut requests = Vec::new();
    let Task::Manage(task @ ManageTask { pairs: Some(config), .. }) = task else { return requests };
    for candidate in cache::leaving(draft, task.context_window, &task.cache) {
        let place = candidate.place;
        if requests.len() == MAX_REQUESTS {
            break;
        }
        // Results that a later call superseded need no summary, and summaries have none.
        if candidate.rank != Rank::Usual || candidate.tokens < config.min_tokens || draft.is_requested(place)
        {
            continue;
        }
        // Only a result has a pair.
        let Some(pair) = pair_at(draft, place) else { continue };
        draft.requested().push(pair);
        requests.extend(compaction::request_of_pair(draft, place, pair, summaries));
    }
    requests
}

/// Returns the fingerprint of the result at a place and its call.
fn pair_at(draft: &Draft, place: Place) -> Option<u64> {
    let call = draft.shape.call(draft.conversation, place)?;
    Some(fingerprint::pair(call, draft.result(place)?))
}
