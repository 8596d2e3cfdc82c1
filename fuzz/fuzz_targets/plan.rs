//! For any history, task and answers, planning gives a plan that keeps calls and results
//! together, or an error. The history that a plan leaves can be planned again.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tuckaway::{
    BudgetTask, CacheConfig, CompactionConfig, Conversation, Engine, ManageTask, Medium, Message, Part,
    PlanState, Preset, Role, Task, TokenUsage, ToolCall, ToolResult, ToolSpec, TrimTask, Usage,
};
use tuckaway_fuzz::{OneArtifact, Quarters};

#[derive(Arbitrary, Debug)]
struct Input {
    messages: Vec<Say>,
    tools: Vec<(String, Option<u64>, bool)>,
    usage: Option<(u64, u64, u8)>,
    task: What,
    answers: Vec<String>,
    failures: u32,
}

#[derive(Arbitrary, Debug)]
struct Say {
    role: u8,
    parts: Vec<Piece>,
    tokens: Option<u64>,
    pinned: bool,
    inserted: bool,
}

#[derive(Arbitrary, Debug)]
enum Piece {
    Text(String, u8),
    /// The id and the tool.
    Call(u8, u8, String),
    Result(u8, String, u8, bool, bool),
    Media(u64, u64),
    Opaque(u64),
    Thinking(u64),
}

#[derive(Arbitrary, Debug)]
enum What {
    Account,
    Trim {
        window: u64,
        budget: Option<u64>,
        ratio: f64,
        keep: u8,
        protect: String,
    },
    Compact {
        limit: Option<u16>,
        turns: u8,
        summary: u16,
        bytes: u16,
        references: u8,
        retain: Option<String>,
    },
    Budget {
        preset: u8,
        window: Option<u16>,
        turns: u8,
    },
    Manage {
        window: u16,
        budget: Option<u8>,
        limit: Option<u16>,
        ratio: f64,
    },
}

impl Piece {
    fn part(&self) -> Part {
        match self {
            Piece::Text(text, times) => Part::Text(text.repeat(usize::from(*times))),
            Piece::Call(id, tool, arguments) => Part::ToolCall(ToolCall {
                id: format!("call{id}"),
                name: format!("tool{}", tool % 4),
                arguments: arguments.clone(),
                pinned: tool % 8 == 7,
            }),
            Piece::Result(id, text, times, is_error, is_stored) => Part::ToolResult(ToolResult {
                call_id: format!("call{id}"),
                text: text.repeat(usize::from(*times) * 16),
                is_error: *is_error,
                artifact: is_stored.then(|| "art".to_owned()),
            }),
            Piece::Media(tokens, bytes) => {
                Part::Media(Medium { tokens: *tokens, bytes: *bytes, ..Medium::default() })
            }
            Piece::Opaque(bytes) => Part::Opaque(*bytes),
            Piece::Thinking(bytes) => Part::Thinking(*bytes),
        }
    }
}

fn preset(number: u8) -> Preset {
    let presets =
        [Preset::General, Preset::CustomerSupport, Preset::CodeEditing, Preset::Research, Preset::Voice];
    presets.get(usize::from(number)).copied().unwrap_or(Preset::Automation)
}

fn task(what: &What, engine: &Engine) -> Option<Task> {
    let compaction = |limit: Option<u16>, turns: u8| CompactionConfig {
        context_limit: limit.map(u64::from),
        retain_last_turns: turns.into(),
        ..CompactionConfig::default()
    };
    Some(match what {
        What::Account => Task::Account,
        What::Trim { window, budget, ratio, keep, protect } => Task::Trim(TrimTask {
            context_window: *window,
            config: CacheConfig {
                context_budget_tokens: *budget,
                target_ratio: *ratio,
                keep_last: (*keep).into(),
                keep_thinking: Some((*keep).into()),
                protected_tools: vec![protect.clone()],
                ..CacheConfig::default()
            },
        }),
        What::Compact { limit, turns, summary, bytes, references, retain } => {
            Task::Compact(CompactionConfig {
                max_summary_tokens: (*summary).into(),
                max_user_bytes: (*bytes).into(),
                max_references: (*references).into(),
                retain_prompt: retain.clone(),
                ..compaction(*limit, *turns)
            })
        }
        What::Budget { preset: number, window, turns } => Task::Budget(BudgetTask {
            config: engine.budget_preset(preset(*number), window.map(u64::from)).ok()?,
            compaction: compaction(None, *turns),
        }),
        What::Manage { window, budget, limit, ratio } => Task::Manage(ManageTask {
            context_window: (*window).into(),
            cache: CacheConfig { target_ratio: *ratio, ..CacheConfig::default() },
            budget: match budget {
                Some(number) => Some(engine.budget_preset(preset(*number), Some((*window).into())).ok()?),
                None => None,
            },
            compaction: compaction(*limit, 1),
            refusal: None,
            pairs: None,
        }),
    })
}

fuzz_target!(|input: Input| {
    let messages = input.messages.iter().map(|say| Message {
        role: [Role::System, Role::User, Role::Assistant, Role::Tool][usize::from(say.role % 4)],
        parts: say.parts.iter().map(Piece::part).collect(),
        tokens: say.tokens,
        pinned: say.pinned,
        inserted: say.inserted,
        joined: false,
        kept: false,
    });
    let tools = input.tools.iter().map(|(name, tokens, pinned)| ToolSpec {
        name: name.clone(),
        definition: name.clone(),
        tokens: *tokens,
        pinned: *pinned,
    });
    let usage = input.usage.map(|(input_tokens, output_tokens, messages)| Usage {
        tokens: TokenUsage { input_tokens, output_tokens, ..TokenUsage::default() },
        messages: messages.into(),
    });
    let conversation = Conversation { messages: messages.collect(), tools: tools.collect(), usage };
    let store = OneArtifact::default();
    let engine = Engine::new(&store, &Quarters);
    let Some(task) = task(&input.task, &engine) else { return };
    let state = PlanState { failures: input.failures, ..PlanState::default() };
    let Ok(step) = engine.plan(&conversation, &task, &input.answers, &state) else { return };
    assert_eq!(step.plan.is_empty, step.plan.receipts.is_empty());
    let left = step.plan.apply(&conversation);
    let again = engine.plan(&left, &Task::Account, &[], &step.plan.state);
    let again = again.unwrap_or_else(|error| panic!("{}", error.message));
    let pinned = |conversation: &Conversation| {
        conversation.messages.iter().filter(|message| message.pinned).cloned().collect::<Vec<_>>()
    };
    assert_eq!(pinned(&conversation), pinned(&left));
    assert!(again.plan.is_empty);
});
