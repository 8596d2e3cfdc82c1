//! The contract of stores, on the adapters.

use tuckaway_host::store::contract;
use tuckaway_host::{Store, StoreError};
use tuckaway_host_test::composed::{Home, Setup};

use super::{Temporary, run, store};

/// Returns a host whose store has these settings, and the directory that it uses.
fn with(home: Home, variables: &[(&'static str, &str)]) -> (Setup, Option<Temporary>) {
    let directory = (home == Home::Filesystem).then(Temporary::new);
    let mut setup = directory.as_ref().map_or_else(Setup::default, Temporary::setup);
    setup.variables = variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    (setup, directory)
}

#[test]
fn both_adapters_keep_the_contract() {
    for home in Home::ALL {
        // Kept until the suite is done with the stores in them.
        let kept = std::sync::Mutex::new(Vec::new());
        run(contract::check(async || {
            let (setup, directory) = with(home, &[]);
            kept.lock().unwrap().push(directory);
            store(home, setup).await
        }));
    }
}

#[test]
fn both_adapters_have_a_quota_and_an_age() {
    run(async {
        for home in Home::ALL {
            let (setup, _directory) = with(home, &[("TUCKAWAY_QUOTA", "100")]);
            contract::check_quota(&store(home, setup).await).await;

            let (setup, _directory) = with(home, &[("TUCKAWAY_MAX_AGE", "1s")]);
            let store = store(home, setup).await;
            let id = contract::put(&store, "old tool", b"old").await.unwrap();
            assert_eq!(store.read(&id, 0, 9).await, Ok(b"old".to_vec()));
            tokio::time::sleep(std::time::Duration::from_secs(2)).await;
            let expired = store.stat(&id).await.unwrap_err();
            assert!(
                matches!(&expired, StoreError::Expired(Some(expiry)) if expiry.tool == "old tool"),
                "{expired:?}"
            );
            assert_eq!((store.list_artifacts().await, store.delete(&id).await), (Ok(vec![]), Ok(())));
        }
    });
}

#[test]
fn a_malformed_setting_is_an_error_that_names_it() {
    run(async {
        for home in Home::ALL {
            for (name, value) in
                [("TUCKAWAY_QUOTA", "much"), ("TUCKAWAY_MAX_AGE", "0s"), ("TUCKAWAY_SESSION", "../x")]
            {
                let (setup, _directory) = with(home, &[(name, value)]);
                let error = store(home, setup).await.create("t", "").await.unwrap_err();
                let StoreError::Other(why) = &error else { panic!("{home:?}, {name}: {error:?}") };
                assert!(why.starts_with(name) || why.starts_with("the name of a session"), "{home:?}: {why}");
            }
        }
    });
}

#[test]
fn a_place_that_the_host_lacks_is_an_error() {
    run(async {
        let nowhere = store(Home::Filesystem, Setup::default()).await;
        let error = nowhere.create("t", "").await.unwrap_err();
        assert!(
            matches!(&error, StoreError::Other(why) if why.starts_with("the host opens no directory")),
            "{error:?}"
        );
        let (setup, _) = with(Home::KeyValue, &[("TUCKAWAY_STORE", "other")]);
        let error = store(Home::KeyValue, setup).await.create("t", "").await.unwrap_err();
        let expected = "opening the bucket: the host has no such bucket; set TUCKAWAY_STORE to its name";
        assert_eq!(error, StoreError::Other(expected.to_owned()));
    });
}
