//! The pass over documents that builds a [`Summary`]: each value is added to the node of
//! its path.

use std::borrow::Cow;

use super::outer::Outer;
use super::{Lengths, MAX_MEMBERS, Member, NodeId, Summary};
use crate::scan::{Scanner, SyntaxError, TokenKind};
use crate::skim::{Scalar, Visitor};
use crate::spans::Span;
use crate::unescape::{unescape, unescape_into};

/// Levels of containers that are described. Deeper ones are only checked.
pub(super) const MAX_DEPTH: usize = 24;
/// The same within a string that contains JSON.
const MAX_INNER_DEPTH: usize = 12;
/// The maximum nesting of strings in strings that are parsed.
const MAX_INNER_LEVELS: usize = 2;
/// Strings that are parsed, and bytes of them. Further ones are described as plain strings.
const MAX_INNER_STRINGS: usize = 65_536;
const MAX_INNER_BYTES: usize = 8 << 20;

/// Buffers and budgets that are needed only while documents are added.
pub(super) struct Scratch {
    /// The number of strings that may still be parsed.
    strings_left: usize,
    /// The number of bytes of strings that may still be parsed.
    bytes_left: usize,
    /// The texts of the strings that are being parsed, by their level.
    texts: [Vec<u8>; MAX_INNER_LEVELS],
    /// The open containers around the innermost, of all levels.
    open: Vec<Frame>,
    /// The outer containers, if the spans of their values are collected. These values take a
    /// separate code path, so that all others cost nothing more.
    pub outer: Option<Outer>,
}

/// Expected in outer containers: not a key, so that each key is passed to [`Visitor::key`].
const NO_KEY: usize = usize::MAX;

impl Scratch {
    /// Prepares for documents whose spans are collected for this many levels.
    pub fn of(levels: Option<usize>) -> Self {
        Scratch {
            strings_left: MAX_INNER_STRINGS,
            bytes_left: MAX_INNER_BYTES,
            texts: Default::default(),
            open: Vec::new(),
            outer: levels.map(Outer::of),
        }
    }
}

/// An open container, or a sequence of documents.
#[derive(Clone, Copy)]
struct Frame {
    /// The node of the container's own path.
    node: NodeId,
    /// The number of its values so far.
    length: u64,
    /// The node of the next value's path, if there is one for it. In an array it is the
    /// same for all, in an object each key sets it. None in an outer container.
    next: Option<NodeId>,
    /// In an object, the index of the member that is expected next: records list their keys
    /// in the same order.
    expected: usize,
    /// Whether it is an outer container.
    is_outer: bool,
}

/// Adds values to a summary.
struct Builder<'s> {
    summary: &'s mut Summary,
    scratch: &'s mut Scratch,
    /// The innermost container that is open.
    frame: Frame,
    /// Maximum open containers, including those around the string of these documents.
    max_open: usize,
    /// The number of strings in which the documents are nested.
    level: usize,
}

impl Summary {
    /// Adds documents to the node `root`, and returns their number. `level` is the number of
    /// strings in which they are nested.
    pub(super) fn add(
        &mut self,
        bytes: &[u8],
        root: NodeId,
        level: usize,
        scratch: &mut Scratch,
    ) -> Result<u64, SyntaxError> {
        let frame = match level == 0 && scratch.outer.is_some() {
            true => Frame { node: root, length: 0, next: None, expected: NO_KEY, is_outer: true },
            false => Frame { node: root, length: 0, next: Some(root), expected: 0, is_outer: false },
        };
        let max_open = scratch.open.len() + if level == 0 { MAX_DEPTH } else { MAX_INNER_DEPTH };
        let mut builder = Builder { summary: self, scratch, frame, max_open, level };
        let mut scanner = Scanner::new(bytes);
        loop {
            scanner.walk(&mut builder);
            // Usually this is the end. A walk also stops before malformed or too deep values, the
            // end of a container around these, and numbers and words that are documents.
            let Some(token) = scanner.next_token()? else { return Ok(builder.frame.length) };
            let at = token.start as usize;
            match token.kind {
                TokenKind::Key | TokenKind::String => debug_assert!(false, "a walk stops before no string"),
                kind @ (TokenKind::ArrayEnd | TokenKind::ObjectEnd) => {
                    builder.close(at, kind == TokenKind::ObjectEnd)
                }
                kind @ (TokenKind::ArrayStart | TokenKind::ObjectStart) => {
                    let object = kind == TokenKind::ObjectStart;
                    if !builder.open(at, object) {
                        let end = scanner.skip_container()?.end as usize;
                        builder.skipped(Span { start: at, end }, object);
                    }
                }
                kind => {
                    let scalar = match kind {
                        TokenKind::Integer => Scalar::Integer,
                        TokenKind::Float => Scalar::Float,
                        TokenKind::Null => Scalar::Null,
                        _ => Scalar::Boolean,
                    };
                    builder.scalar(at, token.end as usize - at, scalar);
                }
            }
        }
    }
}

