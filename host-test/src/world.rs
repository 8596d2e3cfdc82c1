//! The world of a case: a store and a token counter that follow the case's script and
//! record their calls.

mod script;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tuckaway::{Artifact, CountTokens, Expiry, Store, StoreError};

pub use script::{InitialArtifact, Lies, ReadLie, Script, Tokens};

/// The creation time of the first artifact of a session.
pub(crate) const EPOCH: u64 = 1_700_000_000;

/// A scripted store and a scripted token counter.
pub struct World {
    script: Script,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// In the order of creation.
    kept: Vec<StoredArtifact>,
    minted: u64,
    /// How often each method was called.
    asked: BTreeMap<&'static str, u64>,
    deleted: Vec<String>,
    counted: u64,
}

struct StoredArtifact {
    artifact: Artifact,
    bytes: Vec<u8>,
    sealed: bool,
    /// The facts that are still known about it, if it has expired.
    expired: Option<Option<Expiry>>,
    /// Created during the case, not present from the start.
    new: bool,
}

impl World {
    /// Creates the world that a case's `store` and `tokens` describe.
    pub fn new(store: &Value, tokens: &Value) -> anyhow::Result<World> {
        let (script, present) = Script::parse(store, tokens)?;
        let kept = present
            .into_iter()
            .map(|present| StoredArtifact {
                artifact: present.artifact,
                bytes: present.bytes,
                sealed: true,
                expired: present.expired,
                new: false,
            })
            .collect();
        Ok(World { script, state: Mutex::new(State { kept, ..State::default() }) })
    }

    /// Counts tokens in another way than the case says.
    #[must_use]
    pub fn with_tokens(mut self, tokens: Tokens) -> World {
        self.script.tokens = tokens;
        self
    }

    /// Returns the artifacts that are in the store from the start and that nothing has removed since.
    pub fn initial(&self) -> Vec<InitialArtifact> {
        let state = self.lock();
        let initial = state.kept.iter().filter(|kept| !kept.new);
        initial
            .map(|kept| InitialArtifact {
                artifact: kept.artifact.clone(),
                bytes: kept.bytes.clone(),
                expired: kept.expired.clone(),
            })
            .collect()
    }

    /// Returns the effects of the case: the stored and the deleted artifacts, and how often tokens
    /// were counted. Omits empty members.
    pub fn after(&self) -> Value {
        let state = self.lock();
        let mut after = serde_json::Map::new();
        let stored: serde_json::Map<String, Value> = state
            .kept
            .iter()
            .filter(|kept| kept.new)
            .map(|kept| {
                let content = match std::str::from_utf8(&kept.bytes) {
                    Ok(text) => Value::from(text),
                    Err(_) => crate::content::encoded(&kept.bytes),
                };
                let mut members = serde_json::Map::new();
                members.insert("tool".to_owned(), Value::from(&*kept.artifact.tool));
                members.insert("media_type".to_owned(), Value::from(&*kept.artifact.media_type));
                if kept.sealed {
                    members.insert("line_count".to_owned(), Value::from(kept.artifact.line_count));
                } else {
                    members.insert("sealed".to_owned(), Value::from(false));
                }
                members.insert("content".to_owned(), content);
                (kept.artifact.id.clone(), Value::Object(members))
            })
            .collect();
        if !stored.is_empty() {
            after.insert("stored".to_owned(), Value::Object(stored));
        }
        if !state.deleted.is_empty() {
            after.insert("deleted".to_owned(), Value::from(state.deleted.clone()));
        }
        if state.counted > 0 {
            after.insert("counted".to_owned(), Value::from(state.counted));
        }
        Value::Object(after)
    }

    /// Returns the stored bytes of a sealed artifact.
    pub fn stored(&self, id: &str) -> Result<Vec<u8>, StoreError> {
        Ok(self.lock().sealed(id)?.bytes.clone())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a call of a method, and fails if the script says so.
    fn ask(&self, state: &mut State, method: &'static str) -> Result<(), StoreError> {
        let asked = state.asked.entry(method).or_default();
        *asked += 1;
        match self.script.failures.get(method) {
            Some(failure) if failure.at.is_none_or(|at| at == *asked) => Err(failure.error.clone()),
            _ => Ok(()),
        }
    }
}

impl State {
    fn sealed(&self, id: &str) -> Result<&StoredArtifact, StoreError> {
        match self.kept.iter().find(|kept| kept.artifact.id == id && kept.sealed) {
            Some(kept) => match &kept.expired {
                Some(expiry) => Err(StoreError::Expired(expiry.clone())),
                None => Ok(kept),
            },
            None => Err(StoreError::NotFound),
        }
    }

