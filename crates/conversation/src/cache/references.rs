//! Artifacts that nothing in the conversation refers to any more (the compaction document, section
//! 1.9).

use std::collections::HashSet;

/// Returns the artifacts that none of the texts names, in their order.
pub fn unreferenced(texts: &[String], artifacts: Vec<String>) -> Vec<String> {
    let mut left: HashSet<&str> = artifacts.iter().map(String::as_str).collect();
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    for word in texts.iter().flat_map(|text| text.split(|c| !is_of_id(c))) {
        left.remove(word);
    }
    let left: Vec<bool> = artifacts.iter().map(|id| left.contains(id.as_str())).collect();
    artifacts.into_iter().zip(left).filter(|(_, is_left)| *is_left).map(|(id, _)| id).collect()
}
