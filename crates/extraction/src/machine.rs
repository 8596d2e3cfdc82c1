//! The machine: from a question to the first requests, and from an event to the next requests.
//!
//! A step takes one event. It updates the current phase, makes the requests that are now
//! possible, and ends the extraction if nothing is left to do.

use tuckaway_contract::{
    Answer, Coverage, ExtractionConfig, ExtractionEstimate, ExtractionEvent, ExtractionMode, ExtractionStep,
    ExtractionUsage, FailureEvent, ModelRequest, Question, ReplyEvent,
};

use crate::answer::{self, Ending};
use crate::config::{check_config, check_question};
use crate::host::{Error, Format, Host};
use crate::job::{Job, Received};
use crate::map::{self, Map};
use crate::measure::Size;
use crate::prompt;
use crate::reduce::Reduce;
use crate::report::{NOT_FOUND, Report};
use crate::route::{Route, route};
use crate::search::{Search, Turn};
use crate::state::{State, Work};
use crate::subject::{self, Subject};

/// The maximum bytes of the descriptions of chunks without relevant data.
const MAX_DESCRIPTION_BYTES: usize = 4 << 10;

/// Warns of an incomplete answer.
const CUT: &str = "an answer was truncated at its length limit";

/// Returns the strategy and the cost of an extraction.
///
/// Errors: those of [`start`].
pub fn estimate(
    host: &dyn Host,
    question: &Question,
    config: &ExtractionConfig,
) -> Result<ExtractionEstimate, Error> {
    let (subject, size, route) = prepare(host, question, config)?;
    let Route { strategy, chunks, prompt_tokens, .. } = route;
    let overlap = 100 + u64::from(config.overlap_pct);
    let (requests, input_tokens) = match strategy {
        ExtractionMode::FullChunked if size.bytes == 0 => (0, 0),
        ExtractionMode::FullChunked if chunks == 1 => (1, size.tokens + prompt_tokens),
        ExtractionMode::FullChunked => {
            let reduce =
                prompt::count(host, &prompt::reduce(&subject, ""), "") + chunks * config.max_output_tokens;
            (chunks + 1, size.tokens.saturating_mul(overlap) / 100 + chunks * prompt_tokens + reduce)
        }
        ExtractionMode::ReadGrep => {
            let turns = u64::from(config.max_turns.min(config.max_requests));
            (turns, turns.saturating_mul(config.context_tokens - config.max_output_tokens))
        }
        _ => (0, 0),
    };
    Ok(ExtractionEstimate {
        strategy,
        reason: route.reason,
        size_bytes: size.bytes,
        line_count: size.lines,
        tokens: size.tokens,
        chunks: match strategy {
            ExtractionMode::FullChunked if size.bytes > 0 => chunks as u32,
            _ => 0,
        },
        requests: u32::try_from(requests).unwrap_or(u32::MAX),
        input_tokens,
        output_tokens: requests.saturating_mul(config.max_output_tokens),
    })
}

/// Starts an extraction.
///
/// Errors: invalid for a malformed question or configuration, unsupported for a binary
/// document that a model would have to read.
pub fn start(
    host: &dyn Host,
    question: &Question,
    config: &ExtractionConfig,
) -> Result<ExtractionStep, Error> {
    let (subject, size, route) = prepare(host, question, config)?;
    let mut job = Job {
        subject,
        config: *config,
        size,
        strategy: route.strategy,
        warnings: Vec::new(),
        usage: ExtractionUsage::default(),
    };
    if route.is_replaced {
        job.warn(format!("{}: the model reads and searches it instead", route.reason));
    }
    let progress = match route.strategy {
        ExtractionMode::FullChunked if size.bytes == 0 => nothing_to_read(host, job)?,
        ExtractionMode::FullChunked => {
            let map = Map::new(host, &job, route.chunks)?;
            return finish(host, job, Work::Map(map), Vec::new());
        }
        ExtractionMode::ReadGrep => return finish(host, job, Work::Search(Search::default()), Vec::new()),
        _ => {
            let coverage = Coverage { size_bytes: size.bytes, ..Coverage::default() };
            answer::truncated(host, job, None, coverage)?
        }
    };
    Ok(ended(progress))
}

fn nothing_to_read(host: &dyn Host, job: Job) -> Result<Answer, Error> {
    let content = format!("{NOT_FOUND}\nThe output is empty.");
    let ending = Ending { content, is_not_found: true, is_partial: false, coverage: Coverage::default() };
    Ok(answer::of_model(host, job, ending)?)
}

