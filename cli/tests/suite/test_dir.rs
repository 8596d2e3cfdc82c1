//! A temporary directory in which the command line runs as a process.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory with a store, in which commands are run.
pub struct TestDir(pub PathBuf);

impl TestDir {
    pub fn new() -> Self {
        let name = tuckaway_host::store::mint("dir").unwrap();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        TestDir(path)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuckaway"));
        command.current_dir(&self.0).env("TUCKAWAY_STORE", "dir:store").args(arguments).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(self.command(arguments).output().unwrap())
    }

    pub fn pipe(&self, input: &[u8], arguments: &[&str]) -> Outcome {
        let mut command = self.command(arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The command may end before it has read all input.
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let ran = Outcome::of(child.wait_with_output().unwrap());
        let _ = writer.join().unwrap();
        ran
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), content).unwrap();
    }

    /// Stores an output and returns its id.
    pub fn put(&self, tool: &str, content: &[u8]) -> String {
        self.write("keep.json", r#"{"keep_all": true}"#);
        let ran = self.pipe(content, &["offload", "--json", "--policy", "keep.json", "--tool", tool]);
        let view: serde_json::Value = serde_json::from_str(&ran.ok()).unwrap();
        view["artifacts"][0]["id"].as_str().expect("a stored output").to_owned()
    }
}

impl Drop for TestDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The result of a command.
#[derive(Debug)]
pub struct Outcome {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Outcome {
    pub fn of(output: Output) -> Self {
        Outcome {
            status: output.status.code().expect("an exit status, not a signal"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub fn out(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// Returns stdout; panics unless the status is 0 and stderr is empty.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""));
        String::from_utf8(self.stdout).unwrap()
    }

    /// Returns stdout; panics unless the status is `status` and stderr is empty.
    #[track_caller]
    pub fn quiet(self, status: i32) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (status, ""));
        String::from_utf8(self.stdout).unwrap()
    }

    /// Returns the only line of stderr, without its prefix; panics if there is anything else.
    #[track_caller]
    pub fn error(self, status: i32) -> String {
        assert_eq!((self.status, self.out()), (status, ""), "{}", self.stderr);
        let line =
            self.stderr.strip_suffix('\n').expect("a line").strip_prefix("tuckaway: ").expect("a prefix");
        assert!(!line.contains('\n'), "more than a line: {line}");
        line.to_owned()
    }
}

/// Returns `count` numbered lines.
pub fn lines(count: usize) -> String {
    (1..=count).map(|n| format!("line {n} of {count}\n")).collect()
}
