//! A store of objects over a connection that fails. For each fault, the tests check that sealed
//! artifacts stay, that nothing torn is seen, that the model gets a bounded view in time whose
//! decision names the failure, and that the store works again afterwards.

use std::sync::Arc;
use std::time::Instant;

use tuckaway_host::{Artifact, Limits, Sessions, StoreError};
use tuckaway_test_kit::faults::{Class, Fault, FaultProxy, Method, Rule};
use tuckaway_test_kit::known::{self, Flaw, Known, check_all};
use tuckaway_test_kit::object_servers::{ObjectServer, Program, S3_PROGRAMS};
use tuckaway_test_kit::place;

use super::support::{Agent, DEADLINE, objects, run, text};

/// A server, and a store that reaches it through a proxy.
struct Bed {
    server: ObjectServer,
    bucket: String,
    proxy: FaultProxy,
    store: Arc<dyn Sessions>,
    /// The same store without the proxy.
    direct: Arc<dyn Sessions>,
    before: (Artifact, Known),
}

impl Bed {
    async fn new(program: Program) -> Bed {
        let server = ObjectServer::start(program).unwrap();
        let bucket = server.bucket().unwrap();
        let proxy = FaultProxy::start(server.address()).unwrap();
        let open = |url: &str| objects(url, &bucket, "agents").open(Limits::none()).unwrap();
        let (store, direct) = (open(&proxy.url()), open(&server.url()));
        let known = Known { seed: 1, bytes: 300_000 };
        let before = (known.put(&*direct).await.unwrap(), known);
        Bed { server, bucket, proxy, store, direct, before }
    }

    /// Checks that the server has nothing torn, and still has the earlier artifact.
    async fn is_sound(&self) {
        let listed = self.direct.list_artifacts().await.unwrap();
        assert!(listed.contains(&self.before.0));
        known::check(&*self.direct, &self.before.0).await.unwrap();
        for artifact in &listed {
            let content = known::read(&*self.direct, &artifact.id).await.unwrap();
            assert_eq!(content.len() as u64, artifact.size_bytes);
        }
    }

    /// Checks that a failure names neither the bucket nor the server.
    fn is_discreet(&self, failure: &str) {
        for secret in [&*self.bucket, "127.0.0.1", "http:", "agents", "tuckaway-secret", "meta/", "data/"] {
            assert!(!failure.contains(secret), "{failure} names {secret}");
        }
    }
}

/// The outcome of an agent's output while requests have a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// It is stored nevertheless.
    Stored,
    /// It is truncated, and the failure contains this.
    Fails(&'static str),
}

use Outcome::{Fails, Stored};

const FOR_GOOD: usize = usize::MAX;

/// Faults of the requests of one put: the fault, its requests by method and class, how many of
/// them are spared, how many have it, and the outcome.
const WRITES: &[(Fault, Method, Class, usize, usize, Outcome)] = &[
    (Fault::Refuse, Method::Put, Class::Segment, 0, 1, Stored),
    (Fault::Refuse, Method::Put, Class::Segment, 0, FOR_GOOD, Fails("putting a segment")),
    (Fault::Refuse, Method::Put, Class::Meta, 0, 1, Stored),
    (Fault::Refuse, Method::Put, Class::Meta, 0, FOR_GOOD, Fails("putting metadata")),
    (Fault::ResetRequest, Method::Put, Class::Segment, 0, 1, Stored),
    (Fault::ResetRequest, Method::Put, Class::Segment, 1, 1, Stored),
    (Fault::ResetRequest, Method::Put, Class::Segment, 1, FOR_GOOD, Fails("putting a segment")),
    (Fault::ResetRequest, Method::Put, Class::Meta, 0, FOR_GOOD, Fails("putting metadata")),
    (Fault::LoseAnswer, Method::Put, Class::Segment, 0, 2, Stored),
    (Fault::LoseAnswer, Method::Put, Class::Meta, 0, 1, Stored),
    (Fault::LoseAnswer, Method::Put, Class::Meta, 0, FOR_GOOD, Stored),
    (Fault::Twice, Method::Put, Class::Segment, 0, FOR_GOOD, Stored),
    (Fault::Twice, Method::Put, Class::Meta, 0, FOR_GOOD, Stored),
    (Fault::RefuseCondition, Method::Put, Class::Meta, 0, FOR_GOOD, Stored),
    (Fault::DropCondition, Method::Put, Class::Meta, 0, FOR_GOOD, Stored),
    (Fault::Status(500), Method::Put, Class::Segment, 0, 2, Stored),
    (Fault::Status(503), Method::Put, Class::Segment, 1, 2, Stored),
    (Fault::Status(429), Method::Put, Class::Meta, 0, 2, Stored),
    (Fault::Status(500), Method::Put, Class::Segment, 0, FOR_GOOD, Fails("HTTP 500")),
    (Fault::Status(503), Method::Put, Class::Segment, 1, FOR_GOOD, Fails("HTTP 503")),
    (Fault::Status(429), Method::Put, Class::Meta, 0, FOR_GOOD, Fails("HTTP 429")),
    (Fault::Stall, Method::Put, Class::Segment, 0, FOR_GOOD, Fails("putting a segment")),
    (Fault::Stall, Method::Put, Class::Meta, 0, FOR_GOOD, Fails("putting metadata")),
];

