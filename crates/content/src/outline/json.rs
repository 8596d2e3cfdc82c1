//! Describes a JSON summary in words: `array(500) of object(6 keys)`, then the members of
//! every record, breadth first, by the jq path that leads to them.

use std::collections::VecDeque;
use std::rc::Rc;

use super::{Entry, Outline};
use tuckaway_json::summary::{DistinctString, Lengths, Member, Node, NodeId, Summary};
use tuckaway_json::write::quote;
use tuckaway_text::{counted, lossy};

/// Records that are described: far more than fit an outline.
const MAX_ENTRIES: usize = 256;

/// Outlines a document, or a sequence of documents.
///
/// The first level comes first (the keys of a record are entries of the outline), then the
/// levels below, by path. A path is a filter that runs without an error: `?` follows each of
/// its steps that fails on some values. After a key it marks one that not every record has,
/// `|` joins the types that were seen under one path. `values` are those of keys of a single record that
/// follow their type: `integer, 3`.
pub fn describe(summary: &Rc<Summary>, values: &[(String, String)]) -> Outline {
    let root = summary.node(Summary::ROOT);
    let mut outline = Outline::default();
    let mut queue = VecDeque::new();
    let one_record = summary.documents == 1 && root.objects.count == 1 && root.values.is_none();
    if one_record {
        for (name, key, id, _) in members(summary, Summary::ROOT) {
            let place = Place::root().member(root, key, id, false);
            // A key that begins with a dot would read as a path.
            let name = if key.starts_with('.') { place.path.clone() } else { name };
            let value = values.iter().rfind(|(of, _)| of == key);
            let value = value.map(|(_, value)| format!(", {value}")).unwrap_or_default();
            outline.push(name, Entry::Text(phrase(summary, id) + &value));
            queue.push_back(place);
        }
    } else {
        let each = phrase(summary, Summary::ROOT);
        if summary.documents > 1 {
            outline.push("documents", Entry::Text(format!("{} of {each}", summary.documents)));
        } else {
            outline.push(".", Entry::Text(each));
        }
        queue.push_back(Place::root());
    }
    describe_queue(summary, queue, &mut outline);
    outline
}

/// Outlines the records of a document, or of a sequence of documents, by path from the root.
pub fn below(summary: &Rc<Summary>) -> Outline {
    let mut outline = Outline::default();
    describe_queue(summary, VecDeque::from([Place::root()]), &mut outline);
    outline
}

/// Adds the records of the queue and those below them. Only those that are shown are described:
/// mostly some of many.
fn describe_queue(summary: &Rc<Summary>, mut queue: VecDeque<Place>, outline: &mut Outline) {
    while let Some(place) = queue.pop_front() {
        if outline.len() == MAX_ENTRIES {
            break;
        }
        let node = summary.node(place.node);
        for member in node.members.iter().filter(|member| has_records(summary.node(member.node))) {
            queue.push_back(place.member(node, &member.key, member.node, is_optional(node, member)));
        }
        // Under one path there may be arrays and maps. The same path leads into both.
        let below = node.element.into_iter().chain(node.values);
        for inner in below.filter(|&inner| has_records(summary.node(inner))) {
            queue.push_back(place.each(node, inner));
        }
        if let Some(inner) = node.inner {
            queue.push_back(place.json_in_strings(node, inner));
        }
        if !node.members.is_empty() {
            let summary = Rc::clone(summary);
            outline.push(place.path, Entry::Described(Box::new(move || described(&summary, place.node))));
        }
    }
}

/// Returns the members of a record and their descriptions.
fn described(summary: &Summary, id: NodeId) -> Vec<(String, String)> {
    members(summary, id)
        .map(|(name, _, member, _)| (name, phrase(summary, member) + &values(summary.node(member))))
        .collect()
}

/// A path, as a filter, and the node whose values it leads to.
struct Place {
    path: String,
    node: NodeId,
    /// It leads to null where a key is missing.
    may_be_missing: bool,
    /// It leads to values of other nodes, too.
    is_mixed: bool,
}

impl Place {
    fn root() -> Self {
        Place { path: ".".to_owned(), node: Summary::ROOT, may_be_missing: false, is_mixed: false }
    }

    /// Returns the place of a member of the objects of `node`, which is this place's.
    fn member(&self, node: &Node, key: &str, member: NodeId, is_optional: bool) -> Place {
        let may_fail = self.is_mixed || has_scalars(node) || node.arrays.count > 0;
        // A key that is not UTF-8 is not found by its text.
        let is_found = !key.contains(char::REPLACEMENT_CHARACTER);
        Place {
            path: child_path(&self.path, key) + mark(may_fail),
            node: member,
            may_be_missing: self.may_be_missing || node.null || is_optional || !is_found,
            is_mixed: self.is_mixed,
        }
    }

