//! Finds siblings that import each other in circles, at any level of a crate's module tree.
//!
//! Naming an item of a module's descendant counts as naming the module. A module and its
//! descendants may name each other: a parent has the shared parts of its children, and names them.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{self, ModulePath};
use crate::resolve::Crate;
use crate::tree::{Tree, is_test};

/// For each module of a level, the siblings that it names, each with an example.
type Arrows = BTreeMap<String, BTreeMap<String, String>>;

pub fn findings(tree: &Tree) -> Vec<String> {
    roots(tree).into_iter().flat_map(|root| circles(tree, root)).collect()
}

/// Returns the root files of crates.
fn roots(tree: &Tree) -> Vec<&str> {
    let is_root = |file: &&str| {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let is_bin = folder.ends_with("/bin") || folder.contains("/bin/");
        let is_library = folder == "src" || folder.ends_with("/src");
        !is_test(file)
            && (matches!(name, "lib.rs" | "main.rs") && (is_library || is_bin) || folder.ends_with("src/bin"))
    };
    tree.ending(".rs").filter(is_root).collect()
}

fn circles(tree: &Tree, root: &str) -> Vec<String> {
    let of = Crate { modules: modules::of(tree, root) };
    let mut levels: BTreeMap<ModulePath, Arrows> = BTreeMap::new();
    for from in of.modules.keys() {
        for (to, path) in of.named_by(from) {
            let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
            if let (Some(here), Some(there)) = (from.get(shared), to.get(shared)) {
                let arrows = levels.entry(from[..shared].to_vec()).or_default();
                let example = || format!("`{path}` in {}", from.join("::"));
                arrows.entry(here.clone()).or_default().entry(there.clone()).or_insert_with(example);
            }
        }
    }
    let circles = levels.iter().flat_map(|(level, arrows)| {
        let level = [&["crate".to_owned()], &level[..]].concat().join("::");
        in_circles(arrows).into_iter().map(move |circle| {
            format!("circle: {root} {level}: {}{}", circle.join(", "), examples(arrows, &circle))
        })
    });
    circles.collect()
}

/// Lists which modules of a circle name which, one on each line.
fn examples(arrows: &Arrows, circle: &[String]) -> String {
    let inside = |from: &String| {
        let arrows = arrows[from].iter().filter(|(to, _)| circle.contains(to) && *to != from);
        arrows.map(|(to, example)| format!("\n    {from} names {to}: {example}")).collect::<String>()
    };
    circle.iter().map(inside).collect()
}

/// Returns the sets of siblings that all import each other, directly or not.
fn in_circles(arrows: &Arrows) -> BTreeSet<Vec<String>> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            let neighbours = arrows.get(next).into_iter().flat_map(BTreeMap::keys);
            open.extend(neighbours.filter(|name| reached.insert((*name).clone())));
        }
        reached
    };
    let all: BTreeMap<&String, BTreeSet<String>> = arrows.keys().map(|name| (name, reached(name))).collect();
    let circle = |(name, reached): (&&String, &BTreeSet<String>)| {
        let back = |other: &&String| all.get(other).is_some_and(|others| others.contains(*name));
        let circle: Vec<String> = reached.iter().filter(back).cloned().collect();
        (circle.len() > 1).then_some(circle)
    };
    all.iter().filter_map(circle).collect()
}

#[test]
fn circles_are_found() {
    let arrows = |names: &[(&str, &str)]| {
        let mut arrows = Arrows::new();
        for (from, to) in names {
            arrows.entry((*from).to_owned()).or_default().insert((*to).to_owned(), String::new());
        }
        in_circles(&arrows).into_iter().map(|circle| circle.join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(arrows(&[("a", "b"), ("b", "c"), ("a", "c")]), [""; 0]);
    assert_eq!(arrows(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]), ["b c"]);
    assert_eq!(arrows(&[("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "c")]), ["a b", "c d"]);
}
