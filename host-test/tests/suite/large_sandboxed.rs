//! Queries on an artifact of 1 GiB in a sandbox of 64 MiB.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tuckaway_host::{
    Error, ErrorKind, GrepQuery, JqQuery, LineRange, Matches, Outputs, Page, Range, ReadOptions, Tuckaway,
};
use tuckaway_host_test::Immediate;
use tuckaway_host_test::large::{self, QueryRows, Rows};

struct Sandbox {
    runtime: Runtime,
    tuckaway: Tuckaway,
    rows: Arc<Rows>,
}

impl Sandbox {
    fn of(memory: usize) -> Self {
        let rows = Arc::new(Rows::default());
        let builder = Tuckaway::builder().store(Immediate(Arc::clone(&rows))).memory_limit(memory);
        // Generous, for a busy machine.
        let tuckaway = builder.deadline(Duration::from_secs(600)).build().expect("the component");
        Sandbox { runtime: Runtime::new().expect("a runtime"), tuckaway, rows }
    }
}

impl QueryRows for Sandbox {
    fn rows(&self) -> &Rows {
        &self.rows
    }

    fn read(&self, range: &Range) -> Result<Page, Error> {
        self.runtime.block_on(self.tuckaway.read("rows", range, &ReadOptions::default()))
    }

    fn grep(&self, query: &GrepQuery) -> Result<Matches, Error> {
        self.runtime.block_on(self.tuckaway.grep("rows", query, None))
    }

    fn jq(&self, query: &JqQuery) -> Result<Outputs, Error> {
        self.runtime.block_on(self.tuckaway.jq("rows", query, None))
    }
}

#[test]
fn lines_are_read() {
    large::lines_are_read(&Sandbox::of(64 << 20));
}

#[test]
fn lines_are_searched() {
    large::lines_are_searched(&Sandbox::of(64 << 20));
}

#[test]
fn paths_are_followed() {
    large::paths_are_followed(&Sandbox::of(64 << 20));
}

#[test]
fn a_document_that_is_needed_whole_is_a_limit() {
    let sandbox = Sandbox::of(64 << 20);
    for filter in [". as $all | $all.rows | length", "[.rows[].text] | length"] {
        let error = sandbox.jq(&JqQuery { filter: filter.to_owned(), ..JqQuery::default() });
        let error = error.expect_err("more than fits into memory");
        assert_eq!(error.kind, ErrorKind::Limit, "{filter}: {error}");
        assert!(!error.message.contains("bug"), "{filter}: {error}");
        let page = sandbox.read(&Range::Lines(LineRange { start: 1, end: 1 })).expect("the next call");
        assert!(page.text.starts_with("{\"meta\""), "{}", page.text);
    }
}