    fn open(&mut self, id: &str) -> Result<&mut StoredArtifact, StoreError> {
        self.kept.iter_mut().find(|kept| kept.artifact.id == id && !kept.sealed).ok_or(StoreError::NotFound)
    }
}

impl Store for World {
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let mut state = self.lock();
        self.ask(&mut state, "create")?;
        state.minted += 1;
        let id = match &self.script.lies.minted {
            Some(id) => id.clone(),
            None => format!("art_{}_{:010}", slug(tool), state.minted),
        };
        let artifact = Artifact {
            id: id.clone(),
            tool: tool.to_owned(),
            media_type: media_type.to_owned(),
            size_bytes: 0,
            line_count: 0,
            created_at: EPOCH + state.minted,
        };
        state.kept.push(StoredArtifact {
            artifact,
            bytes: Vec::new(),
            sealed: false,
            expired: None,
            new: true,
        });
        Ok(id)
    }

    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let mut state = self.lock();
        self.ask(&mut state, "append")?;
        state.open(id)?.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let mut state = self.lock();
        self.ask(&mut state, "seal")?;
        let kept = state.open(id)?;
        kept.sealed = true;
        kept.artifact.size_bytes = kept.bytes.len() as u64;
        kept.artifact.line_count = line_count;
        let mut artifact = kept.artifact.clone();
        let lies = &self.script.lies;
        artifact.size_bytes = lies.sealed_size.unwrap_or(artifact.size_bytes);
        artifact.id = lies.sealed_id.clone().unwrap_or(artifact.id);
        Ok(artifact)
    }

    fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        let mut state = self.lock();
        self.ask(&mut state, "stat")?;
        let mut artifact = state.sealed(id)?.artifact.clone();
        artifact.id = self.script.lies.stat_id.clone().unwrap_or(artifact.id);
        Ok(artifact)
    }

    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let mut state = self.lock();
        self.ask(&mut state, "read")?;
        let bytes = &state.sealed(id)?.bytes;
        let start = usize::try_from(offset).map_or(bytes.len(), |start| start.min(bytes.len()));
        let end = start.saturating_add(length as usize).min(bytes.len());
        let honest = &bytes[start..end];
        Ok(match self.script.lies.read {
            None => honest.to_vec(),
            Some(ReadLie::OneByte) => honest[..honest.len().min(1)].to_vec(),
            Some(ReadLie::Empty) => Vec::new(),
            Some(ReadLie::TooLong) => bytes[start..].iter().copied().chain(*b"more").collect(),
            Some(ReadLie::Wrong) => vec![b'?'; honest.len()],
        })
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let mut state = self.lock();
        self.ask(&mut state, "list_artifacts")?;
        let visible = state.kept.iter().filter(|kept| kept.sealed && kept.expired.is_none());
        Ok(visible.map(|kept| kept.artifact.clone()).collect())
    }

    fn delete(&self, id: &str) -> Result<(), StoreError> {
        let mut state = self.lock();
        self.ask(&mut state, "delete")?;
        let at = state.kept.iter().position(|kept| kept.artifact.id == id).ok_or(StoreError::NotFound)?;
        state.kept.remove(at);
        state.deleted.push(id.to_owned());
        Ok(())
    }
}

impl CountTokens for World {
    fn count(&self, text: &str) -> Result<u64, String> {
        self.lock().counted += 1;
        self.script.tokens.count(text)
    }
}

/// Returns a tool's name as it appears in ids: lowercase ASCII letters and digits, one `_` for
/// each run of anything else between them, at most 49.
fn slug(tool: &str) -> String {
    let mut slug = String::new();
    for byte in tool.bytes() {
        match byte.is_ascii_alphanumeric() {
            true => slug.push(char::from(byte.to_ascii_lowercase())),
            false if !slug.is_empty() && !slug.ends_with('_') => slug.push('_'),
            false => {}
        }
        if slug.len() == 49 {
            break;
        }
    }
    let slug = slug.trim_end_matches('_');
    if slug.is_empty() { "tool".to_owned() } else { slug.to_owned() }
}
