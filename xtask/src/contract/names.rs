//! The rules by which a home spells the names of `wit/`, and the exceptions.

use std::collections::BTreeSet;

use super::wit::{Contract, Kind};

/// Types whose name in a home is not that of `wit/`: `range` and `match` say too little
/// outside of their interface, or are words of a language.
const RENAMED: [(&str, &str); 0] = [];

/// Returns `ToolOutput` for `tool-output`.
pub fn pascal(name: &str) -> String {
    let name = RENAMED.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to);
    name.split('-').map(capitalized).collect()
}

/// Returns `tool_output` for `tool-output`.
pub fn snake(name: &str) -> String {
    name.replace('-', "_")
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// The names that the documentation of `wit/` quotes, and how a home spells them.
pub struct Spelling {
    members: BTreeSet<String>,
    spell: fn(&str) -> String,
}

impl Spelling {
    /// Collects the names of fields and cases that have a hyphen: only these look different.
    pub fn of(contract: &Contract, spell: fn(&str) -> String) -> Self {
        let types = contract.interfaces.iter().flat_map(|interface| &interface.types);
        let members = types.flat_map(|each| -> Vec<&str> {
            match &each.kind {
                Kind::Record(fields) => fields.iter().map(|field| field.name.as_str()).collect(),
                Kind::Variant(cases) | Kind::Enum(cases) => {
                    cases.iter().map(|case| case.name.as_str()).collect()
                }
            }
        });
        let parameters = ["line-numbers", "max-bytes"];
        let members = members.chain(parameters).filter(|name| name.contains('-'));
        Spelling { members: members.map(str::to_owned).collect(), spell }
    }

    /// Spells the names that a text quotes in backticks.
    pub fn apply(&self, text: &str) -> String {
        let mut spelled = String::with_capacity(text.len());
        for (index, piece) in text.split('`').enumerate() {
            if index > 0 {
                spelled.push('`');
            }
            match index % 2 == 1 && self.members.contains(piece) {
                true => spelled.push_str(&(self.spell)(piece)),
                false => spelled.push_str(piece),
            }
        }
        spelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_home_spells_names_by_its_rule() {
        assert_eq!(pascal("tool-output"), "ToolOutput");
        assert_eq!(snake("tool-output"), "tool_output");
    }
}
