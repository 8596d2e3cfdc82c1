//! The contract of `wit/store.wit`, as a test suite that runs on any store, including yours.
//!
//! Each check panics with its expectation if the store breaks the contract.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use tuckaway_host::{MemoryStore, store::contract};
//!
//! contract::check(async || MemoryStore::new()).await;
//! # });
//! ```

use tuckaway_contract::{Expiry, StoreError, is_artifact_id};

use super::{Sessions, Store};

/// Runs the whole suite on a store. `empty` creates an empty store.
pub async fn check<S: Store>(empty: impl AsyncFn() -> S) {
    round_trip(&empty().await).await;
    empty_artifact(&empty().await).await;
    any_bytes(&empty().await).await;
    any_names(&empty().await).await;
    ends(&empty().await).await;
    unseen_until_sealed(&empty().await).await;
    sealed_for_good(&empty().await).await;
    deletion(&empty().await).await;
    order(&empty().await).await;
    side_by_side(&empty().await).await;
    hostile_ids(&empty().await).await;
}

/// Checks that sessions are isolated from each other, and are removed completely. `store` is
/// empty.
pub async fn check_sessions(store: &dyn Sessions) {
    assert_eq!(store.sessions().await, Ok(vec![]));
    let outside = put(store, "t", b"outside").await.unwrap();
    let (one, two) = (store.session("chat-1").await.unwrap(), store.session("chat_2").await.unwrap());
    let in_one = put(&*one, "t", b"one").await.unwrap();
    let in_two = put(&*two, "t", b"two").await.unwrap();
    assert_eq!(store.sessions().await, Ok(vec!["chat-1".to_owned(), "chat_2".to_owned()]));
    let again = store.session("chat-1").await.unwrap();
    assert_eq!(again.read(&in_one, 0, 9).await, Ok(b"one".to_vec()));
    let all: [(&dyn Sessions, &String); 3] = [(store, &outside), (&*one, &in_one), (&*two, &in_two)];
    for (session, own) in all {
        assert_eq!(ids(session).await, std::slice::from_ref(own));
        for (_, other) in all.into_iter().filter(|(_, other)| other != &own) {
            assert_eq!(session.stat(other).await, Err(StoreError::NotFound));
            assert_eq!(session.read(other, 0, 9).await, Err(StoreError::NotFound));
            assert_eq!(session.append(other, vec![1]).await, Err(StoreError::NotFound));
            assert_eq!(session.seal(other, 1).await, Err(StoreError::NotFound));
            assert_eq!(session.delete(other).await, Err(StoreError::NotFound));
        }
    }
    for name in ["", ".", "..", "a/b", "A", "é", "nul\0", &"x".repeat(65)] {
        assert!(matches!(store.session(name).await, Err(StoreError::Other(_))), "{name:?}");
        assert!(matches!(store.remove_session(name).await, Err(StoreError::Other(_))), "{name:?}");
    }
    assert_eq!(store.remove_session("chat-1").await, Ok(()));
    assert_eq!(store.remove_session("chat-1").await, Err(StoreError::NotFound));
    let again = store.session("chat-1").await.unwrap();
    assert_eq!(again.stat(&in_one).await, Err(StoreError::NotFound));
    assert_eq!(ids(&*again).await, Vec::<String>::new());
    assert_eq!(ids(&*two).await, [in_two]);
    assert_eq!(ids(store).await, [outside]);
    let seen = store.session("seen").await.unwrap().session("inner").await.unwrap();
    assert_eq!(ids(&*seen).await, Vec::<String>::new());
    assert_eq!(store.sessions().await, Ok(vec!["chat_2".to_owned()]));
    put(&*seen, "t", b"seen").await.unwrap();
    assert_eq!(store.sessions().await, Ok(vec!["chat_2".to_owned(), "seen".to_owned()]));
}

/// Stores bytes as the component does.
pub async fn put<S: Store + ?Sized>(store: &S, tool: &str, bytes: &[u8]) -> Result<String, StoreError> {
    let id = store.create(tool, "text/plain").await?;
    for chunk in bytes.chunks(1000) {
        store.append(&id, chunk.to_vec()).await?;
    }
    store.seal(&id, 1).await?;
    Ok(id)
}

async fn ids<S: Store + ?Sized>(store: &S) -> Vec<String> {
    store.list_artifacts().await.unwrap().into_iter().map(|artifact| artifact.id).collect()
}

