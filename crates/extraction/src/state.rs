//! The state between two steps: JSON with a version and a checksum. The members that only this
//! crate reads are one text in it: postcard data in base64, because the data and the code for it
//! are small.

use base64::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tuckaway_contract::Coverage;
use tuckaway_text::cut::head;

use crate::config::check_config;
use crate::host::Error;
use crate::job::Job;
use crate::map::{self, Map};
use crate::reduce::Reduce;
use crate::search::Search;
use crate::subject::{Subject, fingerprint};

#[cfg(test)]
mod tests;

/// The version of states. Raise it when the types below, or a type that they contain, change.
const VERSION: u32 = 4;

/// The current phase of an extraction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Work {
    /// Models read the chunks.
    Map(Map),
    /// The extracts of the chunks are combined.
    Reduce(Reduce),
    /// A model reads and searches the document.
    Search(Search),
}

impl Work {
    /// Returns the part of the document that was read.
    pub fn coverage(&self, size_bytes: u64) -> Coverage {
        match self {
            Work::Map(Map { chunks, .. }) | Work::Reduce(Reduce { chunks, .. }) => {
                map::coverage(chunks, size_bytes)
            }
            Work::Search(search) => search.coverage(size_bytes),
        }
    }
}

/// Everything that the next step needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The question, the limits and the usage.
    pub(crate) job: Job,
    /// The current phase.
    pub(crate) work: Work,
}

/// The JSON of a state without its [`seal`], whose member is ignored here.
#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    /// A copy of the artifact's id, which hosts and people read.
    artifact: String,
    /// A copy of the question, which hosts and people read.
    extract: String,
    /// The state, in postcard's form and base64.
    state: String,
}

/// The member that states of all versions have.
#[derive(Deserialize)]
struct Versioned<'a> {
    /// The version: a number, of any size.
    #[serde(borrow)]
    version: &'a RawValue,
}

impl State {
    /// Returns the artifact, which the host has to open for the next step.
    pub fn artifact(&self) -> &str {
        &self.job.subject.artifact
    }

    /// Writes the state.
    pub(crate) fn into_json(self) -> String {
        let saved = Saved {
            version: VERSION,
            artifact: self.job.subject.artifact.clone(),
            extract: self.job.subject.extract.clone(),
            // Only a sequence of unknown length cannot be written, and no member is one.
            state: BASE64_STANDARD.encode(postcard::to_allocvec(&self).unwrap_or_default()),
        };
        // Only a map whose keys are not strings cannot be written, and no member is one.
        let mut json = serde_json::to_string(&saved).unwrap_or_default();
        json.pop();
        let seal = seal(&json);
        json + &seal
    }

    /// Reads a state.
    ///
    /// Errors: invalid for a state that was truncated or changed, or that has another version.
    pub fn from_json(json: &str) -> Result<State, Error> {
        State::unsealed(json).filter(State::is_consistent).ok_or_else(|| refusal(json))
    }

    /// Reads a state of this version; none if it was truncated or changed.
    fn unsealed(json: &str) -> Option<State> {
        let (content, end) = json.split_at_checked(json.len().checked_sub(SEAL_BYTES)?)?;
        if end != seal(content) {
            return None;
        }
        let Saved { version, artifact, extract, state } = serde_json::from_str(json).ok()?;
        if version != VERSION {
            return None;
        }
        let bytes = BASE64_STANDARD.decode(state).ok()?;
        let (state, rest) = postcard::take_from_bytes::<State>(&bytes).ok()?;
        let Subject { artifact: own, extract: asked, .. } = &state.job.subject;
        (rest.is_empty() && artifact == *own && extract == *asked).then_some(state)
    }

    /// Returns whether nothing in the state contradicts the document's size or the limits. The
    /// checksum detects accidents only.
    fn is_consistent(&self) -> bool {
        if check_config(&self.job.config).is_err() {
            return false;
        }
        let size = self.job.size.bytes;
        match &self.work {
            Work::Map(map) => map.is_consistent(size),
            Work::Reduce(reduce) => reduce.is_consistent(size),
            Work::Search(search) => search.is_consistent(&self.job.config, size),
        }
    }
}

/// The length of a seal in bytes.
const SEAL_BYTES: usize = r#","checksum":"0123456789abcdef"}"#.len();

/// Returns the end of a state, which contains the checksum of the text before it.
fn seal(content: &str) -> String {
    format!(r#","checksum":"{:016x}"}}"#, fingerprint(content))
}

/// Returns the error for a text that is not a state of this version.
fn refusal(json: &str) -> Error {
    match other_version(json) {
        Some(version) => Error::invalid(
            "state",
            format!(
                "The state has version {}, but this is version {VERSION}: start the extraction again.",
                head(version, 20)
            ),
        ),
        None => Error::invalid(
            "state",
            "This is not the state of an extraction: pass the state of the last step unchanged, or start again.",
        ),
    }
}

/// Returns the version of a state of another version.
fn other_version(json: &str) -> Option<&str> {
    // serde also reads a struct from an array, but no version was written as one.
    let Versioned { version } = serde_json::from_str(json).ok().filter(|_| json.starts_with('{'))?;
    let version = version.get();
    let is_number = version.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && version != VERSION.to_string()).then_some(version)
}
