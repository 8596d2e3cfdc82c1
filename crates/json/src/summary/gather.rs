//! How a [`Summary`] comes about: values in the order of the document, each added to
//! what was seen at its place.

use std::borrow::Cow;

use crate::Quoted;
use crate::skim::{Scalar, Visitor};

use super::{Lengths, MAX_MEMBERS, Member, NodeId, Summary};
use crate::scan::{Scanner, SyntaxError, TokenKind};
use crate::unescape::{unescape, unescape_into};

/// Levels that are told apart. What lies deeper is checked, not described.
pub(super) const MAX_DEPTH: usize = 24;
/// The same within a string that holds JSON.
const MAX_INNER_DEPTH: usize = 12;
/// Strings in strings that are looked into.
const MAX_INNER_LEVELS: usize = 2;
/// Strings that are looked into, and bytes of them: what comes after is a string of
/// which nothing more is said.
const MAX_INNER_STRINGS: usize = 65_536;
const MAX_INNER_BYTES: usize = 8 << 20;

/// What is needed only while documents are added.
pub(super) struct Work {
    /// Strings that may still be looked into,
    strings_left: usize,
    /// and bytes of them.
    bytes_left: usize,
    /// For the text of a string that is looked into, at each level.
    texts: [Vec<u8>; MAX_INNER_LEVELS],
    /// The containers that are open around the innermost, of all levels.
    open: Vec<Frame>,
}

impl Default for Work {
    fn default() -> Self {
        Work {
            strings_left: MAX_INNER_STRINGS,
            bytes_left: MAX_INNER_BYTES,
            texts: Default::default(),
            open: Vec::new(),
        }
    }
}

/// A container that is open. A sequence of documents is one too.
#[derive(Clone, Copy)]
struct Frame {
    /// The place that the container is a value of.
    node: NodeId,
    /// Values seen in it.
    length: u64,
    /// The place of the next value; none where places have run out. In an array
    /// the same for all, in an object set by each key.
    place: Option<NodeId>,
    /// In an object, where among the members the next key is looked for first:
    /// records list their keys in the same order.
    hint: usize,
}

/// Values being added to what was seen.
struct Gather<'s> {
    summary: &'s mut Summary,
    work: &'s mut Work,
    /// The innermost container that is open.
    frame: Frame,
    /// Containers that are open, of the strings' levels around these documents too,
    /// where this many are.
    full: usize,
    /// The strings that the documents stand in.
    level: usize,
}

impl Summary {
    /// Adds documents to what was seen at a place; how many they are. `level` counts
    /// the strings that they stand in.
    pub(super) fn add(
        &mut self,
        bytes: &[u8],
        root: NodeId,
        level: usize,
        work: &mut Work,
    ) -> Result<u64, SyntaxError> {
        let frame = Frame { node: root, length: 0, place: Some(root), hint: 0 };
        let full = work.open.len() + if level == 0 { MAX_DEPTH } else { MAX_INNER_DEPTH };
        let mut gather = Gather { summary: self, work, frame, full, level };
        let mut scanner = Scanner::new(bytes);
        loop {
            scanner.walk(&mut gather);
            // Mostly it is the end: a walk ends before what is wrong or too deep, the end of
            // a container around that, and numbers and words that are documents.
            let Some(token) = scanner.next_token()? else { return Ok(gather.frame.length) };
            match token.kind {
                TokenKind::Key | TokenKind::String => debug_assert!(false, "a walk takes all of them"),
                kind @ (TokenKind::ArrayEnd | TokenKind::ObjectEnd) => {
                    gather.close(kind == TokenKind::ObjectEnd)
                }
                kind @ (TokenKind::ArrayStart | TokenKind::ObjectStart) => {
                    let object = kind == TokenKind::ObjectStart;
                    if !gather.open(object) {
                        scanner.skip_container()?;
                        gather.unseen(object);
                    }
                }
                kind => gather.scalar(match kind {
                    TokenKind::Integer => Scalar::Integer,
                    TokenKind::Float => Scalar::Float,
                    TokenKind::Null => Scalar::Null,
                    _ => Scalar::Boolean,
                }),
            }
        }
    }
}

