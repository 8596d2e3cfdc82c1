//! A history as JSON text: the list of items or the request around it, with the positions of
//! everything that is written again in its own bytes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use tuckaway_contract::Error;
use tuckaway_search::find;

/// Bytes above which an item is large: its value has only the start of long texts.
const LARGE_ITEM_BYTES: usize = 64 << 10;
/// Bytes of a text in the value of a large item. Names, types and ids are shorter.
const LONG_TEXT_BYTES: usize = 16 << 10;
/// Names under which any format may have its items.
const ITEMS: [&str; 4] = ["items", "messages", "input", "contents"];

/// A history as JSON.
#[derive(Debug)]
pub(crate) struct Document {
    /// The original text, with its items as a list.
    text: String,
    /// The original text, if its input is a text instead of a list.
    given: Option<String>,
    /// The items.
    items: Frame,
    /// The request around the items; none if the JSON is the list itself.
    request: Option<Request>,
}

/// An object whose members are the items and the other parameters of the request.
#[derive(Debug)]
struct Request {
    frame: Frame,
    members: Vec<Member>,
    /// The index of the member with the items.
    items: usize,
}

/// The texts that replace parts of a document.
#[derive(Debug, Default)]
pub(crate) struct Rewritten {
    /// The new list of items; none if it stays.
    pub(crate) items: Option<String>,
    /// The members of the request with new values; those without one are removed.
    pub(crate) members: Vec<(&'static str, Option<String>)>,
}

impl Document {
    /// Reads a document. Returns it with the values of its items. In large items, such as images,
    /// long texts are cut, so that the document is not in memory twice; [`Document::whole`] returns
    /// them in full.
    pub(crate) fn parse(text: String, items_member: Option<&str>) -> Result<(Self, Vec<Value>), Error> {
        let readable = readable(&text);
        let start = readable.len() - readable.trim_start().len();
        let whole = start..readable.trim_end().len();
        let (items, request) = match readable.as_bytes().get(start) {
            Some(b'[') => (whole, None),
            Some(b'{') => {
                let (frame, members) = Frame::of_object(&readable, whole).map_err(malformed)?;
                let named = |name: &str| members.iter().rposition(|member| member.name == name);
                let found =
                    items_member.and_then(named).or_else(|| ITEMS.iter().find_map(|name| named(name)));
                let items = found.ok_or_else(|| {
                    Error::invalid(
                        "The JSON has no list of items: none of messages, input, contents and items.",
                    )
                })?;
                (members[items].value.clone(), Some(Request { frame, members, items }))
            }
            _ => {
                return Err(Error::invalid("A history is a JSON list of messages, or a request with it."));
            }
        };
        // A text as input of Responses is a list of one message.
        if readable.as_bytes()[items.start] == b'"' {
            let message = format!("[{{\"role\":\"user\",\"content\":{}}}]", &text[items.clone()]);
            let list = format!("{}{message}{}", &text[..items.start], &text[items.end..]);
            drop(readable);
            let (document, values) = Document::parse(list, items_member)?;
            return Ok((Document { given: Some(text), ..document }, values));
        }
        let items = Frame::of_array(&readable, items).map_err(malformed)?;
        let values = items.elements.iter().map(|range| -> serde_json::Result<Value> {
            let mut value = serde_json::from_str(&readable[range.clone()])?;
            if range.len() > LARGE_ITEM_BYTES {
                cut_long_texts(&mut value);
            }
            Ok(value)
        });
        let values = values.collect::<serde_json::Result<Vec<Value>>>().map_err(malformed)?;
        drop(readable);
        Ok((Document { text, given: None, items, request }, values))
    }

    /// Returns the original text.
    pub(crate) fn into_given(self) -> String {
        self.given.unwrap_or(self.text)
    }

    /// Returns the value of a large item with all of its texts; none if the item is not large.
    pub(crate) fn whole(&self, index: usize) -> Option<Value> {
        let text = Some(self.item(index)).filter(|text| text.len() > LARGE_ITEM_BYTES)?;
        serde_json::from_str(&readable(text)).ok()
    }

    /// Returns the text of an item.
    pub(crate) fn item(&self, index: usize) -> &str {
        &self.text[self.items.elements[index].clone()]
    }

