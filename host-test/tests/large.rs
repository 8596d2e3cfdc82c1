//! JSON of 1 GiB, made as it is read: filters that begin with paths hold little
//! of it. What the process came to is read from `/proc`, where there is one.

use std::cell::Cell;

use tuckaway::{Artifact, CountTokens, Engine, JqQuery, Outputs, Store, StoreError};

const HEAD: &[u8] = br#"{"meta": {"by": "row"}, "rows": ["#;
const FOOT: &[u8] = br#"], "last": [1, 2]}"#;
const ROWS: u64 = 1 << 14;
const ROW_BYTES: u64 = 1 << 16;
const FIRST_ID: u64 = 1_000_000_000;

/// A document of as many rows, each as long: nothing of it is kept.
struct Rows {
    /// The first row. The others differ in their number, and in whether it is even.
    row: Vec<u8>,
    read: Cell<u64>,
}

impl Rows {
    fn size() -> u64 {
        HEAD.len() as u64 + ROWS * ROW_BYTES - 1 + FOOT.len() as u64
    }

    fn new() -> Self {
        let start = Rows::start_of_row(0);
        let end = b"\"},";
        let pad = vec![b'x'; ROW_BYTES as usize - start.len() - end.len()];
        Rows { row: [start.as_bytes(), &pad, end].concat(), read: Cell::new(0) }
    }

    fn start_of_row(number: u64) -> String {
        format!("{{\"id\": {}, \"even\": {:5}, \"pad\": \"", FIRST_ID + number, number.is_multiple_of(2))
    }

    /// Bytes that were read for the call.
    fn read_by<T>(&self, call: impl FnOnce() -> T) -> (T, u64) {
        self.read.set(0);
        (call(), self.read.get())
    }
}

impl Store for Rows {
    fn create(&self, _: &str, _: &str) -> Result<String, StoreError> {
        Err(StoreError::QuotaExceeded)
    }

    fn append(&self, _: &str, _: &[u8]) -> Result<(), StoreError> {
        Err(StoreError::NotFound)
    }

    fn seal(&self, _: &str, _: u64) -> Result<Artifact, StoreError> {
        Err(StoreError::NotFound)
    }

    fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        Ok(Artifact {
            id: id.to_owned(),
            tool: "rows".to_owned(),
            media_type: "application/json".to_owned(),
            size_bytes: Rows::size(),
            line_count: 1,
            created_at: 0,
        })
    }

    fn read(&self, _: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let end = Rows::size().min(offset.saturating_add(u64::from(length)));
        let rows_end = Rows::size() - FOOT.len() as u64;
        let (mut bytes, mut at) = (Vec::with_capacity(length as usize), offset);
        while at < end {
            let (part, next): (&[u8], u64) = match at.checked_sub(HEAD.len() as u64) {
                None => (&HEAD[at as usize..], HEAD.len() as u64),
                Some(_) if at >= rows_end => (&FOOT[(at - rows_end) as usize..], end),
                Some(in_rows) => {
                    let (number, from) = (in_rows / ROW_BYTES, (in_rows % ROW_BYTES) as usize);
                    let start = Rows::start_of_row(number);
                    if let Some(start) = start.as_bytes().get(from..).filter(|start| !start.is_empty()) {
                        let start = &start[..start.len().min((end - at) as usize)];
                        bytes.extend_from_slice(start);
                        at += start.len() as u64;
                        continue;
                    }
                    // No comma behind the last row.
                    (&self.row[from..], rows_end.min(at - from as u64 + ROW_BYTES))
                }
            };
            let part = &part[..(next.min(end) - at) as usize];
            bytes.extend_from_slice(part);
            at += part.len() as u64;
        }
        self.read.set(self.read.get() + bytes.len() as u64);
        Ok(bytes)
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(Vec::new())
    }

    fn delete(&self, _: &str) -> Result<(), StoreError> {
        Err(StoreError::NotFound)
    }
}

struct NoTokens;

impl CountTokens for NoTokens {
    fn count(&self, _: &str) -> Result<u64, String> {
        Err("none".to_owned())
    }
}

/// The most memory that the process ever had, in bytes.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}

#[test]
fn large_documents_take_little_memory() {
    let store = Rows::new();
    let engine = Engine::new(&store, &NoTokens);
    let ask = |filter: &str, cursor: Option<String>| -> Result<Outputs, tuckaway::Error> {
        let query = JqQuery { filter: filter.to_owned(), compact: true, cursor, ..JqQuery::default() };
        engine.jq("art", &query, 0)
    };
    let before = peak();

    // The first page reads all of it once. What it has checked is not read again:
    // the next begins where it ended.
    let (first, read) = store.read_by(|| ask(".rows[] | select(.even) | .id", None).unwrap());
    assert!(read < Rows::size() + (4 << 20), "{read} bytes");
    let rows = 2 * first.text.lines().count() as u64;
    let (second, read) = store.read_by(|| ask(".rows[] | select(.even) | .id", first.next).unwrap());
    assert_eq!(second.text.lines().next(), Some(&*format!("{}", FIRST_ID + rows)));
    assert!(read < (rows + 64) * ROW_BYTES, "{read} bytes for {rows} rows");

    let places = "(.rows | length), .meta.by, .last[1], .rows[90].id, (.rows[-4000:-3998] | map(.id))";
    let outputs = ask(places, None).unwrap();
    let from_end = FIRST_ID + ROWS - 4_000;
    let expected = format!("{ROWS}\n\"row\"\n2\n1000000090\n[{from_end},{}]\n", from_end + 1);
    assert_eq!((outputs.text, outputs.failure), (expected, None));

    if let (Some(before), Some(after)) = (before, peak()) {
        assert!(after - before < 64 << 20, "{} MiB", (after - before) >> 20);
    }
}
