//! The contract of the crate's stores, and the properties of the directory store.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tuckaway_host::store::contract::{self, put};
use tuckaway_host::store::{OnDemand, Opens, Unavailable};
use tuckaway_host::{DirStore, Expiry, Limits, MemoryStore, Sessions, Store, StoreError, async_trait};

/// A directory that is removed at the end of its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let name = tuckaway_host::store::mint("scratch").unwrap();
        Scratch(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name))
    }

    fn store(&self) -> DirStore {
        DirStore::open(&self.0).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.0.join(name), content).unwrap();
    }

    /// Sets the modification time of a file to some days ago.
    fn make_old(&self, name: &str) {
        let old = SystemTime::now() - Duration::from_secs(3 * 24 * 60 * 60);
        File::options().append(true).open(self.0.join(name)).unwrap().set_modified(old).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn the_memory_store_keeps_the_contract() {
    contract::check(async || MemoryStore::new()).await;
    contract::check_sessions(&MemoryStore::new()).await;
    contract::check_quota(&MemoryStore::new().with_limits(Limits::none().with_quota(100))).await;
    contract::check_expiry(&MemoryStore::new().with_limits(Limits::none().with_max_age(Duration::ZERO)))
        .await;
}

/// A store that is opened once, or cannot be opened.
struct Once(Option<Arc<dyn Store>>);

#[async_trait]
impl Opens for Once {
    async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        self.0.clone().ok_or_else(|| StoreError::Other("it is not there".to_owned()))
    }
}

#[tokio::test]
async fn a_store_on_demand_is_the_store_that_it_opens() {
    contract::check(async || OnDemand(Once(Some(Arc::new(MemoryStore::new()))))).await;
    let limits = Limits::none().with_quota(100);
    let limited = Arc::new(MemoryStore::new().with_limits(limits));
    contract::check_quota(&OnDemand(Arc::new(Once(Some(limited))))).await;
    let none = OnDemand(Once(None));
    let failure = StoreError::Other("it is not there".to_owned());
    assert_eq!(none.create("tool", "text/plain").await, Err(failure.clone()));
    assert_eq!(none.list_artifacts().await, Err(failure));
}

#[tokio::test]
async fn an_unavailable_store_is_empty_and_refuses_artifacts() {
    let store = Unavailable { why: "the disk is gone".to_owned() };
    let failure = StoreError::Other("the disk is gone".to_owned());
    assert_eq!(store.create("tool", "text/plain").await, Err(failure.clone()));
    assert_eq!(store.stat("art_a_1").await, Err(failure));
    assert_eq!(store.list_artifacts().await, Ok(Vec::new()));
}

#[tokio::test]
async fn the_memory_store_has_a_quota_of_1_gib_by_default() {
    let store = MemoryStore::new();
    let id = store.create("t", "").await.unwrap();
    store.append(&id, vec![1]).await.unwrap();
    // The zeros are never written, so that they take no memory.
    assert_eq!(store.append(&id, vec![0; 1 << 30]).await, Err(StoreError::QuotaExceeded));
}

#[tokio::test]
async fn the_directory_store_keeps_the_contract() {
    let root = Scratch::new();
    let empty = || DirStore::open(root.0.join(tuckaway_host::store::mint("store").unwrap())).unwrap();
    contract::check(async || empty()).await;
    contract::check_sessions(&empty()).await;
    contract::check_quota(&empty().with_limits(Limits::none().with_quota(100))).await;
    contract::check_expiry(&empty().with_limits(Limits::none().with_max_age(Duration::ZERO))).await;
}

