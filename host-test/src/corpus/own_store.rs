//! Runs the cases in a home whose store and token counter are its own. Tokens are estimated there, so
//! the answers are compared with those of the native engine with the same estimate; where no token is
//! counted, these are the answers in the files.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use serde_json::{Map, Value};

use super::{Case, FROM, File, ONLY, files};
use crate::subject::{Answer, Native, Subject};
use crate::world::Tokens;
use crate::{World, diff, expect, layout, workspace};

/// What a run has found.
#[derive(Default)]
struct Found {
    /// Cases whose answer is the one in the file.
    as_in_file: usize,
    /// Cases whose answer differs from the file in estimated tokens or by the changed store, as it does
    /// natively.
    as_natively: usize,
    /// Skipped cases by reason.
    skipped: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

/// What becomes of a case.
pub enum Adapted {
    /// It runs.
    AsItIs,
    /// It runs with another store, so that its answer may differ from the one in the file.
    With(Value),
    /// It is skipped, for this reason.
    Skipped(&'static str),
}

/// Runs all cases as `adapt` says, in view of the case's store and input. Panics with the difference of
/// each case that fails.
pub fn run_with_own_store(home: &dyn Subject, adapt: &dyn Fn(&Value, &Value) -> Adapted) {
    let only = std::env::var(ONLY).unwrap_or_default();
    let root = std::env::var_os(FROM).map_or_else(|| workspace().join("cases"), Into::into);
    let mut found = Found::default();
    for path in files(&root) {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let file = File::read(&path).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        for index in 0..file.cases().len() {
            let case = file.case(index);
            if !name.contains(&only) && !case.name().contains(&only) {
                continue;
            }
            if let Err(why) = found.run(&case, home, adapt) {
                found.failures.push(format!("{name}: {}\n{why:#}", case.name()));
            }
        }
    }
    for (reason, count) in &found.skipped {
        println!("skipped on {}: {count} cases ({reason})", home.name());
    }
    println!(
        "{}: {} cases as in their files, {} with estimated tokens or another store as natively, {} failed",
        home.name(),
        found.as_in_file,
        found.as_natively,
        found.failures.len()
    );
    assert!(found.failures.is_empty(), "{} failed\n\n{}", found.failures.len(), found.failures.join("\n\n"));
}

impl Found {
    fn run(
        &mut self,
        case: &Case,
        home: &dyn Subject,
        adapt: &dyn Fn(&Value, &Value) -> Adapted,
    ) -> Result<()> {
        let store = case.get("store");
        match adapt(store, &Value::Object(case.input())) {
            Adapted::AsItIs => self.compare(case, home, store, false),
            Adapted::With(other) => self.compare(case, home, &other, true),
            Adapted::Skipped(reason) => {
                self.skip(reason);
                Ok(())
            }
        }
    }

    fn skip(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    fn compare(&mut self, case: &Case, home: &dyn Subject, store: &Value, is_changed: bool) -> Result<()> {
        let world =
            || -> Result<_> { Ok(Arc::new(World::new(store, &Value::Null)?.with_tokens(Tokens::Estimate))) };
        let native = world()?;
        let Ok((expected, outputs)) = case.ask(&mut *Native.enter(Arc::clone(&native))) else {
            self.skip("the case's events do not fit estimated tokens");
            return Ok(());
        };
        let mut session = home.enter(world()?);
        let (answer, _) = case.ask(&mut *session)?;
        same(&shown(&expected, None), &shown(&answer, None))?;
        let own = session.own_store().unwrap_or_default();
        let after = native.after();
        same(&shown(&expected, Some(stored(&after, &own))), &shown(&answer, Some(own)))?;
        let is_as_in_file = is_expected(case, answer, &outputs);
        anyhow::ensure!(
            is_as_in_file || is_changed || after.get("counted").is_some(),
            "    no token was counted, but the answer is not the one in the file"
        );
        match is_as_in_file {
            true => self.as_in_file += 1,
            false => self.as_natively += 1,
        }
        Ok(())
    }
}

/// Returns the artifacts that the case has stored, in the way in which the home shows its own: with their
/// content, or with its size.
fn stored(after: &Value, own: &Value) -> Value {
    let Some(stored) = after["stored"].as_object() else { return Value::Object(Map::new()) };
    let with_size = |id: &str| own[id].get("size_bytes").is_some();
    let artifacts = stored.iter().map(|(id, artifact)| {
        let mut artifact = artifact.clone();
        if with_size(id)
            && let Some(members) = artifact.as_object_mut()
            && let Some(content) = members.remove("content")
        {
            let bytes = crate::content::bytes(&content).map_or(0, |bytes| bytes.len());
            members.insert("size_bytes".to_owned(), bytes.into());
        }
        (id.clone(), artifact)
    });
    Value::Object(artifacts.collect())
}

/// Returns whether the file expects this answer.
fn is_expected(case: &Case, answer: Answer, outputs: &[Vec<u8>]) -> bool {
    match answer {
        Ok(mut value) => {
            expect::point_to(outputs, &mut value);
            case.case.get("expect").is_some_and(|expected| expect::agree(expected, &value))
        }
        Err(error) => {
            let error = serde_json::to_value(error).expect("an error is JSON");
            case.case.get("error").is_some_and(|expected| expect::agree(expected, &error))
        }
    }
}

fn shown(answer: &Answer, stored: Option<Value>) -> Value {
    let mut shown = match answer {
        Ok(value) => Map::from_iter([("expect".to_owned(), value.clone())]),
        Err(error) => {
            Map::from_iter([("error".to_owned(), serde_json::to_value(error).expect("an error is JSON"))])
        }
    };
    shown.extend(stored.map(|stored| ("stored".to_owned(), stored)));
    Value::Object(shown)
}

/// Fails with the difference of two values.
fn same(expected: &Value, actual: &Value) -> Result<()> {
    let text = |value| layout::pretty(&expect::canonical(value));
    anyhow::ensure!(expected == actual, "{}", diff::lines(&text(expected), &text(actual)));
    Ok(())
}
