//! `tuckaway extract`: a question about an artifact or a file, answered by a model.

mod model;
mod show;
mod state;

use std::io;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::interval;
use tuckaway_host::{
    Answer, ExtractOptions, ExtractionConfig, ExtractionMode, ExtractionOutcome, ExtractionProgress, Model,
    Question, Tuckaway,
};

use crate::args::{Cli, Extract};
use crate::exit::{Failure, Outcome};
use crate::progress::Progress;
use crate::signals::Signals;
use crate::source::Source;
use crate::{print, setup};
use state::StateFile;

pub async fn run(cli: &Cli, args: &Extract) -> Outcome {
    let source = Source::open(cli, &args.source).await?;
    source.count_lines().await?;
    let engine = setup::engine(cli, source.store.clone(), Some(args.tokens))?;
    let question = Question {
        artifact: source.id.clone(),
        extract: args.what.clone(),
        mode: args.mode.into(),
        tool_arguments: args.tool_arguments.clone(),
        nonce: None,
    };
    let config = config(&engine, args).await?;
    if args.dry_run {
        let estimate = engine.estimate_extraction(&question, &config).await?;
        return match cli.json {
            true => print::json(&estimate),
            false => print::text(&show::estimate(&question, &config, &estimate)).map(|()| 0),
        };
    }
    let model = model::choose(args, question.mode)?;
    let mut signals =
        Signals::new().map_err(|error| Failure::new(format!("cannot wait for signals: {error}")))?;
    let extraction = Extraction { engine, question, config, model };
    let (answer, signal) = extraction.run(args, &mut signals).await?;
    match cli.json {
        true => print::json(&answer).map(|_| ())?,
        false => {
            print::text(&answer.text)?;
            eprint!("{}", show::remarks(&answer));
        }
    }
    let is_fallback = answer.outcome == ExtractionOutcome::Truncated
        && extraction.question.mode != ExtractionMode::Truncate;
    Ok(match signal {
        Some(signal) => 128 + signal,
        None => u8::from(is_fallback || answer.outcome == ExtractionOutcome::Failed),
    })
}

async fn config(engine: &Tuckaway, args: &Extract) -> Result<ExtractionConfig, Failure> {
    let defaults = engine.extraction_config(args.context_tokens).await;
    let defaults = defaults.map_err(|error| Failure::from(error).with_status(2))?;
    Ok(ExtractionConfig {
        max_requests: args.max_requests.unwrap_or(defaults.max_requests),
        max_tokens: args.max_tokens.or(defaults.max_tokens),
        max_parallel: args.parallel.unwrap_or(defaults.max_parallel),
        ..defaults
    })
}

/// An extraction that is about to run.
struct Extraction {
    engine: Tuckaway,
    question: Question,
    config: ExtractionConfig,
    model: Box<dyn Model>,
}

impl Extraction {
    /// Runs until there is an answer. A signal cancels the extraction and is returned with the
    /// partial answer.
    async fn run(&self, args: &Extract, signals: &mut Signals) -> Result<(Answer, Option<u8>), Failure> {
        let file = args.state.as_deref().map(StateFile::new);
        let resumed = match &file {
            Some(file) => file.read(&self.question)?,
            None => None,
        };
        let (mut signal, mut not_written) = (None, None);
        let so_far = Mutex::default();
        let options = ExtractOptions::new()
            .cancel(async { signal = Some(signals.next().await) })
            .on_progress(|progress| *locked(&so_far) = *progress)
            .on_state(|state| {
                if let Some(Err(failure)) = file.as_ref().map(|file| file.write(state)) {
                    not_written = failure.message;
                }
            });
        let extraction = async {
            match resumed {
                Some(state) => self.engine.resume_extraction(&state, &*self.model, options).await,
                None => self.engine.extract(&self.question, &self.config, &*self.model, options).await,
            }
        };
        let answer = with_progress(extraction, &so_far).await?;
        match (&file, not_written) {
            (_, Some(why)) => eprintln!("tuckaway: {why}"),
            // A canceled extraction can be resumed.
            (Some(file), None) if signal.is_none() => file.remove()?,
            _ => {}
        }
        Ok((answer, signal))
    }
}

/// Shows the progress of an extraction until it ends: a request may take minutes.
async fn with_progress<T>(extraction: impl Future<Output = T>, so_far: &Mutex<ExtractionProgress>) -> T {
    let (mut extraction, mut shown) = (pin!(extraction), Progress::new());
    let mut tick = interval(Duration::from_millis(200));
    let answer = loop {
        tokio::select! {
            answer = &mut extraction => break answer,
            _ = tick.tick() => shown.show(|elapsed| show::progress(&locked(so_far), elapsed)),
        }
    };
    shown.clear();
    answer
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Converts the error for a missing file to `None`.
fn unless_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
