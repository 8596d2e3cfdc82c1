//! The rules by which a home spells the names of `wit/`.

use std::collections::BTreeMap;

use super::wit::{Case, Contract, Kind, Shape, Type};

/// Enums whose cases every home spells with hyphens: names of products, and words that a model writes.
const WITH_HYPHENS: [&str; 2] = ["extraction-mode", "history-format"];

/// Returns `ToolOutput` for `tool-output`.
pub fn pascal(name: &str) -> String {
    name.split('-').map(capitalized).collect()
}

/// Returns `tool_output` for `tool-output`.
pub fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns `toolOutput` for `tool-output`.
pub fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    first + &words.map(capitalized).collect::<String>()
}

/// Returns whether JSON spells the cases of an enum with hyphens.
pub fn has_hyphens(enumeration: &str) -> bool {
    WITH_HYPHENS.contains(&enumeration)
}

/// Returns the name of an enum's case in JSON.
pub fn case_name(enumeration: &str, case: &str) -> String {
    if has_hyphens(enumeration) { case.to_owned() } else { snake(case) }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// The names that the documentation of `wit/` quotes, and how a home spells them.
pub struct Spelling<'a> {
    types: BTreeMap<&'a str, &'a Type>,
    names: BTreeMap<&'a str, String>,
}

impl<'a> Spelling<'a> {
    /// Collects the names of fields and cases that have a hyphen: only these look different. If both
    /// have a name, the field's spelling wins.
    pub fn of(contract: &'a Contract, field: fn(&str) -> String) -> Self {
        let types = contract.types();
        let mut names = BTreeMap::new();
        for (enumeration, each) in &types {
            if let Kind::Variant(cases) | Kind::Enum(cases) = &each.kind {
                names.extend(
                    cases.iter().map(|case| (case.name.as_str(), case_name(enumeration, &case.name))),
                );
            }
        }
        for each in types.values() {
            if let Kind::Record(fields) = &each.kind {
                names.extend(fields.iter().map(|each| (each.name.as_str(), field(&each.name))));
            }
        }
        names.extend(["line-numbers", "max-bytes"].map(|parameter| (parameter, field(parameter))));
        names.retain(|name, spelled| name != spelled);
        Spelling { types, names }
    }

    /// Spells the names that the documentation of a type quotes.
    pub fn of_type(&self, each: &Type) -> String {
        let own = if let Kind::Enum(cases) = &each.kind { cases.as_slice() } else { &[] };
        self.spelled(&each.docs, &each.name, own)
    }

    /// Spells the names that the documentation of a field or of a case quotes. The cases of an
    /// enum come before fields of the same name.
    pub fn of_member(&self, docs: &str, shape: Option<&Shape>) -> String {
        let inner = match shape {
            Some(Shape::Option(inner) | Shape::List(inner)) => Some(&**inner),
            plain => plain,
        };
        let own = match inner {
            Some(Shape::Named(name)) => self.types.get(name.as_str()),
            _ => None,
        };
        match own {
            Some(Type { name, kind: Kind::Enum(cases), .. }) => self.spelled(docs, name, cases),
            _ => self.spelled(docs, "", &[]),
        }
    }

    fn spelled(&self, docs: &str, enumeration: &str, own: &[Case]) -> String {
        let spell = |(index, piece): (usize, &str)| {
            let is_quoted = index % 2 == 1;
            if is_quoted && own.iter().any(|case| case.name == piece) {
                return case_name(enumeration, piece);
            }
            let known = self.names.get(piece).filter(|_| is_quoted);
            known.cloned().unwrap_or_else(|| piece.to_owned())
        };
        docs.split('`').enumerate().map(spell).collect::<Vec<_>>().join("`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_home_spells_names_by_its_rule() {
        assert_eq!(pascal("tool-output"), "ToolOutput");
        assert_eq!(snake("tool-output"), "tool_output");
        assert_eq!(camel("tool-output"), "toolOutput");
        assert_eq!(case_name("history-format", "ai-sdk"), "ai-sdk");
        assert_eq!(case_name("gate", "token-cap"), "token_cap");
    }

    #[test]
    fn a_case_is_not_taken_for_the_field_of_the_same_name() {
        let contract = Contract::read(&crate::workspace().join("wit")).unwrap();
        let spelling = Spelling::of(&contract, camel);
        let bucket = Shape::Named("bucket".to_owned());
        assert_eq!(spelling.of_member("`tool-outputs`, `at-pct`", Some(&bucket)), "`tool_outputs`, `atPct`");
        assert_eq!(spelling.of_member("`tool-outputs`", None), "`toolOutputs`");
    }
}
