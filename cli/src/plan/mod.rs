//! `tuckaway plan`: the account of a conversation, and the changes that would keep it within
//! its window.

mod overlay;
mod session;
mod show;
mod summary;

use std::fmt::Display;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tuckaway_host::{
    BudgetConfig, HistoryInput, HistoryStep, ManageTask, Store, SummaryAnswer, Task, Tuckaway,
};

use crate::args::{Cli, Plan};
use crate::exit::{Failure, Outcome};
use crate::source::{cannot_read, slurp};
use crate::transcript::Transcript;
use crate::{files, print, setup, transcript};
use overlay::Overlay;
use session::Session;
use show::Shown;

pub async fn run(cli: &Cli, args: &Plan) -> Outcome {
    let bytes = slurp(&args.file)?;
    let transcript = transcript::read(&bytes)?;
    let memory = memory(args)?;
    let below = setup::store(cli).await?;
    let new = (!args.apply).then(|| Arc::new(Overlay::new(Arc::clone(&below))));
    let store = new.clone().map_or(below, |overlay| overlay as Arc<dyn Store>);
    let engine = setup::engine(cli, store, Some(args.tokens))?;
    if let Some(usage) = &args.usage {
        engine.read_usage(usage).await.map_err(|error| Failure::new(error.message).with_status(2))?;
    }
    let Subject { input, window: own_window, unseen_tokens } =
        subject(&engine, args, &bytes, &transcript).await?;
    let window = args.window.or(own_window).ok_or_else(|| {
        Failure::new("the context window is unknown; pass it with --window TOKENS").with_status(2)
    })?;
    let left = match window.checked_sub(unseen_tokens) {
        None | Some(0) => window,
        Some(left) => left,
    };
    let settings = Settings::read(args.config.as_deref())?;
    let budget = budget(&engine, args, &settings, left).await?;
    let task = settings.task(left, budget.clone(), args.refusal.clone())?;
    let HistoryStep { request, history, .. } =
        manage(&engine, &input, memory.as_deref(), &task, args.summary_command.as_deref()).await?;
    let shown = Shown {
        format: history.format,
        window: left,
        budget: budget.as_ref(),
        report: &history.report,
        request: request.as_ref(),
        unsaved: new.map(|overlay| overlay.ids()).unwrap_or_default(),
        is_applied: args.apply,
    };
    let session = match &transcript {
        Some(transcript) => Some(Session::new(cli, args, transcript, window, window - left).await?),
        None => None,
    };
    let json = history.json.as_deref();
    if args.apply {
        save(args, json.unwrap_or_default(), &history.memory)?;
    }
    // A new history on standard output is for the model.
    let printed = json.filter(|_| args.apply && args.output.is_none());
    match cli.json {
        true => print::json(&document(&shown, session.as_ref(), window, printed)?),
        false => show(&shown, session.as_ref(), window, printed),
    }
}

/// Prints the report, and a new history if it is printed.
fn show(shown: &Shown<'_>, session: Option<&Session<'_>>, window: u64, history: Option<&str>) -> Outcome {
    let is_terminal = if history.is_some() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let plan = shown.describe(is_terminal);
    let described = match session {
        Some(session) => session.describe(window, &plan),
        None => plan,
    };
    match history {
        Some(json) => {
            eprint!("{described}");
            print::text(&format!("{}\n", json.trim_end()))?;
        }
        None => print::text(&described)?,
    }
    Ok(0)
}

/// The subject of a plan.
struct Subject {
    input: HistoryInput,
    /// The window that the file names.
    window: Option<u64>,
    /// Tokens that are sent but not in the file.
    unseen_tokens: u64,
}

