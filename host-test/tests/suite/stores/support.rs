//! Shared parts of the tests of stores.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tuckaway_host::store::mint;
use tuckaway_host::{
    Action, ArtifactTool, Block, Content, Dialect, ErrorKind, Policy, Store, ToolOutput, Tuckaway, Turn, View,
};
use tuckaway_test_kit::known;
use tuckaway_test_kit::place::Place;

/// The deadline of a call in these tests.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// The maximum bytes that pass inline, and therefore of any view.
pub const LARGEST_VIEW: u64 = 8 << 10;

/// A directory that is removed at the end of its test.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(mint("stores").unwrap());
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the names of the files.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a future on a new runtime.
pub fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(future)
}

/// Returns a time `days` days ahead.
pub fn in_days(days: u64) -> std::time::SystemTime {
    std::time::SystemTime::now() + Duration::from_secs(days * 24 * 60 * 60)
}

/// Returns a session in a bucket of a server.
pub fn objects(url: &str, bucket: &str, prefix: &str) -> Place {
    Place::Objects { url: url.to_owned(), bucket: bucket.to_owned(), prefix: prefix.to_owned() }
}

/// Creates a command that runs `store_worker`, with its output in a pipe.
pub fn worker(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_store_worker"));
    command.arg(place.to_string()).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// The output of a worker, and whether it succeeded.
#[derive(Debug)]
pub struct Worked {
    pub sealed: Vec<String>,
    /// Ids that it had begun to remove.
    pub removing: BTreeSet<String>,
    pub removed: BTreeSet<String>,
    pub is_well: bool,
}

impl Worked {
    /// Waits until a worker ends. `child` may be needed meanwhile to kill it.
    pub fn wait(child: &Mutex<Child>) -> Worked {
        let mut text = String::new();
        let output = child.lock().unwrap().stdout.take();
        output.unwrap().read_to_string(&mut text).unwrap();
        Worked::of(&text, child.lock().unwrap().wait().unwrap().success())
    }

    /// Parses the output of a worker.
    pub fn of(text: &str, is_well: bool) -> Worked {
        let ids = |what: &'static str| {
            text.lines().filter_map(move |line| line.strip_prefix(what)).map(str::to_owned)
        };
        Worked {
            sealed: ids("sealed ").collect(),
            removing: ids("removing ").collect(),
            removed: ids("removed ").collect(),
            is_well,
        }
    }

    /// Checks that sealed artifacts are listed, and removed ones are not. One more may be listed:
    /// the worker ended before it could report it.
    pub fn assert_kept(&self, listed: &BTreeSet<String>) {
        for id in &self.sealed {
            assert!(listed.contains(id) || self.removing.contains(id), "{id} is lost: {self:?}");
            assert!(!listed.contains(id) || !self.removed.contains(id), "{id} is back: {self:?}");
        }
        let unsaid = listed.iter().filter(|id| !self.sealed.contains(id)).count();
        assert!(unsaid <= usize::from(!self.is_well), "{listed:?}: {self:?}");
    }
}

/// An agent that processes outputs over a store.
pub struct Agent {
    tuckaway: Tuckaway,
    policy: Policy,
    turn: Turn,
}

impl Agent {
    pub async fn over(store: Arc<dyn Store>) -> Self {
        Agent::with_deadline(store, DEADLINE).await
    }

    pub async fn with_deadline(store: Arc<dyn Store>, deadline: Duration) -> Self {
        let tuckaway = Tuckaway::builder().shared_store(store).deadline(deadline).build().unwrap();
        let policy = tuckaway.default_policy(Dialect::Artifact).await.unwrap();
        let policy = Policy { max_threshold_bytes: LARGEST_VIEW, ..policy };
        let turn = Turn { context_window: 200_000, used_tokens: 0, tools: ArtifactTool::ALL.into() };
        Agent { tuckaway, policy, turn }
    }

    /// Returns the view of an output, and checks that it is bounded and came in time.
    pub async fn view(&self, text: &str) -> View {
        let block = Block { content: Content::Text(text.to_owned()), media_type: None };
        let output =
            ToolOutput { tool: "t".to_owned(), is_error: false, blocks: vec![block], structured: None };
        let begun = Instant::now();
        let view = self.tuckaway.process(&output, &self.turn, &self.policy).await.unwrap();
        assert!(begun.elapsed() < DEADLINE, "it took {:?}", begun.elapsed());
        assert!(view.text.len() as u64 <= LARGEST_VIEW, "{} bytes", view.text.len());
        view
    }

    /// Checks that an output is truncated because the store failed. Returns the failure in the
    /// decision.
    pub async fn truncated(&self, text: &str) -> String {
        let view = self.view(text).await;
        assert_eq!((view.decision.action, view.artifacts), (Action::Truncate, vec![]));
        let [failure] = &view.decision.failures[..] else { panic!("{:?}", view.decision.failures) };
        assert_eq!(failure.kind, ErrorKind::Store, "{failure}");
        failure.message.clone()
    }

    /// Checks that an output is stored, byte for byte. Returns its id.
    pub async fn stored(&self, store: &dyn Store, text: &str) -> String {
        let view = self.view(text).await;
        assert_eq!(view.decision.failures, []);
        let [artifact] = &view.artifacts[..] else { panic!("{:?}", view.artifacts) };
        assert_eq!(known::read(store, &artifact.id).await.unwrap(), text.as_bytes());
        artifact.id.clone()
    }
}

/// Returns a text of `lines` lines. With a few hundred, it is too large to pass inline.
pub fn text(lines: usize) -> String {
    (0..lines).map(|line| format!("line {line} of an output that is stored\n")).collect()
}
