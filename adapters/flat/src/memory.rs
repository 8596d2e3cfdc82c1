//! A store in memory, for hosts without one.

use std::cell::RefCell;
use std::collections::BTreeMap;

use tuckaway::{Artifact, Store, StoreError};

/// Maximum characters of a tool's name in an id.
const SLUG_CHARS: usize = 49;

/// The artifacts of one session, until it is dropped.
///
/// Nothing in it is random or reads a clock: ids count the artifacts, and `created_at` is 0. An id
/// is thus not a secret; it is useless in any other store.
pub struct MemoryStore {
    max_bytes: u64,
    kept: RefCell<Kept>,
}

#[derive(Default)]
struct Kept {
    /// By number, which is their order.
    artifacts: BTreeMap<u64, Held>,
    created: u64,
    bytes: u64,
}

struct Held {
    artifact: Artifact,
    content: Vec<u8>,
    is_sealed: bool,
}

impl MemoryStore {
    /// Creates an empty store. Content beyond `max_bytes` is
    /// [`QuotaExceeded`](StoreError::QuotaExceeded).
    pub fn new(max_bytes: u64) -> Self {
        MemoryStore { max_bytes, kept: RefCell::default() }
    }
}

impl Kept {
    fn number(&self, id: &str) -> Result<u64, StoreError> {
        let number = id.rsplit_once('_').and_then(|(_, digits)| digits.parse().ok());
        let is_same = |number: &u64| self.artifacts.get(number).is_some_and(|held| held.artifact.id == id);
        number.filter(is_same).ok_or(StoreError::NotFound)
    }

    fn find(&mut self, id: &str, is_sealed: bool) -> Result<&mut Held, StoreError> {
        let number = self.number(id)?;
        let held = self.artifacts.get_mut(&number).filter(|held| held.is_sealed == is_sealed);
        held.ok_or(StoreError::NotFound)
    }
}

impl Store for MemoryStore {
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let mut kept = self.kept.borrow_mut();
        kept.created += 1;
        let number = kept.created;
        let id = format!("art_{}_{number:010}", slug(tool));
        let artifact = Artifact {
            id: id.clone(),
            tool: tool.to_owned(),
            media_type: media_type.to_owned(),
            ..Artifact::default()
        };
        kept.artifacts.insert(number, Held { artifact, content: Vec::new(), is_sealed: false });
        Ok(id)
    }

    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let mut kept = self.kept.borrow_mut();
        let total = kept.bytes.saturating_add(bytes.len() as u64);
        let content = &mut kept.find(id, false)?.content;
        if total > self.max_bytes || content.try_reserve(bytes.len()).is_err() {
            return Err(StoreError::QuotaExceeded);
        }
        content.extend_from_slice(bytes);
        kept.bytes = total;
        Ok(())
    }

    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let mut kept = self.kept.borrow_mut();
        let held = kept.find(id, false)?;
        held.is_sealed = true;
        held.content.shrink_to_fit();
        held.artifact.size_bytes = held.content.len() as u64;
        held.artifact.line_count = line_count;
        Ok(held.artifact.clone())
    }

    fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        Ok(self.kept.borrow_mut().find(id, true)?.artifact.clone())
    }

    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let mut kept = self.kept.borrow_mut();
        let content = &kept.find(id, true)?.content;
        let start = usize::try_from(offset).map_or(content.len(), |offset| offset.min(content.len()));
        let end = start.saturating_add(length as usize).min(content.len());
        Ok(content[start..end].to_vec())
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let kept = self.kept.borrow();
        let sealed = kept.artifacts.values().filter(|held| held.is_sealed);
        Ok(sealed.map(|held| held.artifact.clone()).collect())
    }

    fn delete(&self, id: &str) -> Result<(), StoreError> {
        let mut kept = self.kept.borrow_mut();
        let number = kept.number(id)?;
        let held = kept.artifacts.remove(&number).ok_or(StoreError::NotFound)?;
        kept.bytes -= held.content.len() as u64;
        Ok(())
    }
}

