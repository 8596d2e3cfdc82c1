//! Checks that crates depend downward: crates in `crates/` on each other, the engine on these
//! crates, and all others are above the engine. Cargo itself refuses circles.

use crate::tree::Tree;

pub fn findings(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for manifest in tree.ending("Cargo.toml") {
        let package = manifest.strip_suffix("Cargo.toml").unwrap_or_default().trim_end_matches('/');
        for needed in needed(package, &tree.read(manifest), &tree.read("Cargo.toml")) {
            if level(&needed) > level(package) {
                findings.push(format!("upward: {package} depends on {needed}"));
            }
        }
    }
    findings
}

/// Returns the level of a package.
fn level(package: &str) -> u8 {
    match package {
        "" => 1,
        package if package.starts_with("crates/") => 0,
        _ => 2,
    }
}

/// Returns the paths of a manifest's dependencies, relative to the workspace, without
/// dependencies of its tests. `shared` is the manifest with the paths of the workspace's
/// dependencies.
fn needed(package: &str, manifest: &str, shared: &str) -> Vec<String> {
    let of_package = |section: &str| {
        section == "dependencies"
            || section == "build-dependencies"
            || section.starts_with("target.") && section.ends_with(".dependencies")
    };
    let shared: Vec<(&str, &str)> = lines_of(shared, |section| section == "workspace.dependencies")
        .filter_map(|line| Some((line.split_once(" = ")?.0, path_in(line)?)))
        .collect();
    let path_of = |line: &str| match line.strip_suffix(".workspace = true") {
        Some(name) => shared.iter().find(|(known, _)| *known == name).map(|(_, path)| joined("", path)),
        None => path_in(line).map(|path| joined(package, path)),
    };
    lines_of(manifest, of_package).filter_map(path_of).collect()
}

/// Returns the lines of some sections of a manifest.
fn lines_of(manifest: &str, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    manifest.lines().filter(move |line| {
        if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            is_inside = is_wanted(section);
            return false;
        }
        is_inside
    })
}

/// Returns the path in a dependency's line, if it has one.
fn path_in(line: &str) -> Option<&str> {
    line.split_once("path = \"").and_then(|(_, path)| path.split_once('"')).map(|(path, _)| path)
}

/// Returns a path relative to the workspace.
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

#[test]
fn dependencies_of_the_workspace_are_followed() {
    let shared =
        "[workspace.dependencies]\na = { path = \"crates/a\" }\n[dependencies]\nb.workspace = true\n";
    let manifest = "[dependencies]\na.workspace = true\nc = { path = \"../c\" }\n[dev-dependencies]\nd = { path = \"../d\" }\n";
    assert_eq!(needed("crates/e", manifest, shared), ["crates/a", "crates/c"]);
    assert!(needed("", shared, shared).is_empty());
}
