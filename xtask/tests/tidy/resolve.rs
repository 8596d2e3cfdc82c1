//! Which module a path leads to.

use std::collections::BTreeMap;

use crate::modules::{Module, Place};

/// Imports of imports that are followed.
const MAX_STEPS: usize = 16;

/// The modules of a crate.
pub struct Crate {
    pub modules: BTreeMap<Place, Module>,
}

impl Crate {
    /// The modules whose items a module names, and the paths by which it does: each as far as
    /// it leads in this crate, through what is exported again.
    pub fn named_by(&self, place: &Place) -> impl Iterator<Item = (Place, String)> {
        let module = &self.modules[place];
        let paths = module.imports.values().chain(&module.globs).chain(&module.paths);
        paths.filter_map(|path| Some((self.resolve(place, path, MAX_STEPS)?, path.join("::"))))
    }

    /// Where an item is declared; none if that is another crate.
    fn resolve(&self, from: &Place, path: &[String], steps: usize) -> Option<Place> {
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
            // A module in this one, or a name that it imports.
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

    fn descend(&self, mut place: Place, path: &[String], steps: usize) -> Option<Place> {
        for (at, name) in path.iter().enumerate() {
            place.push(name.clone());
            if self.modules.contains_key(&place) {
                continue;
            }
            place.pop();
            return match self.modules[&place].imports.get(name) {
                Some(import) => {
                    self.resolve(&place, &[import, &path[at + 1..]].concat(), steps.checked_sub(1)?)
                }
                None => Some(place),
            };
        }
        Some(place)
    }
}
