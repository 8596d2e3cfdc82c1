//! The pseudo-call `extract`: runs a whole extraction with scripted events.

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use crate::Call;
use crate::content;
use crate::extraction::{Extraction, config, event_of, question};
use crate::subject::{Answer, Session};

/// Begins an extraction and passes the events of the case, one after the other. Returns the requests of each step, or its error, and the answer.
pub fn run(session: &mut dyn Session, input: &Map<String, Value>) -> Result<Answer> {
    let question = question(input)?;
    let nonce = question.nonce.clone();
    let start = Extraction::Start { question, config: config(input)? };
    let mut step = match session.call(&Call::Extraction(Box::new(start))) {
        Ok(step) => step,
        Err(error) => return Ok(Err(error)),
    };
    let mut steps = vec![json!({"requests": step["requests"]})];
    let events = input.get("events").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for event in events {
        ensure!(step["answer"].is_null(), "{event} comes after the answer");
        let last = step["state"].as_str().context("the step has no state")?;
        let state = match event.get("state") {
            Some(change) => changed(last, change)?,
            None => last.to_owned(),
        };
        let call = Extraction::Step { state, event: event_of(event, nonce.as_deref())? };
        match session.call(&Call::Extraction(Box::new(call))) {
            Ok(next) => {
                steps.push(json!({"requests": next["requests"]}));
                step = next;
            }
            // After an error the state is still valid.
            Err(error) => steps.push(json!({"error": error})),
        }
    }
    Ok(Ok(json!({"steps": steps, "answer": step["answer"]})))
}

/// Returns the state of the last step with a change: `{"cut": n}` removes bytes at its end,
/// `{"replace": text, "by": text}` changes the first occurrence of a text, and any other text
/// replaces it.
fn changed(state: &str, change: &Value) -> Result<String> {
    if let Some(bytes) = change.get("cut").and_then(Value::as_u64) {
        let end = state.len().saturating_sub(usize::try_from(bytes)?);
        return Ok(state.get(..end).context("this cuts a character")?.to_owned());
    }
    if let Some(from) = change.get("replace") {
        let from = content::text(from)?;
        ensure!(state.contains(&from), "the state does not contain {from:?}");
        let by = content::text(change.get("by").context("by is missing")?)?;
        return Ok(state.replacen(&from, &by, 1));
    }
    content::text(change)
}
