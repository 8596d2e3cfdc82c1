//! The contract of stores on real servers, with conditional writes and without.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use object_store::{ObjectStoreExt, PutPayload};
use tuckaway_host::store::contract;
use tuckaway_host::{BucketStore, Limits, Store, StoreError};
use tuckaway_test_kit::faults::{Class, Fault, FaultProxy, Method, Rule};
use tuckaway_test_kit::object_servers::{ObjectServer, Program, S3_PROGRAMS};
use tuckaway_test_kit::place;

use super::support::run;

#[test]
fn s3s_fs_keeps_the_contract() {
    keeps_the_contract(Program::S3sFs, None);
}

#[test]
fn moto_keeps_the_contract() {
    keeps_the_contract(Program::Moto, None);
}

#[test]
fn servers_without_conditional_writes_keep_the_contract() {
    keeps_the_contract(Program::S3sFs, Some(Fault::DropCondition));
    keeps_the_contract(Program::S3sFs, Some(Fault::RefuseCondition));
    keeps_the_contract(Program::Moto, Some(Fault::DropCondition));
}

#[test]
fn azurite_keeps_the_contract() {
    keeps_the_contract_by(place::azure, Program::Azurite, None);
}

#[test]
fn a_server_that_refuses_conditions_is_asked_once() {
    let server = ObjectServer::start(Program::S3sFs).unwrap();
    let proxy = FaultProxy::start(server.address()).unwrap();
    proxy.set([Rule::new(Fault::RefuseCondition)]);
    let store = place::objects(&proxy.url(), &server.bucket().unwrap(), "").unwrap();
    run(async {
        contract::put(&store, "t", b"first").await.unwrap();
        assert!(proxy.count(Method::Put, Class::Meta) > 1);
        proxy.take_seen();
        contract::put(&store, "t", b"second").await.unwrap();
        assert_eq!(proxy.count(Method::Put, Class::Meta), 1);
    });
}

#[test]
fn what_somebody_has_changed_is_damaged_and_hides_nothing() {
    for program in S3_PROGRAMS {
        let server = ObjectServer::start(program).unwrap();
        let name = server.bucket().unwrap();
        // Each has read nothing yet.
        let store = || place::objects(&server.url(), &name, "p").unwrap();
        let bucket = place::bucket(&server.url(), &name).unwrap();
        run(async {
            let whole = contract::put(&store(), "t", b"whole").await.unwrap();
            let id = contract::put(&store(), "t", &vec![7; 1 << 20]).await.unwrap();
            let (segment, meta) =
                (format!("p/data/{id}/00000000").into(), format!("p/meta/{id}.json").into());
            bucket.put(&segment, PutPayload::from_static(b"short")).await.unwrap();
            for offset in [0, 600_000] {
                let read = store().read(&id, offset, 10).await;
                let damaged = "its content is damaged: a segment is too short";
                assert_eq!(read, Err(StoreError::Other(damaged.to_owned())), "{program:?} {offset}");
            }
            bucket.delete(&segment).await.unwrap();
            let read = store().read(&id, 0, 10).await;
            assert_eq!(
                read,
                Err(StoreError::Other("its content is damaged: a segment is missing".to_owned()))
            );
            for wrong in ["{", "[]", r#"{"id":"art_t_0000000000"}"#] {
                bucket.put(&meta, PutPayload::from(wrong.as_bytes().to_vec())).await.unwrap();
                let Err(StoreError::Other(why)) = store().stat(&id).await else {
                    panic!("{wrong} is an artifact")
                };
                assert!(why.starts_with("its metadata is damaged"), "{why}");
                let listed = store().list_artifacts().await.unwrap();
                assert!(listed.iter().map(|each| &each.id).eq([&whole]), "{listed:?}");
            }
            store().delete(&id).await.unwrap();
            assert_eq!(store().stat(&id).await, Err(StoreError::NotFound));
        });
    }
}

/// Opens a store: the URL of a server, a bucket and a prefix.
type Open = fn(&str, &str, &str) -> anyhow::Result<BucketStore>;

fn keeps_the_contract(program: Program, fault: Option<Fault>) {
    keeps_the_contract_by(place::objects, program, fault);
}

fn keeps_the_contract_by(open: Open, program: Program, fault: Option<Fault>) {
    let server = ObjectServer::start(program).unwrap();
    let proxy = FaultProxy::start(server.address()).unwrap();
    proxy.set(fault.map(Rule::new));
    let bucket = server.bucket().unwrap();
    let stores = AtomicU32::new(0);
    let empty = |limits: Limits| {
        let prefix = format!("stores/{}", stores.fetch_add(1, Ordering::SeqCst));
        open(&proxy.url(), &bucket, &prefix).unwrap().with_limits(limits)
    };
    run(async {
        contract::check(async || empty(Limits::none())).await;
        contract::check_sessions(&empty(Limits::none())).await;
        contract::check_quota(&empty(Limits::none().with_quota(100))).await;
        contract::check_expiry(&empty(Limits::none().with_max_age(Duration::ZERO))).await;
        // A bucket may be one store, without a prefix.
        let bucket = server.bucket().unwrap();
        contract::check_sessions(&open(&proxy.url(), &bucket, "").unwrap()).await;
    });
}