    /// Returns the names of the members around the items.
    pub(crate) fn names(&self) -> Vec<&str> {
        let members = self.request.iter().flat_map(|request| &request.members);
        members.map(|member| member.name.as_str()).collect()
    }

    /// Returns a member of the request that is not null. The last member with the name counts.
    pub(crate) fn member(&self, name: &str) -> Option<Value> {
        let range = self.range(name)?;
        serde_json::from_str(&readable(&self.text[range])).ok().filter(|value: &Value| !value.is_null())
    }

    fn range(&self, name: &str) -> Option<Range<usize>> {
        let member = self.request.as_ref()?.members.iter().rfind(|member| member.name == name)?;
        Some(member.value.clone())
    }

    /// Returns the position of the value that a path of names leads to.
    pub(crate) fn at(&self, path: &[&str]) -> Option<Range<usize>> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.range(first)?, |range, name| {
            let (_, members) = Frame::of_object(&self.text, range).ok()?;
            Some(members.iter().rfind(|member| member.name == *name)?.value.clone())
        })
    }

    /// Returns the text at a position.
    pub(crate) fn text_at(&self, range: &Range<usize>) -> &str {
        &self.text[range.clone()]
    }

    /// Returns the elements of the list at a position, or the members of the object at it with their
    /// names. None if it is neither.
    pub(crate) fn elements(&self, range: Range<usize>) -> Option<Vec<(Option<String>, &str)>> {
        match self.text.as_bytes().get(range.start)? {
            b'[' => {
                let frame = Frame::of_array(&self.text, range).ok()?;
                Some(frame.elements.into_iter().map(|range| (None, &self.text[range])).collect())
            }
            b'{' => {
                let (_, members) = Frame::of_object(&self.text, range).ok()?;
                Some(
                    members.into_iter().map(|member| (Some(member.name), &self.text[member.value])).collect(),
                )
            }
            _ => None,
        }
    }

    /// Writes the list or object at a position with only some of its elements.
    pub(crate) fn with_elements(&self, range: Range<usize>, kept: &[u32]) -> Option<String> {
        let frame = match self.text.as_bytes().get(range.start)? {
            b'[' => Frame::of_array(&self.text, range).ok()?,
            _ => Frame::of_object(&self.text, range).ok()?.0,
        };
        let kept = kept.iter().filter_map(|index| frame.elements.get(*index as usize));
        let kept: Vec<&str> = kept.map(|range| &self.text[range.clone()]).collect();
        Some(frame.with(&self.text, &kept))
    }

    /// Writes a list of items, spaced like the present one.
    pub(crate) fn list<S: AsRef<str>>(&self, items: &[S]) -> String {
        self.items.with(&self.text, items)
    }

    /// Writes the document with other parts. Everything else is preserved byte for byte.
    pub(crate) fn rewrite(&self, changes: &Rewritten) -> String {
        let list = || changes.items.clone().unwrap_or_else(|| self.text[self.items.whole.clone()].to_owned());
        let Some(request) = &self.request else { return list() };
        let mut members: Vec<Cow<'_, str>> = Vec::with_capacity(request.members.len());
        for (index, member) in request.members.iter().enumerate() {
            let range = request.frame.elements[index].clone();
            let with =
                |value: &str| Cow::Owned(format!("{}{value}", &self.text[range.start..member.value.start]));
            match changes.members.iter().find(|(name, _)| *name == member.name) {
                _ if index == request.items => members.push(with(&list())),
                Some((_, None)) => {}
                Some((_, Some(value))) => members.push(with(value)),
                None => members.push(Cow::Borrowed(&self.text[range])),
            }
        }
        request.frame.with(&self.text, &members)
    }
}

