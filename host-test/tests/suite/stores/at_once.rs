//! Several processes on one session at once.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Child;
use std::sync::Mutex;

use tuckaway_test_kit::known::check_all;
use tuckaway_test_kit::object_servers::{ObjectServer, Program};
use tuckaway_test_kit::place::Place;

use super::support::{Scratch, Worked, objects, run, worker};

/// Seconds of work in which processes put, list and remove.
const SECONDS: &str = "60";

const WRITERS: u64 = 8;
const ARTIFACTS: u64 = 200;

/// A directory and a session in a bucket, in the same minute.
#[test]
fn two_processes_put_list_and_remove_for_a_minute() {
    let directory = Scratch::new();
    let server = ObjectServer::start(Program::S3sFs).unwrap();
    let places = [
        Place::Directory(directory.path().to_owned()),
        objects(&server.url(), &server.bucket().unwrap(), "minute"),
    ];
    let start =
        |place: &Place, seed: &str| Mutex::new(worker(place, &["churn", seed, SECONDS]).spawn().unwrap());
    let workers = places.each_ref().map(|place| ["1000000", "2000000"].map(|seed| start(place, seed)));
    for (place, workers) in places.iter().zip(workers) {
        let worked = workers.each_ref().map(Worked::wait);
        let sealed: BTreeSet<&String> = worked.iter().flat_map(|worked| &worked.sealed).collect();
        let removed: BTreeSet<&String> = worked.iter().flat_map(|worked| &worked.removed).collect();
        // Failures are in the error output of the worker.
        assert!(worked.iter().all(|worked| worked.is_well && worked.sealed.len() > 20));
        let listed = run(async { check_all(&*place.open_patiently().unwrap()).await });
        let listed: BTreeSet<&String> = listed.iter().map(|(artifact, _)| &artifact.id).collect();
        assert!(listed.iter().eq(&sealed.difference(&removed).copied().collect::<Vec<_>>()));
    }
}

#[test]
fn eight_processes_fill_one_directory() {
    let directory = Scratch::new();
    fill(&Place::Directory(directory.path().to_owned()));
}

#[test]
fn eight_processes_fill_one_session_of_objects() {
    let server = ObjectServer::start(Program::S3sFs).unwrap();
    fill(&objects(&server.url(), &server.bucket().unwrap(), "many"));
}

/// Has processes put artifacts concurrently, and checks that all are there, in order, and whole.
fn fill(place: &Place) {
    let start = |writer: u64| {
        let (seed, count) = ((writer * ARTIFACTS).to_string(), ARTIFACTS.to_string());
        Mutex::new(worker(place, &["put", &seed, &count, "5000"]).spawn().unwrap())
    };
    let workers: Vec<Mutex<Child>> = (0..WRITERS).map(start).collect();
    let worked: Vec<Worked> = workers.iter().map(Worked::wait).collect();
    let listed = run(async { check_all(&*place.open_patiently().unwrap()).await });
    assert_eq!(listed.len() as u64, WRITERS * ARTIFACTS);
    let mut seeds: Vec<u64> = listed.iter().map(|(_, known)| known.seed).collect();
    seeds.sort_unstable();
    assert!(seeds.into_iter().eq(0..WRITERS * ARTIFACTS));
    assert!(listed.is_sorted_by_key(|(artifact, _)| artifact.created_at));
    // Those of one writer are in the order in which it has sealed them. In a directory, that is
    // known to the precision of the file system's clock.
    let is_exact = matches!(place, Place::Objects { .. });
    let places: BTreeMap<&String, usize> =
        listed.iter().enumerate().map(|(at, (artifact, _))| (&artifact.id, at)).collect();
    for worked in &worked {
        assert!(worked.is_well && worked.sealed.len() as u64 == ARTIFACTS);
        assert!(!is_exact || worked.sealed.iter().map(|id| places[id]).is_sorted());
    }
}
