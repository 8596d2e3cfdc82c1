//! The outline of a snapshot: what can be clicked or typed into, with references.

use tuckaway_search::{LineSpans, find, hash};
use tuckaway_text::{counted, cut, lossy, order};

use super::element::{Element, unescaped};
use crate::columns::Names;
use crate::hashes::Hashes;
use crate::outline::{Entry, Outline};

/// Roles of elements that take clicks or text. Links have an entry of their own.
const CONTROLS: &[&str] = &[
    "button",
    "textbox",
    "searchbox",
    "combobox",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "tab",
    "treeitem",
    "listbox",
];
/// Names that are kept of each group, and bytes of a name that are shown.
const MOST_NAMES: usize = 500;
const NAME_BYTES: usize = 60;
/// References that are shown of elements with the same name, apart from the last one.
const SHOWN_REFERENCES: usize = 3;

/// Describes the page.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut groups = [Group::default(), Group::default(), Group::default()];
    let (mut count, mut page): (u64, Vec<(String, String)>) = (0, Vec::new());
    for span in LineSpans::of(bytes) {
        let line = span.line;
        for (label, name) in [(&b"Page URL: "[..], "url"), (b"Page Title: ", "title")] {
            if let Some(at) = find::text(label, &line[..line.len().min(64)]).filter(|at| *at < 4) {
                let is_first = !page.iter().any(|(known, _)| known == name);
                page.extend(is_first.then(|| (name.to_owned(), shown(&line[at + label.len()..]))));
            }
        }
        let Some(element) = Element::of(line).filter(|element| element.reference.is_some()) else { continue };
        count += 1;
        let group = match element.role {
            b"heading" => 2,
            b"link" => 1,
            role if CONTROLS.iter().any(|control| control.as_bytes() == role) => 0,
            b"RootWebArea" if page.is_empty() => {
                page.push(("title".to_owned(), shown(element.name.unwrap_or_default())));
                continue;
            }
            _ => continue,
        };
        groups[group].push(&element);
    }
    let mut outline = Outline::default();
    let [controls, links, headings] = groups;
    let of = |group: &Group, noun| counted(group.count, noun);
    let kind =
        format!("page: {}, {}, {}", counted(count, "element"), of(&controls, "control"), of(&links, "link"));
    outline.push("kind", Entry::Text(kind));
    outline.push_members("page", page, 0);
    for (name, group) in [("controls", controls), ("headings", headings), ("links", links)] {
        let (members, more) = group.members(name == "controls");
        outline.push_members(name, members, more);
    }
    outline.push("..|objects", Entry::Text("role, name, ref, attributes, text, children".to_owned()));
    outline
}

fn shown(text: &[u8]) -> String {
    cut::excerpt(lossy(text.trim_ascii()).into_owned(), 2 * NAME_BYTES)
}

/// Elements by role and name.
#[derive(Default)]
struct Group<'a> {
    count: u64,
    /// Elements that are not kept, because there are too many names.
    more: u64,
    known: Hashes,
    names: Vec<Named<'a>>,
}

/// The elements with one role and name.
struct Named<'a> {
    role: &'a [u8],
    name: &'a [u8],
    count: u64,
    first: Vec<&'a [u8]>,
    last: &'a [u8],
}

impl<'a> Group<'a> {
    fn push(&mut self, element: &Element<'a>) {
        self.count += 1;
        let (role, name) = (element.role, element.name.unwrap_or_default());
        let reference = element.reference.unwrap_or_default();
        let hash = hash::of(name) ^ hash::of(role).rotate_left(1) | 1;
        let known =
            self.known.get(hash).filter(|&at| self.names[at].role == role && self.names[at].name == name);
        if let Some(at) = known {
            let named = &mut self.names[at];
            named.count += 1;
            named.last = reference;
            if named.first.len() < SHOWN_REFERENCES {
                named.first.push(reference);
            }
        } else if self.names.len() < MOST_NAMES && self.known.insert(hash, self.names.len()) == Some(true) {
            self.names.push(Named { role, name, count: 1, first: vec![reference], last: reference });
        } else {
            self.more += 1;
        }
    }

    /// Returns the names with their references, those that are unique first; with roles if these differ.
    fn members(mut self, with_roles: bool) -> (Vec<(String, String)>, u64) {
        order::sort_by_key(&mut self.names, |named| named.count > 1);
        let mut keys = Names::default();
        let mut describe = |(index, named): (usize, &Named)| {
            let role = if with_roles { lossy(named.role) } else { "".into() };
            let name = cut::excerpt(lossy(&unescaped(named.name)).into_owned(), NAME_BYTES);
            let first = named.first.iter().map(|reference| lossy(reference)).collect::<Vec<_>>().join(", ");
            let references = match named.count {
                count if count as usize <= SHOWN_REFERENCES => first,
                count => format!("{count}: {first} … {}", lossy(named.last)),
            };
            // Long names may begin alike.
            keys.push(match format!("{role} {name}").trim() {
                "" => "(no name)",
                key => key,
            });
            (keys.at(index).to_owned(), references)
        };
        (self.names.iter().enumerate().map(&mut describe).collect(), self.more)
    }
}
