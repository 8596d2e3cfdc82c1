//! The directory of `tuckaway-filesystem.wasm` is the directory of every other home.

use tuckaway_host::store::contract;
use tuckaway_host::{DirStore, Sessions, Store, StoreError};
use tuckaway_host_test::composed::{Home, Setup};

use super::{Temporary, run, store};

#[test]
fn the_native_store_and_the_adapter_read_what_the_other_wrote() {
    run(async {
        let directory = Temporary::new();
        let native = DirStore::open(directory.path()).unwrap();
        let adapter = store(Home::Filesystem, directory.setup()).await;
        let content: Vec<u8> =
            (0..300_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let by_native = contract::put(&native, "native tool", &content).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(15)).await;
        let by_adapter = contract::put(&adapter, "tool of the adapter", &content).await.unwrap();
        let listed = native.list_artifacts().await.unwrap();
        assert_eq!(adapter.list_artifacts().await.as_ref(), Ok(&listed));
        assert_eq!(
            listed.iter().map(|artifact| &*artifact.id).collect::<Vec<_>>(),
            [&*by_native, &*by_adapter]
        );
        for store in [&native as &dyn Store, &adapter] {
            for id in [&by_native, &by_adapter] {
                assert!(store.read(id, 0, u32::MAX).await.unwrap() == content);
                assert_eq!(store.read(id, 299_990, 100).await.unwrap(), content[299_990..]);
            }
        }
        adapter.delete(&by_native).await.unwrap();
        native.delete(&by_adapter).await.unwrap();
        assert_eq!((native.list_artifacts().await, adapter.list_artifacts().await), (Ok(vec![]), Ok(vec![])));
    });
}

#[test]
fn sessions_are_those_of_the_native_store() {
    run(async {
        let directory = Temporary::new();
        let native = DirStore::open(directory.path()).unwrap();
        let of = |name: &str| Setup {
            variables: vec![("TUCKAWAY_SESSION", name.to_owned())],
            ..directory.setup()
        };
        let one = store(Home::Filesystem, of("chat-1")).await;
        let id = contract::put(&one, "t", b"one").await.unwrap();
        assert_eq!(native.sessions().await, Ok(vec!["chat-1".to_owned()]));
        assert_eq!(native.session("chat-1").await.unwrap().read(&id, 0, 9).await, Ok(b"one".to_vec()));
        assert_eq!(store(Home::Filesystem, of("chat-2")).await.stat(&id).await, Err(StoreError::NotFound));
        assert_eq!(
            store(Home::Filesystem, directory.setup()).await.stat(&id).await,
            Err(StoreError::NotFound)
        );
    });
}

/// Symbolic links inside of the directory are not followed, as natively.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    run(async {
        let directory = Temporary::new();
        let adapter = store(Home::Filesystem, directory.setup()).await;
        let id = contract::put(&adapter, "t", b"content").await.unwrap();
        let (content, moved) = (directory.path().join(&id), directory.path().join("moved"));
        std::fs::rename(&content, &moved).unwrap();
        std::os::unix::fs::symlink("moved", &content).unwrap();
        assert_eq!(adapter.read(&id, 0, 9).await, Err(StoreError::NotFound));
    });
}