#[test]
fn writes_that_fail_lose_nothing() {
    for program in S3_PROGRAMS {
        run(async {
            let bed = Bed::new(program).await;
            let agent = Agent::over(bed.store.clone()).await;
            let few = text(400);
            for &(fault, method, class, spared, times, outcome) in WRITES {
                eprintln!("{program:?}: {fault:?} of {method:?} {class:?}, {times} after {spared}");
                let begun = Instant::now();
                bed.proxy.set([Rule::new(fault).of(method, class).only(spared, times)]);
                // Several segments, if the first one is spared.
                let text = text(if spared > 0 { 450_000 } else { 4_000 });
                match outcome {
                    Stored => drop(agent.stored(&*bed.direct, &text).await),
                    Fails(expected) => {
                        let failure = agent.truncated(&text).await;
                        assert!(failure.contains(expected), "{failure}");
                        bed.is_discreet(&failure);
                    }
                }
                eprintln!("  {:?}", begun.elapsed());
                bed.proxy.set([]);
                bed.is_sound().await;
                agent.stored(&*bed.direct, &few).await;
            }
        });
    }
}

/// Faults of the requests of a read, and whether it succeeds nevertheless.
const READS: &[(Fault, Class, usize, bool)] = &[
    (Fault::Refuse, Class::Segment, 1, true),
    (Fault::ResetAnswer, Class::Segment, 1, true),
    (Fault::CutAnswer, Class::Segment, 1, true),
    (Fault::Status(500), Class::Segment, 2, true),
    (Fault::Status(503), Class::Meta, 2, true),
    (Fault::ResetAnswer, Class::Meta, 1, true),
    (Fault::CutAnswer, Class::Meta, 1, true),
    (Fault::Refuse, Class::Segment, FOR_GOOD, false),
    (Fault::ResetAnswer, Class::Segment, FOR_GOOD, false),
    (Fault::CutAnswer, Class::Segment, FOR_GOOD, false),
    (Fault::CutAnswer, Class::Meta, FOR_GOOD, false),
    (Fault::Status(429), Class::Segment, FOR_GOOD, false),
    (Fault::Stall, Class::Segment, FOR_GOOD, false),
    (Fault::Stall, Class::Meta, FOR_GOOD, false),
];

#[test]
fn reads_that_fail_return_nothing_wrong() {
    run(async {
        let bed = Bed::new(Program::S3sFs).await;
        for &(fault, class, times, succeeds) in READS {
            eprintln!("{fault:?} of {class:?}, {times}");
            // A store that remembers nothing.
            let store = objects(&bed.proxy.url(), &bed.bucket, "agents").open(Limits::none()).unwrap();
            bed.proxy.set([Rule::new(fault).of(Method::Get, class).only(0, times)]);
            let begun = Instant::now();
            match known::check(&*store, &bed.before.0).await {
                Ok(known) => assert!(succeeds && known == bed.before.1),
                Err(Flaw::Store(StoreError::Other(why))) => {
                    assert!(!succeeds, "{why}");
                    bed.is_discreet(&why);
                }
                Err(flaw) => panic!("{flaw:?}"),
            }
            assert!(begun.elapsed() < DEADLINE, "{:?}", begun.elapsed());
            bed.proxy.set([]);
            assert_eq!(known::check(&*store, &bed.before.0).await, Ok(bed.before.1));
        }
    });
}

#[test]
fn a_listing_that_fails_is_an_error_and_no_shorter_list() {
    run(async {
        let bed = Bed::new(Program::S3sFs).await;
        for (class, fault) in [
            (Class::List, Fault::Status(503)),
            (Class::List, Fault::CutAnswer),
            (Class::Meta, Fault::Status(500)),
            (Class::Meta, Fault::Refuse),
        ] {
            let store = objects(&bed.proxy.url(), &bed.bucket, "agents").open(Limits::none()).unwrap();
            bed.proxy.set([Rule::new(fault).of(Method::Get, class)]);
            let listed = store.list_artifacts().await;
            assert!(matches!(listed, Err(StoreError::Other(_))), "{fault:?} of {class:?}: {listed:?}");
            bed.proxy.set([]);
            assert_eq!(check_all(&*store).await, std::slice::from_ref(&bed.before));
        }
    });
}

#[test]
fn a_server_that_is_gone_is_named() {
    run(async {
        let bed = Bed::new(Program::S3sFs).await;
        let agent = Agent::over(bed.store.clone()).await;
        let Bed { server, proxy, .. } = bed;
        drop((server, proxy));
        let failure = agent.truncated(&text(4_000)).await;
        assert!(!failure.contains("127.0.0.1"), "{failure}");
    });
}

/// With the time that stores take by default, and less for a call.
#[test]
fn a_stall_longer_than_the_deadline_leaves_a_view() {
    run(async {
        let bed = Bed::new(Program::S3sFs).await;
        let Bed { proxy, bucket, .. } = &bed;
        let store = place::objects(&proxy.url(), bucket, "agents").unwrap();
        let agent = Agent::with_deadline(Arc::new(store.with_timeout(2 * DEADLINE)), DEADLINE / 4).await;
        for (method, class) in [(Method::Put, Class::Segment), (Method::Put, Class::Meta)] {
            proxy.set([Rule::new(Fault::Stall).of(method, class)]);
            let failure = agent.truncated(&text(4_000)).await;
            assert!(failure.contains("in time"), "{failure}");
            proxy.set([]);
            bed.is_sound().await;
            agent.stored(&*bed.direct, &text(400)).await;
        }
    });
}
