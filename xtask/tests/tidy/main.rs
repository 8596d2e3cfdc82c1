//! Checks the layout of the sources: the length of files, functions and documents, that modules do not
//! import each other in circles, that crates depend only downward, that only the table of kinds
//! names a kind of content, and that the code map of ARCHITECTURE.md matches the tree.
//!
//! `allowed.txt` lists the findings that may stay for now, each on a line as printed here,
//! with a reason. The list can only shrink: a line that no longer applies fails too.

#![forbid(unsafe_code)]

mod circles;
mod crates;
mod kinds;
mod map;
mod modules;
mod resolve;
mod sizes;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

const ALLOWED: &str = include_str!("allowed.txt");

#[test]
fn sources_are_tidy() {
    let tree = tree::Tree::of_the_workspace();
    let found = [
        sizes::findings(&tree),
        circles::findings(&tree),
        crates::findings(&tree),
        kinds::findings(&tree),
        map::findings(&tree),
    ];
    // The list has the first line of a finding; the others explain it.
    let first_line = |finding: String| (finding.lines().next().unwrap_or_default().to_owned(), finding);
    let found: BTreeMap<String, String> = found.into_iter().flatten().map(first_line).collect();
    let mut problems = String::new();
    let mut allowed = BTreeSet::new();
    for line in ALLOWED.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(" # ") {
            Some((finding, reason)) if !reason.trim().is_empty() => {
                allowed.insert(finding.trim_end().to_owned());
            }
            _ => problems += &format!("a line of allowed.txt has no reason after ` # `: {line}\n"),
        }
    }
    for finding in found.iter().filter(|(line, _)| !allowed.contains(*line)).map(|(_, finding)| finding) {
        problems += &format!("{finding}\n");
    }
    for finding in allowed.iter().filter(|line| !found.contains_key(*line)) {
        problems += &format!("allowed.txt lists a finding that no longer exists; remove it: {finding}\n");
    }
    assert!(
        problems.is_empty(),
        "\n{problems}\nFix it. The first line of a finding that has to stay goes into \
         xtask/tests/tidy/allowed.txt, with ` # ` and a reason"
    );
}
