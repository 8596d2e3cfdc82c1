//! `kill -9` of a writer at every request that it makes to a server, at three moments of each.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use object_store::ObjectStore as _;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use tuckaway_host::{BucketStore, Limits, Sessions};
use tuckaway_test_kit::faults::{FaultProxy, MOMENTS, Moment};
use tuckaway_test_kit::known::{Known, check_all};
use tuckaway_test_kit::object_servers::{ObjectServer, Program};
use tuckaway_test_kit::place::{self, Place};

use super::support::{Worked, in_days, run, worker};

/// At least this many writers are killed.
const KILLS: usize = 200;

/// How long a busy server may take to end the requests of a writer that was killed.
const SETTLES: Duration = Duration::from_secs(20);

/// The artifacts of the writers: their number, and the bytes of each. A segment has 8 MiB.
const WORK: [(&str, &str); 4] = [("2", "0"), ("6", "1000"), ("4", "300000"), ("2", "9000000")];

#[test]
fn objects_lose_nothing_if_their_writer_is_killed() {
    let server = ObjectServer::start(Program::S3sFs).unwrap();
    // Two at a time, each through a separate proxy.
    let halves = thread::scope(|scope| {
        let halves = WORK.chunks(WORK.len() / 2).map(|work| {
            let there = There::new(&server);
            scope.spawn(move || run(there.kill_all(work)))
        });
        let halves: Vec<_> = halves.collect();
        halves.into_iter().map(|half| half.join().unwrap()).sum::<usize>()
    });
    assert!(halves >= KILLS, "{halves} writers were killed");
}

/// A bucket in which each writer has a separate session.
struct There {
    proxy: FaultProxy,
    bucket: String,
    /// Garbage is collected as if it were days later.
    store: BucketStore,
    objects: AmazonS3,
}

impl There {
    fn new(server: &ObjectServer) -> There {
        let bucket = server.bucket().unwrap();
        let limits = Limits::none().with_clock(|| in_days(3));
        There {
            proxy: FaultProxy::start(server.address()).unwrap(),
            store: place::objects(&server.url(), &bucket, "").unwrap().with_limits(limits),
            objects: place::bucket(&server.url(), &bucket).unwrap(),
            bucket,
        }
    }

    /// Kills writers at each moment of each request. Returns their number.
    async fn kill_all(&self, work: &[(&str, &str)]) -> usize {
        let mut kills = 0;
        for &(count, bytes) in work {
            for moment in MOMENTS {
                for request in 0.. {
                    let session = format!("{count}-{bytes}-{moment:?}-{request}").to_lowercase();
                    let before = Known { seed: 0, bytes: 1000 };
                    let before = before.put(&*self.store.session(&session).await.unwrap()).await.unwrap();
                    let through = Place::Objects {
                        url: self.proxy.url(),
                        bucket: self.bucket.clone(),
                        prefix: format!("sessions/{session}"),
                    };
                    let writer = worker(&through, &["replace", "1", count, bytes]);
                    let mut worked = killed_at(&self.proxy, writer, request, moment);
                    worked.sealed.push(before.id);
                    self.check(&session, &worked).await;
                    if worked.is_well {
                        break;
                    }
                    kills += 1;
                }
            }
        }
        kills
    }

    /// Checks the artifacts of a writer that has ended.
    async fn check(&self, session: &str, worked: &Worked) {
        // Stores that remember nothing.
        let store = self.store.session(session).await.unwrap();
        let before = ids(&*store).await;
        worked.assert_kept(&before);
        // The server may still finish a request of a dead writer: the next collection removes its
        // objects.
        let begun = Instant::now();
        loop {
            store.collect_garbage().await.unwrap();
            let after = ids(&*self.store.session(session).await.unwrap()).await;
            assert_eq!(before, after);
            let Some(key) = self.garbage(session, &after).await else { return };
            assert!(begun.elapsed() < SETTLES, "{key} is left: {worked:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Returns a key of a session that does not belong to any of these artifacts.
    async fn garbage(&self, session: &str, ids: &BTreeSet<String>) -> Option<String> {
        let prefix = Path::from(format!("sessions/{session}"));
        let keys: Vec<_> = self.objects.list(Some(&prefix)).try_collect().await.unwrap();
        let mut keys = keys.into_iter().map(|object| object.location.to_string());
        keys.find(|key| {
            let is_of = |id: &String| {
                key.contains(&format!("/data/{id}/")) || key.ends_with(&format!("/meta/{id}.json"))
            };
            !ids.iter().any(is_of)
        })
    }
}

/// Checks all artifacts and returns their ids.
async fn ids(store: &dyn Sessions) -> BTreeSet<String> {
    check_all(store).await.into_iter().map(|(artifact, _)| artifact.id).collect()
}

/// Runs a writer until it makes this request, and until this moment of it.
fn killed_at(proxy: &FaultProxy, mut writer: Command, request: usize, moment: Moment) -> Worked {
    proxy.take_seen();
    let child = Arc::new(OnceLock::<Mutex<Child>>::new());
    let victim = Arc::clone(&child);
    proxy.hook(move |seen, now| {
        if seen.number < request || (seen.number == request && now != moment) {
            return ControlFlow::Continue(());
        }
        let _ = victim.wait().lock().unwrap().kill();
        ControlFlow::Break(())
    });
    Worked::wait(child.get_or_init(|| Mutex::new(writer.spawn().unwrap())))
}
