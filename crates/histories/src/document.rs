//! The positions of the elements of arrays and objects in a JSON text, so that they can be written
//! in another order without being parsed.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// An array or object in a JSON text.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The range of the whole value.
    pub(crate) whole: Range<usize>,
    /// The ranges of its elements. The range of a member includes its name.
    pub(crate) elements: Vec<Range<usize>>,
}

/// A member of an object.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its name.
    pub(crate) name: String,
    /// The range of its value.
    pub(crate) value: Range<usize>,
}

impl Frame {
    /// Finds the elements of the array at a range.
    pub(crate) fn of_array(text: &str, whole: Range<usize>) -> serde_json::Result<Frame> {
        let raw: Vec<&RawValue> = serde_json::from_str(&text[whole.clone()])?;
        let elements = raw.into_iter().map(|element| place(text, element)).collect();
        Ok(Frame { whole, elements })
    }

    /// Finds the members of the object at a range.
    pub(crate) fn of_object(text: &str, whole: Range<usize>) -> serde_json::Result<(Frame, Vec<Member>)> {
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
    pub(crate) fn with<S: AsRef<str>>(&self, text: &str, elements: &[S]) -> String {
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
}
