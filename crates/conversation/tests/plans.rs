//! Properties of every plan for every history.

mod common;
mod hostile;
mod pairs;

use std::collections::HashSet;
use tuckaway_contract::{
    AlarmKind, BudgetTask, CacheConfig, CompactionConfig, Conversation, Entry, ImageLimits, ManageTask,
    Message, PairConfig, Part, Plan, PlanState, Preset, Receipt, Removal, Repeats, Role, Task, TrimTask,
    UserMessages,
};

use common::{Memory, conversations};
use proptest::prelude::{Strategy, *};
use serde_json::Value;
use tuckaway_conversation::*;

const WINDOW: u64 = 6_000;

/// Runs a task to its end, with a model that summarizes everything in one way.
fn run(
    conversation: &Conversation,
    task: &Task,
    host: &Memory,
    summary: &str,
    mut state: PlanState,
) -> (Conversation, Vec<Plan>) {
    let mut conversation = conversation.clone();
    let (mut answers, mut plans) = (Vec::new(), Vec::new());
    loop {
        let step = plan(&conversation, task, &answers, &state, host).unwrap();
        conversation = step.plan.apply(&conversation);
        state = step.plan.state.clone();
        plans.push(step.plan);
        let Some(request) = step.request else { return (conversation, plans) };
        assert!(request.messages.first().is_some_and(|message| message.role == Role::User));
        assert!(request.messages.windows(2).all(|pair| pair[0].role != pair[1].role));
        answers.push(summary.to_owned());
        assert!(answers.len() < 200, "no end of requests");
    }
}

fn tasks() -> impl Strategy<Value = Task> {
    let limits = (0..4u32, prop::option::of(0..6u32), prop::option::of(0..2_000_000u64));
    let repeats = prop::sample::select(&Repeats::ALL[..]);
    let texts = (1_024..2_000u64, 0..512u64, any::<bool>());
    let texts = texts.prop_map(|(threshold, keep_bytes, with_newest)| UserMessages {
        threshold,
        keep_bytes,
        with_newest,
    });
    let images = (300..1_200u32, 0..6u32, 300..1_200u32);
    let images = images.prop_map(|(side, many, side_of_many)| ImageLimits { side, many, side_of_many });
    let fixed = (prop::option::of(1..4u32), prop::option::of(images));
    let settings = (repeats, prop::option::of(texts), fixed);
    let cache = (0..3_000u64, 0.0..=1.0f64, 0..4u32, limits, settings).prop_map(
        |(
            budget,
            target_ratio,
            keep_last,
            (keep_media, max_media, max_request_bytes),
            (repeats, user_messages, (keep_thinking, image_limits)),
        )| {
            CacheConfig {
                repeats,
                user_messages,
                context_budget_tokens: Some(budget),
                target_ratio,
                keep_last,
                min_argument_bytes: 256,
                keep_media,
                max_media,
                max_request_bytes,
                keep_thinking,
                image_limits,
                ..CacheConfig::default()
            }
        },
    );
    let compaction = (0..4u32, 0..2_000u64, 64..900u64).prop_map(|(turns, bytes, tokens)| CompactionConfig {
        context_limit: Some(WINDOW),
        retain_last_turns: turns,
        max_user_bytes: bytes,
        max_summary_tokens: tokens,
        ..CompactionConfig::default()
    });
    let presets = prop::sample::select(vec![
        Preset::General,
        Preset::CustomerSupport,
        Preset::CodeEditing,
        Preset::Research,
        Preset::Voice,
        Preset::Automation,
    ]);
    let budget = presets.prop_map(|preset| budget::preset(preset, Some(WINDOW)).unwrap());
    prop_oneof![
        cache.clone().prop_map(|config| Task::Trim(TrimTask { context_window: WINDOW, config })),
        compaction.clone().prop_map(Task::Compact),
        (budget.clone(), compaction.clone())
            .prop_map(|(config, compaction)| Task::Budget(BudgetTask { config, compaction })),
        (
            cache,
            prop::option::of(budget),
            compaction,
            prop::option::of(refusals()),
            prop::option::of(0..600u64)
        )
            .prop_map(|(cache, budget, compaction, refusal, min_tokens)| Task::Manage(ManageTask {
                context_window: WINDOW,
                cache,
                budget,
                compaction,
                refusal,
                pairs: min_tokens.map(|min_tokens| PairConfig { min_tokens, ..PairConfig::default() }),
            })),
    ]
}