/// Returns a text that can be parsed, of the same length: JavaScript writes halves of characters as
/// escapes, which no UTF-8 text can hold.
fn readable(text: &str) -> Cow<'_, str> {
    let mut readable: Option<Vec<u8>> = None;
    let bytes = text.as_bytes();
    let escape = |at: usize| -> Option<u16> {
        let hex = bytes.get(at..at + 6).filter(|escape| escape.starts_with(b"\\u"))?;
        u16::from_str_radix(std::str::from_utf8(&hex[2..]).ok()?, 16).ok()
    };
    let mut at = 0;
    while let Some(next) = find::byte(b'\\', &bytes[at..]) {
        at += next;
        let is_high = |unit: u16| (0xD800..0xDC00).contains(&unit);
        let is_low = |unit: u16| (0xDC00..0xE000).contains(&unit);
        at += match (escape(at), escape(at + 6)) {
            (Some(high), Some(low)) if is_high(high) && is_low(low) => 12,
            (Some(half), _) if is_high(half) || is_low(half) => {
                readable.get_or_insert_with(|| bytes.to_vec())[at..at + 6].copy_from_slice(b"\\ufffd");
                6
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        at = at.min(bytes.len());
    }
    match readable.map(String::from_utf8) {
        Some(Ok(readable)) => Cow::Owned(readable),
        _ => Cow::Borrowed(text),
    }
}

/// Cuts the long texts in a value. Recursion is as deep as the parser allows.
fn cut_long_texts(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > LONG_TEXT_BYTES => {
            text.truncate(text.floor_char_boundary(LONG_TEXT_BYTES));
            text.shrink_to_fit();
        }
        Value::Array(elements) => elements.iter_mut().for_each(cut_long_texts),
        Value::Object(members) => members.values_mut().for_each(cut_long_texts),
        _ => {}
    }
}

/// Returns whether a text in a value may have been cut, by its length.
pub(crate) fn has_cut_text(value: &Value) -> bool {
    // A cut before a character of four bytes leaves three bytes less.
    const LEAST: usize = LONG_TEXT_BYTES - 3;
    match value {
        Value::String(text) => (LEAST..=LONG_TEXT_BYTES).contains(&text.len()),
        Value::Array(elements) => elements.iter().any(has_cut_text),
        Value::Object(members) => members.values().any(has_cut_text),
        _ => false,
    }
}

fn malformed(error: serde_json::Error) -> Error {
    Error::invalid(format!("The history is malformed JSON: {error}."))
}

/// An array or object in a JSON text.
#[derive(Clone, Debug)]
struct Frame {
    /// The range of the whole value.
    whole: Range<usize>,
    /// The ranges of its elements. The range of a member includes its name.
    elements: Vec<Range<usize>>,
}

/// A member of an object.
#[derive(Clone, Debug)]
struct Member {
    /// Its name.
    name: String,
    /// The range of its value.
    value: Range<usize>,
}

impl Frame {
    /// Finds the elements of the array at a range.
    fn of_array(text: &str, whole: Range<usize>) -> serde_json::Result<Frame> {
        let raw: Vec<&RawValue> = serde_json::from_str(&text[whole.clone()])?;
        let elements = raw.into_iter().map(|element| place(text, element)).collect();
        Ok(Frame { whole, elements })
    }

    /// Finds the members of the object at a range.
    fn of_object(text: &str, whole: Range<usize>) -> serde_json::Result<(Frame, Vec<Member>)> {
        let Members(raw) = serde_json::from_str(&text[whole.clone()])?;
        let (mut elements, mut members) = (Vec::with_capacity(raw.len()), Vec::with_capacity(raw.len()));
        let mut behind = whole.start + 1;
        for (name, value) in raw {
            let value = place(text, value);
            // Only a comma, white space and the name are between two values.
            let quote = text[behind..value.start].find('"').unwrap_or_default();
            elements.push(behind + quote..value.end);
            behind = value.end;
            members.push(Member { name, value });
        }
        Ok((Frame { whole, elements }, members))
    }

    /// Writes the value with other elements, spaced like the present ones.
    fn with<S: AsRef<str>>(&self, text: &str, elements: &[S]) -> String {
        let whole = &text[self.whole.clone()];
        let (open, close) = (&whole[..1], &whole[whole.len() - 1..]);
        let (Some(first), Some(last)) = (self.elements.first(), self.elements.last()) else {
            return format!("{open}{}{close}", joined(elements, ","));
        };
        if elements.is_empty() {
            return format!("{open}{close}");
        }
        let lead = &text[self.whole.start + 1..first.start];
        let trail = &text[last.end..self.whole.end - 1];
        let between = match self.elements.get(1) {
            Some(second) => text[first.end..second.start].to_owned(),
            None => format!(",{lead}"),
        };
        format!("{open}{lead}{}{trail}{close}", joined(elements, &between))
    }
}