impl Visitor for Gather<'_> {
    #[inline(always)]
    fn expects(&self, text: &[u8]) -> Option<usize> {
        self.summary.nodes[self.frame.node].members.get(self.frame.hint)?.quoted.begins(text)
    }

    #[inline(always)]
    fn expected_key(&mut self) {
        self.member(self.frame.hint);
    }

    #[inline(never)]
    fn key(&mut self, inside: &[u8], escaped: bool) {
        let node = &self.summary.nodes[self.frame.node];
        self.frame.place = node.values;
        if node.values.is_some() {
            return;
        }
        // Members are kept as they are shown: a key that is not UTF-8 too.
        let key = match escaped {
            true => unescape(inside),
            false => String::from_utf8_lossy(inside),
        };
        match node.members.iter().position(|member| *member.key == *key) {
            Some(index) => self.member(index),
            None => self.new_member(key, inside),
        }
    }

    #[inline(always)]
    fn string(&mut self, inside: &[u8], _: bool) {
        self.frame.length += 1;
        let Some(place) = self.frame.place else { return };
        let node = &mut self.summary.nodes[place];
        node.string = true;
        if may_be_json(inside) && self.level < MAX_INNER_LEVELS {
            self.inner(place, inside);
        } else {
            node.bare_string = true;
            node.few.add(inside);
        }
    }

    #[inline(always)]
    fn scalar(&mut self, scalar: Scalar) {
        self.frame.length += 1;
        let Some(place) = self.frame.place else { return };
        let node = &mut self.summary.nodes[place];
        match scalar {
            Scalar::Integer => node.integer = true,
            Scalar::Float => node.float = true,
            Scalar::Boolean => node.boolean = true,
            Scalar::Null => node.null = true,
        }
    }

    #[inline(always)]
    fn open(&mut self, object: bool) -> bool {
        let Some(node) = self.frame.place.filter(|_| self.work.open.len() < self.full) else { return false };
        self.frame.length += 1;
        let place = if object { None } else { self.element(node) };
        self.work.open.push(self.frame);
        self.frame = Frame { node, length: 0, place, hint: 0 };
        true
    }

    #[inline(always)]
    fn close(&mut self, object: bool) {
        let node = &mut self.summary.nodes[self.frame.node];
        let lengths = if object { &mut node.objects } else { &mut node.arrays };
        lengths.add(self.frame.length);
        self.frame = self.work.open.pop().expect("an end has a start");
    }
}

impl Gather<'_> {
    /// Makes the place of a member's value the next one.
    #[inline(always)]
    fn member(&mut self, index: usize) {
        let node = &mut self.summary.nodes[self.frame.node];
        let object = node.objects.count + 1;
        let member = &mut node.members[index];
        member.present += u64::from(member.last_object != object);
        member.last_object = object;
        self.frame.place = Some(member.node);
        self.frame.hint = index + 1;
    }

    #[cold]
    fn new_member(&mut self, key: Cow<'_, str>, inside: &[u8]) {
        let Frame { node: id, .. } = self.frame;
        if self.summary.nodes[id].members.len() == MAX_MEMBERS {
            self.frame.place = self.summary.sum_up_as_map(id);
        } else if let Some(node) = self.summary.add_node() {
            let quoted = Quoted::new(inside);
            let members = &mut self.summary.nodes[id].members;
            members.push(Member { key: key.into(), node, present: 0, last_object: 0, quoted });
            let last = members.len() - 1;
            self.member(last);
        }
    }

    /// The place of the elements of the arrays at a place.
    #[inline(always)]
    fn element(&mut self, array: NodeId) -> Option<NodeId> {
        if self.summary.nodes[array].element.is_none() {
            self.summary.nodes[array].element = self.summary.add_node();
        }
        self.summary.nodes[array].element
    }

    /// A container too deep to be looked into.
    #[cold]
    fn unseen(&mut self, object: bool) {
        self.frame.length += 1;
        if let Some(place) = self.frame.place {
            let node = &mut self.summary.nodes[place];
            let lengths = if object { &mut node.objects } else { &mut node.arrays };
            lengths.join(Lengths::UNKNOWN);
        }
    }

    /// A string that may hold JSON: an array, an object, or one of these in a string
    /// once more.
    #[inline(never)]
    fn inner(&mut self, place: NodeId, inside: &[u8]) {
        let Gather { summary, work, level, .. } = self;
        let Some(left) = work.bytes_left.checked_sub(inside.len()).filter(|_| work.strings_left > 0) else {
            summary.nodes[place].few.give_up();
            return;
        };
        (work.strings_left, work.bytes_left) = (work.strings_left - 1, left);
        let mut buffer = std::mem::take(&mut work.texts[*level]);
        let text = unescape_into(inside, &mut buffer);
        // All of it is checked before any of it is added.
        if !is_one_document(text) {
            summary.nodes[place].bare_string = true;
            summary.nodes[place].few.add(inside);
        } else {
            if summary.nodes[place].inner.is_none() {
                summary.nodes[place].inner = summary.add_node();
            }
            if let Some(inner) = summary.nodes[place].inner {
                let _ = summary.add(text, inner, *level + 1, work);
            }
        }
        work.texts[*level] = buffer;
    }
}

/// Whether the inside of a string begins as an array or an object does, or as a
/// string of one.
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