/// Checks the question and chooses the strategy.
fn prepare(
    host: &dyn Host,
    question: &Question,
    config: &ExtractionConfig,
) -> Result<(Subject, Size, Route), Error> {
    check_config(config)?;
    check_question(question)?;
    let is_text = host.format() != Format::Binary;
    if !is_text && question.mode != ExtractionMode::Truncate {
        return Err(Error::Rejected(tuckaway_contract::Error::unsupported(
            "The output is binary: it has no text for a model to read.",
        )));
    }
    let subject = Subject::of(question, host.tool());
    let size = match is_text {
        true => Size::of(host)?,
        false => Size { bytes: host.size(), lines: host.line_count(), tokens: 0 },
    };
    let route = route(host, &subject, config, &size, question.mode)?;
    Ok((subject, size, route))
}

/// Continues an extraction after an event.
///
/// Errors: invalid for a state of another document, and for a reply to a request that is
/// not open.
pub fn step(host: &dyn Host, state: State, event: &ExtractionEvent) -> Result<ExtractionStep, Error> {
    let State { job, work } = state;
    if host.size() != job.size.bytes {
        return Err(Error::invalid(
            "state",
            "The artifact has changed since the extraction began: start it again.",
        ));
    }
    match event {
        ExtractionEvent::Resume => {
            let requests = match &work {
                Work::Map(map) => map.resume(host, &job)?,
                Work::Reduce(reduce) => reduce.resume(host, &job),
                Work::Search(search) => search.resume(host, &job)?,
            };
            finish(host, job, work, requests)
        }
        ExtractionEvent::Cancel => cancel(host, job, work),
        ExtractionEvent::Reply(ReplyEvent { request, reply }) => {
            receive(host, State { job, work }, request, Received::Reply(reply))
        }
        ExtractionEvent::Failed(FailureEvent { request, why }) => {
            let why = job.subject.reason(why);
            receive(host, State { job, work }, request, Received::Failure(why))
        }
    }
}

/// Receives the outcome of a request.
fn receive(
    host: &dyn Host,
    state: State,
    request: &str,
    received: Received<'_>,
) -> Result<ExtractionStep, Error> {
    let State { mut job, mut work } = state;
    let turn = match &mut work {
        Work::Map(map) => map.receive(host, &mut job, request, received)?.then_some(Turn::Continue),
        Work::Reduce(reduce) => reduce.receive(host, &mut job, request, received).then_some(Turn::Continue),
        Work::Search(search) => search.receive(host, &mut job, request, received),
    };
    let turn = turn.ok_or_else(|| {
        Error::invalid(
            "request",
            format!(
                "The request {:?} is not open: answer each returned request once.",
                tuckaway_text::cut::head(request, 80)
            ),
        )
    })?;
    match turn {
        Turn::Continue => finish(host, job, work, Vec::new()),
        Turn::Report(report, is_cut) => {
            if is_cut {
                job.warn(CUT);
            }
            let coverage = work.coverage(job.size.bytes);
            let Report { text: content, is_not_found, .. } = report;
            let ending = Ending { content, is_not_found, is_partial: is_cut, coverage };
            Ok(ended(answer::of_model(host, job, ending)?))
        }
        Turn::Failure(why) => {
            let coverage = work.coverage(job.size.bytes);
            Ok(ended(answer::truncated(host, job, Some(&why), coverage)?))
        }
    }
}

/// Makes the requests that are possible, and ends the extraction if no request is open.
fn finish(
    host: &dyn Host,
    mut job: Job,
    mut work: Work,
    mut requests: Vec<ModelRequest>,
) -> Result<ExtractionStep, Error> {
    loop {
        let progress = match work {
            Work::Map(map) => finish_map(host, &mut job, map, &mut requests)?,
            Work::Reduce(reduce) => finish_reduce(host, &mut job, reduce, &mut requests)?,
            Work::Search(mut search) => {
                if requests.is_empty() {
                    match search.fill(host, &mut job)? {
                        Ok(request) => requests.push(request),
                        Err(why) => {
                            let coverage = search.coverage(job.size.bytes);
                            return Ok(ended(answer::truncated(host, job, Some(&why), coverage)?));
                        }
                    }
                }
                Next::Wait(Work::Search(search))
            }
        };
        work = match progress {
            Next::Go(work) => work,
            Next::Wait(work) => {
                let state = State { job, work }.into_json();
                return Ok(ExtractionStep { state, requests, answer: None });
            }
            Next::End(ending) => return Ok(ended(answer::of_model(host, job, ending)?)),
            Next::Failure(why, coverage) => {
                return Ok(ended(answer::truncated(host, job, Some(&why), coverage)?));
            }
        };
    }
}

/// The consequence of the current phase.
enum Next {
    /// Another phase starts.
    Go(Work),
    /// Requests are open.
    Wait(Work),
    /// The extraction has an answer.
    End(Ending),
    /// The strategy failed: the reason, and the part of the document read before.
    Failure(String, Coverage),
}

