//! What is asked of what, as texts that stay in their place in a prompt.

use serde::{Deserialize, Serialize};
use tuckaway_json::scan::Scanner;
use tuckaway_search::hash::Fnv;
use tuckaway_text::clean::clean;
use tuckaway_text::cut::{head, with_ellipsis};

use crate::model::Question;

/// The most bytes of the arguments that a prompt repeats.
const MAX_ARGUMENTS_BYTES: usize = 4 << 10;
/// The most bytes of a name of others: a tool, a handle.
const MAX_NAME_BYTES: usize = 64;
/// The most bytes of why a request failed.
const MAX_REASON_BYTES: usize = 300;
/// What replaces the nonce in a text that is not ours.
const MASK: &str = "[nonce]";

/// What is asked of what, as the prompts have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The artifact.
    pub artifact: String,
    /// The tool that produced it, as one line.
    pub tool: String,
    /// The arguments of its call, as one line.
    pub arguments: String,
    /// What to extract.
    pub extract: String,
    /// Marks what the model answers.
    pub nonce: String,
}

impl Subject {
    /// Prepares a question for the prompts.
    pub fn of(question: &Question, tool: &str) -> Self {
        let nonce =
            question.nonce.clone().unwrap_or_else(|| format!("{:016x}", fingerprint(&question.artifact)));
        let masked = |text: String| mask(&text, &nonce);
        Subject {
            artifact: question.artifact.clone(),
            tool: masked(name(tool)),
            arguments: masked(arguments(question.tool_arguments.as_deref())),
            extract: question.extract.clone(),
            nonce,
        }
    }

    /// Returns a text without the nonce.
    pub fn masked(&self, text: &str) -> String {
        mask(text, &self.nonce)
    }

    /// Returns why a request failed, as part of one line.
    pub fn reason(&self, why: &str) -> String {
        let line = clean(why).replace(ends_line, " ");
        with_ellipsis(self.masked(line.trim()), MAX_REASON_BYTES)
    }
}

/// Returns whether a character begins a new line for some reader: the mandatory breaks of
/// Unicode.
pub fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns a name of others as part of one line.
pub fn name(name: &str) -> String {
    let line: String = name.chars().filter(|&c| !(c.is_control() || ends_line(c))).collect();
    match line.trim() {
        "" => "unknown".to_owned(),
        line => head(line, MAX_NAME_BYTES).to_owned(),
    }
}

/// Returns arguments as one line of JSON: as they are, without the line feeds between their
/// tokens; quoted if they are not JSON.
fn arguments(arguments: Option<&str>) -> String {
    let Some(arguments) = arguments else { return "unknown".to_owned() };
    // The line feeds of valid JSON are between its tokens.
    let line = match is_json(arguments) {
        true => arguments.replace(['\n', '\r'], " "),
        false => tuckaway_json::write::quote(arguments),
    };
    // Those that JSON allows within a string have an escape there.
    let line =
        line.replace('\u{85}', "\\u0085").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    with_ellipsis(line, MAX_ARGUMENTS_BYTES)
}

/// Returns whether a text is JSON to its end.
fn is_json(text: &str) -> bool {
    let mut scanner = Scanner::new(text.as_bytes());
    let mut tokens = 0;
    loop {
        match scanner.next_token() {
            Ok(Some(_)) => tokens += 1,
            Ok(None) => return tokens > 0,
            Err(_) => return false,
        }
    }
}

/// Replaces the nonce in a text.
fn mask(text: &str, nonce: &str) -> String {
    text.replace(nonce, MASK)
}

/// Returns a fingerprint of a text: it notices a change, and protects from nothing.
pub fn fingerprint(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(text.as_bytes());
    hash.value()
}