fn refusals() -> impl Strategy<Value = String> {
    let figures = (WINDOW / 4..2 * WINDOW, 0..4 * WINDOW, 0..WINDOW);
    figures.prop_flat_map(|(limit, excess, answer)| {
        let actual = limit + excess;
        prop_oneof![
            3 => Just(format!("prompt is too long: {actual} tokens > {limit} maximum")),
            1 => Just(format!("`max_tokens` exceed context limit: {actual} + {answer} > {limit}")),
            1 => Just(format!("maximum context length is {limit} tokens")),
            1 => Just(format!("prompt too long; exceeded max context length by {excess} tokens")),
            1 => Just("context_length_exceeded".to_owned()),
            1 => Just("too many images and documents: 120 + 0 > 100".to_owned()),
            1 => Just("401 Unauthorized".to_owned()),
        ]
    })
}

/// Returns the task for the next request, which the provider has not refused.
fn unrefused(task: &Task) -> Task {
    match task {
        Task::Manage(task) => Task::Manage(ManageTask { refusal: None, ..task.clone() }),
        task => task.clone(),
    }
}

fn summaries() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("<summary>All is well.</summary>".to_owned()),
        1 => Just("<retain>r</retain><summary>short".to_owned()),
        1 => Just("I cannot.".to_owned()),
        1 => Just(format!("<summary>{}</summary>", "long ".repeat(20_000))),
    ]
}

/// Returns the texts of messages that a plan removed or replaced, with the artifacts that
/// should hold them.
fn is_kept(host: &Memory, before: &Conversation, plan: &Plan) -> Result<(), TestCaseError> {
    let mut stays = HashSet::new();
    for entry in &plan.history {
        if let Entry::Keep(span) = entry {
            stays.extend(span.start..span.end);
        }
    }
    for place in &plan.removed_parts {
        let message = &before.messages[place.message as usize];
        prop_assert!(stays.contains(&place.message) && !message.pinned, "{:?}", place);
        prop_assert!(matches!(message.parts[place.part as usize], Part::Thinking(_)), "{:?}", place);
        prop_assert!(!is_only_thinking(message), "{:?} leaves nothing", place);
    }
    for replacement in &plan.replacements {
        let place = (replacement.message as usize, replacement.part as usize);
        let stored = match &before.messages[place.0].parts[place.1] {
            Part::ToolResult(result) => result.text.clone(),
            Part::ToolCall(call) => {
                prop_assert!(!call.pinned);
                call.arguments.clone()
            }
            Part::Media(_) => format!("{place:?}"),
            Part::Text(text) => {
                prop_assert_eq!(before.messages[place.0].role, Role::User);
                text.clone()
            }
            part => return Err(TestCaseError::fail(format!("a replacement of {part:?}"))),
        };
        prop_assert_eq!(host.read(&replacement.artifact), Some(stored.into_bytes()));
    }
    let archives: Vec<Value> = plan
        .receipts
        .iter()
        .filter(|receipt| matches!(receipt.removal, Removal::Evicted | Removal::Summarized))
        .flat_map(|receipt| {
            let bytes = host.read(receipt.artifact.as_deref().unwrap()).unwrap();
            let lines = String::from_utf8(bytes).unwrap();
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
        })
        .collect();
    for (index, message) in before.messages.iter().enumerate() {
        let is_of = |receipt: &Receipt| receipt.messages.start as usize == index;
        let is_cleared = |receipt: &Receipt| receipt.removal == Removal::Cleared && is_of(receipt);
        let is_cleared = is_only_thinking(message) && plan.receipts.iter().any(is_cleared);
        if stays.contains(&(index as u32)) || is_cleared {
            continue;
        }
        let line = archives.iter().find(|line| line["index"] == index);
        let Some(line) = line else {
            return Err(TestCaseError::fail(format!("message {index} is not kept")));
        };
        for (part, kept) in message.parts.iter().zip(line["parts"].as_array().unwrap()) {
            match part {
                Part::Text(text) => prop_assert_eq!(&kept["text"], text),
                Part::ToolResult(result) => prop_assert_eq!(&kept["text"], &result.text),
                Part::ToolCall(call) => prop_assert_eq!(&kept["arguments"], &call.arguments),
                Part::Media(_) | Part::Opaque(_) | Part::Thinking(_) => {}
            }
        }
    }
    Ok(())
}

