//! The store over a bucket in memory that can fail between any two keys.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tuckaway_contract::{Expiry, StoreError};
use tuckaway_stores::Limits;

use crate::store::SEGMENT_BYTES;
use crate::store::reader::KEPT_BYTES;
use crate::{Bucket, KeyValueStore};

type Action = Box<dyn FnOnce()>;

/// A bucket whose clones share the keys.
#[derive(Clone, Default)]
struct Memory {
    keys: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
    /// The number of changes that still succeed; all do if it is not set. Afterwards nothing answers,
    /// as if the program had ended.
    changes: Rc<Cell<Option<usize>>>,
    /// Whether the first change that fails is made nevertheless: only its answer is lost.
    is_answer_lost: bool,
    /// What another program does directly after the next key is looked up.
    then: Rc<RefCell<Option<Action>>>,
}

impl Memory {
    fn change(&self, make: impl FnOnce(&mut BTreeMap<String, Vec<u8>>)) -> Result<(), String> {
        match self.changes.get() {
            Some(0) => {
                if self.is_answer_lost {
                    self.changes.set(None);
                    make(&mut self.keys.borrow_mut());
                }
                Err("the bucket is gone".to_owned())
            }
            left => {
                self.changes.set(left.map(|left| left - 1));
                make(&mut self.keys.borrow_mut());
                Ok(())
            }
        }
    }

    fn answer<T>(&self, answer: impl FnOnce(&BTreeMap<String, Vec<u8>>) -> T) -> Result<T, String> {
        match self.changes.get() {
            Some(0) if !self.is_answer_lost => Err("the bucket is gone".to_owned()),
            _ => Ok(answer(&self.keys.borrow())),
        }
    }

    fn names(&self) -> Vec<String> {
        self.keys.borrow().keys().cloned().collect()
    }
}

impl Bucket for Memory {
    /// The number of keys before the next page.
    type Cursor = usize;

    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
        self.answer(|keys| keys.get(key).cloned())
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
        self.change(|keys| {
            keys.insert(key.to_owned(), value.to_owned());
        })
    }

    fn delete(&self, key: &str) -> Result<(), String> {
        self.change(|keys| {
            keys.remove(key);
        })
    }

    fn exists(&self, key: &str) -> Result<bool, String> {
        let exists = self.answer(|keys| keys.contains_key(key));
        if let Some(then) = self.then.take() {
            then();
        }
        exists
    }

    fn list_keys(&self, cursor: Option<usize>) -> Result<(Vec<String>, Option<usize>), String> {
        let at = cursor.unwrap_or_default();
        self.answer(|keys| {
            let page = keys.keys().skip(at).take(3).cloned().collect();
            (page, (at + 3 < keys.len()).then_some(at + 3))
        })
    }
}

fn open(bucket: &Memory, session: Option<&str>, limits: Limits) -> KeyValueStore<Memory> {
    KeyValueStore::new(bucket.clone(), session, limits).unwrap()
}

/// Returns limits whose clock shows this second.
fn at(second: u64) -> Limits {
    Limits::none().with_clock(move || -> SystemTime { UNIX_EPOCH + Duration::from_secs(second) })
}

fn put(store: &KeyValueStore<Memory>, content: &[u8]) -> Result<String, StoreError> {
    let id = store.create("tool", "text/plain")?;
    for part in content.chunks(100_000) {
        store.append(&id, part)?;
    }
    store.seal(&id, 1)?;
    Ok(id)
}

