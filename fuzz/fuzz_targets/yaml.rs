//! YAML that is accepted is converted to JSON. If saphyr-parser also accepts it, its events
//! give the same JSON. YAML that is not accepted has a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Map, Value};
use tuckaway_content::{AsJson, DEFAULT_OUTLINE_BYTES, Facts, Kind, Layout, ToJsonError, inspect, to_json};
use tuckaway_text::clean::without_sequences;

/// Pieces of YAML: many sequences of them are valid documents.
const PIECES: &[&str] = &[
    "\n",
    "\n  ",
    "\n    ",
    "\n- ",
    "\n  - ",
    "\n? ",
    "\n: ",
    "\n  ? ",
    "\n  : ",
    "- ",
    "? ",
    ": ",
    "a: ",
    "b:",
    "'",
    "\"",
    "[",
    "]",
    "{",
    "}",
    ", ",
    ",",
    "&x ",
    "&y ",
    "*x",
    "*y ",
    "!!str ",
    "! ",
    "|",
    ">",
    "|-",
    "#",
    " #",
    "\t",
    " ",
    "\\",
    "\\n",
    "\\u00e9",
    "é",
    "1",
    "0x1F",
    "~",
    "true",
    "x y",
    "---",
    "\n---\n",
    "\n...\n",
    "%YAML 1.2\n",
    "\r\n",
    "<<: *x",
    "@",
];

fuzz_target!(|bytes: &[u8]| {
    // The first byte says whether the rest is the text or selects pieces of it.
    let Some((&kind, rest)) = bytes.split_first() else { return };
    let pieces = || rest.iter().flat_map(|&n| PIECES[usize::from(n) % PIECES.len()].bytes()).collect();
    let mut text: Vec<u8> = if kind % 2 == 0 { pieces() } else { rest.to_vec() };
    // To saphyr-parser, a last line of blanks without a line feed is one more line.
    text.push(b'\n');
    let read = yaml_to_json(&text);
    let facts = Facts {
        claimed: Some("application/yaml"),
        line_count: text.iter().filter(|&&byte| byte == b'\n').count() as u64,
        has_failed: false,
    };
    let inspected = inspect(&text, &facts);
    // jq is not offered for YAML between other lines, even if all of it can be read.
    let is_between = || inspected.to_json(DEFAULT_OUTLINE_BYTES, &Layout::ONE_LINE).contains("\"around\"");
    if inspected.kind == Kind::Yaml && (inspected.is_queryable || !is_between()) {
        assert_eq!(inspected.is_queryable, read.is_ok());
    }
    let Ok(read) = read else { return };
    // Readers of the strings show invalid UTF-8 as U+FFFD.
    let json = String::from_utf8_lossy(&read.json);
    for document in Deserializer::from_str(&json).into_iter::<IgnoredAny>() {
        document.expect("the converted document is JSON");
    }
    // Numbers that are too large for a value are not compared.
    let found: Result<Vec<Value>, _> = Deserializer::from_str(&json).into_iter().collect();
    let Ok(found) = found else { return };
    // Neither are merge keys, which YAML does not define, and documents without content.
    let Ok(text) = std::str::from_utf8(&text) else { return };
    // Neither are old line ends, and characters that YAML does not allow.
    let is_foreign = |c: char| c.is_control() && !"\t\n".contains(c) || c == '\u{FEFF}';
    // Neither is a key indicator without a key, which some parsers take for a scalar in brackets.
    let is_odd_key = || text.contains("?,") || text.contains("?]") || text.contains("?}");
    if text.contains("<<") || is_odd_key() || text.replace("\r\n", "\n").contains(is_foreign) {
        return;
    }
    if let Some(expected) = documents(text) {
        let (found, expected): (Vec<_>, Vec<_>) =
            (found.into_iter().map(normalized).collect(), expected.into_iter().map(normalized).collect());
        assert_eq!(found, expected, "{text:?}");
    }
});

fn yaml_to_json(text: &[u8]) -> Result<AsJson, ToJsonError> {
    // More than the outline's limit, so that both accept the same texts.
    to_json(Kind::Yaml).expect("YAML is converted to JSON")(&without_sequences(text), 4 << 20)
}

/// Normalizes the spelling of keys that are JSON.
fn normalized(value: Value) -> Value {
    let key = |key: String| match serde_json::from_str(&key) {
        Ok(value @ (Value::Array(_) | Value::Object(_))) => normalized(value).to_string(),
        _ => key,
    };
    match value {
        Value::Array(values) => values.into_iter().map(normalized).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (key(name), normalized(value))).collect())
        }
        value => value,
    }
}

/// An open container: the documents, a list, or an object and its key without a value.
enum Open {
    List(Vec<Value>),
    Object(Vec<(String, Value)>, Option<String>),
}

/// Returns the documents according to saphyr-parser, if it accepts the text.
fn documents(text: &str) -> Option<Vec<Value>> {
    let mut parser = Parser::new_from_str(text);
    let (mut documents, mut open, mut anchors) = (Vec::new(), Vec::new(), Vec::new());
    let mut ids = Vec::new();
    let mut is_nothing = false;
    while let Some(event) = parser.next_event() {
        let value = match event.ok()?.0 {
            Event::Scalar(text, style, id, tag) => {
                is_nothing = open.is_empty() && text.is_empty() && style == ScalarStyle::Plain;
                let is_string = tag.is_some_and(|tag| {
                    let name = format!("{}{}", tag.handle, tag.suffix);
                    ["!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:binary"].contains(&&*name)
                });
                let is_key = matches!(open.last(), Some(Open::Object(_, None)));
                let value = scalar(&text, style, is_string || is_key);
                set(&mut anchors, id, &value);
                value
            }
            Event::Alias(id) => anchors.get(id)?.clone()?,
            Event::SequenceStart(id, _) => {
                ids.push(id);
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingStart(id, _) => {
                ids.push(id);
                open.push(Open::Object(Vec::new(), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let value = match open.pop()? {
                    Open::List(values) => Value::Array(values),
                    Open::Object(members, _) => Value::Object(members.into_iter().collect::<Map<_, _>>()),
                };
                set(&mut anchors, ids.pop()?, &value);
                value
            }
            _ => continue,
        };
        match open.last_mut() {
            None if is_nothing => is_nothing = false,
            None => documents.push(value),
            Some(Open::List(values)) => values.push(value),
            Some(Open::Object(members, key)) => match key.take() {
                Some(key) => members.push((key, value)),
                None => *key = Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            },
        }
    }
    Some(documents)
}

fn set(anchors: &mut Vec<Option<Value>>, id: usize, value: &Value) {
    if id > 0 {
        anchors.resize(anchors.len().max(id + 1), None);
        anchors[id] = Some(value.clone());
    }
}

/// Returns whether a character may be in a plain scalar that is not a string.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "+-.~".contains(c)
}

fn scalar(text: &str, style: ScalarStyle, is_string: bool) -> Value {
    match text {
        _ if is_string || style != ScalarStyle::Plain || !text.chars().all(is_word) => text.into(),
        // The type of a plain scalar is taken from the engine: this target does not test it.
        _ => {
            let read = yaml_to_json(format!("[{text}]").as_bytes());
            let list = read.ok().and_then(|read| serde_json::from_slice::<Vec<Value>>(&read.json).ok());
            match list.as_deref() {
                Some([]) => Value::Null,
                Some([value @ (Value::Null | Value::Bool(_) | Value::Number(_))]) => value.clone(),
                _ => text.into(),
            }
        }
    }
}
