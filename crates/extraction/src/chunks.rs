//! Splits a document into balanced chunks; each repeats the end of the previous one
//! (the extraction document, §3).

use serde::{Deserialize, Serialize};

use crate::borders::{Wanted, borders};
use crate::host::{Failed, Host};

/// A part of the document that a model reads in one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// The start, including the repeated bytes.
    pub start: u64,
    /// The start of the bytes that no earlier chunk contains.
    pub own: u64,
    /// The end, exclusive.
    pub end: u64,
}

/// Maximum excess of a chunk over its share, to end with a record or a line, in percent.
const SLACK_PCT: u64 = 5;
/// The minimum bytes of a chunk: a smaller chunk contains hardly any text.
pub const MIN_BYTES: u64 = 256;

/// Returns the number of chunks of at most `max_bytes` that a document needs.
pub fn count(size: u64, max_bytes: u64, overlap_pct: u32) -> u64 {
    match size <= max_bytes {
        true => 1,
        false => size.div_ceil(own_bytes(max_bytes, overlap_pct)),
    }
}

/// Returns the bytes of a chunk that no earlier chunk contains.
fn own_bytes(max_bytes: u64, overlap_pct: u32) -> u64 {
    let all = 100 + u64::from(overlap_pct) + 2 * SLACK_PCT;
    (u128::from(max_bytes) * 100 / u128::from(all)).max(1) as u64
}

/// Splits a range of the document into `count` chunks. Without their repeated bytes, they cover
/// the range exactly, and their sizes differ by at most a record or a line.
pub fn cut(host: &dyn Host, whole: Range, count: u64, overlap_pct: u32) -> Result<Vec<Range>, Failed> {
    let size = whole.end - whole.own;
    let share = size / count.max(1);
    let slack = share * SLACK_PCT / 100;
    let overlap = share * u64::from(overlap_pct) / 100;
    let target = |index: u64| whole.own + (u128::from(size) * u128::from(index) / u128::from(count)) as u64;
    let ends: Vec<Wanted> =
        (1..count).map(target).map(|at| Wanted { at, until: at.saturating_add(slack) }).collect();
    let mut ends = borders(host, &ends)?;
    ends.push(whole.end);
    // A long record may put a border after the next ones.
    let mut last = whole.own;
    for end in &mut ends {
        *end = (*end).clamp(last, whole.end);
        last = *end;
    }
    let starts: Vec<Wanted> = ends[..ends.len() - 1]
        .iter()
        .map(|&end| Wanted { at: end.saturating_sub(overlap).max(whole.own), until: end.saturating_sub(1) })
        .collect();
    let starts = match overlap {
        0 => ends[..ends.len() - 1].to_vec(),
        _ => borders(host, &starts)?,
    };
    let mut ranges = vec![Range { start: whole.start, own: whole.own, end: ends[0] }];
    for (index, start) in starts.into_iter().enumerate() {
        let own = ends[index];
        ranges.push(Range { start: start.min(own), own, end: ends[index + 1] });
    }
    ranges.retain(|range| range.own < range.end);
    Ok(ranges)
}

/// Splits a chunk in two; none if it is too short.
pub fn halves(host: &dyn Host, chunk: Range) -> Result<Option<[Range; 2]>, Failed> {
    if chunk.end - chunk.start < 2 * MIN_BYTES {
        return Ok(None);
    }
    // The repeated bytes may be most of the chunk.
    let middle = chunk.start + (chunk.end - chunk.start) / 2;
    let slack = (chunk.end - chunk.start) / 10;
    let cut = borders(host, &[Wanted { at: middle, until: middle + slack }])?[0];
    if cut <= chunk.start || cut >= chunk.end {
        return Ok(None);
    }
    let first = Range { start: chunk.start, own: chunk.own.min(cut), end: cut };
    Ok(Some([first, Range { start: cut, own: chunk.own.max(cut), end: chunk.end }]))
}
