//! Resolves paths to modules.

use std::collections::BTreeMap;

use crate::modules::{Module, ModulePath};

/// The maximum number of re-exports that are followed.
const MAX_STEPS: usize = 16;

/// The modules of a crate.
pub struct Crate {
    pub modules: BTreeMap<ModulePath, Module>,
}

impl Crate {
    /// Returns the modules whose items a module names, and the paths by which it names them.
    /// Paths are followed through re-exports within this crate.
    pub fn named_by(&self, from: &ModulePath) -> impl Iterator<Item = (ModulePath, String)> {
        let module = &self.modules[from];
        let paths = module.imports.values().chain(&module.globs).chain(&module.paths);
        paths.filter_map(|path| Some((self.resolve(from, path, MAX_STEPS)?, path.join("::"))))
    }

    /// Returns the module that declares an item; `None` if that is in another crate.
    fn resolve(&self, from: &ModulePath, path: &[String], steps: usize) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.descend(Vec::new(), rest, steps),
            "self" => self.descend(from.clone(), rest, steps),
            "super" => {
                let above = from[..from.len().checked_sub(1)?].to_vec();
                match rest.first().is_some_and(|next| next == "super") {
                    true => self.resolve(&above, rest, steps),
                    false => self.descend(above, rest, steps),
                }
            }
            // A child of this module, or a name that it imports.
            name => {
                let child = [&from[..], &[name.to_owned()]].concat();
                let imported = self.modules[from].imports.get(name).filter(|import| *import != path);
                match imported {
                    _ if self.modules.contains_key(&child) => self.descend(child, rest, steps),
                    Some(import) => self.resolve(from, &[import, rest].concat(), steps.checked_sub(1)?),
                    None => None,
                }
            }
        }
    }

    fn descend(&self, mut module: ModulePath, path: &[String], steps: usize) -> Option<ModulePath> {
        for (at, name) in path.iter().enumerate() {
            module.push(name.clone());
            if self.modules.contains_key(&module) {
                continue;
            }
            module.pop();
            return match self.modules[&module].imports.get(name) {
                Some(import) => {
                    self.resolve(&module, &[import, &path[at + 1..]].concat(), steps.checked_sub(1)?)
                }
                None => Some(module),
            };
        }
        Some(module)
    }
}
