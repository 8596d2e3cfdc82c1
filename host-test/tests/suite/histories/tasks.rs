//! Tasks with random settings, for histories.

use proptest::prelude::*;
use serde_json::Value;
use tuckaway::{
    CacheConfig, CompactionConfig, Engine, HistoryInput, ImageLimits, ManageTask, PairConfig, PairSummary,
    Preset, Repeats, Task, UserMessages,
};
use tuckaway_host_test::World;

use super::manage;

/// Errors of providers that refuse a history.
const REFUSALS: [&str; 7] = [
    "prompt is too long: 3000 tokens > 2000 maximum",
    "context_length_exceeded",
    "request_too_large",
    "Request payload size exceeds the limit: 4000 bytes",
    "too many images: image_count > 1",
    "image exceeds 5 MB maximum: 48 bytes > 47 bytes",
    "image dimensions exceed max allowed size: 600 pixels",
];

/// Returns tasks with random settings.
pub(super) fn task() -> impl Strategy<Value = Task> {
    let texts = (any::<bool>(), 0..512_u64).prop_map(|(with_newest, keep_bytes)| UserMessages {
        threshold: 1_024,
        keep_bytes,
        with_newest,
    });
    let images = (300..800_u32, 0..4_u32, 300..800_u32);
    let images = images.prop_map(|(side, many, side_of_many)| ImageLimits { side, many, side_of_many });
    let request = (prop::option::of(0..6_u32), prop::option::of(1_000..30_000_u64));
    let newer = (prop::option::of(1..4_u32), prop::option::of(images), request);
    let replaced = (prop::option::of(texts), prop::sample::select(&Repeats::ALL[..]), newer);
    let cache = (any::<bool>(), prop::option::of(100..3_000_u64), 0..4_u32, 0..4_u32, replaced).prop_map(
        |(enabled, context_budget_tokens, keep_last, keep_media, (user_messages, repeats, newer))| {
            CacheConfig {
                user_messages,
                repeats,
                keep_thinking: newer.0,
                image_limits: newer.1,
                max_media: newer.2.0,
                max_request_bytes: newer.2.1,
                enabled,
                context_budget_tokens,
                keep_last,
                keep_media,
                min_argument_bytes: 256,
                ..CacheConfig::default()
            }
        },
    );
    let preset =
        prop::option::of(prop::sample::select(vec![Preset::General, Preset::Voice, Preset::Automation]));
    let compaction = (any::<bool>(), 1..3_u32).prop_map(|(auto, retain_last_turns)| CompactionConfig {
        auto,
        retain_last_turns,
        ..CompactionConfig::default()
    });
    let refusal = prop::option::weighted(0.2, prop::sample::select(&REFUSALS[..]));
    let all = (800..12_000_u64, cache, preset, compaction, refusal);
    all.prop_map(|(context_window, cache, preset, compaction, refusal)| {
        let refusal = refusal.map(str::to_owned);
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let budget = preset
            .map(|preset| Engine::new(&world, &world).budget_preset(preset, Some(context_window)).unwrap());
        let pairs = Some(PairConfig { min_tokens: 0, answers: Vec::new() });
        Task::Manage(ManageTask { context_window, cache, budget, compaction, refusal, pairs })
    })
}

/// Returns the task for the history that a task leaves, which its provider has not refused.
pub(super) fn after(task: &Task) -> Task {
    match task.clone() {
        Task::Manage(task) => Task::Manage(ManageTask { refusal: None, ..task }),
        task => task,
    }
}

/// Returns a task with the summaries of calls that it would have requested, as a model has written them in
/// the background.
pub(super) fn answered(input: &HistoryInput, task: Task) -> Task {
    let Task::Manage(task) = task else { return task };
    let cache = CacheConfig {
        enabled: true,
        context_budget_tokens: Some(1 << 40),
        target_ratio: 0.0,
        ..task.cache.clone()
    };
    let compaction = CompactionConfig { auto: false, ..task.compaction.clone() };
    let all = Task::Manage(ManageTask { cache, compaction, budget: None, ..task.clone() });
    let world = World::new(&Value::Null, &Value::Null).unwrap();
    let asked = manage(&world, input, None, &all, Ok("")).background;
    let answer = |pair| PairSummary { pair, text: "<summary>All is well.</summary>".to_owned() };
    let answers = asked.into_iter().filter_map(|request| request.pair.map(answer)).collect();
    Task::Manage(ManageTask { pairs: Some(PairConfig { min_tokens: 0, answers }), ..task })
}