impl Visitor for Builder<'_> {
    #[inline(always)]
    fn expects(&self, text: &[u8]) -> Option<usize> {
        let expected = self.summary.nodes[self.frame.node].members.get(self.frame.expected)?.quoted;
        self.summary.keys.prefix_len(expected, text)
    }

    #[inline(always)]
    fn expected_key(&mut self) {
        let index = self.frame.expected;
        self.frame.next = Some(self.member(index));
        self.frame.expected = index + 1;
    }

    #[inline(never)]
    fn key(&mut self, at: usize, inside: &[u8], escaped: bool) {
        let frame = self.frame;
        let expected = self.outer().map_or(frame.expected, |outer| outer.expected());
        let index = self.index_of(inside, escaped, expected);
        let next = match index {
            Some(index) => Some(self.member(index)),
            None => self.summary.nodes[self.frame.node].values,
        };
        let expected = index.map_or(0, |index| index + 1);
        match self.outer() {
            Some(outer) => outer.key(Span::quoted(at, inside), next, expected),
            None => (self.frame.next, self.frame.expected) = (next, expected),
        }
    }

    #[inline(always)]
    fn string(&mut self, at: usize, inside: &[u8], _: bool) {
        self.frame.length += 1;
        let next = self.frame.next.or_else(|| self.value_of_outer(Span::quoted(at, inside)));
        let Some(path) = next else { return };
        let node = &mut self.summary.nodes[path];
        node.string = true;
        if may_be_json(inside) && self.level < MAX_INNER_LEVELS {
            self.inner(path, inside);
        } else {
            node.bare_string = true;
            node.distinct.add(inside);
        }
    }

    #[inline(always)]
    fn scalar(&mut self, at: usize, length: usize, scalar: Scalar) {
        self.frame.length += 1;
        let next = self.frame.next.or_else(|| self.value_of_outer(Span { start: at, end: at + length }));
        let Some(path) = next else { return };
        let node = &mut self.summary.nodes[path];
        match scalar {
            Scalar::Integer => node.integer = true,
            Scalar::Float => node.float = true,
            Scalar::Boolean => node.boolean = true,
            Scalar::Null => node.null = true,
        }
    }

    #[inline(always)]
    fn open(&mut self, at: usize, object: bool) -> bool {
        let Some(node) = self.frame.next.filter(|_| self.scratch.open.len() < self.max_open) else {
            return self.open_in_outer(at, object);
        };
        self.enter(node, object);
        true
    }

    #[inline(always)]
    fn close(&mut self, at: usize, object: bool) {
        let node = &mut self.summary.nodes[self.frame.node];
        let lengths = if object { &mut node.objects } else { &mut node.arrays };
        lengths.add(self.frame.length);
        let was_outer = self.frame.is_outer;
        self.frame = self.scratch.open.pop().expect("an end has a start");
        if let Some(outer) = self.outer() {
            outer.close(was_outer, at + 1);
        }
    }
}

