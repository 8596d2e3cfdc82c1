//! The values directly inside a container.

use std::rc::Rc;

use super::document::Document;
use tuckaway_json::spans::{Child, Span};

/// Minimum bytes in which a child of an array is shown in part; with fewer, it is
/// dropped.
const MIN_ELEMENT_BYTES: usize = 160;
/// The same for a member of an object, whose key is the most informative part.
const MIN_MEMBER_BYTES: usize = 24;

/// The kind of a container.
#[derive(Clone, Copy, PartialEq)]
pub enum ContainerKind {
    /// Documents in a row.
    Sequence,
    /// An array, of elements.
    Array,
    /// An object, of members.
    Object,
}

impl ContainerKind {
    /// Returns the brackets of a container.
    pub fn brackets(self) -> (&'static str, &'static str) {
        match self {
            ContainerKind::Sequence => ("", "\n"),
            ContainerKind::Array => ("[", "]"),
            ContainerKind::Object => ("{", "}"),
        }
    }

    /// Joins children and notices to a container.
    pub fn enclose(self, parts: &[String]) -> String {
        let separator = if self == ContainerKind::Sequence { "\n" } else { ", " };
        let (open, close) = self.brackets();
        [open, &parts.join(separator), close].concat()
    }

    /// Returns the noun for its children.
    pub fn noun(self) -> &'static str {
        match self {
            ContainerKind::Sequence => "documents",
            ContainerKind::Array => "elements",
            ContainerKind::Object => "members",
        }
    }

    /// Returns the minimum bytes in which a child is shown in part.
    pub fn min_share(self) -> usize {
        if self == ContainerKind::Object { MIN_MEMBER_BYTES } else { MIN_ELEMENT_BYTES }
    }
}

/// An array, an object or a sequence of documents.
pub struct Container<'a> {
    /// The text that contains it.
    pub document: &'a Document<'a>,
    /// The kind of the container.
    pub kind: ContainerKind,
    /// Its children, in order.
    pub children: Rc<[Child]>,
    /// A neighbouring element, if it is an element of an array.
    pub beside: Option<Span>,
}

impl<'a> Container<'a> {
    /// Returns all documents of a text.
    pub fn of_documents(document: &'a Document<'a>) -> Self {
        let children = document.values.spans.documents().into();
        Container { document, kind: ContainerKind::Sequence, children, beside: None }
    }

    /// Returns the children of an array or an object.
    pub fn read(document: &'a Document<'a>, value: Span, kind: ContainerKind) -> Self {
        let children = document.values.spans.children(document.text, value);
        Container { document, kind, children, beside: None }
    }

    /// Returns a neighbour of the child with this index, if they are elements.
    pub fn beside(&self, index: usize) -> Option<Span> {
        let next = self.children.get(index + 1).or_else(|| self.children.get(index.checked_sub(1)?));
        next.filter(|_| self.kind != ContainerKind::Object).map(|child| child.value)
    }

    /// Returns the bytes of all children in the text.
    pub fn size(&self) -> usize {
        self.children.iter().map(size).sum()
    }

    /// Returns the bytes of a child's value as it is shown, or any number above `max` if
    /// there are more.
    pub fn shown_len(&self, child: &Child, max: usize) -> usize {
        self.document.shown(child.value, max).len()
    }
}

/// Returns the bytes of the key and the separator.
pub fn overhead(child: &Child) -> usize {
    child.key.map_or(0, |key| key.len() + ": ".len()) + ", ".len()
}

/// Returns the bytes that are dropped with a child.
pub fn size(child: &Child) -> usize {
    child.value.len() + child.key.map_or(0, |key| key.len() + ":".len())
}
