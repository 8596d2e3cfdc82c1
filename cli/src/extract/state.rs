//! The file with the state of an extraction.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tuckaway_host::Question;

use super::unless_missing;
use crate::exit::Failure;
use crate::files;
use crate::source::cannot_read;

/// A file that holds the state of the last step until there is an answer.
pub struct StateFile<'a>(&'a Path);

impl<'a> StateFile<'a> {
    pub fn new(path: &'a Path) -> Self {
        StateFile(path)
    }

    /// Reads the state; `None` if the file does not exist.
    ///
    /// Fails if the state belongs to another question, because the answer would be to that one.
    pub fn read(&self, question: &Question) -> Result<Option<String>, Failure> {
        let read = unless_missing(fs::read_to_string(self.0));
        let Some(state) = read.map_err(|error| cannot_read(self.0, &error))? else { return Ok(None) };
        let parsed: Value = serde_json::from_str(&state).unwrap_or_default();
        let is_other = |name: &str, ours: &str| parsed[name].as_str().is_some_and(|value| value != ours);
        if is_other("artifact", &question.artifact) || is_other("extract", &question.extract) {
            return Err(Failure::new(format!(
                "{} holds the state of another extraction; remove it, or name another file with --state",
                self.0.display()
            )));
        }
        Ok(Some(state))
    }

    pub fn write(&self, state: &str) -> Result<(), Failure> {
        files::replace(self.0, state.as_bytes())
    }

    /// Removes the file.
    pub fn remove(&self) -> Result<(), Failure> {
        let removed = unless_missing(fs::remove_file(self.0));
        removed
            .map(|_| ())
            .map_err(|error| Failure::new(format!("cannot remove {}: {error}", self.0.display())))
    }
}