impl Builder<'_> {
    /// Begins the values of a container.
    #[inline(always)]
    fn enter(&mut self, node: NodeId, object: bool) {
        self.frame.length += 1;
        let next = if object { None } else { self.element(node) };
        self.scratch.open.push(self.frame);
        self.frame = Frame { node, length: 0, next, expected: 0, is_outer: false };
    }

    /// Counts a member of the object, and returns the node of its values.
    #[inline(always)]
    fn member(&mut self, index: usize) -> NodeId {
        let node = &mut self.summary.nodes[self.frame.node];
        let object = node.objects.count + 1;
        let member = &mut node.members[index];
        member.present += u64::from(member.last_object != object);
        member.last_object = object;
        member.node
    }

    /// Returns the index of the member with this key; none if the objects are maps, or there
    /// is no space for another path.
    fn index_of(&mut self, inside: &[u8], escaped: bool, expected: usize) -> Option<usize> {
        let node = &self.summary.nodes[self.frame.node];
        if node.values.is_some() && node.members.is_empty() {
            return None;
        }
        // Usually it is one of the next members: those before it are optional.
        let (before, next) = node.members.split_at(expected.min(node.members.len()));
        let position = |key: &[u8]| {
            let is_key = |member: &Member| member.key.as_bytes() == key;
            let index = next.iter().position(is_key).map(|index| before.len() + index);
            index.or_else(|| before.iter().position(is_key))
        };
        if !escaped && let Some(index) = position(inside) {
            return Some(index);
        }
        // Keys are compared in their shown form, with U+FFFD for malformed UTF-8.
        let key = match escaped {
            true => unescape(inside),
            false => String::from_utf8_lossy(inside),
        };
        let known = position(key.as_bytes()).filter(|_| *key.as_bytes() != *inside);
        known.or_else(|| self.new_member(key, inside))
    }

    #[cold]
    fn new_member(&mut self, key: Cow<'_, str>, inside: &[u8]) -> Option<usize> {
        let Frame { node: id, .. } = self.frame;
        if self.summary.nodes[id].values.is_some() {
            return None;
        }
        if self.summary.nodes[id].members.len() == MAX_MEMBERS {
            self.summary.convert_to_map(id);
            return None;
        }
        let node = self.summary.add_node()?;
        let quoted = self.summary.keys.add(inside);
        let members = &mut self.summary.nodes[id].members;
        members.push(Member { key: key.into(), node, present: 0, last_object: 0, quoted });
        Some(members.len() - 1)
    }

    /// Returns the node of the elements of an array.
    #[inline(always)]
    fn element(&mut self, array: NodeId) -> Option<NodeId> {
        if self.summary.nodes[array].element.is_none() {
            self.summary.nodes[array].element = self.summary.add_node();
        }
        self.summary.nodes[array].element
    }

    /// Returns the outer containers, if the innermost container is one of them.
    #[inline(always)]
    fn outer(&mut self) -> Option<&mut Outer> {
        self.scratch.outer.as_mut().filter(|_| self.frame.is_outer)
    }

    /// Adds a value to an outer container, if it is in one. Returns the node of its path.
    #[inline(never)]
    fn value_of_outer(&mut self, value: Span) -> Option<NodeId> {
        self.outer()?.value(value)
    }

    /// Opens a container in an outer one, unless there is no node for it.
    #[inline(never)]
    fn open_in_outer(&mut self, at: usize, object: bool) -> bool {
        let depth = self.scratch.open.len();
        let is_second = depth == 0 && self.frame.length > 0;
        let Some(outer) = self.outer() else { return false };
        if is_second {
            // Several documents need no spans.
            self.scratch.outer = None;
            self.frame = Frame { next: Some(self.frame.node), expected: 0, is_outer: false, ..self.frame };
            return self.open(at, object);
        }
        let Some((node, is_outer)) = outer.open(at, depth) else { return false };
        self.enter(node, object);
        if is_outer {
            let next = self.frame.next;
            self.frame = Frame { next: None, expected: NO_KEY, is_outer, ..self.frame };
            self.outer().into_iter().for_each(|outer| outer.enter(next));
        }
        true
    }

    /// Adds a container that was too deep to be entered.
    #[cold]
    fn skipped(&mut self, value: Span, object: bool) {
        self.frame.length += 1;
        if let Some(path) = self.frame.next.or_else(|| self.value_of_outer(value)) {
            let node = &mut self.summary.nodes[path];
            let lengths = if object { &mut node.objects } else { &mut node.arrays };
            lengths.join(Lengths::UNKNOWN);
        }
    }

    /// Adds a string that may contain JSON: an array, an object, or a string of one of
    /// these.
    #[inline(never)]
    fn inner(&mut self, path: NodeId, inside: &[u8]) {
        let Builder { summary, scratch, level, .. } = self;
        let Some(left) = scratch.bytes_left.checked_sub(inside.len()).filter(|_| scratch.strings_left > 0)
        else {
            summary.nodes[path].distinct.drop_values();
            return;
        };
        (scratch.strings_left, scratch.bytes_left) = (scratch.strings_left - 1, left);
        let mut buffer = std::mem::take(&mut scratch.texts[*level]);
        let text = unescape_into(inside, &mut buffer);
        // It is added only if it is well-formed as a whole.
        if !is_one_document(text) {
            summary.nodes[path].bare_string = true;
            summary.nodes[path].distinct.add(inside);
        } else {
            if summary.nodes[path].inner.is_none() {
                summary.nodes[path].inner = summary.add_node();
            }
            if let Some(inner) = summary.nodes[path].inner {
                let _ = summary.add(text, inner, *level + 1, scratch);
            }
        }
        scratch.texts[*level] = buffer;
    }
}

/// Returns whether the inside of a string begins like an array or an object, or like a string of
/// one.
#[inline]
fn may_be_json(inside: &[u8]) -> bool {
    matches!(inside, [b'{' | b'[', ..] | [b'\\', b'"', b'{' | b'[', ..])
}

fn is_one_document(text: &[u8]) -> bool {
    let mut scanner = Scanner::new(text);
    let opens = match scanner.next_token() {
        Ok(Some(token)) => token.kind.opens(),
        _ => return false,
    };
    (!opens || scanner.skip_container().is_ok()) && matches!(scanner.next_token(), Ok(None))
}
