//! Plans a conversation that the provider has refused.

use tuckaway_contract::{AlarmKind, CacheConfig, ImageLimits, ProviderRefusal, RefusalKind};
use tuckaway_text::human_bytes;

use crate::cache;
use crate::draft::Draft;

/// The share of the limit that a conversation may have after it was refused, in percent. A plan
/// changes the history anyway, so it goes far enough that the next refusal is not near.
const GOAL_PCT: u128 = 60;
/// If the error does not state the size of the conversation, it is assumed to exceed the limit by a
/// tenth.
const UNKNOWN_EXCESS: u64 = 10;

/// The tokens that a refused conversation may have.
#[derive(Clone, Copy)]
pub struct Recovery {
    /// The limit of the provider.
    pub limit: u64,
    /// The target of the plan.
    pub goal: u64,
}

/// Begins to recover from a refusal. Returns none if nothing can be planned because of it; an alarm then
/// says what the caller can do. Before the first answer, corrects the count of the draft.
pub fn begin(draft: &mut Draft, window: u64, refusal: &ProviderRefusal, is_first: bool) -> Option<Recovery> {
    if refusal.kind != RefusalKind::TooManyTokens {
        if !is_of_media(refusal) {
            draft.alarm(AlarmKind::Refused, None, advice(refusal));
        }
        return None;
    }
    // A limit of 0 is as malformed as a window of 0, but the caller did not write it.
    let accepted = refusal.limit.unwrap_or(window).max(1).min(window);
    if accepted < window {
        let message = format!(
            "The provider accepts {accepted} tokens, less than the context window of {window} that was passed. Pass {accepted} as context_window."
        );
        draft.alarm(AlarmKind::Setting, None, message);
    }
    let answer = refusal.answer.unwrap_or(0);
    if answer > accepted / 2 {
        let message = format!(
            "The request asks for an answer of {answer} tokens, and the provider accepts {accepted} for the conversation and its answer. Ask for a shorter answer (max_tokens)."
        );
        draft.alarm(AlarmKind::Refused, None, message);
    }
    let limit = accepted - answer.min(accepted / 2);
    if is_first {
        recount(draft, refusal, limit);
    }
    Some(Recovery { limit, goal: (u128::from(limit) * GOAL_PCT / 100) as u64 })
}

/// Returns the settings of a trim that brings media within the limits that a refusal names. If it names
/// none, only the newest media stay. Images that are too wide are replaced even if they are new.
pub fn limits(cache: &CacheConfig, refusal: Option<&ProviderRefusal>) -> CacheConfig {
    let mut cache = cache.clone();
    let Some(refusal) = refusal.filter(|refusal| is_of_media(refusal)) else { return cache };
    match (refusal.kind, refusal.limit) {
        (RefusalKind::RequestTooLarge, Some(bytes)) => {
            cache.max_request_bytes = Some(cache.max_request_bytes.map_or(bytes, |own| own.min(bytes)));
        }
        (RefusalKind::ImageTooWide, Some(side)) => {
            let side = u32::try_from(side).unwrap_or(u32::MAX);
            let own = cache.image_limits.unwrap_or(ImageLimits { side, many: u32::MAX, side_of_many: side });
            cache.image_limits = Some(ImageLimits { side: own.side.min(side), ..own });
        }
        // [`replace_large`] replaces the images.
        (RefusalKind::ImageTooLarge, _) => {}
        (_, limit) => {
            let media = limit.map_or(cache.keep_media, |limit| u32::try_from(limit).unwrap_or(u32::MAX));
            cache.max_media = Some(cache.max_media.map_or(media, |own| own.min(media)));
        }
    }
    cache
}

/// Replaces the images that are larger than a refusal names, even new ones. An alarm says if one stays.
pub fn replace_large(draft: &mut Draft, cache: &CacheConfig, refusal: &ProviderRefusal) {
    if let (RefusalKind::ImageTooLarge, Some(bytes)) = (refusal.kind, refusal.limit)
        && cache.enabled
        && !cache::trim_large(draft, bytes)
    {
        draft.alarm(AlarmKind::Refused, None, advice(refusal));
    }
}

