//! The facts about a history that one call passes to the next, as small plain data.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tuckaway_contract::{
    Conversation, Entry, Error, Part, Plan, PlanState, Replacement, Role, TokenUsage, Usage,
};
use tuckaway_conversation::{Place, is_trimmed};

/// The version of the form; it rises when older memories can no longer be read.
const VERSION: u32 = 1;

/// The facts about a history in addition to its items, with fingerprints instead of texts. Any home
/// can read a memory that another one wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    version: u32,
    /// The state of the last plan.
    #[serde(default)]
    pub(crate) state: PlanState,
    /// Fingerprints of the messages that plans inserted.
    #[serde(default)]
    inserted: BTreeSet<String>,
    /// The artifacts that have results, by call and fingerprint of the text.
    #[serde(default)]
    artifacts: BTreeMap<String, String>,
    /// The usage that the last plan computed for the history that it returned.
    #[serde(default)]
    pub(crate) usage: Option<Usage>,
    /// The usage that was reported before the last plan.
    #[serde(default)]
    pub(crate) reported: Option<TokenUsage>,
    /// The fingerprint of the last compaction among the items that a provider returned for a
    /// request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compaction: Option<String>,
}

/// The member that every version has.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            version: VERSION,
            state: PlanState::default(),
            inserted: BTreeSet::new(),
            artifacts: BTreeMap::new(),
            usage: None,
            reported: None,
            compaction: None,
        }
    }
}

impl Memory {
    /// Reads a memory. An empty text is the memory of a new history.
    pub(crate) fn parse(text: Option<&str>) -> Result<Memory, Error> {
        let Some(text) = text.filter(|text| !text.trim().is_empty() && text.trim() != "null") else {
            return Ok(Memory::default());
        };
        let wrong = |why: &str| {
            Error::invalid(format!(
                "The memory is invalid: {why}. Pass the memory that the last call returned, or none to start over."
            ))
            .about(&["memory"])
        };
        match serde_json::from_str(text) {
            Ok(Versioned { version: VERSION }) => {}
            Ok(Versioned { version }) => {
                return Err(wrong(&format!("its version is {version}, but this is version {VERSION}")));
            }
            Err(_) => return Err(wrong("it is not a memory")),
        }
        serde_json::from_str(text).map_err(|_| wrong("it was changed"))
    }

    /// Writes the memory.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the artifact that has a result.
    pub(crate) fn artifact(&self, call_id: &str, text: &str) -> Option<&String> {
        // A key takes time in proportion to the text.
        if self.artifacts.is_empty() { None } else { self.artifacts.get(&result_key(call_id, text)) }
    }

    /// Returns whether a plan inserted a message with this text.
    pub(crate) fn is_inserted(&self, text: &str) -> bool {
        !self.inserted.is_empty() && self.inserted.contains(&fingerprint(text))
    }

    /// Records the last compaction among the items that a provider returned for a request.
    pub(crate) fn record_compaction(&mut self, compaction: &Value) {
        self.compaction = Some(fingerprint(&compaction.to_string()));
    }

    /// Returns whether the model reads the items before a compaction. It does if the provider returned
    /// them with it; items that are only left in front of it are ignored.
    pub(crate) fn counts_before(&self, compaction: &Value) -> bool {
        self.compaction.as_ref().is_some_and(|last| *last == fingerprint(&compaction.to_string()))
    }

    /// Records the effects of a plan on its conversation. `texts` are the new
    /// texts of results whose media the plan replaced.
    pub(crate) fn record(&mut self, conversation: &Conversation, plan: &Plan, texts: &[(Place, String)]) {
        for replacement in &plan.replacements {
            let message = conversation.messages.get(replacement.message as usize);
            let part = message.and_then(|message| message.parts.get(replacement.part as usize));
            if let Some(Part::ToolResult(result)) = part {
                let key = result_key(&result.call_id, &replacement.text);
                self.artifacts.insert(key, replacement.artifact.clone());
            }
        }
        for ((message, part), text) in texts {
            let of_message = conversation.messages.get(*message);
            let Some(Part::ToolResult(result)) = of_message.and_then(|of| of.parts.get(*part)) else {
                continue;
            };
            let of_place = |replacement: &Replacement| {
                (replacement.message as usize, replacement.part as usize).cmp(&(*message, *part))
            };
            let replaced = plan.replacements.binary_search_by(of_place).map(|at| &plan.replacements[at]);
            let artifact = replaced.map(|replaced| &replaced.artifact).ok().or(result.artifact.as_ref());
            if let Some(artifact) = artifact.filter(|artifact| is_trimmed(text, artifact)) {
                self.artifacts.insert(result_key(&result.call_id, text), artifact.clone());
            }
        }
        for entry in &plan.history {
            if let Entry::Insert(message) = entry {
                self.inserted.insert(fingerprint(&message.text));
            }
        }
        self.state = plan.state.clone();
        self.usage = plan.usage;
    }

    /// Keeps only entries that belong to a conversation, so that the memory does not grow with the
    /// session.
    pub(crate) fn settle(&mut self, conversation: &Conversation) {
        let (mut texts, mut artifacts) = (BTreeSet::new(), BTreeMap::new());
        for message in &conversation.messages {
            if let (true, [Part::Text(text), ..]) =
                (message.inserted && message.role == Role::User, &*message.parts)
            {
                texts.insert(fingerprint(text));
            }
            for part in &message.parts {
                if let Part::ToolResult(result) = part
                    && let Some(artifact) = &result.artifact
                {
                    artifacts.insert(result_key(&result.call_id, &result.text), artifact.clone());
                }
            }
        }
        let inserted = std::mem::take(&mut self.inserted);
        self.inserted.extend(inserted.into_iter().filter(|text| texts.contains(text)));
        self.artifacts = artifacts;
    }
}

/// Returns the key of a result. Providers may reuse the id of a call, and only this text can be
/// read from the artifact.
fn result_key(call_id: &str, text: &str) -> String {
    format!("{call_id} {}", fingerprint(text))
}

/// Returns a short hash of a text: its length in bytes, and FNV-1a of 64 bits. It detects changes,
/// but is not secure: a forged text with the fingerprint of another one only makes a plan mistake
/// it for the other.
pub(crate) fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    format!("{:x}-{hash:016x}", text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_read_as_it_was_written() {
        let mut memory = Memory::default();
        memory.inserted.insert(fingerprint("a"));
        memory.artifacts.insert(result_key("c", "text"), "art_x_0".to_owned());
        assert_eq!(Memory::parse(Some(&memory.to_text())), Ok(memory.clone()));
        assert_eq!(memory.artifact("c", "text").map(String::as_str), Some("art_x_0"));
        assert_eq!(memory.artifact("c", "texT"), None);
        assert!(memory.is_inserted("a") && !memory.is_inserted("b"));
        assert_eq!(Memory::parse(None), Ok(Memory::default()));
    }

    #[test]
    fn other_memories_are_refused() {
        for text in ["[]", "{}", r#"{"version":2}"#, r#"{"version":1,"x":0}"#, "{"] {
            let why = Memory::parse(Some(text)).unwrap_err().to_string();
            assert!(why.starts_with("The memory is invalid: "), "{why}");
        }
    }
}