fn is_only_thinking(message: &Message) -> bool {
    message.parts.iter().all(|part| matches!(part, Part::Thinking(_)))
}

/// Returns the places of all thinking that a plan clears: parts, and whole messages.
fn cleared(before: &Conversation, plan: &Plan) -> HashSet<(usize, usize)> {
    let parts = plan.removed_parts.iter().map(|place| (place.message as usize, place.part as usize));
    let receipts = plan.receipts.iter().filter(|receipt| receipt.removal == Removal::Cleared);
    let messages = receipts.map(|receipt| receipt.messages.start as usize);
    let whole = messages.filter(|index| is_only_thinking(&before.messages[*index]));
    parts.chain(whole.map(|index| (index, 0))).collect()
}

/// Returns the places of the thinking that is too old if the newest `keep` turns keep theirs. A message
/// of the user after a call's result continues the turn.
fn old_thinking(conversation: &Conversation, keep: usize) -> HashSet<(usize, usize)> {
    let messages = &conversation.messages;
    let is_call = |part: &Part| matches!(part, Part::ToolCall(_) | Part::ToolResult(_));
    let mut borders = Vec::new();
    let mut is_in_loop = false;
    for (index, message) in messages.iter().enumerate() {
        if begins_turn(message) && !is_in_loop {
            borders.push(index);
        }
        match message.parts.iter().any(is_call) {
            true => is_in_loop = true,
            false
                if message.role == Role::Assistant
                    && message.parts.iter().any(|part| matches!(part, Part::Text(_))) =>
            {
                is_in_loop = false;
            }
            false => {}
        }
    }
    let border = borders.len().checked_sub(keep).map_or(0, |border| borders[border]);
    let mut old = HashSet::new();
    for (index, message) in messages[..border].iter().enumerate() {
        let thinking = message.parts.iter().position(|part| matches!(part, Part::Thinking(1..)));
        let Some(part) = thinking else { continue };
        if message.pinned || is_only_thinking(message) && messages[index + 1].pinned {
            break;
        }
        old.insert((index, part));
    }
    old
}

fn begins_turn(message: &Message) -> bool {
    message.role == Role::User && !message.parts.iter().any(|part| matches!(part, Part::ToolResult(_)))
}

/// Returns whether calls and results are paired, as an empty plan checks.
fn is_sound(conversation: &Conversation) -> bool {
    plan(conversation, &Task::Account, &[], &PlanState::default(), &Memory::default()).is_ok()
}

