//! Filters without end in the sandbox: each ends with an error of kind `limit`, and the
//! next call is not affected.

use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tuckaway_host::{
    Content, Error, ErrorKind, JqQuery, MemoryStore, Outputs, Policy, Store, ToolOutput, Tuckaway, Turn,
};

/// The host's deadline for a call, in these tests.
const DEADLINE: Duration = Duration::from_millis(500);

struct Sandbox {
    runtime: Runtime,
    tuckaway: Tuckaway,
    id: String,
}

impl Sandbox {
    fn new(memory: usize) -> Self {
        Sandbox::over(b"{\"a\": 1}".to_vec(), memory, DEADLINE)
    }

    /// Creates a sandbox with an artifact whose `.a` is 1.
    fn over(content: Vec<u8>, memory: usize, deadline: Duration) -> Self {
        let runtime = Runtime::new().unwrap();
        let store = MemoryStore::new();
        let id = runtime.block_on(async {
            let id = store.create("t", "application/json").await.unwrap();
            store.append(&id, content).await.unwrap();
            store.seal(&id, 1).await.unwrap().id
        });
        let tuckaway =
            Tuckaway::builder().store(store).memory_limit(memory).deadline(deadline).build().unwrap();
        let sandbox = Sandbox { runtime, tuckaway, id };
        // Work that is done once per process is not measured.
        assert_eq!(sandbox.jq(".a").unwrap().text, "1\n");
        sandbox
    }

    fn jq(&self, filter: &str) -> Result<Outputs, Error> {
        let query = JqQuery { filter: filter.to_owned(), ..JqQuery::default() };
        self.runtime.block_on(self.tuckaway.jq(&self.id, &query, None))
    }

    /// Checks that a filter is stopped in time, and that the next call succeeds.
    fn stops(&self, filter: &str) -> String {
        let started = Instant::now();
        let error = match self.jq(filter) {
            Ok(Outputs { failure: Some(error), .. }) | Err(error) => error,
            Ok(outputs) => panic!("{filter}: it ended: {outputs:?}"),
        };
        assert_eq!(error.kind, ErrorKind::Limit, "{filter}: {error}");
        assert!(!error.message.contains("bug"), "{filter}: a limit is not a bug: {error}");
        let took = started.elapsed();
        assert!(took < DEADLINE + Duration::from_secs(60), "{filter}: it took {took:?}");
        assert_eq!(self.jq(".a").expect("the next call").text, "1\n", "after {filter}");
        error.message
    }
}

#[test]
fn filters_without_end_are_stopped() {
    let sandbox = Sandbox::new(1 << 30);
    for filter in [
        "def f: f; f",
        "def f: [f]; f",
        "def f: f | .; f",
        "def f: {a: f}; f",
        "range(1e12) | empty",
        "repeat(1) | empty",
        "[1 | recurse(. + 1; true)] | length",
        "last(range(1e12))",
        "first(range(1e12) | select(. < 0))",
        "reduce range(1e12) as $i (0; . + $i)",
        "[range(100)] as $a | [[$a, $a, $a, $a, $a, $a] | combinations] | length",
        "until(false; .)",
        "[limit(1e12; repeat(1))] | length",
        "label $out | range(1e12) | if . < 0 then break $out else empty end",
        "try (def f: f; f) catch 1",
    ] {
        sandbox.stops(filter);
    }
}

#[test]
fn filters_that_grow_are_stopped() {
    let sandbox = Sandbox::new(64 << 20);
    for filter in [
        "[range(1e12)] | length",
        "reduce range(60) as $i (\"x\"; . + .)",
        "reduce range(60) as $i ([1]; . + .) | length",
        "reduce range(60) as $i (1; [., .]) | tojson | length",
        "\"x\" * 1e12",
        "reduce range(1e9) as $i ({}; .[$i | tostring] = $i)",
        "[limit(1e9; repeat(\"x\" * 1000))] | length",
        "reduce range(1e9) as $i (1; [.])",
    ] {
        sandbox.stops(filter);
    }
}

