//! Detects YAML: by reading the head of a text.

use super::SAMPLE_JSON_BYTES;
use super::reader::Reader;
use super::stats::{Stats, Stop};
use crate::sample::Sample;

/// Returns whether a head is YAML with marks that other texts do not have: blocks within
/// blocks, all documents of one form, keys that are words.
pub fn detect(sample: &Sample) -> bool {
    if is_addressed(sample) {
        return false;
    }
    let Some(stats) = read(sample) else { return false };
    // A line of another text may look like a rare way to write a key.
    let is_odd = stats.odd_keys * 4 > stats.keys;
    let begins_a_document = sample.head.starts_with("---") || sample.head.starts_with("%YAML");
    // A list of nothing but records. Prose may have a single one.
    let is_table = || {
        let entries = sample.lines().filter(|line| line.starts_with("- ")).count() as u64;
        // The last one may continue beyond the head.
        let whole = entries - u64::from(entries > 0 && sample.tail.len() != sample.head.len());
        whole > 1 && (whole..=entries).contains(&stats.records) && stats.spaced_keys + stats.folded == 0
    };
    let is_structured = match stats.is_sequence {
        Some(false) => stats.nested > 0 || begins_a_document || stats.marks > 0 && stats.keys > 2,
        _ => {
            let is_deep = stats.nested > stats.records || begins_a_document || stats.marks > 0;
            stats.records > 0 && (is_deep || is_table())
        }
    };
    is_structured && stats.is_alike && stats.keys >= 2 && !is_odd
}

/// Returns whether a head can be YAML, if that is claimed: lists and keys, few of them with
/// spaces.
pub fn can_be(sample: &Sample) -> bool {
    read(sample).is_some()
}

/// Returns whether most lines begin with an address or a number, a colon and a tab, as a
/// disassembly does.
fn is_addressed(sample: &Sample) -> bool {
    let lines = sample.lines().filter(|line| !line.trim().is_empty());
    let (mut addressed, mut all) = (0, 0);
    for line in lines {
        let line = line.trim_start();
        let digits = line.bytes().take_while(u8::is_ascii_hexdigit).count();
        all += 1;
        addressed += usize::from(digits > 0 && line[digits..].starts_with(":\t"));
    }
    addressed * 2 > all
}

/// Reads a head as YAML. None if it is malformed, prose with colons, or a single word.
fn read(sample: &Sample) -> Option<Stats> {
    let (_, stats, stop) = Reader::read(sample.head.as_bytes(), SAMPLE_JSON_BYTES);
    let is_all = sample.bytes.len() <= sample.head.len() + "\u{FEFF}".len();
    let reads = match stop {
        None | Some(Stop::TooLarge) => true,
        Some(Stop::Ended) => !is_all,
        Some(Stop::Rejected(..)) => false,
    };
    let is_prose = stats.spaced_keys * 4 > stats.keys || stats.folded * 8 > stats.keys;
    Some(stats).filter(|stats| reads && stats.is_sequence.is_some() && !is_prose)
}
