//! Checks that the code map of ARCHITECTURE.md matches the tree.
//!
//! Its first column names folders; `*` stands for any name. Each of them must exist. Each
//! folder must be named, or contain a named one. If none of its siblings is named, the row
//! of the parent is enough. Tests and names that begin with a dot need no row.

use std::collections::BTreeSet;

use crate::tree::{Tree, is_test};

const FILE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Code map";

pub fn findings(tree: &Tree) -> Vec<String> {
    compare(&named(&tree.read(FILE)), &tree.folders())
}

/// Returns the folders in the first columns of the tables below the heading.
fn named(text: &str) -> BTreeSet<String> {
    let behind = text.lines().skip_while(|line| *line != HEADING).skip(1);
    let section = behind.take_while(|line| !line.starts_with("## "));
    let cells = section.filter_map(|line| line.strip_prefix("| ")?.split('|').next());
    let quoted = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    quoted.filter_map(|name| name.strip_suffix('/')).map(str::to_owned).collect()
}

fn compare(named: &BTreeSet<String>, folders: &BTreeSet<String>) -> Vec<String> {
    if named.is_empty() {
        return vec![format!("map: {FILE} has no table with folders below `{HEADING}`")];
    }
    let is_named = |folder: &str| named.iter().any(|pattern| matches(pattern, folder));
    let missing = named.iter().filter(|pattern| !folders.iter().any(|folder| matches(pattern, folder)));
    let mut findings: Vec<String> =
        missing.map(|pattern| format!("map: {FILE} names {pattern}/, which is not there")).collect();
    let above = |folder: &str| folder.rsplit_once('/').map_or(String::new(), |(above, _)| above.to_owned());
    // Parents with a named child: all of their children must be named.
    let parents_of_named: BTreeSet<String> =
        folders.iter().filter(|folder| is_named(folder)).map(|folder| above(folder)).collect();
    for folder in folders {
        let needs_none =
            is_test(folder) || folder.starts_with('.') || !parents_of_named.contains(&above(folder));
        let has_named =
            || folders.iter().any(|inner| inner.starts_with(&format!("{folder}/")) && is_named(inner));
        if !needs_none && !is_named(folder) && !has_named() {
            findings.push(format!("map: {FILE} does not name {folder}/"));
        }
    }
    findings
}

/// Returns whether a folder matches a pattern.
fn matches(pattern: &str, folder: &str) -> bool {
    let same = |(pattern, part): (&str, &str)| pattern == "*" || pattern == part;
    pattern.split('/').count() == folder.split('/').count()
        && pattern.split('/').zip(folder.split('/')).all(same)
}

#[test]
fn the_map_is_compared_with_the_tree() {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let text = "## Code map\n\n| folder | what |\n|---|---|\n| `a/` | x |\n| `b/*/`, `c/` | `d/` |\n\n## More\n\n| `e/` |\n";
    let named = named(text);
    assert_eq!(named, set(&["a", "b/*", "c"]));
    let tree = set(&["a", "a/x", "b", "b/y", "b/z", "c", "c/tests"]);
    assert_eq!(compare(&named, &tree), [""; 0]);
    let other = set(&["a", "b", "b/y", "new"]);
    assert_eq!(
        compare(&named, &other),
        ["map: ARCHITECTURE.md names c/, which is not there", "map: ARCHITECTURE.md does not name new/"]
    );
}