    /// Returns the place of all elements of the arrays and of all values of the maps of `node`.
    fn each(&self, node: &Node, inner: NodeId) -> Place {
        let may_fail = self.is_mixed || self.may_be_missing || node.null || has_scalars(node);
        Place {
            path: format!("{}[]{}", self.path, mark(may_fail)),
            node: inner,
            may_be_missing: false,
            is_mixed: self.is_mixed
                || node.arrays.count > 0 && node.objects.count > 0
                || node.values.is_some() && !node.members.is_empty(),
        }
    }

    /// Returns the place of the JSON in the strings of `node`.
    fn json_in_strings(&self, node: &Node, inner: NodeId) -> Place {
        let may_fail =
            self.is_mixed || self.may_be_missing || node.null || node.types() > 1 || node.bare_string;
        let path = if self.path == "." { String::new() } else { format!("{} | ", self.path) };
        Place {
            path: format!("{path}fromjson{}", mark(may_fail)),
            node: inner,
            may_be_missing: false,
            is_mixed: self.is_mixed,
        }
    }
}

/// Returns the mark after a step of a path that may fail.
fn mark(may_fail: bool) -> &'static str {
    if may_fail { "?" } else { "" }
}

/// Returns whether a node has values that contain no others, except for null.
fn has_scalars(node: &Node) -> bool {
    node.string || node.integer || node.float || node.boolean
}

/// Returns whether records may be below a node.
fn has_records(node: &Node) -> bool {
    !node.members.is_empty() || node.element.is_some() || node.values.is_some() || node.inner.is_some()
}

/// Returns whether not every record of a node has a member.
fn is_optional(node: &Node, member: &Member) -> bool {
    member.present < node.objects.count
}

/// Returns the name with its mark, the key and the node of each member of a record, and whether
/// not every record has it.
fn members(summary: &Summary, id: NodeId) -> impl Iterator<Item = (String, &str, NodeId, bool)> {
    let node = summary.node(id);
    node.members.iter().map(|member| {
        let key = &*member.key;
        let is_optional = is_optional(node, member);
        // A key that ends in the mark is quoted, so that it is not mistaken for one.
        let name = match key.ends_with('?') {
            true => quote(key) + mark(is_optional),
            false => [key, mark(is_optional)].concat(),
        };
        (name, key, member.node, is_optional)
    })
}

/// Returns the jq path of a member: `.a.b`, `.a["b c"]`.
fn child_path(path: &str, key: &str) -> String {
    let word = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !key.is_empty()
        && !key.as_bytes()[0].is_ascii_digit();
    match (path, word) {
        (".", true) => [".", key].concat(),
        (_, true) => [path, ".", key].concat(),
        (_, false) => format!("{path}[{}]", quote(key)),
    }
}

/// Describes the values of a node in words.
pub fn phrase(summary: &Summary, id: NodeId) -> String {
    let node = summary.node(id);
    let string = (node.bare_string || node.string && node.inner.is_none()).then_some("string");
    let number = match (node.integer, node.float) {
        (true, false) => Some("integer"),
        (_, true) => Some("number"),
        (false, false) => None,
    };
    let others = [number, node.boolean.then_some("boolean"), node.null.then_some("null")];
    // Most values are of one type, with nothing inside.
    let has_others_inside = node.objects.count > 0 || node.arrays.count > 0 || node.inner.is_some();
    let mut scalars = string.iter().chain(others.iter().flatten());
    if let (false, Some(word), None) = (has_others_inside, scalars.next(), scalars.next()) {
        return (*word).to_owned();
    }
    let mut words = containers(summary, node);
    words.extend(string.map(str::to_owned));
    if let Some(inner) = node.inner {
        words.push(format!("string of JSON: {}", phrase(summary, inner)));
    }
    words.extend(others.into_iter().flatten().map(str::to_owned));
    match words.len() {
        0 => "unknown".to_owned(),
        1 => words.remove(0),
        _ => words.into_iter().map(in_union).collect::<Vec<_>>().join("|"),
    }
}

/// Describes the objects and the arrays of a node.
fn containers(summary: &Summary, node: &Node) -> Vec<String> {
    let mut words = Vec::new();
    if node.objects.count > 0 {
        words.push(match node.values {
            Some(values) if node.members.is_empty() => {
                format!("map({}) of {}", span(node.objects), phrase_of_each(summary, values))
            }
            Some(values) => {
                let keys = counted(node.members.len() as u64, "key");
                format!(
                    "object({keys}) and map({}) of {}",
                    span(node.objects),
                    phrase_of_each(summary, values)
                )
            }
            None => match node.members.len() {
                0 if node.objects.max > 0 => "object".to_owned(),
                keys => format!("object({})", counted(keys as u64, "key")),
            },
        });
    }
    if node.arrays.count > 0 {
        let element = node.element.filter(|&element| node.arrays.max > 0 && !is_unseen(summary, element));
        words.push(match element {
            Some(element) => format!("array({}) of {}", span(node.arrays), phrase_of_each(summary, element)),
            None => format!("array({})", span(node.arrays)),
        });
    }
    words
}

