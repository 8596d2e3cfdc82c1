//! Parsed filters.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse;

/// A parsed filter, whose names are slices of its text.
pub(crate) type Term<'f> = parse::Term<&'f str>;

/// Filters that the analysis of a term recognizes by their names. A filter that redefines one of
/// them is not analysed.
const KNOWN: [&str; 39] = [
    "select",
    "empty",
    "true",
    "false",
    "null",
    "not",
    "type",
    "length",
    "keys",
    "keys_unsorted",
    "has",
    "first",
    "last",
    "limit",
    "skip",
    "nth",
    "isempty",
    "map",
    "map_values",
    "any",
    "all",
    "add",
    "INDEX",
    "IN",
    "min_by",
    "max_by",
    "sort_by",
    "unique_by",
    "group_by",
    "reverse",
    "values",
    "nulls",
    "booleans",
    "numbers",
    "strings",
    "arrays",
    "objects",
    "error",
    "range",
];

/// Returns whether definitions leave the names of [`KNOWN`] to jq's own filters.
pub(crate) fn keeps_known_names(definitions: &[parse::Def<&str>]) -> bool {
    definitions.iter().all(|definition| !KNOWN.contains(&definition.name))
}

/// Returns the text of a string without interpolation.
pub(crate) fn literal(term: &Term) -> Option<String> {
    let Term::Str(None, parts) = term else { return None };
    parts
        .iter()
        .map(|part| match part {
            StrPart::Str(text) => Some((*text).to_owned()),
            StrPart::Char(char) => Some(char.to_string()),
            StrPart::Term(_) => None,
        })
        .collect()
}
