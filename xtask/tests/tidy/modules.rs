//! The modules of a crate and the paths that each of them names.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};

use crate::tree::{Tree, is_cfg_test};

/// The path of a module in its crate.
pub type ModulePath = Vec<String>;

/// The imports of a module, and the paths in its code.
#[derive(Default)]
pub struct Module {
    /// The imported paths, by their local names.
    pub imports: BTreeMap<String, Vec<String>>,
    /// The paths of glob imports.
    pub globs: Vec<Vec<String>>,
    /// The paths of at least two segments in its code.
    pub paths: Vec<Vec<String>>,
}

/// Returns all modules of a crate, starting from its root file, except test modules.
pub fn of(tree: &Tree, root: &str) -> BTreeMap<ModulePath, Module> {
    let mut modules = BTreeMap::new();
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    add(tree, &tree.parse(root).items, folder, Vec::new(), &mut modules);
    modules
}

/// Adds a module and its descendants, whose files are in `folder`.
fn add(
    tree: &Tree,
    items: &[syn::Item],
    folder: &str,
    path: ModulePath,
    modules: &mut BTreeMap<ModulePath, Module>,
) {
    let mut module = Module::default();
    for item in items {
        match item {
            syn::Item::Mod(inner) if is_cfg_test(&inner.attrs) || is_elsewhere(&inner.attrs) => {}
            syn::Item::Mod(inner) => {
                let name = inner.ident.to_string();
                let path = [&path[..], std::slice::from_ref(&name)].concat();
                let folder = format!("{folder}/{name}");
                match &inner.content {
                    Some((_, items)) => add(tree, items, &folder, path, modules),
                    None => {
                        let files = [format!("{folder}.rs"), format!("{folder}/mod.rs")];
                        let file = files.iter().find(|file| tree.files.contains(*file));
                        let file = file.unwrap_or_else(|| panic!("the module {folder} has no file"));
                        add(tree, &tree.parse(file).items, &folder, path, modules);
                    }
                }
            }
            item => module.visit_item(item),
        }
    }
    modules.insert(path, module);
}

/// Returns whether a module is a file of another crate.
fn is_elsewhere(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("path"))
}

impl Module {
    fn import(&mut self, before: &mut Vec<String>, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(before, &path.tree);
                before.pop();
            }
            syn::UseTree::Name(name) => self.import_one(before, name.ident.to_string(), None),
            syn::UseTree::Rename(rename) => {
                self.import_one(before, rename.ident.to_string(), Some(rename.rename.to_string()));
            }
            syn::UseTree::Glob(_) => self.globs.push(before.clone()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(before, tree)),
        }
    }

    fn import_one(&mut self, before: &[String], name: String, here: Option<String>) {
        // `use a::{self}` is `use a`.
        let mut path = before.to_vec();
        if name != "self" || path.is_empty() {
            path.push(name);
        }
        let here = here.or_else(|| path.last().cloned()).unwrap_or_default();
        self.imports.insert(here, path);
    }

    /// Collects the paths among the tokens of a macro.
    fn words(&mut self, tokens: proc_macro2::TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.end(&mut path);
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                proc_macro2::TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                proc_macro2::TokenTree::Group(group) => {
                    self.end(&mut path);
                    self.words(group.stream());
                }
                _ => self.end(&mut path),
            }
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.paths.push(path);
        }
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            // Paths in the rules of a macro belong to its callers.
            syn::Item::Macro(item) if item.ident.is_some() => return,
            _ => return visit::visit_item(self, item),
        };
        if !is_cfg_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        // `use ::name` is another crate.
        if item.leading_colon.is_none() {
            self.import(&mut Vec::new(), &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.words(call.tokens.clone());
    }
}