#[tokio::test]
async fn a_directory_has_the_documented_files() {
    let scratch = Scratch::new();
    let store = scratch.store();
    let id = put(&store, "build", b"line\n").await.unwrap();
    assert_eq!(scratch.names(), [id.clone(), format!("{id}.json")]);
    assert_eq!(fs::read(scratch.0.join(&id)).unwrap(), b"line\n");
    let created_at = store.stat(&id).await.unwrap().created_at;
    assert_eq!(
        fs::read_to_string(scratch.0.join(format!("{id}.json"))).unwrap(),
        format!(
            "{{\"id\":\"{id}\",\"tool\":\"build\",\"media_type\":\"text/plain\",\"size_bytes\":5,\"line_count\":1,\"created_at\":{created_at}}}\n"
        )
    );
    let unsealed = store.create("build", "").await.unwrap();
    assert!(scratch.names().contains(&format!(".{unsealed}.part")));
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_private_and_links_are_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new();
    let store = scratch.store();
    let id = put(&store, "t", b"secret").await.unwrap();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(scratch.0.clone()), 0o700);
    assert_eq!(mode(scratch.0.join(&id)), 0o600);
    assert_eq!(mode(scratch.0.join(format!("{id}.json"))), 0o600);

    let link = "art_t_linklink00";
    symlink(scratch.0.join(&id), scratch.0.join(link)).unwrap();
    let meta = fs::read_to_string(scratch.0.join(format!("{id}.json"))).unwrap();
    scratch.write(&format!("{link}.json"), &meta.replace(&id, link));
    assert_eq!(store.stat(link).await, Err(StoreError::NotFound));
    assert_eq!(store.read(link, 0, 10).await, Err(StoreError::NotFound));
    fs::remove_file(scratch.0.join(format!("{link}.json"))).unwrap();
    fs::remove_file(scratch.0.join(link)).unwrap();
    symlink(scratch.0.join(format!("{id}.json")), scratch.0.join(format!("{link}.json"))).unwrap();
    assert_eq!(store.stat(link).await, Err(StoreError::NotFound));
}

#[tokio::test]
async fn two_stores_share_a_directory() {
    let scratch = Scratch::new();
    let (one, two) = (scratch.store(), scratch.store());
    let writers = (0..20).map(|n| {
        let store = [&one, &two][n % 2].clone();
        tokio::spawn(async move { put(&store, "t", &vec![n as u8; 5000]).await.unwrap() })
    });
    let mut ids = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        ids.push(writer.await.unwrap());
        // A reader never sees an incomplete artifact.
        for artifact in two.list_artifacts().await.unwrap() {
            assert_eq!(artifact.size_bytes, 5000);
        }
    }
    for (n, id) in ids.iter().enumerate() {
        assert_eq!(one.read(id, 4990, 100).await, Ok(vec![n as u8; 10]));
        assert_eq!(two.stat(id).await.unwrap().size_bytes, 5000);
    }
    assert_eq!(one.list_artifacts().await, two.list_artifacts().await);
    // An artifact that one store has not sealed can be removed, but not written, by the other.
    let id = one.create("t", "").await.unwrap();
    assert_eq!(two.append(&id, vec![1]).await, Err(StoreError::NotFound));
    assert_eq!(two.seal(&id, 0).await, Err(StoreError::NotFound));
    two.delete(&id).await.unwrap();
    assert!(one.seal(&id, 0).await.is_err());
    assert_eq!(one.stat(&id).await, Err(StoreError::NotFound));
}

#[tokio::test]
async fn files_of_crashed_writers_are_invisible_and_removed_when_old() {
    let scratch = Scratch::new();
    let store = scratch.store();
    let (old, new) = (".art_t_aaaaaaaaaa.part", ".art_t_bbbbbbbbbb.part");
    let others = ["Makefile", "Makefile.json", ".notes.part", "package.json"];
    let old_meta = ".art_t_cccccccccc.json.part";
    for name in [old, new, old_meta].into_iter().chain(others) {
        scratch.write(name, "half");
    }
    for name in [old, old_meta].into_iter().chain(others) {
        scratch.make_old(name);
    }
    assert_eq!(store.list_artifacts().await, Ok(vec![]));
    let id = put(&store, "t", b"x").await.unwrap();
    let mut expected = vec![new.to_owned(), id.clone(), format!("{id}.json")];
    expected.extend(others.map(str::to_owned));
    expected.sort();
    assert_eq!(scratch.names(), expected);
    // Files that are not artifacts cannot be deleted.
    assert_eq!(store.delete("Makefile").await, Err(StoreError::NotFound));
    assert_eq!(store.delete("package").await, Err(StoreError::NotFound));
    assert_eq!(scratch.names(), expected);
}

