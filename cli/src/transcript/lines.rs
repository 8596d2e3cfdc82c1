//! The lines of a session, and whose session it is.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Agent;
use crate::exit::Failure;

/// The maximum number of lines that a message names.
const MAX_NAMED: usize = 5;

/// The lines of a session that are not blank, with their numbers from 1.
pub struct Lines<'a> {
    lines: Vec<(usize, &'a [u8])>,
    /// Whether the last line ends without a line feed.
    is_open: bool,
}

/// The members that identify the agent that wrote a line.
#[derive(Deserialize)]
struct Signs<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    payload: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uuid: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "sessionId")]
    session_id: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "leafUuid")]
    leaf_uuid: Option<&'a RawValue>,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8]) -> Lines<'a> {
        let numbered = bytes.split(|&byte| byte == b'\n').enumerate();
        let lines = numbered.map(|(index, line)| (index + 1, line.trim_ascii()));
        Lines {
            lines: lines.filter(|(_, line)| !line.is_empty()).collect(),
            is_open: !bytes.ends_with(b"\n"),
        }
    }

    pub fn len(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Parses each line. Lines that cannot be parsed are skipped, and named in the warnings.
    pub fn parse<T: Deserialize<'a>>(&self, warnings: &mut Vec<String>) -> Vec<T> {
        let (mut parsed, mut broken) = (Vec::with_capacity(self.lines.len()), Vec::new());
        for (number, line) in &self.lines {
            match serde_json::from_slice(line) {
                Ok(line) => parsed.push(line),
                Err(_) => broken.push(*number),
            }
        }
        let last = self.lines.last().map(|(number, _)| *number);
        if self.is_open
            && let Some(number) = broken.pop_if(|number| Some(*number) == last)
        {
            warnings.push(format!(
                "Line {number} is incomplete and was skipped; the agent was probably killed while it wrote."
            ));
        }
        if !broken.is_empty() {
            warnings.push(skipped(&broken));
        }
        parsed
    }

    /// Detects the agent by the first line that shows it. Returns `None` if this need not be a
    /// session: the text can be one JSON value.
    ///
    /// Errors: JSON Lines that no supported agent writes.
    pub fn agent(&self) -> Result<Option<Agent>, Failure> {
        let mut objects = 0;
        for (_, line) in &self.lines {
            let Ok(signs) = serde_json::from_slice::<Signs<'_>>(line) else {
                // The first line of a document over several lines is not a JSON value.
                if objects == 0 {
                    return Ok(None);
                }
                continue;
            };
            objects += 1;
            if let Some(agent) = signs.agent() {
                return Ok(Some(agent));
            }
        }
        match objects {
            0 | 1 => Ok(None),
            _ => Err(Failure::new(
                "these are JSON Lines, but neither a session of Claude Code nor a rollout of Codex; pass a \
                 history as one JSON value, such as the request with its messages",
            )),
        }
    }
}

impl Signs<'_> {
    fn agent(&self) -> Option<Agent> {
        let kind = self.kind.as_deref()?;
        let of_codex = ["session_meta", "response_item", "event_msg", "turn_context", "compacted"];
        if self.payload.is_some() {
            return of_codex.contains(&kind).then_some(Agent::Codex);
        }
        [self.uuid, self.session_id, self.leaf_uuid].iter().any(Option::is_some).then_some(Agent::ClaudeCode)
    }
}

/// Says which lines were skipped.
fn skipped(numbers: &[usize]) -> String {
    let named: Vec<String> = numbers.iter().take(MAX_NAMED).map(usize::to_string).collect();
    match numbers {
        [number] => format!("Line {number} is not a record of the agent and was skipped."),
        [..] if numbers.len() > MAX_NAMED => format!(
            "Lines {} and {} more are not records of the agent and were skipped.",
            named.join(", "),
            numbers.len() - MAX_NAMED
        ),
        [..] => format!("Lines {} are not records of the agent and were skipped.", named.join(", ")),
    }
}
