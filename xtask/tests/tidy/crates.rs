//! Crates depend downward: those in `crates/` on each other, the engine on those, and no
//! other is below the engine. Circles cargo itself refuses.

use crate::tree::Tree;

pub fn findings(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for manifest in tree.ending("Cargo.toml") {
        let package = manifest.strip_suffix("Cargo.toml").unwrap_or_default().trim_end_matches('/');
        for needed in needed(&tree.read(manifest)) {
            let needed = joined(package, &needed);
            if level(&needed) > level(package) {
                findings.push(format!("upward: {package} depends on {needed}"));
            }
        }
    }
    findings
}

/// How far up a package is.
fn level(package: &str) -> u8 {
    match package {
        "" => 1,
        package if package.starts_with("crates/") => 0,
        _ => 2,
    }
}

/// Where the packages are that a manifest needs, but for those of its tests.
fn needed(manifest: &str) -> Vec<String> {
    let mut is_asked = false;
    let mut needed = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_asked = line.contains("dependencies") && !line.contains("dev-dependencies");
        }
        let path = line.split_once("path = \"").and_then(|(_, path)| path.split_once('"'));
        if let Some((path, _)) = path.filter(|_| is_asked) {
            needed.push(path.to_owned());
        }
    }
    needed
}

/// A path as seen from the workspace.
fn joined(package: &str, path: &str) -> String {
    let mut parts: Vec<&str> = package.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn paths_are_joined() {
    assert_eq!(joined("crates/jq", "../text"), "crates/text");
    assert_eq!(joined("host", ".."), "");
    assert_eq!(joined("", "crates/jq"), "crates/jq");
}