/// Lists strings that are few and repeated: `, INFO (12), ERROR (1)`.
fn values(node: &Node) -> String {
    /// Fewer strings than this are not listed.
    const MIN_COUNT: u64 = 5;
    let values = node.distinct.values();
    let is_more = node.integer || node.float || node.boolean || node.arrays.count + node.objects.count > 0;
    let count: u64 = values.iter().map(|value| value.count).sum();
    if is_more || node.inner.is_some() || count < MIN_COUNT.max(2 * values.len() as u64) {
        return String::new();
    }
    let shown = |value: &DistinctString| match value.text() {
        text if text.is_empty() || text.contains(&b',') => format!("\"{}\"", lossy(text)),
        text => lossy(text).into_owned(),
    };
    match values {
        [value] if !node.null => format!(", always {}", shown(value)),
        values => values.iter().map(|value| format!(", {} ({})", shown(value), value.count)).collect(),
    }
}

/// Describes the values in an array or a map: several types in parentheses, as `|` also separates
/// the array itself from other types.
fn phrase_of_each(summary: &Summary, id: NodeId) -> String {
    let words = phrase(summary, id);
    if words.contains('|') && !words.contains(" of ") { format!("({words})") } else { words }
}

/// Puts `array(2) of string` in parentheses, so that it is clearly separate from other types.
fn in_union(words: String) -> String {
    if words.contains(" of ") { format!("({words})") } else { words }
}

fn is_unseen(summary: &Summary, id: NodeId) -> bool {
    let node = summary.node(id);
    node.types() == 0 && !node.null
}

/// Returns `500`, or `2..17` if lengths differ, or `?` if they are not known.
fn span(lengths: Lengths) -> String {
    match lengths {
        Lengths { max: u64::MAX, .. } => "?".to_owned(),
        Lengths { min, max, .. } if min == max => min.to_string(),
        Lengths { min, max, .. } => format!("{min}..{max}"),
    }
}

