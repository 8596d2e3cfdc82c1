//! The directory store on a disk that is full, and on one that cannot be written to: a small
//! file system in memory, mounted in a separate namespace.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use tuckaway_host::{DirStore, Store, StoreError};
use tuckaway_test_kit::known::{Known, check_all};

use super::support::{Agent, Scratch, run, text};

const PAGE: usize = 4096;

/// A small file system in memory.
struct Disk {
    shell: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Where it is mounted, in the shell's namespace.
    mount: Scratch,
}

impl Disk {
    /// Mounts a file system of `pages` pages.
    fn mount(pages: usize) -> Disk {
        let mount = Scratch::new();
        let mut shell = Command::new("unshare");
        shell.args([
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            "while read -r line; do eval \"$line\" && echo done; done",
        ]);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut shell = shell.spawn().expect("unshare of util-linux is needed; install util-linux");
        let commands = shell.stdin.take().unwrap();
        let answers = BufReader::new(shell.stdout.take().unwrap());
        let mut disk = Disk { shell, commands, answers, mount };
        let options = format!("size={},mode=0700", pages * PAGE);
        let path = disk.mount.path().display().to_string();
        disk.run(&format!("mount -t tmpfs -o {options} tmpfs '{path}'"));
        disk
    }

    /// Lets the shell run a command.
    fn run(&mut self, command: &str) {
        writeln!(self.commands, "{command}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        let advice = "a test mounts a file system; it needs root, or user namespaces";
        assert_eq!(answer, "done\n", "{command}: {advice}");
    }

    fn set_read_only(&mut self, is_read_only: bool) {
        let option = if is_read_only { "ro" } else { "rw" };
        let path = self.mount.path().display().to_string();
        self.run(&format!("mount -o remount,{option} '{path}'"));
    }

    /// Returns the path by which this process sees it.
    fn path(&self) -> PathBuf {
        let root = format!("/proc/{}/root", self.shell.id());
        PathBuf::from(root).join(self.mount.path().strip_prefix("/").unwrap())
    }

    fn store(&self) -> Arc<DirStore> {
        Arc::new(DirStore::open(self.path()).unwrap())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The file system goes with its last process.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let disk = Disk::mount(256);
    let store = disk.store();
    run(async {
        let sealed = Known { seed: 1, bytes: 600_000 }.put(&*store).await.unwrap();
        let agent = Agent::over(store.clone()).await;
        let failure = agent.truncated(&text(20_000)).await;
        assert!(failure.contains("No space left on device") && !failure.contains("proc"), "{failure}");
        assert_eq!(check_all(&*store).await, [(sealed.clone(), Known { seed: 1, bytes: 600_000 })]);
        // Nothing of it is left, so that there is space for a smaller output.
        let id = agent.stored(&*store, &text(5_000)).await;
        assert!(agent.truncated(&text(10_000)).await.contains("No space left on device"));
        store.delete(&sealed.id).await.unwrap();
        agent.stored(&*store, &text(10_000)).await;
        store.stat(&id).await.unwrap();
    });
}

#[test]
fn a_disk_that_fills_at_any_step_of_put_tears_nothing() {
    let mut stored = 0;
    for free in 0..8 {
        let disk = Disk::mount(64);
        let store = disk.store();
        run(async {
            let first = Known { seed: 1, bytes: 2 * PAGE };
            first.put(&*store).await.unwrap();
            let filler = disk.path().join("filler");
            // All but these pages; the directory itself, the two files and the filler have some.
            let mut pages = 64;
            while std::fs::write(&filler, vec![0; pages * PAGE]).is_err() {
                pages -= 1;
            }
            std::fs::write(&filler, vec![0; (pages - free) * PAGE]).unwrap();
            let second = Known { seed: 2, bytes: 3 * PAGE };
            let put = second.put(&*store).await;
            // Both may have been sealed at the same time, by the clock of the file system.
            let known: BTreeSet<Known> =
                check_all(&*store).await.into_iter().map(|(_, known)| known).collect();
            match put {
                Ok(_) => assert_eq!(known, [first, second].into(), "{free} pages"),
                Err(StoreError::Other(why)) => {
                    assert!(why.contains("No space left on device"), "{why}");
                    assert_eq!(known, [first].into(), "{free} pages");
                }
                Err(other) => panic!("{other:?}"),
            }
            stored += known.len() - 1;
            std::fs::remove_file(&filler).unwrap();
            Known { seed: 3, bytes: 4 * PAGE }.put(&*store).await.unwrap();
        });
    }
    assert!((1..8).contains(&stored), "the disk was full always or never: {stored}");
}

#[test]
fn a_directory_that_cannot_be_written_to_can_be_read() {
    let mut disk = Disk::mount(256);
    let store = disk.store();
    run(async {
        let known = Known { seed: 1, bytes: 100_000 };
        let sealed = known.put(&*store).await.unwrap();
        let agent = Agent::over(store.clone()).await;
        disk.set_read_only(true);
        let failure = agent.truncated(&text(1_000)).await;
        assert!(failure.contains("Read-only file system"), "{failure}");
        assert_eq!(check_all(&*store).await, [(sealed, known)]);
        disk.set_read_only(false);
        agent.stored(&*store, &text(1_000)).await;
    });
}