/// Returns the subject: a history, or the history in a session.
async fn subject(
    engine: &Tuckaway,
    args: &Plan,
    bytes: &[u8],
    transcript: &Option<Transcript<'_>>,
) -> Result<Subject, Failure> {
    let input = HistoryInput {
        format: args.format,
        usage: args.usage.clone(),
        is_strict: args.strict,
        with_json: args.apply,
        ..HistoryInput::default()
    };
    if let Some(transcript) = transcript {
        session::check_output(args)?;
        let session::Input { history, unseen_tokens } =
            session::input(engine, args, transcript, input).await?;
        return Ok(Subject { input: history, window: transcript.window, unseen_tokens });
    }
    let json =
        str::from_utf8(bytes).map_err(|_| Failure::new("the history is not UTF-8, so it cannot be JSON"))?;
    let window = serde_json::from_str::<Value>(json).ok().and_then(|json| json["context_window"].as_u64());
    Ok(Subject { input: HistoryInput { json: json.to_owned(), ..input }, window, unseen_tokens: 0 })
}

/// Returns the budget: the preset, scaled to the window, with the settings that differ from it.
async fn budget(
    engine: &Tuckaway,
    args: &Plan,
    settings: &Settings,
    window: u64,
) -> Result<Option<BudgetConfig>, Failure> {
    match args.preset.0 {
        None if settings.sections.contains_key("budget") => {
            let why = "the section \"budget\" changes a preset, but --preset is none; name a preset";
            Err(settings.invalid(&why).with_status(2))
        }
        None => Ok(None),
        Some(preset) => Ok(Some(settings.budget(&engine.budget_preset(preset, Some(window)).await?)?)),
    }
}

/// Takes all steps. Without a command for summaries, ends with the first step that needs a summary.
async fn manage(
    engine: &Tuckaway,
    input: &HistoryInput,
    memory: Option<&str>,
    task: &Task,
    command: Option<&str>,
) -> Result<HistoryStep, Failure> {
    let mut step = engine.start_history(input, memory, task).await?;
    while let (Some(request), Some(command)) = (&step.request, command) {
        let answer = match summary::ask(command, request) {
            Ok(text) => SummaryAnswer::Text(text),
            Err(why) => {
                eprintln!("tuckaway: {why}");
                SummaryAnswer::Failed(why)
            }
        };
        step = engine.step_history(input, task, &step.state, &answer).await?;
    }
    Ok(step)
}

/// Reads the memory of earlier plans.
fn memory(args: &Plan) -> Result<Option<String>, Failure> {
    let Some(path) = args.state.as_deref() else { return Ok(None) };
    match fs::read_to_string(path) {
        Ok(memory) => Ok(Some(memory)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
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
    fn task(
        &self,
        context_window: u64,
        budget: Option<BudgetConfig>,
        refusal: Option<String>,
    ) -> Result<Task, Failure> {
        let invalid = |error: serde_json::Error| self.invalid(&error);
        Ok(Task::Manage(ManageTask {
            context_window,
            cache: serde_json::from_value(self.section("cache")).map_err(invalid)?,
            budget,
            compaction: serde_json::from_value(self.section("compaction")).map_err(invalid)?,
            refusal,
            pairs: None,
        }))
    }

    fn invalid(&self, why: &impl Display) -> Failure {
        Failure::new(format!("the configuration {} is invalid: {why}", self.path.display()))
    }
}

/// Writes the new history and the memory to their files. Everything that was removed from the
/// history is already in the store.
fn save(args: &Plan, history: &str, memory: &str) -> Result<(), Failure> {
    if let Some(path) = args.output.as_deref() {
        files::replace(path, history.as_bytes())?;
    }
    if let Some(path) = args.state.as_deref() {
        files::replace(path, memory.as_bytes())?;
    }
    Ok(())
}

/// Returns everything as one JSON object.
fn document(
    shown: &Shown<'_>,
    session: Option<&Session<'_>>,
    window: u64,
    history: Option<&str>,
) -> Result<Value, Failure> {
    let mut document = serde_json::to_value(shown.report).map_err(anyhow::Error::from)?;
    document["format"] = json!(shown.format);
    document["context_window"] = json!(window);
    document["request"] = json!(shown.request);
    if session.is_some() {
        document["session"] = json!(session);
    }
    if let Some(history) = history {
        document["history"] = serde_json::from_str(history).map_err(anyhow::Error::from)?;
    }
    Ok(document)
}