#[tokio::test]
async fn damaged_artifacts_are_reported_and_do_not_hide_others() {
    let scratch = Scratch::new();
    let store = scratch.store();
    let whole = put(&store, "t", b"whole").await.unwrap();
    let cut = put(&store, "t", b"cut short").await.unwrap();
    let torn = put(&store, "t", b"torn").await.unwrap();
    scratch.write(&cut, "cut");
    scratch.write(&format!("{torn}.json"), "{");
    let listed: Vec<_> = store.list_artifacts().await.unwrap().into_iter().map(|a| a.id).collect();
    assert_eq!(listed, [whole]);
    assert_eq!(
        store.stat(&cut).await,
        Err(StoreError::Other("its file has 3 bytes where 9 were sealed".to_owned()))
    );
    assert!(matches!(store.read(&torn, 0, 1).await, Err(StoreError::Other(why)) if why.contains("damaged")));
    store.delete(&cut).await.unwrap();
    store.delete(&torn).await.unwrap();
}

#[tokio::test]
async fn expired_artifacts_keep_only_their_metadata() {
    let scratch = Scratch::new();
    let id = put(&scratch.store(), "t", b"old").await.unwrap();
    let expired_at = scratch.store().stat(&id).await.unwrap().created_at;
    let store = scratch.store().with_limits(Limits::none().with_max_age(Duration::ZERO));
    let next = store.create("t", "").await.unwrap();
    assert_eq!(scratch.names(), [format!(".{next}.part"), format!("{id}.json")]);
    // A store without a maximum age reports the same.
    let expired = StoreError::Expired(Some(Expiry { tool: "t".to_owned(), expired_at }));
    assert_eq!(scratch.store().stat(&id).await, Err(expired));
    scratch.make_old(&format!("{id}.json"));
    scratch.store().create("t", "").await.unwrap();
    assert_eq!(scratch.store().stat(&id).await, Err(StoreError::NotFound));
}

#[tokio::test]
async fn garbage_is_collected_in_all_sessions() {
    let scratch = Scratch::new();
    let memory = MemoryStore::new();
    for store in [&scratch.store() as &dyn Sessions, &memory] {
        let session = store.session("s").await.unwrap();
        for at in [store, &*session] {
            put(at, "t", b"0123456789").await.unwrap();
        }
    }
    let quota = || Limits::none().with_quota(5);
    let directory = scratch.store().with_limits(quota());
    let collected = directory.collect_garbage().await.unwrap();
    assert_eq!((collected.expired, collected.freed_bytes), (2, 20));
    assert_eq!(directory.collect_garbage().await.unwrap(), Default::default());
    assert_eq!(directory.session("s").await.unwrap().list_artifacts().await, Ok(vec![]));
    // The sessions of a memory store keep the limits with which they were created.
    let collected = memory.with_limits(quota()).collect_garbage().await.unwrap();
    assert_eq!((collected.expired, collected.freed_bytes), (1, 10));
}

#[tokio::test]
async fn a_session_is_a_directory_and_removed_whole() {
    let scratch = Scratch::new();
    let store = scratch.store();
    let session = store.session("chat").await.unwrap();
    let id = put(&*session, "t", b"here").await.unwrap();
    assert_eq!(fs::read(scratch.0.join("sessions/chat").join(&id)).unwrap(), b"here");
    fs::create_dir(scratch.0.join("sessions/.old.x.removed")).unwrap();
    store.collect_garbage().await.unwrap();
    assert!(!scratch.0.join("sessions/.old.x.removed").exists());
    store.remove_session("chat").await.unwrap();
    assert_eq!(fs::read_dir(scratch.0.join("sessions")).unwrap().count(), 0);
}

#[tokio::test]
async fn failures_do_not_name_paths() {
    let scratch = Scratch::new();
    let store = scratch.store();
    fs::remove_dir_all(&scratch.0).unwrap();
    let Err(StoreError::Other(why)) = store.create("t", "").await else {
        panic!("a file in a missing directory")
    };
    assert!(!why.contains("scratch") && why.starts_with("creating a file: "), "{why}");
    assert_eq!(store.list_artifacts().await, Ok(vec![]));
}
