//! Checks that a kind of content is one row: only the table names a kind, and no kind imports
//! another one.
//!
//! Tests may name kinds, and so may `kind.rs`, which declares them.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{self, ModulePath};
use crate::resolve::Crate;
use crate::tree::Tree;

const KINDS: &str = "crates/content/src/kind.rs";
const CONTENT: &str = "crates/content/src/lib.rs";
const ENGINE: &str = "src/lib.rs";
/// The modules that name kinds.
const MAY_NAME: [&[&str]; 2] = [&["kind"], &["table"]];

pub fn findings(tree: &Tree) -> Vec<String> {
    let kinds = variants(&tree.parse(KINDS), "Kind");
    let mut findings = Vec::new();
    for root in [CONTENT, ENGINE] {
        let of = Crate { modules: modules::of(tree, root) };
        for (path, module) in &of.modules {
            let may_name = root == CONTENT && MAY_NAME.iter().any(|module| path == module);
            if !may_name {
                let paths = module.imports.values().chain(&module.globs).chain(&module.paths);
                let named = named(&module.imports, paths, &kinds);
                findings.extend(named.into_iter().map(|kind| finding(root, path, &kind)));
            }
            if root == CONTENT {
                let to = of.named_by(path);
                findings.extend(to.filter(|(to, _)| imports_a_kind(path, to)).map(|(_, name)| {
                    format!(
                        "kinds: {} imports another kind: `{name}`; move what both need below them",
                        name_of(path)
                    )
                }));
            }
        }
    }
    findings.sort();
    findings.dedup();
    findings
}

fn finding(root: &str, path: &ModulePath, kind: &str) -> String {
    format!("kinds: {root} {} names {kind}; make what it asks a column of the table", name_of(path))
}

fn name_of(path: &ModulePath) -> String {
    [&["crate".to_owned()], &path[..]].concat().join("::")
}

/// Returns whether a module of one kind names one of another, or a module outside of the table
/// names one of a kind.
fn imports_a_kind(from: &ModulePath, to: &ModulePath) -> bool {
    let of = |path: &ModulePath| (path.first()? == "kinds").then(|| path.get(1).cloned())?;
    let is_table = from.first().is_some_and(|module| module == "table");
    of(to).is_some() && of(from) != of(to) && !is_table && from != &["kinds"]
}

/// Returns the names of an enum's variants.
fn variants(file: &syn::File, name: &str) -> BTreeSet<String> {
    let variants = file.items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == name => Some(&item.variants),
        _ => None,
    });
    let variants = variants.unwrap_or_else(|| panic!("{KINDS} declares no enum {name}"));
    variants.iter().map(|variant| variant.ident.to_string()).collect()
}

/// Returns the kinds that paths name, by `Kind` or by the name under which it is imported.
fn named<'a>(
    imports: &BTreeMap<String, Vec<String>>,
    paths: impl Iterator<Item = &'a Vec<String>>,
    kinds: &BTreeSet<String>,
) -> BTreeSet<String> {
    let is_kind = |name: &str| {
        let imported = imports.get(name).and_then(|path| path.last());
        imported.map_or(name, String::as_str) == "Kind"
    };
    let mut found = BTreeSet::new();
    for path in paths {
        // A glob of its variants would hide which are named.
        if path.last().is_some_and(|last| last == "Kind") && imports.values().all(|import| import != path) {
            found.insert("all kinds".to_owned());
        }
        for pair in path.windows(2) {
            if is_kind(&pair[0]) && kinds.contains(&pair[1]) {
                found.insert(format!("Kind::{}", pair[1]));
            }
        }
    }
    found
}

#[test]
fn names_of_kinds_are_found() {
    let file = syn::parse_file(
        "use crate::kind::Kind; use crate::kind::Kind as Other; use crate::kind::Kind::Csv;
         fn f(kind: Kind) -> bool { matches!(kind, Kind::Json | Other::Yaml) || kind.is_media() }
         fn g() -> Token { TokenKind::Json }",
    );
    let mut module = modules::Module::default();
    for item in &file.expect("it parses").items {
        syn::visit::Visit::visit_item(&mut module, item);
    }
    let kinds = ["Json", "Yaml", "Csv"].map(str::to_owned).into();
    let paths = module.imports.values().chain(&module.globs).chain(&module.paths);
    let found = named(&module.imports, paths, &kinds);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["Kind::Csv", "Kind::Json", "Kind::Yaml"]);
}

#[test]
fn imports_between_kinds_are_found() {
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    for (from, to, expected) in [
        ("kinds::csv", "kinds::yaml::reader", true),
        ("inspect", "kinds::yaml", true),
        ("kinds::csv::table", "kinds::csv", false),
        ("kinds::csv", "truncate::text", false),
        ("kinds", "kinds::csv", false),
        ("table", "kinds::csv", false),
    ] {
        assert_eq!(imports_a_kind(&path(from), &path(to)), expected, "{from} {to}");
    }
}
