//! A JSON document of 1 GiB with a row on each line, generated as it is read.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use tuckaway::{Artifact, Store, StoreError};

const HEAD: &[u8] = b"{\"meta\": {\"by\": \"row\"}, \"rows\": [\n";
const FOOT: &[u8] = b"], \"last\": [1, 2]}\n";
const PROSE: &[u8] = b"what a tool has to say of its rows, over and over; ";

/// The number of rows.
pub const ROWS: u64 = 1 << 20;

/// Bytes of each row, with its line end.
pub const ROW_BYTES: u64 = 1 << 10;

/// A read-only store of that document, which is not in memory.
pub struct Rows {
    /// A row. The others differ in their beginning, and the last one has no comma.
    row: Vec<u8>,
    read: AtomicU64,
}

impl Default for Rows {
    fn default() -> Self {
        let (start, end) = (Rows::start_of_row(0), b"\"},\n");
        let prose = PROSE.iter().copied().cycle().take(ROW_BYTES as usize - start.len() - end.len());
        let row = start.bytes().chain(prose).chain(*end).collect();
        Rows { row, read: AtomicU64::new(0) }
    }
}

impl Rows {
    /// Bytes of the whole document.
    pub const SIZE: u64 = HEAD.len() as u64 + ROWS * ROW_BYTES + FOOT.len() as u64;

    /// Returns the line of a row.
    pub fn line_of(row: u64) -> u64 {
        row + 2
    }

    fn start_of_row(number: u64) -> String {
        let even = number.is_multiple_of(2);
        format!("{{\"id\": {number:>7}, \"even\": {even:>5}, \"name\": \"row {number:07}\", \"text\": \"")
    }

    /// Returns the number of bytes read since the last call.
    pub fn take_read(&self) -> u64 {
        self.read.swap(0, Ordering::Relaxed)
    }

    /// Returns bytes from `offset`: fewer only at the end.
    pub fn bytes(&self, offset: u64, length: u64) -> Vec<u8> {
        let end = Rows::SIZE.min(offset.saturating_add(length));
        let rows_end = Rows::SIZE - FOOT.len() as u64;
        let mut bytes = part(HEAD, 0, offset, end).to_vec();
        bytes.extend(self.rows(offset, end));
        bytes.extend(part(FOOT, rows_end, offset, end));
        bytes
    }

    /// Returns the bytes of the rows between two offsets.
    fn rows(&self, from: u64, upto: u64) -> Vec<u8> {
        let inside = |offset: u64| offset.saturating_sub(HEAD.len() as u64).min(ROWS * ROW_BYTES);
        let (from, upto) = (inside(from), inside(upto).max(inside(from)));
        let (first, behind) = (from / ROW_BYTES, upto.div_ceil(ROW_BYTES));
        let mut rows = self.row.repeat(behind.saturating_sub(first) as usize);
        for (number, mut row) in (first..).zip(rows.chunks_mut(ROW_BYTES as usize)) {
            if number + 1 == ROWS {
                row[ROW_BYTES as usize - 2] = b' ';
            }
            row.write_all(Rows::start_of_row(number).as_bytes()).expect("a row is longer than its start");
        }
        rows.truncate((upto - first * ROW_BYTES) as usize);
        rows.drain(..(from - first * ROW_BYTES) as usize);
        rows
    }
}

/// Returns the bytes of a part, which begins at `start`, between two offsets.
fn part(part: &[u8], start: u64, from: u64, upto: u64) -> &[u8] {
    let inside = |offset: u64| offset.saturating_sub(start).min(part.len() as u64) as usize;
    part.get(inside(from)..inside(upto)).unwrap_or_default()
}

fn read_only<T>() -> Result<T, StoreError> {
    Err(StoreError::Other("rows are read-only".to_owned()))
}

impl Store for Rows {
    fn create(&self, _: &str, _: &str) -> Result<String, StoreError> {
        read_only()
    }

    fn append(&self, _: &str, _: &[u8]) -> Result<(), StoreError> {
        read_only()
    }

    fn seal(&self, _: &str, _: u64) -> Result<Artifact, StoreError> {
        read_only()
    }

    fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        Ok(Artifact {
            id: id.to_owned(),
            tool: "rows".to_owned(),
            media_type: "application/json".to_owned(),
            size_bytes: Rows::SIZE,
            line_count: ROWS + 2,
            created_at: 0,
        })
    }

    fn read(&self, _: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let bytes = self.bytes(offset, length.into());
        self.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes)
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(vec![self.stat("rows")?])
    }

    fn delete(&self, _: &str) -> Result<(), StoreError> {
        read_only()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parts_of_one_document() {
        let rows = Rows::default();
        let text = |offset, length| String::from_utf8(rows.bytes(offset, length)).expect("ASCII");
        let (head, row) = (HEAD.len() as u64, ROW_BYTES);
        let start = text(0, head + 3 * row);
        let cut = (start + "]}").replace(",\n]", "\n]");
        let document: serde_json::Value = serde_json::from_str(&cut).expect("JSON");
        assert_eq!(document["rows"][2]["name"], "row 0000002");
        let end = text(Rows::SIZE - FOOT.len() as u64 - 2 * row, u64::MAX);
        let document: serde_json::Value = serde_json::from_str(&format!("{{\"rows\": [{end}")).expect("JSON");
        assert_eq!(document["rows"][1]["id"], ROWS - 1);
        for (whole, from) in [(text(0, 5_000), 0), (text(Rows::SIZE - 5_000, 9_000), Rows::SIZE - 5_000)] {
            assert_eq!(whole.len(), 5_000);
            for part in [1, 7, 1_023, 1_025] {
                let parts =
                    (0..5_000_u64.div_ceil(part)).map(|n| text(from + n * part, part.min(5_000 - n * part)));
                assert_eq!(parts.collect::<String>(), whole);
            }
        }
    }
}