async fn round_trip(store: &dyn Store) {
    let id = store.create("sql_query", "application/json").await.unwrap();
    assert!(is_artifact_id(&id) && id.starts_with("art_sql_query_"), "{id}");
    store.append(&id, b"[1,".to_vec()).await.unwrap();
    store.append(&id, Vec::new()).await.unwrap();
    store.append(&id, b"2]\n".to_vec()).await.unwrap();
    let sealed = store.seal(&id, 1).await.unwrap();
    assert_eq!(
        (sealed.id.as_str(), sealed.tool.as_str(), sealed.media_type.as_str()),
        (&*id, "sql_query", "application/json")
    );
    assert_eq!((sealed.size_bytes, sealed.line_count), (6, 1));
    assert!(sealed.created_at > 1_700_000_000, "{}", sealed.created_at);
    assert_eq!(store.stat(&id).await, Ok(sealed.clone()));
    assert_eq!(store.list_artifacts().await, Ok(vec![sealed]));
    assert_eq!(store.read(&id, 0, 100).await, Ok(b"[1,2]\n".to_vec()));
    assert_eq!(store.read(&id, 1, 3).await, Ok(b"1,2".to_vec()));
}

/// Checks that an artifact without bytes exists.
async fn empty_artifact(store: &dyn Store) {
    assert_eq!(store.list_artifacts().await, Ok(vec![]));
    let id = store.create("", "").await.unwrap();
    assert!(is_artifact_id(&id), "{id}");
    let sealed = store.seal(&id, 0).await.unwrap();
    assert_eq!((sealed.size_bytes, sealed.line_count), (0, 0));
    assert_eq!((sealed.tool.as_str(), sealed.media_type.as_str()), ("", ""));
    assert_eq!(store.read(&id, 0, 10).await, Ok(vec![]));
    assert_eq!(ids(store).await, [id]);
}

