//! Instances that end while they store: nothing torn is seen. `adapters/keyvalue` tests the same for a
//! bucket, between any two keys, because wasmtime's bucket ends with its instance.

use tuckaway_host::store::contract;
use tuckaway_host::{DirStore, Store};
use tuckaway_host_test::composed::{AdapterStore, Home, Program};

use super::{Temporary, built, run};

/// In how many places a write is ended.
const ENDS: u64 = 150;

#[test]
fn an_instance_that_ends_during_a_write_leaves_nothing_torn() {
    let adapter = Program::load(&built(Home::Filesystem).adapter, true).unwrap();
    let content: Vec<u8> = (0..5_000_u32).map(|n| (n % 251) as u8).collect();
    run(async {
        let enough = 1 << 40;
        let directory = Temporary::new();
        let store = AdapterStore::new(&adapter, directory.setup(), Some(enough)).await.unwrap();
        let before = store.fuel().await;
        contract::put(&store, "tool", &content).await.unwrap();
        let (start, needed) = (enough - before, before - store.fuel().await);

        let (mut is_unseen, mut is_whole) = (0, 0);
        for end in 0..ENDS {
            let directory = Temporary::new();
            let fuel = start + needed * end / (ENDS - 1);
            // An instance may end before it is ready.
            let ended = match AdapterStore::new(&adapter, directory.setup(), Some(fuel)).await {
                Ok(store) => contract::put(&store, "tool", &content).await.is_err(),
                Err(_) => true,
            };
            let native = DirStore::open(directory.path()).unwrap();
            match &native.list_artifacts().await.unwrap()[..] {
                [] => is_unseen += 1,
                [artifact] => {
                    is_whole += 1;
                    assert_eq!(artifact.size_bytes, content.len() as u64);
                    assert!(native.read(&artifact.id, 0, u32::MAX).await.unwrap() == content);
                }
                _ => panic!("two artifacts"),
            }
            assert!(ended || is_whole > 0, "sealed, but not listed");
        }
        assert!(is_unseen > ENDS / 2 && is_whole > 0, "{is_unseen} unseen, {is_whole} whole");
    });
}
