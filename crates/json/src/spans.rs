//! The positions of a text's values.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use crate::scan::{Scanner, TokenKind};

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
}

impl Span {
    /// Returns its bytes as a range.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns its length in bytes; never 0 for a value.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns the span of a string that begins at `at`, given the text inside its quotes.
    pub(crate) fn quoted(at: usize, inside: &[u8]) -> Self {
        Span { start: at, end: at + inside.len() + "\"\"".len() }
    }

    fn shifted(self, by: usize) -> Self {
        Span { start: self.start + by, end: self.end + by }
    }
}

/// A value with its key, if it is a member of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// The key in its quotes.
    pub key: Option<Span>,
    /// The value.
    pub value: Span,
}

/// The values of a text that is known to be valid JSON: its documents and the direct children of
/// containers. The values of the outer levels are found in one pass; deeper values are read on
/// request, and long ones are kept.
///
/// ```
/// use tuckaway_json::spans::Spans;
///
/// let text = r#"{"a": [1, 22]}"#;
/// let spans = Spans::of(text, 2);
/// let object = spans.documents()[0].value;
/// let array = spans.children(text, object)[0].value;
/// let values: Vec<_> = spans.children(text, array).iter().map(|child| &text[child.value.range()]).collect();
/// assert_eq!(values, ["1", "22"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Spans {
    documents: Vec<Child>,
    /// The children of containers, by the offset where the container begins.
    containers: RefCell<BTreeMap<usize, Rc<[Child]>>>,
}

/// The children of a container of at least this many bytes are read only once.
const LONG_BYTES: usize = 4 << 10;

impl Spans {
    /// Finds the documents of a text, and the children of their containers down to `levels`
    /// levels.
    pub fn of(text: &str, levels: usize) -> Self {
        let mut collector = Collector::default();
        let mut scanner = Scanner::new(text.as_bytes());
        while let Ok(Some(token)) = scanner.next_token() {
            let span = Span { start: token.start as usize, end: token.end as usize };
            match token.kind {
                TokenKind::Key => collector.key(span),
                TokenKind::ArrayEnd | TokenKind::ObjectEnd => collector.close(span.end),
                kind if kind.opens() && collector.open.len() < levels => collector.open(span.start),
                kind => collector.value(Span { end: end_of(kind, &mut scanner, span), ..span }),
            }
        }
        collector.finish()
    }

    /// Returns the documents.
    pub fn documents(&self) -> &[Child] {
        &self.documents
    }

    /// Returns the children of a container of this text.
    pub fn children(&self, text: &str, container: Span) -> Rc<[Child]> {
        if let Some(children) = self.containers.borrow().get(&container.start) {
            return Rc::clone(children);
        }
        let children = read(&text[container.range()], container.start);
        if container.len() >= LONG_BYTES {
            self.containers.borrow_mut().insert(container.start, Rc::clone(&children));
        }
        children
    }
}

/// Collects the values of a text in their order.
#[derive(Default)]
pub(crate) struct Collector {
    spans: Spans,
    /// The key of the next value.
    key: Option<Span>,
    /// The containers that are open: where they begin, their key and their children.
    open: Vec<(usize, Option<Span>, Vec<Child>)>,
}

impl Collector {
    /// Notes the key of the value that comes next.
    pub fn key(&mut self, key: Span) {
        self.key = Some(key);
    }

    /// Begins a container whose children follow.
    pub fn open(&mut self, start: usize) {
        self.open.push((start, self.key.take(), Vec::new()));
    }

    /// Ends the container that was opened last.
    pub fn close(&mut self, end: usize) {
        if let Some((start, key, children)) = self.open.pop() {
            self.spans.containers.get_mut().insert(start, children.into());
            self.key = key;
            self.value(Span { start, end });
        }
    }

    /// Adds a value whose children do not follow.
    pub fn value(&mut self, value: Span) {
        let child = Child { key: self.key.take(), value };
        match self.open.last_mut() {
            Some((.., children)) => children.push(child),
            None => self.spans.documents.push(child),
        }
    }

    /// Returns the collected values.
    pub fn finish(self) -> Spans {
        self.spans
    }
}

/// Returns the end of a value whose first token was read.
fn end_of(kind: TokenKind, scanner: &mut Scanner<&[u8]>, first: Span) -> usize {
    match kind.opens() {
        true => scanner.jump_container() as usize,
        false => first.end,
    }
}

/// Reads the children of a container that begins at `start` of a text.
fn read(container: &str, start: usize) -> Rc<[Child]> {
    let children = Spans::of(container, 1).containers.into_inner().get(&0).cloned().unwrap_or_default();
    let shifted = |child: &Child| Child {
        key: child.key.map(|key| key.shifted(start)),
        value: child.value.shifted(start),
    };
    children.iter().map(shifted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = " {\"a\" : [1, {\"b\":[ ]}, \"]\"], \"c\": {}}\n[2]";

    fn texts<'t>(children: &[Child], text: &'t str) -> Vec<(Option<&'t str>, &'t str)> {
        children
            .iter()
            .map(|child| (child.key.map(|key| &text[key.range()]), &text[child.value.range()]))
            .collect()
    }

    #[test]
    fn the_levels_that_are_read_at_once_make_no_difference() {
        for levels in 0..5 {
            let spans = Spans::of(TEXT, levels);
            assert_eq!(texts(spans.documents(), TEXT), [(None, &TEXT[1..37]), (None, "[2]")]);
            let members = spans.children(TEXT, spans.documents()[0].value);
            let expected = [(Some("\"a\""), "[1, {\"b\":[ ]}, \"]\"]"), (Some("\"c\""), "{}")];
            assert_eq!(texts(&members, TEXT), expected);
            let elements = spans.children(TEXT, members[0].value);
            assert_eq!(texts(&elements, TEXT), [(None, "1"), (None, "{\"b\":[ ]}"), (None, "\"]\"")]);
            let inner = spans.children(TEXT, elements[1].value);
            assert_eq!(texts(&inner, TEXT), [(Some("\"b\""), "[ ]")]);
            assert!(spans.children(TEXT, inner[0].value).is_empty());
            assert!(spans.children(TEXT, members[1].value).is_empty());
        }
    }
}