async fn any_bytes(store: &dyn Store) {
    let bytes: Vec<u8> = (0..100_003_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let id = put(store, "binary", &bytes).await.unwrap();
    let mut read = Vec::new();
    while read.len() < bytes.len() {
        let chunk = store.read(&id, read.len() as u64, 7001).await.unwrap();
        assert!(!chunk.is_empty() && chunk.len() <= 7001);
        read.extend(chunk);
    }
    assert_eq!(read, bytes);
}

/// Checks that tool and media type may be any text.
async fn any_names(store: &dyn Store) {
    let long = "long ".repeat(1000);
    for name in ["../../etc/passwd", "a/b\\c", "nul\0byte", "日本語 🦀", "\"quoted\"\n", "..", &long] {
        let id = store.create(name, name).await.unwrap();
        assert!(is_artifact_id(&id), "{id}");
        let sealed = store.seal(&id, 0).await.unwrap();
        assert_eq!((sealed.tool.as_str(), sealed.media_type.as_str()), (name, name));
        assert_eq!(store.stat(&id).await, Ok(sealed));
    }
}

/// Checks reads at and past the end, and of length 0.
async fn ends(store: &dyn Store) {
    let id = put(store, "t", b"0123456789").await.unwrap();
    for (offset, length, expected) in [
        (8, 10, "89"),
        (10, 10, ""),
        (11, 1, ""),
        (u64::MAX, u32::MAX, ""),
        (0, 0, ""),
        (5, 0, ""),
        (0, u32::MAX, "0123456789"),
    ] {
        assert_eq!(store.read(&id, offset, length).await, Ok(expected.into()), "{offset} {length}");
    }
}

async fn unseen_until_sealed(store: &dyn Store) {
    let id = store.create("t", "text/plain").await.unwrap();
    store.append(&id, b"half".to_vec()).await.unwrap();
    assert_eq!(store.stat(&id).await, Err(StoreError::NotFound));
    assert_eq!(store.read(&id, 0, 10).await, Err(StoreError::NotFound));
    assert_eq!(store.list_artifacts().await, Ok(vec![]));
    store.seal(&id, 1).await.unwrap();
    assert_eq!(ids(store).await, [id]);
}

/// Checks that a sealed artifact does not change, and that unknown ids cannot be sealed.
async fn sealed_for_good(store: &dyn Store) {
    let id = put(store, "t", b"as it was").await.unwrap();
    let before = store.stat(&id).await.unwrap();
    store.append(&id, b"more".to_vec()).await.unwrap_err();
    store.append(&id, b"more".to_vec()).await.unwrap_err();
    store.seal(&id, 7).await.unwrap_err();
    assert_eq!(store.stat(&id).await, Ok(before));
    assert_eq!(store.read(&id, 0, 100).await, Ok(b"as it was".to_vec()));
    assert_eq!(store.append("art_t_0000000000", vec![1]).await, Err(StoreError::NotFound));
    assert_eq!(store.seal("art_t_0000000000", 0).await, Err(StoreError::NotFound));
}

async fn deletion(store: &dyn Store) {
    let kept = put(store, "t", b"kept").await.unwrap();
    let id = put(store, "t", b"gone").await.unwrap();
    assert_eq!(store.delete(&id).await, Ok(()));
    assert_eq!(store.delete(&id).await, Err(StoreError::NotFound));
    assert_eq!(store.stat(&id).await, Err(StoreError::NotFound));
    assert_eq!(store.read(&id, 0, 1).await, Err(StoreError::NotFound));
    let unsealed = store.create("t", "").await.unwrap();
    store.append(&unsealed, b"half".to_vec()).await.unwrap();
    assert_eq!(store.delete(&unsealed).await, Ok(()));
    assert_eq!(store.append(&unsealed, b"half".to_vec()).await, Err(StoreError::NotFound));
    assert_eq!(store.seal(&unsealed, 0).await, Err(StoreError::NotFound));
    assert_eq!(store.delete(&unsealed).await, Err(StoreError::NotFound));
    assert_eq!(ids(store).await, [kept]);
}

/// Checks that artifacts are listed oldest first, even within one second.
async fn order(store: &dyn Store) {
    let mut expected = Vec::new();
    for n in 0..12 {
        expected.push(put(store, &format!("tool{}", 12 - n), b"x").await.unwrap());
        // Timestamps of file systems are coarser than this loop.
        tokio::time::sleep(std::time::Duration::from_millis(15)).await;
    }
    assert_eq!(ids(store).await, expected);
}

/// Checks that several artifacts can be written at the same time.
async fn side_by_side(store: &dyn Store) {
    let (one, two) = (store.create("t", "").await.unwrap(), store.create("t", "").await.unwrap());
    for n in 0..3 {
        store.append(&one, format!("one {n};").into_bytes()).await.unwrap();
        store.append(&two, format!("two {n};").into_bytes()).await.unwrap();
    }
    store.seal(&two, 1).await.unwrap();
    store.seal(&one, 1).await.unwrap();
    assert_eq!(store.read(&one, 0, 99).await, Ok(b"one 0;one 1;one 2;".to_vec()));
    assert_eq!(store.read(&two, 3, 9).await, Ok(b" 0;two 1;".to_vec()));
}

/// Checks that malformed ids, and ids that are paths, are not found.
async fn hostile_ids(store: &dyn Store) {
    let long = "a".repeat(65);
    let hostile = [
        "",
        ".",
        "..",
        "../x",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "nul\0",
        "x.json",
        ".x.part",
        "日本語",
        "a b",
        "a\n",
        "C:x",
        &long,
    ];
    for id in hostile.into_iter().chain(["CON", "art_t_0000000000", "never"]) {
        assert_eq!(store.stat(id).await, Err(StoreError::NotFound), "{id:?}");
        assert_eq!(store.read(id, 0, 1).await, Err(StoreError::NotFound), "{id:?}");
        assert_eq!(store.append(id, vec![1]).await, Err(StoreError::NotFound), "{id:?}");
        assert_eq!(store.seal(id, 1).await, Err(StoreError::NotFound), "{id:?}");
        assert_eq!(store.delete(id).await, Err(StoreError::NotFound), "{id:?}");
    }
    assert_eq!(store.list_artifacts().await, Ok(vec![]));
}

/// Checks a store with a quota of 100 bytes, which must not be exceeded.
pub async fn check_quota(store: &dyn Store) {
    let first = put(store, "t", &[1; 60]).await.unwrap();
    let id = store.create("t", "").await.unwrap();
    store.append(&id, vec![2; 30]).await.unwrap();
    assert_eq!(store.append(&id, vec![2; 30]).await, Err(StoreError::QuotaExceeded));
    store.append(&id, vec![2; 1]).await.unwrap_err();
    store.delete(&id).await.unwrap();
    assert_eq!(put(store, "t", &[3; 41]).await, Err(StoreError::QuotaExceeded));
    let second = put(store, "t", &[3; 40]).await.unwrap();
    assert_eq!(ids(store).await, [&*first, &*second]);
    store.delete(&first).await.unwrap();
    put(store, "t", &[4; 60]).await.unwrap();
}

/// Checks a store in which artifacts expire at once: errors say when an artifact expired, and which
/// tool produced it.
pub async fn check_expiry(store: &dyn Store) {
    let id = store.create("old tool", "text/plain").await.unwrap();
    store.append(&id, b"old".to_vec()).await.unwrap();
    let expired_at = store.seal(&id, 1).await.unwrap().created_at;
    let expired = StoreError::Expired(Some(Expiry { tool: "old tool".to_owned(), expired_at }));
    assert_eq!(store.stat(&id).await, Err(expired.clone()));
    assert_eq!(store.read(&id, 0, 1).await, Err(expired));
    assert_eq!(store.list_artifacts().await, Ok(vec![]));
    assert_eq!(store.delete(&id).await, Ok(()));
    assert_eq!(store.stat(&id).await, Err(StoreError::NotFound));
}