/// Outlines content by the JSON that it was converted to: returns a description of each document,
/// and the records below, by path.
pub fn of_documents(json: &[u8]) -> (String, Outline) {
    match Summary::of(json) {
        Ok(summary) => (phrase(&summary, Summary::ROOT), below(&Rc::new(summary))),
        Err(_) => (String::new(), Outline::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Layout;
    use super::*;

    fn outline_of(json: &str) -> String {
        describe(&Rc::new(Summary::of(json.as_bytes()).unwrap()), &[]).to_json(4_096, &Layout::ONE_LINE)
    }

    #[test]
    fn a_record_is_described_by_its_keys_then_by_path() {
        assert_eq!(
            outline_of(
                r#"{"rows": [{"id": 1, "tags": ["a"], "score": 1.5}, {"id": 2, "tags": [], "score": null, "email": "x"}], "next_cursor": "abc"}"#
            ),
            r#"{"rows": "array(2) of object(4 keys)", "next_cursor": "string", ".rows[]": {"id": "integer", "tags": "array(0..1) of string", "score": "number|null", "email?": "string"}}"#
        );
    }

    #[test]
    fn other_roots_are_described_under_a_dot() {
        assert_eq!(outline_of("[1, 2.5]"), r#"{".": "array(2) of number"}"#);
        assert_eq!(outline_of("\"x\""), r#"{".": "string"}"#);
        assert_eq!(outline_of("[]"), r#"{".": "array(0)"}"#);
        assert_eq!(
            outline_of(r#"[{"a b": {"c": true}}]"#),
            r#"{".": "array(1) of object(1 key)", ".[]": {"a b": "object(1 key)"}, ".[][\"a b\"]": {"c": "boolean"}}"#
        );
    }

    #[test]
    fn maps_are_described_by_their_values() {
        assert_eq!(
            outline_of(r#"{"events": {"138586341": {"name": "a"}, "138586345": {"name": null}}}"#),
            r#"{"events": "map(2) of object(1 key)", ".events[]": {"name": "string|null"}}"#
        );
    }

    #[test]
    fn keys_that_all_records_have_are_named() {
        let record = |n: usize| {
            let others: Vec<String> =
                (0..20).map(|i| format!(r#""o{}": 1"#, (n * 7 + i * 13) % 300)).collect();
            format!(r#"{{"id": {n}, "name": "x", {}}}"#, others.join(", "))
        };
        let of = |count| (0..count).map(record).collect::<Vec<_>>().join(",");
        let json = outline_of(&format!("[{}]", of(90)));
        assert!(json.contains(r#"".": "array(90) of object(2 keys) and map(22) of integer""#), "{json}");
        assert!(json.contains(r#"".[]": {"id": "integer", "name": "string, always x"}"#), "{json}");
        let json = outline_of(&format!("[{}]", of(4)));
        assert!(json.contains(r#""id, o0?, o13?, "#) && !json.contains("map"), "{json}");
    }

    #[test]
    fn types_in_an_array_are_not_those_beside_it() {
        assert_eq!(outline_of(r#"{"a": ["x", null]}"#), r#"{"a": "array(2) of (string|null)"}"#);
        assert_eq!(
            outline_of(r#"[{"a": ["x"]}, {"a": null}]"#),
            r#"{".": "array(2) of object(1 key)", ".[]": {"a": "(array(1) of string)|null"}}"#
        );
    }

    #[test]
    fn documents_in_a_row_are_described_together() {
        assert_eq!(
            outline_of("{\"id\": 1}\n{\"id\": \"x\"}\n"),
            r#"{"documents": "2 of object(1 key)", ".": {"id": "string|integer"}}"#
        );
    }

    #[test]
    fn json_in_strings_is_described() {
        assert_eq!(
            outline_of(
                r#"[{"id": 1, "body": "{\"n\": [1], \"s\": \"[{\\\"x\\\": 1}]\"}"}, {"id": 2, "body": "{\"n\": []}"}]"#
            ),
            r#"{".": "array(2) of object(2 keys)", ".[]": {"id": "integer", "body": "string of JSON: object(2 keys)"}, ".[].body | fromjson": {"n": "array(0..1) of integer", "s?": "string of JSON: array(1) of object(1 key)"}, ".[].body | fromjson.s | fromjson?[]": {"x": "integer"}}"#
        );
        assert_eq!(
            outline_of(r#"["{\"a\": 1}", "{a}", "x"]"#),
            r#"{".": "array(3) of string|(string of JSON: object(1 key))", ".[] | fromjson?": {"a": "integer"}}"#
        );
        assert_eq!(
            outline_of(r#""{\"a\": true}""#),
            r#"{".": "string of JSON: object(1 key)", "fromjson": {"a": "boolean"}}"#
        );
        assert_eq!(
            outline_of(r#""\"{\\\"a\\\": true}\"""#),
            r#"{".": "string of JSON: string of JSON: object(1 key)", "fromjson | fromjson": {"a": "boolean"}}"#
        );
    }

    #[test]
    fn few_values_are_counted() {
        let rows = |rows: &[(&str, usize)]| {
            let row = |(value, times): &(&str, usize)| format!("{{\"m\": {value}}}\n").repeat(*times);
            let json = outline_of(&rows.iter().map(row).collect::<String>());
            json.split_once(r#""m": "#).unwrap().1.trim_end_matches('}').to_owned()
        };
        assert_eq!(rows(&[(r#""info""#, 5), (r#""error""#, 1)]), r#""string, info (5), error (1)""#);
        assert_eq!(rows(&[(r#""ok""#, 9)]), r#""string, always ok""#);
        assert_eq!(rows(&[("\"\"", 5), (r#""a, b""#, 2)]), r#""string, \"\" (5), \"a, b\" (2)""#);
        assert_eq!(rows(&[(r#""ok""#, 4)]), r#""string""#);
        // `always` is not said if there are other values.
        assert_eq!(rows(&[(r#""timeout""#, 9), ("null", 90)]), r#""string|null, timeout (9)""#);
        assert_eq!(
            rows(&[(r#""ok""#, 9), (r#""[warn] it failed""#, 9)]),
            r#""string, ok (9), [warn] it failed (9)""#
        );
        assert_eq!(rows(&[(r#""ok""#, 9), (r#""[warn] it failed, and more so""#, 9)]), r#""string""#);
        assert_eq!(rows(&[(r#""ok""#, 9), ("1", 9)]), r#""string|integer""#);
    }

    #[test]
    fn unions_and_odd_keys_are_not_mistaken() {
        assert_eq!(
            outline_of(r#"[{"sure?": 1, ".dot": [["a"], 2]}, {"sure?": "x"}]"#),
            r#"{".": "array(2) of object(2 keys)", ".[]": {"\"sure?\"": "string|integer", ".dot?": "array(2) of (array(1) of string)|integer"}}"#
        );
        assert_eq!(outline_of(r#"{".a": 1}"#), r#"{".[\".a\"]": "integer"}"#);
    }
}
