//! Age by a clock that goes forwards and backwards.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tuckaway_host::{Expiry, Limits, StoreError};
use tuckaway_test_kit::known::{self, Known};
use tuckaway_test_kit::object_servers::{ObjectServer, Program};
use tuckaway_test_kit::place::Place;

use super::support::{Scratch, objects, run};

const HOUR: u64 = 3_600;
const WEEK: u64 = 7 * 24 * HOUR;

#[test]
fn a_clock_that_jumps_loses_nothing_before_its_time() {
    let directory = Scratch::new();
    let server = ObjectServer::start(Program::S3sFs).unwrap();
    let places = [
        Place::Directory(directory.path().to_owned()),
        objects(&server.url(), &server.bucket().unwrap(), "age"),
    ];
    for place in places {
        run(jumps(&place));
    }
}

async fn jumps(place: &Place) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let seconds = Arc::new(AtomicU64::new(now));
    let clock = Arc::clone(&seconds);
    let clock = move || UNIX_EPOCH + Duration::from_secs(clock.load(Ordering::SeqCst));
    let limits = Limits::none().with_max_age(Duration::from_secs(WEEK)).with_clock(clock);
    let store = place.open(limits).unwrap();
    let known = Known { seed: 1, bytes: 100_000 };
    let artifact = known.put(&*store).await.unwrap();
    assert_eq!(artifact.created_at, now);

    let expired = StoreError::Expired(Some(Expiry { tool: "known".to_owned(), expired_at: now + WEEK }));
    for (time, is_there) in [
        (now - 1, true),
        (0, true),
        (now + WEEK - 1, true),
        (now + WEEK, false),
        (now - WEEK, true),
        (now + 100 * WEEK, false),
        (now + HOUR, true),
    ] {
        seconds.store(time, Ordering::SeqCst);
        let listed = store.list_artifacts().await.unwrap();
        match is_there {
            true => {
                assert_eq!(listed, std::slice::from_ref(&artifact), "{time}");
                assert_eq!(known::check(&*store, &artifact).await, Ok(known), "{time}");
            }
            false => {
                assert_eq!(listed, [], "{time}");
                assert_eq!(store.stat(&artifact.id).await, Err(expired.clone()), "{time}");
                assert_eq!(store.read(&artifact.id, 0, 1).await, Err(expired.clone()), "{time}");
            }
        }
        // Nothing is removed before its time, regardless of the clock's values meanwhile.
        if is_there {
            store.collect_garbage().await.unwrap();
        }
    }

    // Removed artifacts stay expired, even if the clock goes back.
    seconds.store(now + WEEK, Ordering::SeqCst);
    let garbage = store.collect_garbage().await.unwrap();
    assert_eq!((garbage.expired, garbage.freed_bytes), (1, 100_000));
    for time in [now + WEEK, now, 0] {
        seconds.store(time, Ordering::SeqCst);
        assert_eq!(store.stat(&artifact.id).await, Err(expired.clone()), "{time}");
        assert_eq!(store.list_artifacts().await, Ok(vec![]));
    }
    // In the end its id is forgotten.
    seconds.store(now + 4 * WEEK, Ordering::SeqCst);
    store.collect_garbage().await.unwrap();
    assert_eq!(store.stat(&artifact.id).await, Err(StoreError::NotFound));
}