/// Returns a tool's name as in ids: lower-case ASCII letters and digits, one `_` for each run of
/// other characters.
fn slug(tool: &str) -> String {
    let words = tool.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = words.collect::<Vec<_>>().join("_").to_ascii_lowercase();
    slug.truncate(SLUG_CHARS);
    match slug.trim_end_matches('_') {
        "" => "tool".to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(store: &MemoryStore, tool: &str, content: &[u8]) -> String {
        let id = store.create(tool, "text/plain").unwrap();
        store.append(&id, content).unwrap();
        store.seal(&id, 1).unwrap();
        id
    }

    #[test]
    fn an_artifact_is_seen_once_it_is_sealed() {
        let store = MemoryStore::new(100);
        let id = store.create("Fetch: URL", "text/html").unwrap();
        assert_eq!(id, "art_fetch_url_0000000001");
        store.append(&id, b"ab").unwrap();
        store.append(&id, b"cd").unwrap();
        assert_eq!(store.stat(&id), Err(StoreError::NotFound));
        assert_eq!(store.read(&id, 0, 1), Err(StoreError::NotFound));
        assert_eq!(store.list_artifacts(), Ok(Vec::new()));
        let sealed = store.seal(&id, 1).unwrap();
        assert_eq!((sealed.size_bytes, sealed.line_count, sealed.media_type.as_str()), (4, 1, "text/html"));
        assert_eq!(store.stat(&id), Ok(sealed.clone()));
        assert_eq!(store.list_artifacts(), Ok(vec![sealed]));
        assert_eq!(store.append(&id, b"e"), Err(StoreError::NotFound));
        assert_eq!(store.seal(&id, 1), Err(StoreError::NotFound));
    }

    #[test]
    fn reads_end_with_the_artifact() {
        let store = MemoryStore::new(100);
        let id = stored(&store, "t", b"abcdef");
        for (offset, length, expected) in [
            (0, 6, &b"abcdef"[..]),
            (2, 2, b"cd"),
            (4, u32::MAX, b"ef"),
            (6, 1, b""),
            (u64::MAX, 1, b""),
            (0, 0, b""),
        ] {
            assert_eq!(store.read(&id, offset, length).unwrap(), expected, "{offset} {length}");
        }
    }

    #[test]
    fn the_quota_is_returned_by_deletes() {
        let store = MemoryStore::new(5);
        let id = stored(&store, "t", b"abc");
        let other = store.create("t", "").unwrap();
        assert_eq!(store.append(&other, b"def"), Err(StoreError::QuotaExceeded));
        store.delete(&id).unwrap();
        assert_eq!(store.delete(&id), Err(StoreError::NotFound));
        store.append(&other, b"defgh").unwrap();
        store.delete(&other).unwrap();
        assert_eq!(stored(&store, "t", b"12345"), "art_t_0000000003");
    }

    #[test]
    fn other_ids_are_not_found() {
        let store = MemoryStore::new(5);
        stored(&store, "t", b"");
        for id in ["", "_", "art_t_1", "art_u_0000000001", "art_t_0000000002", "0000000001", "art_t_-1"] {
            assert_eq!(store.stat(id), Err(StoreError::NotFound), "{id}");
        }
    }

    #[test]
    fn ids_name_their_tools() {
        let long = "x".repeat(48) + "-yz";
        for (tool, expected) in [
            ("sql_query", "sql_query"),
            ("  Ünï--cøde ", "n_c_de"),
            ("", "tool"),
            ("漢字", "tool"),
            (long.as_str(), &"x".repeat(48)),
        ] {
            assert_eq!(slug(tool), expected);
            let id = MemoryStore::new(0).create(tool, "").unwrap();
            assert!(tuckaway::is_artifact_id(&id), "{id}");
        }
    }
}