proptest! {
    // Each case is run once for each call of the store.
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_whichever_call_the_store_refuses(
        conversation in conversations(), task in tasks(), summary in summaries()
    ) {
        let task = pairs::answered(&conversation, &task, &summary).unwrap_or(task);
        for fails_at in 1.. {
            let host = Memory { fails_at: Some(fails_at), ..Memory::default() };
            let (after, plans) = run(&conversation, &task, &host, &summary, PlanState::default());
            prop_assert!(is_sound(&after));
            let mut before = conversation.clone();
            for plan in &plans {
                is_kept(&host, &before, plan)?;
                before = plan.apply(&before);
            }
            let mut alarms = plans.iter().flat_map(|plan| &plan.alarms);
            let has_failed = host.asked.get() >= fails_at;
            prop_assert_eq!(alarms.any(|alarm| alarm.kind == AlarmKind::NotStored), has_failed);
            if !has_failed {
                break;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_leaves_a_sound_history(
        conversation in conversations(), task in tasks(), summary in summaries(), is_full in prop::bool::weighted(0.1)
    ) {
        let task = pairs::answered(&conversation, &task, &summary).unwrap_or(task);
        let host = Memory { is_full, ..Memory::default() };
        let (after, plans) = run(&conversation, &task, &host, &summary, PlanState::default());
        prop_assert!(is_sound(&after));
        let mut before = conversation.clone();
        for plan in &plans {
            is_kept(&host, &before, plan)?;
            prop_assert_eq!(plan.is_empty, plan.receipts.is_empty());
            prop_assert!(plan.is_empty || plan.after.total <= plan.before.total, "{:?}", plan);
            before = plan.apply(&before);
        }
        let waits = |conversation: &Conversation| {
            let parts = conversation.messages.last().map(|message| message.parts.clone());
            parts.filter(|parts| parts.iter().any(|part| matches!(part, Part::ToolCall(_))))
        };
        prop_assert_eq!(waits(&conversation), waits(&after));
        // The first message after the developer's is the user's or inserted, as before.
        let first = |conversation: &Conversation| {
            conversation.messages.iter().find(|message| message.role != Role::System).map(|message| message.role)
        };
        if first(&conversation) == Some(Role::User) {
            prop_assert!(matches!(first(&after), Some(Role::User) | None));
        }
    }

    #[test]
    fn only_the_thinking_of_older_turns_is_cleared(conversation in conversations(), task in tasks()) {
        let host = Memory::default();
        let conversation = Conversation { usage: None, ..conversation };
        let step = plan(&conversation, &task, &[], &PlanState::default(), &host).unwrap();
        let cleared = cleared(&conversation, &step.plan);
        match &task {
            Task::Trim(TrimTask { config: CacheConfig { keep_thinking: Some(keep), .. }, .. }) => {
                prop_assert_eq!(cleared, old_thinking(&conversation, *keep as usize));
            }
            Task::Manage(ManageTask { cache: CacheConfig { keep_thinking: Some(keep), .. }, .. }) => {
                // Some of it may be removed with its message.
                prop_assert!(cleared.is_subset(&old_thinking(&conversation, *keep as usize)));
            }
            _ => prop_assert_eq!(cleared, HashSet::new()),
        }
    }

    #[test]
    fn images_are_within_their_limits_or_an_alarm_says_why(conversation in conversations(), task in tasks()) {
        let (Task::Trim(TrimTask { config, .. }) | Task::Manage(ManageTask { cache: config, .. })) = &task else {
            return Ok(());
        };
        let Some(limits) = config.image_limits else { return Ok(()) };
        let host = Memory::default();
        let (after, plans) = run(&conversation, &task, &host, "<summary>All is well.</summary>", PlanState::default());
        let media = after.messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
            Part::Media(medium) => Some(medium.label.as_deref().and_then(cache::sides)),
            _ => None,
        });
        let longest: Vec<f64> = media.map(|sides| sides.map_or(0.0, |(width, height)| width.max(height))).collect();
        let allowed = if longest.len() > limits.many as usize { limits.side.min(limits.side_of_many) } else { limits.side };
        let is_within = longest.iter().all(|side| *side <= allowed.into());
        let says_so = plans.iter().any(|plan| plan.alarms.iter().any(|alarm| alarm.kind == AlarmKind::ImageTooWide));
        prop_assert!(is_within || says_so, "{:?} {:?}", longest, limits);
    }

    #[test]
    fn a_plan_is_applied_once(conversation in conversations(), task in tasks()) {
        // A requested compaction is made again, unless earlier plans inserted all the messages that
        // it would summarize.
        prop_assume!(!matches!(task, Task::Compact(_)));
        let task = pairs::answered(&conversation, &task, "<summary>All is well.</summary>").unwrap_or(task);
        let host = Memory::default();
        let (after, plans) = run(&conversation, &task, &host, "<summary>All is well.</summary>", PlanState::default());
        let last = plans.last().unwrap();
        let task = unrefused(&task);
        let (_, again) = run(&after, &task, &host, "<summary>All is well.</summary>", last.state.clone());
        let is_unfulfilled = last.alarms.iter().any(|alarm| {
            matches!(alarm.kind, AlarmKind::Headroom | AlarmKind::OverCap | AlarmKind::CannotFit)
        });
        prop_assert!(again.iter().all(|plan| plan.is_empty) || is_unfulfilled, "{:#?}{:#?}", plans, again);
    }

    #[test]
    fn pinned_messages_and_the_newest_turn_stay(conversation in conversations(), task in tasks()) {
        let host = Memory::default();
        let (after, _) = run(&conversation, &task, &host, "<summary>All is well.</summary>", PlanState::default());
        let texts: HashSet<String> = after.messages.iter().map(|message| format!("{:?}", message.parts)).collect();
        for message in conversation.messages.iter().filter(|message| message.pinned) {
            let parts = format!("{:?}", message.parts);
            prop_assert!(texts.contains(&parts), "{}", parts);
        }
        let Task::Compact(config) = &task else { return Ok(()) };
        let starts = conversation.messages.iter().enumerate().filter(|(_, message)| begins_turn(message));
        let starts: Vec<usize> = starts.map(|(index, _)| index).collect();
        let newest = starts.len().saturating_sub(config.retain_last_turns as usize);
        let Some(start) = starts.get(newest) else { return Ok(()) };
        let newest = &conversation.messages[*start..];
        let alone = Conversation { messages: newest.to_vec(), tools: Vec::new(), usage: None };
        let tokens = plan(&alone, &Task::Account, &[], &PlanState::default(), &host).unwrap().plan.before.total;
        prop_assert!(tokens > WINDOW / 2 || conversation.usage.is_some() || after.messages.ends_with(newest));
    }

    #[test]
    fn the_account_is_what_is_left(conversation in conversations(), task in tasks()) {
        let conversation = Conversation { usage: None, ..conversation };
        let task = pairs::answered(&conversation, &task, "<summary>All is well.</summary>").unwrap_or(task);
        let host = Memory::default();
        let step = plan(&conversation, &task, &[], &PlanState::default(), &host).unwrap();
        let after = step.plan.apply(&conversation);
        let account = plan(&after, &Task::Account, &[], &PlanState::default(), &host).unwrap().plan.before;
        match task {
            // The provider's count replaces the exact one: shares are rounded.
            Task::Manage(ManageTask { refusal: Some(_), .. }) => {
                prop_assert_eq!(account.total, step.plan.after.total);
            }
            _ => prop_assert_eq!(account, step.plan.after),
        }
    }

    #[test]
    fn a_refused_conversation_fits_or_an_alarm_says_why(
        conversation in conversations(), task in tasks(), summary in summaries(),
        limit in WINDOW / 4..2 * WINDOW, excess in 1..2 * WINDOW
    ) {
        let Task::Manage(task) = task else { return Ok(()) };
        let actual = limit + excess;
        let refusal = Some(format!("prompt is too long: {actual} tokens > {limit} maximum"));
        let task = Task::Manage(ManageTask { refusal, ..task });
        let host = Memory::default();
        let (after, plans) = run(&conversation, &task, &host, &summary, PlanState::default());
        let (first, last) = (plans.first().unwrap(), plans.last().unwrap());
        let says = |kind| plans.iter().any(|plan| plan.alarms.iter().any(|alarm| alarm.kind == kind));
        let counted = plan(&conversation, &Task::Account, &[], &PlanState::default(), &host).unwrap().plan.before;
        // A count that is off by more than a factor of 4 is not believed.
        let corrected = counted.total.max(actual.min(4 * counted.total));
        prop_assert_eq!(first.before.total, corrected);
        prop_assert!(last.after.total <= limit.min(WINDOW) || says(AlarmKind::CannotFit), "{:#?}", plans);
        prop_assert_eq!(says(AlarmKind::Setting), limit < WINDOW);
        if corrected > counted.total {
            prop_assert_eq!(after.usage.map(|usage| usage.tokens.total_tokens()), Some(last.after.total));
        }
    }

    #[test]
    fn budgets_hold_or_an_alarm_says_why(conversation in conversations(), task in tasks()) {
        let Task::Budget(BudgetTask { config, .. }) = &task else { return Ok(()) };
        let host = Memory::default();
        let (_, plans) = run(&conversation, &task, &host, "<summary>All is well.</summary>", PlanState::default());
        let last = plans.last().unwrap();
        let over = [
            (last.after.system, config.system.max_tokens),
            (last.after.tools, config.tools.max_tokens),
            (last.after.history, config.history.max_tokens),
            (last.after.tool_outputs, config.tool_outputs.max_tokens),
            (last.after.total, config.capacity()),
        ];
        let is_over = over.iter().any(|(used, cap)| used > cap);
        let says_so = last.alarms.iter().any(|alarm| {
            matches!(alarm.kind, AlarmKind::OverCap | AlarmKind::Headroom)
        });
        prop_assert!(!is_over || says_so, "{:#?}", last);
    }
}