/// Returns whether a plan can answer a refusal by removing images and files.
fn is_of_media(refusal: &ProviderRefusal) -> bool {
    match refusal.kind {
        RefusalKind::RequestTooLarge | RefusalKind::TooManyImages => true,
        RefusalKind::ImageTooLarge | RefusalKind::ImageTooWide => refusal.limit.is_some(),
        _ => false,
    }
}

/// Reports that a request was refused for its media, and that none of them could be removed.
pub fn report_request(draft: &mut Draft, refusal: &ProviderRefusal) {
    if is_of_media(refusal) && draft.is_empty() {
        draft.alarm(AlarmKind::Refused, None, advice(refusal));
    }
}

/// Corrects the count to that of the provider.
fn recount(draft: &mut Draft, refusal: &ProviderRefusal, limit: u64) {
    let excess = refusal.excess.unwrap_or(limit / UNKNOWN_EXCESS).max(1);
    let actual = refusal.actual.unwrap_or(limit.saturating_add(excess));
    let counted = draft.after.total;
    draft.recount(actual);
    let total = draft.after.total;
    if total < actual {
        let message = format!(
            "The provider refused {actual} tokens or more, but the history has about {counted}, and was taken to have {total}. Pass the whole history that was refused, with its system prompt and tools, and the context window of the model that refused it."
        );
        draft.alarm(AlarmKind::UsageIgnored, None, message);
    }
}

/// Reports that a conversation does not fit although everything permitted was removed.
pub fn report(draft: &mut Draft, recovery: Recovery) {
    let account = draft.after;
    if account.total <= recovery.limit {
        return;
    }
    let fixed = account.system.saturating_add(account.tools);
    let message = format!(
        "The provider accepts {} tokens, and {} are left although everything that may be removed was: {} of the system prompt, {} of tools, and {} of messages that are pinned, protected, not read yet, not stored or among the newest. Start a new session, use a model with a larger window, or shorten what is left.",
        recovery.limit,
        account.total,
        account.system,
        account.tools,
        account.total.saturating_sub(fixed),
    );
    draft.alarm(AlarmKind::CannotFit, None, message);
}

/// Says what a caller can do about a refusal that a plan does not remove.
fn advice(refusal: &ProviderRefusal) -> String {
    let size = |figure: Option<u64>| figure.map_or_else(|| "its limit".to_owned(), human_bytes);
    let count = |figure: Option<u64>| figure.map_or_else(|| "fewer".to_owned(), |count| count.to_string());
    match refusal.kind {
        RefusalKind::Unknown | RefusalKind::TooManyTokens => {
            "The provider's error is not a known refusal, so nothing was planned because of it. If the conversation was too large, pass context_length_exceeded as the refusal.".to_owned()
        }
        RefusalKind::RateLimit => {
            "The provider refused the request because of its rate limit, so nothing was planned because of it. Send the request again later.".to_owned()
        }
        RefusalKind::RequestTooLarge => format!(
            "The provider refused the request because its size in bytes is above {}, and no old image or file could be stored. Remove images and files from the history, or refer to them by URL or id.",
            size(refusal.limit)
        ),
        RefusalKind::TooManyImages => format!(
            "The provider refused the request because it has too many images or files; it accepts {}, and no old one could be stored. Remove some from the history.",
            count(refusal.limit)
        ),
        RefusalKind::ImageTooLarge => format!(
            "The provider refused the request because an image is larger than {}. Reduce the image, or remove it from the history.",
            size(refusal.limit)
        ),
        RefusalKind::ImageTooWide => format!(
            "The provider refused the request because a side of an image is too long; it accepts {} pixels. Reduce the image, or remove it from the history.",
            count(refusal.limit)
        ),
    }
}
