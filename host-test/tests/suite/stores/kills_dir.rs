//! `kill -9` of a writer at every system call on files that it makes, by strace.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;

use tuckaway_host::{DirStore, Limits, Sessions};
use tuckaway_test_kit::known::{Known, check_all};
use tuckaway_test_kit::place::{Place, WARM_UP};

use super::support::{Scratch, Worked, in_days, run, worker};

/// The calls on files, each with a separate count, and how often the writer's thread makes the
/// call before it begins: more often than the main thread ever does.
const CALLS: [(&str, usize); 8] = [
    ("openat", WARM_UP),
    ("close", WARM_UP),
    ("statx", WARM_UP),
    ("write", 0),
    ("fsync", 0),
    ("getdents64", 0),
    ("/^rename", 0),
    ("/^unlink", 0),
];

/// At least this many writers are killed.
const KILLS: usize = 200;

/// The artifacts of the writers: their number, and the bytes of each.
const WORK: [(&str, &str); 6] =
    [("1", "0"), ("2", "1"), ("1", "300000"), ("2", "70000"), ("4", "5000"), ("3", "65536")];

#[test]
fn a_directory_loses_nothing_if_its_writer_is_killed() {
    // Two at a time: a writer mostly waits for strace.
    let halves = thread::scope(|scope| {
        let halves = WORK.chunks(WORK.len() / 2).map(|work| {
            scope.spawn(|| work.iter().map(|(count, bytes)| kill_at_every_call(count, bytes)).sum::<usize>())
        });
        let halves: Vec<_> = halves.collect();
        halves.into_iter().map(|half| half.join().unwrap()).sum::<usize>()
    });
    assert!(halves >= KILLS, "{halves} writers were killed");
}

/// Kills a writer at its first call of each kind, one at its second, and so on, until one
/// survives. Returns how many did not.
fn kill_at_every_call(count: &str, bytes: &str) -> usize {
    let kills = CALLS.map(|(call, before)| {
        let survivor = (1..).find(|number| {
            let directory = Scratch::new();
            // Something that was there before.
            let known = Known { seed: 0, bytes: 1000 };
            let known = run(known.put(&DirStore::open(directory.path()).unwrap())).unwrap();
            let mut worked = killed_at(&directory, call, before + number, &["replace", "1", count, bytes]);
            worked.sealed.push(known.id);
            check(&directory, &worked);
            worked.is_well
        });
        survivor.unwrap() - 1
    });
    kills.iter().sum()
}

/// Runs a writer until it makes a call of this kind for the n-th time.
fn killed_at(directory: &Scratch, call: &str, number: usize, arguments: &[&str]) -> Worked {
    let place = Place::Directory(directory.path().to_owned());
    let worker = worker(&place, arguments);
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", &format!("trace={call}")]);
    strace.args(["-e", &format!("inject={call}:signal=KILL:when={number}")]);
    strace.arg(worker.get_program()).args(worker.get_args());
    strace.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = strace.spawn().expect("strace is needed to kill a process at a system call; install strace");
    let output = child.wait_with_output().unwrap();
    // strace ends as its process has ended.
    let is_killed = output.status.signal() == Some(9);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(is_killed || output.status.success(), "{:?}: {errors}", output.status);
    Worked::of(&String::from_utf8_lossy(&output.stdout), !is_killed)
}

/// Checks the artifacts of a writer that has ended.
fn check(directory: &Scratch, worked: &Worked) {
    run(async {
        // Garbage is collected as if it were days later.
        let limits = Limits::none().with_clock(|| in_days(3));
        let store = DirStore::open(directory.path()).unwrap().with_limits(limits);
        for is_collected in [false, true] {
            let listed: BTreeSet<String> =
                check_all(&store).await.into_iter().map(|(artifact, _)| artifact.id).collect();
            worked.assert_kept(&listed);
            if !is_collected {
                store.collect_garbage().await.unwrap();
            } else {
                let expected = listed.iter().flat_map(|id| [id.clone(), format!("{id}.json")]);
                assert_eq!(
                    directory.names(),
                    expected.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
                );
            }
        }
    });
}
