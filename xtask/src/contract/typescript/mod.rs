//! Writes the TypeScript of the contract: its types, the checks of callers' values, and the
//! conversion of the component's results.

mod answers;
mod checks;
mod options;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use super::flow::Flow;
use super::names::{Spelling, camel, has_hyphens, pascal};
use super::prose::filled;
use super::wit::{Case, Contract, Field, Kind, Shape, Type};

/// Types that JavaScript has in another form: with options in place of records, content of more
/// kinds, or the defaults of a client.
const OWN_FORM: [&str; 13] = [
    "block",
    "budget-task",
    "content",
    "expiry",
    "grep-query",
    "jq-query",
    "manage-task",
    "range",
    "store-error",
    "task",
    "tool-output",
    "trim-task",
    "turn",
];

/// Types with another name: `Error` is a class of the language.
const RENAMED: [(&str, &str); 1] = [("error", "Failure")];

/// Fields that are JSON text in the contract, and their types in JavaScript.
const JSON: [(&str, &str, &str); 3] = [
    ("history-input", "usage", "string | object"),
    ("managed-history", "memory", "ContextMemory"),
    ("tool-definition", "input-schema", "JsonSchema"),
];

/// Ends of ranges that callers may omit: the record, the field, and what it is then.
const OPEN_ENDS: [(&str, &str, &str); 4] = [
    ("line-range", "start", "1"),
    ("line-range", "end", "the last line"),
    ("byte-range", "start", "0"),
    ("byte-range", "end", "the artifact's size"),
];

/// Fields that JavaScript has in another form: the record, the field, its type, its check and its
/// documentation.
const OTHER_FIELDS: [(&str, &str, &str, &str, &str); 1] = [(
    "jq-query",
    "variables",
    "Readonly<Record<string, string>>",
    "variables",
    "Other artifacts for the filter, at most 8: the names of variables, without the dollar sign, and artifact ids. \
     `{ users: id }` makes the parsed content of the artifact `$users`; several documents are an array. The values \
     share the memory for the values of a document. Default: none.",
)];

/// The width of a line.
const WIDTH: usize = 120;

/// Writes the modules of `js/src/contract/`.
pub fn modules(contract: &Contract) -> Vec<(&'static str, String)> {
    let home = Home::of(contract);
    vec![
        ("types.ts", types::module(&home)),
        ("checks.ts", checks::module(&home)),
        ("answers.ts", answers::module(&home)),
    ]
}

/// Facts about the contract for all three modules.
struct Home<'a> {
    contract: &'a Contract,
    types: BTreeMap<&'a str, &'a Type>,
    flow: Flow<'a>,
    spelling: Spelling<'a>,
    /// Records of settings, whose defaults a function returns: callers pass the changes.
    settings: BTreeSet<&'a str>,
}

impl<'a> Home<'a> {
    fn of(contract: &'a Contract) -> Self {
        let functions = contract.interfaces.iter().flat_map(|interface| &interface.functions);
        let settings = functions
            .filter(|function| function.name.starts_with("default-"))
            .filter_map(|function| match &function.result {
                Some(Shape::Named(name)) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        Home {
            contract,
            types: contract.types(),
            flow: Flow::of(contract),
            spelling: Spelling::of(contract, camel),
            settings,
        }
    }

    /// Returns the types to write, each after the types that it contains.
    fn in_order(&self, is_needed: impl Fn(&str) -> bool) -> Vec<&'a Type> {
        let mut ordered = Vec::new();
        let mut seen = BTreeSet::new();
        for each in self.contract.interfaces.iter().flat_map(|interface| &interface.types) {
            self.add(each, &is_needed, &mut seen, &mut ordered);
        }
        ordered
    }

    fn add(
        &self,
        each: &'a Type,
        is_needed: &impl Fn(&str) -> bool,
        seen: &mut BTreeSet<&'a str>,
        ordered: &mut Vec<&'a Type>,
    ) {
        if !is_needed(&each.name) || !seen.insert(&each.name) {
            return;
        }
        for name in each.kind.shapes().into_iter().filter_map(Shape::type_name) {
            self.add(self.types[name], is_needed, seen, ordered);
        }
        ordered.push(each);
    }

    /// Returns the interface that declares a type.
    fn interface_of(&self, name: &str) -> &'a str {
        let declares = |types: &[Type]| types.iter().any(|each| each.name == name);
        let found = self.contract.interfaces.iter().find(|interface| declares(&interface.types));
        &found.expect("an interface declares each type").name
    }

    fn is_given(&self, name: &str) -> bool {
        self.flow.given.contains(name)
    }

    /// Returns whether an enum's cases look different in JavaScript than in the component.
    fn is_respelled(&self, name: &str) -> bool {
        let has_words = |cases: &[Case]| cases.iter().any(|case| case.name.contains('-'));
        !has_hyphens(name) && matches!(&self.types[name].kind, Kind::Enum(cases) if has_words(cases))
    }
}

/// Returns the JavaScript type of a field that is JSON text.
fn json_type(record: &str, field: &Field) -> Option<&'static str> {
    let row = JSON.iter().find(|(owner, name, _)| *owner == record && *name == field.name);
    row.map(|(.., spelled)| *spelled)
}

/// Returns what a caller who omits the end of a range means.
fn open_end(record: &str, field: &Field) -> Option<&'static str> {
    let row = OPEN_ENDS.iter().find(|(owner, name, _)| *owner == record && *name == field.name);
    row.map(|(.., default)| *default)
}

/// Returns the type, the check and the documentation of a field that JavaScript has in another form.
fn other_field(record: &str, field: &Field) -> Option<(&'static str, &'static str, &'static str)> {
    let row = OTHER_FIELDS.iter().find(|(owner, name, ..)| *owner == record && *name == field.name);
    row.map(|(.., spelled, check, docs)| (*spelled, *check, *docs))
}

/// Returns the name of a type.
fn type_name(name: &str) -> String {
    let renamed = RENAMED.iter().find(|(from, _)| *from == name);
    renamed.map_or_else(|| pascal(name), |(_, to)| (*to).to_owned())
}

/// Returns the name of the check or of the conversion of a type.
fn value_name(name: &str) -> String {
    let renamed = RENAMED.iter().find(|(from, _)| *from == name);
    renamed.map_or_else(|| camel(name), |(_, to)| to[..1].to_lowercase() + &to[1..])
}

/// Writes a comment: on one line if it fits.
fn comment(docs: &str, indent: &str) -> String {
    let docs = docs.trim();
    let line = format!("{indent}/** {docs} */\n");
    if !docs.contains("\n\n") && !docs.contains("\n|") && line.trim_end().chars().count() <= WIDTH {
        return line.replace('\n', " ").trim_end().to_owned() + "\n";
    }
    let lines = filled(docs, &format!("{indent} * "), WIDTH);
    match lines.lines().count() {
        1 if lines.trim().chars().count() + indent.len() + 5 <= WIDTH => {
            format!("{indent}/** {} */\n", lines.trim().trim_start_matches("* "))
        }
        _ => format!("{indent}/**\n{lines}{indent} */\n"),
    }
}

/// Writes a list in parentheses or braces: on one line if it fits, and otherwise one line each.
fn listed(before: &str, members: &[String], after: &str, indent: &str) -> String {
    let line = format!("{indent}{before} {} {after}", members.join(", "));
    if line.chars().count() <= WIDTH {
        return line + "\n";
    }
    let members: Vec<String> = members.iter().map(|member| format!("{indent}    {member},\n")).collect();
    format!("{indent}{before}\n{}{indent}{after}\n", members.concat())
}
