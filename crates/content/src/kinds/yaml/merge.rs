//! Merge keys: add members of other mappings that a mapping does not have itself.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use tuckaway_json::scan::{Scanner, TokenKind};

/// Adds the members of merged objects to the open object that begins at `start`, unless it
/// or an earlier one has them. Values that are not objects add nothing. Returns the bytes
/// that were read and written, or none if these are more than `max`.
pub fn into_open(json: &mut Vec<u8>, start: usize, merges: &[Range<usize>], max: usize) -> Option<usize> {
    let work = json.len() - start + 2 * merges.iter().map(ExactSizeIterator::len).sum::<usize>();
    if work > max {
        return None;
    }
    let own = json[start..].to_vec();
    // A map as others of keys are, so that it is compiled once.
    let mut seen: BTreeMap<Rc<[u8]>, usize> = BTreeMap::new();
    for (key, _) in members(&own) {
        seen.insert(own[key].into(), 0);
    }
    for range in merges {
        let merged = json[range.clone()].to_vec();
        // The last of equal keys counts.
        let mut new = members(&merged);
        new.reverse();
        new.retain(|(key, _)| seen.insert(merged[key.clone()].into(), 0).is_none());
        for (_, member) in new.into_iter().rev() {
            if json.len() > start + 1 {
                json.push(b',');
            }
            json.extend_from_slice(&merged[member]);
        }
    }
    Some(work)
}

/// Returns two ranges for each member of an object: of its key, and of the whole member.
/// The object may be open at its end.
fn members(object: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut members: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut scanner = Scanner::new(object);
    if !matches!(scanner.next_token(), Ok(Some(token)) if token.kind == TokenKind::ObjectStart) {
        return members;
    }
    while let Ok(Some(token)) = scanner.next_token() {
        let range = token.start as usize..token.end as usize;
        match token.kind {
            TokenKind::Key if scanner.depth() == 1 => members.push((range.clone(), range)),
            TokenKind::ObjectEnd if scanner.depth() == 0 => break,
            _ => {
                if let Some((_, member)) = members.last_mut() {
                    member.end = range.end;
                }
            }
        }
    }
    members
}