/// Content of three segments and a half.
fn content() -> Vec<u8> {
    (0..SEGMENT_BYTES * 7 / 2).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

#[test]
fn content_in_segments_is_read_in_any_ranges() {
    let bucket = Memory::default();
    let (content, id) = (content(), put(&open(&bucket, None, at(1)), &content()).unwrap());
    let keys = bucket.names();
    assert_eq!(keys.len(), 5, "four segments and the metadata: {keys:?}");
    let again = open(&bucket, None, at(1));
    let segment = SEGMENT_BYTES as u64;
    for (offset, length) in [
        (0, u32::MAX),
        (0, 1),
        (segment - 1, 2),
        (segment, 1),
        (segment / 2, 600_000),
        (segment * 3, 1 << 20),
    ] {
        let expected = &content[offset as usize..content.len().min(offset as usize + length as usize)];
        assert!(again.read(&id, offset, length).unwrap() == expected, "{offset} {length}");
    }
    for offset in [content.len() as u64, u64::MAX] {
        assert_eq!(again.read(&id, offset, 9), Ok(vec![]));
    }
}

#[test]
fn a_listing_follows_the_cursor_and_skips_other_keys() {
    let bucket = Memory::default();
    bucket.set("of another program", b"x").unwrap();
    bucket.set("tuckaway/meta/damaged.json", b"{").unwrap();
    put(&open(&bucket, Some("other"), at(1)), b"x").unwrap();
    let store = open(&bucket, None, at(2));
    let ids: Vec<String> = (0..9).map(|_| put(&store, b"x").unwrap()).collect();
    let listed = store.list_artifacts().unwrap();
    assert_eq!(
        listed.iter().map(|artifact| &artifact.id).collect::<Vec<_>>(),
        ids.iter().collect::<Vec<_>>()
    );
    assert!(matches!(store.stat("damaged"), Err(StoreError::Other(_))));
    assert_eq!(open(&bucket, Some("other"), at(2)).stat(&ids[0]), Err(StoreError::NotFound));
    assert!(KeyValueStore::new(bucket, Some("../x"), at(2)).is_err());
}

#[test]
fn nothing_torn_is_seen_wherever_a_write_or_a_deletion_ends() {
    let content = content();
    let (mut is_unseen, mut is_whole, mut is_gone) = (0, 0, 0);
    for changes in 0.. {
        let bucket = Memory::default();
        bucket.changes.set(Some(changes));
        let ended = {
            let store = open(&bucket, None, at(1));
            put(&store, &content).and_then(|id| store.delete(&id))
        };
        let has_ended_early = bucket.changes.replace(None) == Some(0) && ended.is_err();
        let later = open(&bucket, None, at(1_000_000).with_max_age(Duration::from_secs(10_000_000)));
        let listed = later.list_artifacts().unwrap();
        match &listed[..] {
            [] if ended.is_ok() => is_gone += 1,
            [] => is_unseen += 1,
            [artifact] => {
                is_whole += 1;
                assert_eq!(artifact.size_bytes, content.len() as u64);
                assert!(later.read(&artifact.id, 0, u32::MAX).unwrap() == content, "{changes} changes");
            }
            _ => panic!("two artifacts after {changes} changes"),
        }
        later.sweep().unwrap();
        let rest = bucket.names();
        assert_eq!(rest.len(), if listed.is_empty() { 0 } else { 5 }, "{changes} changes: {rest:?}");
        if !has_ended_early {
            break;
        }
    }
    // Unseen until a marker, four segments and the metadata are set, whole until the metadata is
    // removed, and unseen while the segments are.
    assert_eq!((is_unseen, is_whole, is_gone), (6 + 4, 2, 1));
}

#[test]
fn metadata_whose_answer_is_lost_is_recognised() {
    let bucket = Memory { is_answer_lost: true, ..Memory::default() };
    let store = open(&bucket, None, at(1));
    let id = store.create("tool", "").unwrap();
    bucket.changes.set(Some(0));
    store.seal(&id, 0).unwrap();
    assert_eq!(store.stat(&id).unwrap().size_bytes, 0);
}

#[test]
fn expired_content_is_removed_and_its_id_remembered_for_a_while() {
    let bucket = Memory::default();
    let limits = |second| at(second).with_max_age(Duration::from_secs(100));
    let id = put(&open(&bucket, None, limits(1_000)), &content()).unwrap();
    let expired = Err(StoreError::Expired(Some(Expiry { tool: "tool".to_owned(), expired_at: 1_100 })));
    let later = open(&bucket, None, limits(1_100));
    assert_eq!(later.stat(&id), expired);
    let other = later.create("tool", "").unwrap();
    assert_eq!(bucket.names(), [format!("tuckaway/meta/{id}.json"), format!("tuckaway/open/{other}")]);
    // Also for a reader without the age.
    assert_eq!(open(&bucket, None, at(5)).read(&id, 0, 1).map(|_| ()), expired.map(|_| ()));
    later.delete(&other).unwrap();
    open(&bucket, None, limits(1_100 + 3 * 24 * 3_600)).sweep().unwrap();
    assert_eq!(bucket.names(), [""; 0]);
}

#[test]
fn open_artifacts_of_others_are_kept_for_a_day() {
    let bucket = Memory::default();
    let writer = open(&bucket, None, at(0));
    let id = writer.create("tool", "").unwrap();
    writer.append(&id, &content()).unwrap();
    let day = 24 * 3_600;
    open(&bucket, None, at(day)).sweep().unwrap();
    assert_eq!(bucket.names().len(), 4, "a marker and three segments");
    writer.sweep().unwrap();
    open(&bucket, None, at(day + 1)).sweep().unwrap();
    assert_eq!(bucket.names(), [""; 0]);
    assert!(writer.seal(&id, 1).is_err(), "its segments are gone");
    assert_eq!((writer.list_artifacts(), bucket.names()), (Ok(vec![]), vec![]));
}

#[test]
fn an_artifact_that_is_sealed_during_a_sweep_stays_whole() {
    let bucket = Memory::default();
    let writer = open(&bucket, None, at(1));
    let id = writer.create("tool", "").unwrap();
    writer.append(&id, &content()).unwrap();
    let sealed = id.clone();
    *bucket.then.borrow_mut() = Some(Box::new(move || {
        writer.seal(&sealed, 1).unwrap();
    }));
    let other = open(&bucket, None, at(2));
    other.sweep().unwrap();
    assert!(bucket.then.borrow().is_none(), "sealed during the sweep");
    assert!(other.read(&id, 0, u32::MAX).unwrap() == content());
}

/// Changes the size of an artifact in its metadata, and the size of its segments.
fn resize(bucket: &Memory, id: &str, size: u64, segment: u64) {
    let key = format!("tuckaway/meta/{id}.json");
    let mut meta: Value = serde_json::from_slice(&bucket.get(&key).unwrap().unwrap()).unwrap();
    (meta["size_bytes"], meta["segment_bytes"]) = (size.into(), segment.into());
    bucket.set(&key, meta.to_string().as_bytes()).unwrap();
}

#[test]
fn sizes_that_overflow_exceed_the_quota() {
    let bucket = Memory::default();
    for _ in 0..2 {
        let id = put(&open(&bucket, None, at(1)), b"x").unwrap();
        resize(&bucket, &id, u64::MAX, 1 << 20);
    }
    let store = open(&bucket, None, at(1).with_quota(1 << 40));
    let id = store.create("tool", "").unwrap();
    assert_eq!(store.append(&id, b"x"), Err(StoreError::QuotaExceeded));
}

#[test]
fn large_segments_of_others_do_not_fill_the_memory() {
    let bucket = Memory::default();
    let id = put(&open(&bucket, None, at(1)), b"x").unwrap();
    let segment: Vec<u8> = content().into_iter().cycle().take(KEPT_BYTES / 2 - 1).collect();
    resize(&bucket, &id, segment.len() as u64 * 4, segment.len() as u64);
    for number in 0..4 {
        bucket.set(&format!("tuckaway/data/{id}/{number:08}"), &segment).unwrap();
    }
    let store = open(&bucket, None, at(1));
    assert!(store.read(&id, 0, u32::MAX).unwrap() == segment.repeat(4));
    assert_eq!(store.state.borrow().segments.len(), 2);
    resize(&bucket, &id, u64::MAX, 1 << 30);
    assert!(open(&bucket, None, at(1)).read(&id, 0, u32::MAX).is_err());
}

#[test]
fn damaged_content_is_an_error() {
    let bucket = Memory::default();
    let id = put(&open(&bucket, None, at(1)), &content()).unwrap();
    let segment = format!("tuckaway/data/{id}/00000001");
    bucket.set(&segment, b"short").unwrap();
    let says = |what: &str| Err(StoreError::Other(format!("its content is damaged: a segment {what}")));
    let read = || open(&bucket, None, at(1)).read(&id, 0, u32::MAX);
    assert_eq!(read(), says("has another length"));
    bucket.delete(&segment).unwrap();
    assert_eq!(read(), says("is missing"));
}
