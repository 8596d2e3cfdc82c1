//! The pseudo-call `pages`: follows `next` to the end.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use crate::Call;
use crate::subject::{Answer, Session};

/// The maximum number of pages: more would mean that reading makes no progress.
const MAX_PAGES: usize = 10_000;

/// Returns all pages of `of` (`read`, `grep`, `grep_all` or `jq`) as one answer: the
/// concatenated texts, matches or groups, the number of pages, and the length of the longest.
pub fn follow(session: &mut dyn Session, input: &Map<String, Value>) -> Result<Answer> {
    let of = input.get("of").and_then(Value::as_str).context("of is missing")?;
    let mut call = Call::parse(of, input)?;
    let mut all: Option<Value> = None;
    let (mut pages, mut longest) = (0, 0);
    loop {
        let mut page = match session.call(&call) {
            Ok(page) => page,
            Err(error) => return Ok(Err(error)),
        };
        pages += 1;
        longest = longest.max(length(&page));
        let next = page["next"].take();
        match &mut all {
            None => all = Some(page),
            Some(all) => join(all, page),
        }
        match next {
            Value::String(next) => continue_from(&mut call, next),
            _ => break,
        }
        if pages == MAX_PAGES {
            bail!("there are more than {MAX_PAGES} pages");
        }
    }
    let mut all = all.expect("there is at least one page");
    all["pages"] = json!(pages);
    all["longest"] = json!(longest);
    Ok(Ok(all))
}

fn continue_from(call: &mut Call, next: String) {
    match call {
        Call::Read { range, .. } => *range = tuckaway::Range::Cursor(next),
        Call::Grep { query, .. } | Call::GrepAll { query, .. } => query.cursor = Some(next),
        Call::Jq { query, .. } => query.cursor = Some(next),
        _ => {}
    }
}

fn join(all: &mut Value, page: Value) {
    for name in ["text", "failure", "matches", "groups", "skipped"] {
        match (&mut all[name], &page[name]) {
            (Value::String(all), Value::String(more)) => all.push_str(more),
            (Value::Array(all), Value::Array(more)) => all.extend_from_slice(more),
            (all @ Value::Null, more) => *all = more.clone(),
            _ => {}
        }
    }
}

/// Returns the bytes of a page: of its text, or of its matches as lines.
fn length(page: &Value) -> usize {
    let text = |value: &Value| value.as_str().map_or(0, str::len);
    let lines = |value: &Value| value.as_array().map_or(0, |lines| lines.iter().map(|l| text(l) + 1).sum());
    let matches = |page: &Value| {
        page["matches"].as_array().map_or(0, |matches| {
            matches.iter().map(|m| text(&m["text"]) + 1 + lines(&m["before"]) + lines(&m["after"])).sum()
        })
    };
    let groups = page["groups"].as_array().map_or(0, |groups| groups.iter().map(matches).sum());
    text(&page["text"]) + matches(page) + groups
}