fn finish_map(
    host: &dyn Host,
    job: &mut Job,
    mut map: Map,
    requests: &mut Vec<ModelRequest>,
) -> Result<Next, Error> {
    requests.extend(map.fill(host, job)?);
    if !map.is_finished() {
        return Ok(Next::Wait(Work::Map(map)));
    }
    let is_missing = answer::warn_of_missing(job, &map.chunks);
    let coverage = map::coverage(&map.chunks, job.size.bytes);
    if coverage.chunks_done == 0 {
        let why = job.warnings.pop().unwrap_or_default();
        return Ok(Next::Failure(why, coverage));
    }
    let mut found = map.chunks.iter().filter_map(map::Chunk::found);
    Ok(match (found.next(), found.next()) {
        (None, _) => Next::End(Ending {
            content: not_found(&map),
            is_not_found: true,
            is_partial: is_missing,
            coverage,
        }),
        (Some(only), None) => {
            if only.is_cut {
                job.warn(CUT);
            }
            Next::End(Ending {
                content: only.text.clone(),
                is_not_found: false,
                is_partial: is_missing || only.is_cut,
                coverage,
            })
        }
        _ => Next::Go(Work::Reduce(Reduce::new(host, job, map.chunks))),
    })
}

fn finish_reduce(
    host: &dyn Host,
    job: &mut Job,
    mut reduce: Reduce,
    requests: &mut Vec<ModelRequest>,
) -> Result<Next, Error> {
    loop {
        if reduce.failure.is_none() {
            requests.extend(reduce.fill(host, job));
        }
        let content = match reduce.advance(host, job) {
            Some(content) => content,
            None if reduce.is_waiting() => return Ok(Next::Wait(Work::Reduce(reduce))),
            None => continue,
        };
        let coverage = map::coverage(&reduce.chunks, job.size.bytes);
        let is_missing = coverage.chunks_done < coverage.chunks;
        if let Some(why) = &reduce.failure {
            job.warn(format!("the extracts could not be combined ({why}) and are listed chunk by chunk"));
        }
        if reduce.is_cut {
            job.warn(CUT);
        }
        let is_partial = is_missing || reduce.is_cut || reduce.failure.is_some();
        let is_not_found = reduce.is_not_found && reduce.failure.is_none();
        return Ok(Next::End(Ending { content, is_not_found, is_partial, coverage }));
    }
}

/// Returns the descriptions of chunks without relevant data, each once.
fn not_found(map: &Map) -> String {
    let mut content = NOT_FOUND.to_owned();
    let mut seen = Vec::new();
    for chunk in &map.chunks {
        let map::Status::Done(extract) = &chunk.status else { continue };
        let (_, description) = extract.text.split_once(NOT_FOUND).unwrap_or_default();
        let description =
            description.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | ':' | '#'));
        if !description.is_empty() && !seen.contains(&description) {
            content.push('\n');
            content += description;
            seen.push(description);
        }
    }
    tuckaway_text::cut::with_ellipsis(content, MAX_DESCRIPTION_BYTES)
}

/// Ends the extraction with the extracts so far.
fn cancel(host: &dyn Host, mut job: Job, work: Work) -> Result<ExtractionStep, Error> {
    job.warn("the extraction was canceled");
    let content = match &work {
        Work::Map(map) => map.joined(),
        Work::Reduce(reduce) => reduce.joined(),
        Work::Search(_) => String::new(),
    };
    let coverage = work.coverage(job.size.bytes);
    if content.is_empty() {
        let Subject { tool, artifact, .. } = &job.subject;
        let message = "The extraction was canceled before it had found anything.";
        let failed = answer::failed((tool, artifact), job.strategy, message, job.usage);
        return Ok(ended(Answer { coverage, ..failed }));
    }
    let ending = Ending { content, is_not_found: false, is_partial: true, coverage };
    Ok(ended(answer::of_model(host, job, ending)?))
}

fn ended(answer: Answer) -> ExtractionStep {
    ExtractionStep { state: String::new(), requests: Vec::new(), answer: Some(answer) }
}

/// Returns the step of an extraction that cannot start because its artifact cannot be read: the
/// message is for the agent's model.
pub fn failed(artifact: &str, tool: Option<&str>, mode: ExtractionMode, message: &str) -> ExtractionStep {
    let names = (subject::name(tool.unwrap_or_default()), subject::name(artifact));
    ended(answer::failed((&names.0, &names.1), mode, message, ExtractionUsage::default()))
}

/// Returns the step of an extraction that cannot continue because its artifact can no longer be
/// read: the message is for the agent's model.
pub fn abandoned(state: State, message: &str) -> ExtractionStep {
    let Job { subject, strategy, usage, .. } = state.job;
    ended(answer::failed((&subject.tool, &subject.artifact), strategy, message, usage))
}
