//! Changes to a text, by the ranges of its values.

use std::ops::Range;

use crate::document::{Format, Member, Node};

/// Changes that do not overlap.
#[derive(Clone, Default)]
pub struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push((range, text.into()));
    }

    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    pub fn remove(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Adds other changes.
    pub fn extend(&mut self, other: Edits) {
        self.0.extend(other.0);
    }

    /// Returns the changed text; `None` if changes overlap.
    pub fn apply(mut self, text: &str) -> Option<String> {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut changed, mut at) = (String::with_capacity(text.len() + 256), 0);
        for (range, new) in self.0 {
            changed.push_str(text.get(at..range.start)?);
            changed.push_str(&new);
            at = range.end;
        }
        changed.push_str(text.get(at..)?);
        Some(changed)
    }
}

/// A table and the text that contains it.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub text: &'a str,
    pub format: Format,
    pub table: &'a Node,
}

impl<'a> Source<'a> {
    /// Returns a value as written in the text.
    pub fn raw(&self, node: &Node) -> &'a str {
        &self.text[node.span.clone()]
    }

    /// Returns a string in quotes.
    pub fn quoted(&self, text: &str) -> String {
        // TOML and YAML have all escapes of JSON.
        serde_json::Value::from(text).to_string()
    }

    /// Replaces a key and keeps its quotes.
    pub fn rename(&self, edits: &mut Edits, member: &Member, key: &str) {
        let raw = &self.text[member.key_span.clone()];
        let quote = raw.chars().next().filter(|first| matches!(first, '"' | '\''));
        let quote = quote.map(String::from).unwrap_or_default();
        edits.replace(member.key_span.clone(), format!("{quote}{key}{quote}"));
    }

    /// Inserts elements at the beginning of a list, in the style of the other elements.
    pub fn prepend(&self, edits: &mut Edits, list: &Node, elements: &[String]) {
        match list.list().and_then(<[Node]>::first) {
            Some(first) => {
                let separator = self.separator(list, first);
                let text: String = elements.iter().flat_map(|element| [&**element, &*separator]).collect();
                edits.insert(first.span.start, text);
            }
            None => edits.insert(list.span.start + 1, elements.join(", ")),
        }
    }

    /// Inserts elements at the end of a list that is not empty, in the style of the others.
    pub fn append(&self, edits: &mut Edits, list: &Node, elements: &[String]) {
        if let Some((first, last)) = list.list().and_then(|list| list.first().zip(list.last())) {
            let separator = self.separator(list, first);
            let text: String = elements.iter().flat_map(|element| [&*separator, &**element]).collect();
            edits.insert(last.span.end, text);
        }
    }

    /// Returns the separator of a list's elements: a comma, followed by the white space before
    /// the first element if each element is on a separate line. An element of YAML may begin
    /// with a dash instead.
    fn separator(&self, list: &Node, first: &Node) -> String {
        if !self.text[list.span.clone()].starts_with('[') {
            let line = self.line_start(first.span.start);
            return format!("{}{}", self.feed(), &self.text[line..first.span.start]);
        }
        let before = &self.text[list.span.start + 1..first.span.start];
        match before.trim().is_empty() && before.contains('\n') {
            true => format!(",{before}"),
            false => ", ".to_owned(),
        }
    }

    /// Inserts a list as a member after another one.
    pub fn insert_after(&self, edits: &mut Edits, member: &Member, key: &str, elements: &[String]) {
        let list = format!("[{}]", elements.join(", "));
        match self.has_lines() {
            true => self.insert_line(edits, member, key, &list),
            false => self.insert_member(edits, member, key, &list),
        }
    }

    /// Returns whether the members of the table are lines of TOML or YAML.
    fn has_lines(&self) -> bool {
        self.format != Format::Json && !self.text[self.table.span.clone()].starts_with('{')
    }

    fn insert_line(&self, edits: &mut Edits, after: &Member, key: &str, value: &str) {
        let before = &self.text[self.line_start(after.key_span.start)..after.key_span.start];
        let (prefix, sign) = match self.format {
            // The indent. The first member of an element follows the dash of the element.
            Format::Yaml => (before.replace('-', " "), ": "),
            // The indent, and the first parts of a dotted key.
            _ => (before.to_owned(), " = "),
        };
        let line = format!("{}{prefix}{key}{sign}{value}", self.feed());
        edits.insert(self.line_end(after.node.span.end), line);
    }

    pub fn feed(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Returns the start of a line.
    pub fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |feed| feed + 1)
    }

    /// Returns the end of a line, before its line feed.
    pub fn line_end(&self, at: usize) -> usize {
        let end = self.text[at..].find('\n').map_or(self.text.len(), |feed| at + feed);
        end - usize::from(self.text[at..end].ends_with('\r'))
    }

    /// Inserts a member after another one, between the same white space.
    pub fn insert_member(&self, edits: &mut Edits, after: &Member, key: &str, value: &str) {
        let before = &self.text[..after.key_span.start];
        let white = &before[before.trim_end().len()..];
        let is_alone = before.trim_end().ends_with(['{', ',']);
        let white = if is_alone { white } else { " " };
        let between = &self.text[after.key_span.end..after.node.span.start];
        let (quote, sign) = match self.format {
            Format::Json => ("\"", ":"),
            Format::Toml => ("", "="),
            Format::Yaml => ("", ":"),
        };
        let between = match between.trim() == sign {
            true => between.to_owned(),
            false => format!("{sign} "),
        };
        // In an inline table, the space before the first member belongs to the brace.
        let white = if white.is_empty() && self.format == Format::Toml { " " } else { white };
        edits.insert(after.node.span.end, format!(",{white}{quote}{key}{quote}{between}{value}"));
    }

    /// Removes a member that [`insert_after`](Self::insert_after) inserted.
    pub fn remove_member(&self, edits: &mut Edits, member: &Member) {
        let end = member.node.span.end;
        if self.has_lines() {
            let start = self.text[..self.line_start(member.key_span.start)]
                .strip_suffix('\n')
                .map_or(0, |text| text.strip_suffix('\r').unwrap_or(text).len());
            edits.remove(start..end);
            return;
        }
        let members = self.table.table().unwrap_or_default();
        let at = members.iter().position(|other| other.key_span == member.key_span).unwrap_or_default();
        match (at.checked_sub(1).and_then(|at| members.get(at)), members.get(at + 1)) {
            (Some(before), _) => edits.remove(before.node.span.end..end),
            (None, Some(after)) => edits.remove(member.key_span.start..after.key_span.start),
            (None, None) => edits.remove(member.key_span.start..end),
        }
    }
}