#[test]
fn the_error_at_the_deadline_says_what_to_do() {
    // More steps than fit into the deadline.
    let sandbox = Sandbox::new(1 << 30);
    let query = JqQuery { filter: "def f: f; f".to_owned(), max_steps: Some(u64::MAX), ..JqQuery::default() };
    let asked = sandbox.runtime.block_on(sandbox.tuckaway.jq(&sandbox.id, &query, None));
    let message = asked.expect_err("a limit").message;
    assert!(message.contains("500 ms") && message.contains("narrow"), "{message}");
}

#[test]
fn an_output_that_does_not_fit_into_memory_is_a_limit() {
    let sandbox = Sandbox::new(16 << 20);
    let output = ToolOutput {
        tool: "t".to_owned(),
        is_error: false,
        blocks: vec![tuckaway_host::Block { content: Content::Text("x".repeat(32 << 20)), media_type: None }],
        structured: None,
    };
    let turn = Turn { context_window: 200_000, used_tokens: 0, tools: Vec::new() };
    let view = sandbox.runtime.block_on(sandbox.tuckaway.process(&output, &turn, &Policy::default()));
    assert_eq!(view.expect_err("a limit").kind, ErrorKind::Limit);
    assert_eq!(sandbox.jq(".a").unwrap().text, "1\n");
}

#[test]
fn a_document_that_does_not_fit_into_memory_is_a_limit_with_advice() {
    let rows: Vec<String> = (0..1_000_000)
        .map(|id| format!(r#"{{"id": {id}, "name": "row {id}", "tags": ["a", "b"], "note": "{id:045}"}}"#))
        .collect();
    let content = format!(r#"{{"a": 1, "rows": [{}]}}"#, rows.join(","));
    assert!(content.len() > 100_000_000);
    let sandbox = Sandbox::over(content.into_bytes(), 64 << 20, Duration::from_secs(60));
    let stopped = |filter: &str, max_memory: Option<u64>| {
        let query = JqQuery { filter: filter.to_owned(), max_memory, ..JqQuery::default() };
        let asked = sandbox.runtime.block_on(sandbox.tuckaway.jq(&sandbox.id, &query, None));
        let error = match asked {
            Ok(Outputs { failure: Some(error), .. }) | Err(error) => error,
            Ok(outputs) => panic!("{filter}: it ended: {outputs:?}"),
        };
        assert_eq!(error.kind, ErrorKind::Limit, "{filter}: {error}");
        assert_eq!(sandbox.jq(".rows[999999].id").expect("the next call").text, "999999\n", "after {filter}");
        error.message
    };
    // A filter never gets more memory than the sandbox has.
    for (max_memory, limit) in [(None, "20 MiB"), (Some(u64::MAX), "20 MiB"), (Some(16 << 20), "10 MiB")] {
        let message = stopped("walk(.) | length", max_memory);
        assert!(message.contains(&format!("fits into {limit} of memory. Begin it with a path")), "{message}");
        assert!(message.contains("`.rows[]` (array of 1000000)"), "{message}");
    }
    let message = stopped("[.rows[]] | length", None);
    assert!(message.contains("12 MiB in memory") || message.contains("20 MiB in memory"), "{message}");
}

#[test]
fn deep_nesting_is_harmless() {
    let sandbox = Sandbox::new(1 << 30);
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let runtime = &sandbox.runtime;
    assert!(runtime.block_on(sandbox.tuckaway.infer_shape(&deep, None)).is_ok());
    assert!(runtime.block_on(sandbox.tuckaway.truncate(&deep, 512)).is_ok());
    for open in ["(", "[", "{a:", "-", "def f: ", "if . then ", "try ", ".[", "\"\\("] {
        let error = sandbox.jq(&open.repeat(3_000)).expect_err("no filter");
        assert!(matches!(error.kind, ErrorKind::Limit | ErrorKind::InvalidInput), "{open}: {error}");
        assert!(!error.message.contains("trapped") && !error.message.contains("deadline"), "{open}: {error}");
    }
}