fn joined<S: AsRef<str>>(elements: &[S], between: &str) -> String {
    let elements: Vec<&str> = elements.iter().map(AsRef::as_ref).collect();
    elements.join(between)
}

/// Returns the range of a value that was borrowed from a text.
fn place(text: &str, raw: &RawValue) -> Range<usize> {
    let start = raw.get().as_ptr() as usize - text.as_ptr() as usize;
    start..start + raw.get().len()
}

/// The members of an object in their order, including members of the same name.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_keep_their_bytes_and_the_spacing() {
        let text = "[\n  {\"a\" : 1.0},\n  [2 ],\n  3e0\n]";
        let frame = Frame::of_array(text, 0..text.len()).unwrap();
        let all: Vec<&str> = frame.elements.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(all, ["{\"a\" : 1.0}", "[2 ]", "3e0"]);
        assert_eq!(frame.with(text, &all), text);
        assert_eq!(frame.with(text, &all[1..]), "[\n  [2 ],\n  3e0\n]");
        assert_eq!(frame.with(text, &[] as &[&str]), "[]");
    }

    #[test]
    fn members_are_found_with_their_names() {
        let text = "{ \"a\\\"b\": \"x\", \"a\\\"b\":{}, \"c\" :[ \",\" ] }";
        let (frame, members) = Frame::of_object(text, 0..text.len()).unwrap();
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["a\"b", "a\"b", "c"]);
        assert_eq!(&text[members[2].value.clone()], "[ \",\" ]");
        let all: Vec<&str> = frame.elements.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(all, ["\"a\\\"b\": \"x\"", "\"a\\\"b\":{}", "\"c\" :[ \",\" ]"]);
        assert_eq!(frame.with(text, &all[2..]), "{ \"c\" :[ \",\" ] }");
    }

    #[test]
    fn an_element_is_found_inside_of_a_larger_text() {
        let text = "{\"messages\": [1,2]}";
        let (_, members) = Frame::of_object(text, 0..text.len()).unwrap();
        let frame = Frame::of_array(text, members[0].value.clone()).unwrap();
        assert_eq!(&text[frame.elements[1].clone()], "2");
        assert_eq!(frame.with(text, &["2", "1"]), "[2,1]");
    }

    #[test]
    fn long_texts_of_large_items_are_cut_only_in_their_values() {
        let long = "x".repeat(LARGE_ITEM_BYTES);
        let text = format!(r#"[{{"a":"{long}","b":["y"]}},{{"a":"z"}}]"#);
        let (document, values) = Document::parse(text.clone(), None).unwrap();
        assert_eq!(values[0]["a"].as_str().map(str::len), Some(LONG_TEXT_BYTES));
        assert_eq!((&values[0]["b"][0], &values[1]["a"]), (&Value::from("y"), &Value::from("z")));
        assert_eq!(document.whole(0).unwrap()["a"], *long);
        assert_eq!(document.whole(1), None);
        assert_eq!(document.into_given(), text);
        let text = r#"{"input": "hello"}"#.to_owned();
        let (document, values) = Document::parse(text.clone(), None).unwrap();
        assert_eq!((&values[0]["content"], document.into_given()), (&Value::from("hello"), text));
    }

    #[test]
    fn halves_of_characters_are_read_as_replacements() {
        let half = [r"a\ud800b", r"\\ud800", r"\ud83d\ude00", r"\udc00"].map(|text| format!("\"{text}\""));
        let half = format!("[{}]", half.join(","));
        let text = readable(&half);
        assert_eq!(text.len(), half.len());
        let values: Vec<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(values[0], "a\u{fffd}b");
        assert_eq!((&*values[1], &*values[2]), ("\\ud800", "\u{1f600}"));
        assert_eq!(values[3], "\u{fffd}");
        let (document, values) = Document::parse(r#"[{"x":"\ud800"}]"#.to_owned(), None).unwrap();
        assert_eq!(document.item(0), r#"{"x":"\ud800"}"#);
        assert_eq!(values[0]["x"], "\u{fffd}");
    }
}
