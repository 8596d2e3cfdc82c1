//! The question and its artifact, as texts that cannot leave their place in a prompt.

use serde::{Deserialize, Serialize};
use tuckaway_json::scan::Scanner;
use tuckaway_search::hash::Fnv;
use tuckaway_text::clean::clean;
use tuckaway_text::cut::{head, with_ellipsis};

use tuckaway_contract::Question;

/// The maximum bytes of the arguments in a prompt.
const MAX_ARGUMENTS_BYTES: usize = 4 << 10;
/// The maximum bytes of a foreign name: a tool's or a handle.
const MAX_NAME_BYTES: usize = 64;
/// The maximum bytes of the reason for a failed request.
const MAX_REASON_BYTES: usize = 300;
/// Replaces the nonce in foreign texts.
const MASK: &str = "[nonce]";

/// The question and its artifact, as the prompts show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The artifact.
    pub artifact: String,
    /// The tool that produced the artifact, as one line.
    pub tool: String,
    /// The arguments of the tool's call, as one line.
    pub arguments: String,
    /// The information to extract, in words.
    pub extract: String,
    /// Marks the model's answers.
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

    /// Returns the reason for a failed request as part of one line.
    pub fn reason(&self, why: &str) -> String {
        let line = clean(why).replace(ends_line, " ");
        with_ellipsis(self.masked(line.trim()), MAX_REASON_BYTES)
    }
}

/// Returns whether a character starts a new line for some readers: the mandatory breaks of
/// Unicode.
pub fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns a foreign name as part of one line.
pub fn name(name: &str) -> String {
    let line: String = name.chars().filter(|&c| !(c.is_control() || ends_line(c))).collect();
    match line.trim() {
        "" => "unknown".to_owned(),
        line => head(line, MAX_NAME_BYTES).to_owned(),
    }
}

/// Returns arguments as one line of JSON: unchanged except for the line feeds between their
/// tokens, or quoted if they are not JSON.
fn arguments(arguments: Option<&str>) -> String {
    let Some(arguments) = arguments else { return "unknown".to_owned() };
    // In valid JSON, line feeds occur only between tokens.
    let line = match is_json(arguments) {
        true => arguments.replace(['\n', '\r'], " "),
        false => tuckaway_json::write::quote(arguments),
    };
    // JSON allows these breaks within strings, where an escape can replace them.
    let line =
        line.replace('\u{85}', "\\u0085").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    with_ellipsis(line, MAX_ARGUMENTS_BYTES)
}

/// Returns whether a text is valid JSON up to its end.
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

/// Returns a fingerprint of a text: it detects accidental changes, not attacks.
pub fn fingerprint(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(text.as_bytes());
    hash.value()
}
