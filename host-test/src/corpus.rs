//! Finds the case files, runs them, compares the answers and, on request, blesses them.

mod own_store;

pub use own_store::{Adapted, run_with_own_store};

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use crate::subject::{Answer, Session, Subject};
use crate::{Call, World, diff, expect, extract, layout, pages, workspace};

/// A case that a subject skips, and why.
pub struct Skip {
    /// The path of the file in `cases/`.
    pub file: &'static str,
    /// The case's name.
    pub name: &'static str,
    /// The reason, for people.
    pub reason: &'static str,
}

/// The variable that, set to `1`, makes expectations be rewritten instead of compared.
pub const BLESS: &str = "TUCKAWAY_BLESS";
/// The variable that selects the files and cases whose names contain its value.
pub const ONLY: &str = "TUCKAWAY_CASES";

/// The variable that names a directory of cases in place of `cases/`.
pub const FROM: &str = "TUCKAWAY_CASES_FROM";

/// Runs all cases. Panics with the file, the name and the difference of each case that
/// fails. Blesses instead if `may_bless` is set and the environment requests it: one
/// subject sets the expectations, and the others must meet them.
pub fn run(subject: &dyn Subject, skips: &[Skip], may_bless: bool) {
    let bless = may_bless && std::env::var(BLESS).is_ok_and(|value| value == "1");
    let only = std::env::var(ONLY).unwrap_or_default();
    let root = std::env::var_os(FROM).map_or_else(|| workspace().join("cases"), PathBuf::from);
    let (mut passed, mut failures) = (0, Vec::new());
    for path in files(&root) {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let result = File::read(&path).and_then(|mut file| {
            for index in 0..file.cases().len() {
                let case = file.case(index);
                if !name.contains(&only) && !case.name().contains(&only) {
                    continue;
                }
                if skips.iter().any(|skip| skip.file == name && skip.name == case.name()) {
                    continue;
                }
                match case.run(subject, bless) {
                    Ok(None) => passed += 1,
                    Ok(Some(blessed)) => file.0["cases"][index] = Value::Object(blessed),
                    Err(why) => failures.push(format!("{name}: {}\n{why}", case.name())),
                }
            }
            if bless { file.write(&path) } else { Ok(()) }
        });
        if let Err(error) = result {
            failures.push(format!("{name}: {error:#}"));
        }
    }
    for skip in skips {
        println!("skipped on {}: {}: {} ({})", subject.name(), skip.file, skip.name, skip.reason);
    }
    println!("{}: {passed} cases passed, {} failed", subject.name(), failures.len());
    assert!(
        failures.is_empty(),
        "{}: {} cases failed\n\n{}",
        subject.name(),
        failures.len(),
        failures.join("\n\n")
    );
}

/// Returns all case files in the order of their names; `data` contains fixtures.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && entry.file_name() != "data" {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A case file: cases, and their common defaults.
struct File(Value);

impl File {
    fn read(path: &Path) -> Result<File> {
        let file: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
        anyhow::ensure!(file["cases"].is_array(), "the list of cases is missing");
        Ok(File(file))
    }

    fn write(&self, path: &Path) -> Result<()> {
        let text = layout::pretty(&self.0);
        if fs::read_to_string(path)? != text {
            fs::write(path, text)?;
        }
        Ok(())
    }

    fn cases(&self) -> &[Value] {
        self.0["cases"].as_array().map_or(&[], Vec::as_slice)
    }

    fn case(&self, index: usize) -> Case {
        Case {
            defaults: self.0.clone(),
            case: self.0["cases"][index].as_object().cloned().unwrap_or_default(),
        }
    }
}

struct Case {
    /// The file, whose members are the case's defaults.
    defaults: Value,
    case: Map<String, Value>,
}

impl Case {
    fn name(&self) -> &str {
        self.case.get("name").and_then(Value::as_str).unwrap_or("(no name)")
    }

    fn get(&self, name: &str) -> &Value {
        self.case.get(name).unwrap_or(&self.defaults[name])
    }

    /// Returns the file's input, overridden by the case's, member by member.
    fn input(&self) -> Map<String, Value> {
        let mut input = self.defaults["input"].as_object().cloned().unwrap_or_default();
        input.extend(self.case.get("input").and_then(Value::as_object).cloned().unwrap_or_default());
        input
    }

    /// Runs the case. Fails with the difference; returns the corrected case if it is to be
    /// blessed and differs.
    fn run(&self, subject: &dyn Subject, bless: bool) -> Result<Option<Map<String, Value>>, String> {
        let ran = panic::catch_unwind(AssertUnwindSafe(|| self.answer(subject)));
        let (answer, after) = match ran {
            Ok(Ok(ran)) => ran,
            Ok(Err(error)) => return Err(format!("    the case is malformed: {error:#}")),
            Err(_) => return Err("    it panicked, see above".to_owned()),
        };
        let mut actual = Map::new();
        match answer {
            Ok(value) => actual.insert("expect".to_owned(), value),
            Err(error) => {
                actual.insert("error".to_owned(), serde_json::to_value(error).expect("an error is JSON"))
            }
        };
        if after.as_object().is_some_and(|after| !after.is_empty()) {
            actual.insert("after".to_owned(), after);
        }
        let parts = ["expect", "error", "after"];
        let is_part = |name: &str| parts.contains(&name);
        let expected: Map<String, Value> =
            self.case.iter().filter(|(name, _)| is_part(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
        let agrees = expected.len() == actual.len()
            && expected.iter().all(|(name, value)| actual.get(name).is_some_and(|a| expect::agree(value, a)));
        if agrees {
            return Ok(None);
        }
        let blessed: Map<String, Value> = actual
            .iter()
            .map(|(name, value)| (name.clone(), expect::bless(expected.get(name), value)))
            .collect();
        if bless {
            let rest = self.case.iter().filter(|(name, _)| !is_part(name));
            return Ok(Some(rest.map(|(n, v)| (n.clone(), v.clone())).chain(blessed).collect()));
        }
        Err(diff::lines(&layout::pretty(&Value::Object(expected)), &layout::pretty(&Value::Object(blessed))))
    }

    fn answer(&self, subject: &dyn Subject) -> Result<(Answer, Value)> {
        let world = Arc::new(World::new(self.get("store"), self.get("tokens"))?);
        let mut session = subject.enter(Arc::clone(&world));
        let (mut answer, outputs) = self.ask(&mut *session)?;
        let mut after = world.after();
        if let Ok(answer) = &mut answer {
            expect::point_to(&outputs, answer);
        }
        expect::point_to(&outputs, &mut after);
        Ok((answer, after))
    }

    /// Makes the call of the case. Returns its answer, and the outputs to which the answer may refer.
    fn ask(&self, session: &mut dyn Session) -> Result<(Answer, Vec<Vec<u8>>)> {
        let name = self.get("call").as_str().context("call is missing")?;
        Ok(match name {
            "pages" => (pages::follow(session, &self.input())?, Vec::new()),
            "extract" => (extract::run(session, &self.input())?, Vec::new()),
            name => {
                let call = Call::parse(name, &self.input())?;
                (session.call(&call), call.outputs())
            }
        })
    }
}
