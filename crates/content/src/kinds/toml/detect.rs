//! Detects TOML: by reading the head of a text.

use super::header;
use super::reader::{self, Stats};
use crate::sample::Sample;

/// Returns whether a head is TOML with marks that other texts do not have: headers, and values in a
/// notation that INI files, shells and logs do not have.
pub fn detect(sample: &Sample) -> bool {
    let is_plausible = begins(sample) && sample.lines().any(|line| header(line).is_some());
    is_plausible && read(sample).is_some_and(|stats| stats.headers > 0 && stats.keys >= 2 && stats.marks > 0)
}

/// Returns whether a head can be TOML, if that is claimed: keys with values, and nothing else.
pub fn can_be(sample: &Sample) -> bool {
    begins(sample) && read(sample).is_some_and(|stats| stats.keys > 0)
}

/// Returns whether the first line is a header or a key with a value. Most texts are read no
/// further.
fn begins(sample: &Sample) -> bool {
    let is_text = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    sample.lines().find(is_text).is_some_and(|line| header(line).is_some() || is_member(line))
}

/// Returns whether a line is a key and the start of a value.
fn is_member(line: &str) -> bool {
    let Some((key, value)) = line.split_once('=') else { return false };
    let is_key = |c: char| c.is_ascii_alphanumeric() || "_-. \t\"'".contains(c);
    let starts = |first: char| first.is_ascii_digit() || "\"'[{+-tfin".contains(first);
    !key.trim().is_empty() && key.chars().all(is_key) && value.trim_start().starts_with(starts)
}

/// Reads a head as TOML; none if it is malformed before its last line. The last line may be cut
/// off.
fn read(sample: &Sample) -> Option<Stats> {
    let text = &sample.head;
    let read = reader::read(text);
    let is_read = read.stop.is_none_or(|stop| !text[stop.at..].trim_end().contains('\n'));
    is_read.then_some(read.stats)
}
