//! `tuckaway plan`: the account of a conversation, and what would keep it within its
//! window.

mod overlay;
mod show;
mod summary;

use std::fmt::Display;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tuckaway_host::histories::Managing;
use tuckaway_host::{BudgetConfig, History, Memory, Report, Store, SummaryRequest, Task, Tuckaway};

use crate::args::{Cli, Plan};
use crate::exit::{Failure, Outcome};
use crate::source::{cannot_read, slurp};
use crate::{files, print, setup};
use overlay::Overlay;
use show::Shown;

pub async fn run(cli: &Cli, args: &Plan) -> Outcome {
    let text = String::from_utf8(slurp(&args.file)?)
        .map_err(|_| Failure::new("the history is not UTF-8, so it cannot be JSON"))?;
    let history = History::parse(text, args.format).map_err(invalid)?;
    let memory = memory(args)?;
    let below = setup::store(cli).await?;
    let new = (!args.apply).then(|| Arc::new(Overlay::new(Arc::clone(&below))));
    let store = new.clone().map_or(below, |overlay| overlay as Arc<dyn Store>);
    let engine = setup::engine(cli, store, Some(args.tokens))?;
    let window = args.window.or_else(|| history.context_window()).ok_or_else(|| {
        Failure::new("the context window is unknown; pass it with --window TOKENS").with_status(2)
    })?;
    let settings = Settings::read(args.config.as_deref())?;
    let budget = match args.preset.0 {
        None if settings.sections.contains_key("budget") => {
            let why = "the section \"budget\" changes a preset, but --preset is none; name a preset";
            return Err(settings.invalid(&why).with_status(2));
        }
        None => None,
        Some(preset) => Some(settings.budget(&engine.budget_preset(preset, Some(window)).await?)?),
    };
    let task = settings.task(window, budget.clone())?;
    let managing = Managing::new(&history, &memory, args.usage).map_err(invalid)?;
    let before = managing.conversation().messages.len();
    let (managing, request) = manage(&engine, managing, &task, args.summary_command.as_deref()).await?;
    let (managed, memory, report) = managing.finish();
    let shown = Shown {
        format: history.format(),
        messages: before,
        window,
        budget: budget.as_ref(),
        report: &report,
        request: request.as_ref(),
        unsaved: new.map(|overlay| overlay.ids()).unwrap_or_default(),
        is_applied: args.apply,
    };
    if args.apply {
        save(args, &managed, &memory)?;
    }
    if cli.json {
        let written = (args.apply && args.output.is_none()).then_some(&managed);
        return print::json(&document(&shown, &report, written)?);
    }
    // A new history on standard output is what the model sees.
    let has_history = args.apply && args.output.is_none();
    let is_terminal = if has_history { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let described = shown.describe(is_terminal);
    if has_history {
        eprint!("{described}");
        print::text(&format!("{}\n", managed.as_json().trim_end()))?;
    } else {
        print::text(&described)?;
    }
    Ok(0)
}

/// Plans and applies until nothing is left to do. Without a command for summaries, returns
/// the first request for a summary.
async fn manage(
    engine: &Tuckaway,
    mut managing: Managing,
    task: &Task,
    command: Option<&str>,
) -> Result<(Managing, Option<SummaryRequest>), Failure> {
    loop {
        let request = engine.next_step(&mut managing, task).await?;
        let (Some(request), Some(command)) = (&request, command) else {
            return Ok((managing, request));
        };
        let answer = summary::ask(command, request);
        if let Err(why) = &answer {
            eprintln!("tuckaway: {why}");
        }
        managing.answer(answer);
    }
}

/// Reads the state of earlier plans.
fn memory(args: &Plan) -> Result<Memory, Failure> {
    let Some(path) = args.state.as_deref() else { return Ok(Memory::default()) };
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map_err(|error| Failure::new(format!("the state {} is invalid: {error}", path.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Memory::default()),
        Err(error) => Err(cannot_read(path, &error)),
    }
}

/// The sections of a configuration file, which override the defaults and the preset.
struct Settings {
    /// The file, for messages.
    path: PathBuf,
    sections: Map<String, Value>,
}

impl Settings {
    const SECTIONS: [&str; 3] = ["cache", "budget", "compaction"];

    fn read(path: Option<&Path>) -> Result<Settings, Failure> {
        let Some(path) = path else {
            return Ok(Settings { path: PathBuf::new(), sections: Map::new() });
        };
        let bytes = fs::read(path).map_err(|error| cannot_read(path, &error))?;
        let mut settings = Settings { path: path.to_owned(), sections: Map::new() };
        settings.sections = serde_json::from_slice(&bytes).map_err(|error| settings.invalid(&error))?;
        match settings.sections.keys().find(|name| !Self::SECTIONS.contains(&name.as_str())) {
            None => Ok(settings),
            Some(other) => {
                let names = Self::SECTIONS.join(", ");
                Err(settings.invalid(&format!("there is no section {other:?}; the sections are {names}")))
            }
        }
    }

    /// Returns a section; an empty one if the file does not have it.
    fn section(&self, name: &str) -> Value {
        self.sections.get(name).cloned().unwrap_or_else(|| json!({}))
    }

    /// Returns a budget: the preset, overridden by the section.
    fn budget(&self, preset: &BudgetConfig) -> Result<BudgetConfig, Failure> {
        let mut budget = serde_json::to_value(preset).map_err(|error| self.invalid(&error))?;
        for (name, value) in self.section("budget").as_object().into_iter().flatten() {
            budget[name.as_str()] = value.clone();
        }
        serde_json::from_value(budget).map_err(|error| self.invalid(&error))
    }

    /// Returns the task to plan.
    fn task(&self, context_window: u64, budget: Option<BudgetConfig>) -> Result<Task, Failure> {
        let invalid = |error: serde_json::Error| self.invalid(&error);
        Ok(Task::Manage {
            context_window,
            cache: serde_json::from_value(self.section("cache")).map_err(invalid)?,
            budget,
            compaction: serde_json::from_value(self.section("compaction")).map_err(invalid)?,
        })
    }

    fn invalid(&self, why: &impl Display) -> Failure {
        Failure::new(format!("the configuration {} is invalid: {why}", self.path.display()))
    }
}

fn invalid(error: tuckaway_host::histories::HistoryError) -> Failure {
    Failure::new(error.to_string())
}

/// Writes the new history and the state to their files. Everything that was removed from the
/// history is already in the store.
fn save(args: &Plan, history: &History, memory: &Memory) -> Result<(), Failure> {
    if let Some(path) = args.output.as_deref() {
        files::replace(path, history.as_json().as_bytes())?;
    }
    if let Some(path) = args.state.as_deref() {
        let state = serde_json::to_vec_pretty(memory).map_err(anyhow::Error::from)?;
        files::replace(path, &state)?;
    }
    Ok(())
}

/// Returns everything as one JSON object.
fn document(shown: &Shown<'_>, report: &Report, history: Option<&History>) -> Result<Value, Failure> {
    let mut document = serde_json::to_value(report).map_err(anyhow::Error::from)?;
    document["format"] = json!(shown.format);
    document["context_window"] = json!(shown.window);
    document["request"] = json!(shown.request);
    if let Some(history) = history {
        document["history"] = serde_json::from_str(history.as_json()).map_err(anyhow::Error::from)?;
    }
    Ok(document)
}
