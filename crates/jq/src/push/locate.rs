//! The pass over a document that checks its grammar and finds the requested locations.

use super::request::{Request, RequestKind, Selector};
use crate::limits::MAX_DOCUMENT_DEPTH;
use crate::read::{ReadError, skip_rest, unfinished, unquoted};
use tuckaway_json::input::Input;
use tuckaway_json::scan::{Scanner, Token, TokenKind};
use tuckaway_json::unescape::unescape;
use tuckaway_search::hash;
use tuckaway_text::order;

/// Maximum members of an object whose keys are checked for duplicates: each takes some 20 bytes. An
/// object with more members is treated as if it had duplicates.
const MAX_KEYS: usize = 1 << 20;

/// The location of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Location {
    /// The kind of its first token.
    pub(super) kind: TokenKind,
    /// Offset of its first byte in the source.
    pub(super) start: u64,
    /// Offset past its last byte.
    pub(super) end: u64,
    /// The number of its elements or members.
    pub(super) count: u64,
    /// Whether its keys are known to be distinct. True if that does not matter.
    pub(super) has_distinct_keys: bool,
}

impl Location {
    fn new(first: Token) -> Self {
        let Token { kind, start, end, .. } = first;
        Location { kind, start, end, count: 0, has_distinct_keys: true }
    }
}

/// The locations of all requests, as a tree. Its root is the document itself.
pub(super) struct Locations {
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    children: Vec<(Selector, usize)>,
    /// Whether it matters that keys are distinct.
    checks_keys: bool,
    location: Option<Location>,
}

impl Locations {
    /// The node of the document.
    pub(super) const ROOT: usize = 0;

    /// Creates the tree of these requests, without any locations.
    pub(super) fn of(requests: &[Request]) -> Locations {
        let mut locations = Locations { nodes: vec![Node::default()] };
        for request in requests {
            let mut node = Locations::ROOT;
            for step in &request.path {
                node = locations.child(node, &step.selector).unwrap_or_else(|| {
                    let child = locations.nodes.len();
                    locations.nodes.push(Node::default());
                    locations.nodes[node].children.push((step.selector.clone(), child));
                    child
                });
            }
            locations.nodes[node].checks_keys |=
                matches!(request.kind, RequestKind::Each { .. } | RequestKind::Length);
        }
        locations
    }

    /// Returns the child of a node.
    pub(super) fn child(&self, node: usize, selector: &Selector) -> Option<usize> {
        self.nodes[node].children.iter().find(|(known, _)| known == selector).map(|(_, child)| *child)
    }

    fn child_of_key(&self, node: usize, key: &str) -> Option<usize> {
        let is_key = |known: &Selector| matches!(known, Selector::Key(known) if *known == *key);
        self.nodes[node].children.iter().find(|(known, _)| is_key(known)).map(|(_, child)| *child)
    }

    /// Returns the location of a node, if the document has it.
    pub(super) fn get(&self, node: usize) -> Option<Location> {
        self.nodes[node].location
    }

    /// Finds the locations in the next document, and moves the scanner past it.
    pub(super) fn locate<I: Input>(&mut self, scanner: &mut Scanner<I>) -> Result<(), ReadError> {
        scanner.drop_texts();
        let first = next(scanner)?;
        self.value(scanner, Locations::ROOT, first)?;
        scanner.keep_texts();
        Ok(())
    }

    /// Finds the locations in the value whose first token is `first`. Recursion is as deep as the
    /// longest path.
    fn value<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        node: usize,
        first: Token,
    ) -> Result<(), ReadError> {
        self.clear(node);
        if scanner.depth() > MAX_DOCUMENT_DEPTH {
            return Err(ReadError::Depth(first.start));
        }
        let mut location = Location::new(first);
        match first.kind {
            TokenKind::ArrayStart => self.elements(scanner, node, &mut location)?,
            TokenKind::ObjectStart => self.members(scanner, node, &mut location)?,
            _ => {}
        }
        if first.kind.opens() {
            location.end = scanner.offset();
        }
        self.nodes[node].location = Some(location);
        Ok(())
    }

    fn elements<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        node: usize,
        array: &mut Location,
    ) -> Result<(), ReadError> {
        loop {
            let token = next(scanner)?;
            if token.kind == TokenKind::ArrayEnd {
                return Ok(());
            }
            let child = match self.nodes[node].children.is_empty() {
                true => None,
                false => self.child(node, &Selector::Index(array.count)),
            };
            self.child_value(scanner, child, token)?;
            array.count += 1;
        }
    }

    fn members<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        node: usize,
        object: &mut Location,
    ) -> Result<(), ReadError> {
        let mut keys = Vec::new();
        loop {
            scanner.keep_texts();
            let token = next(scanner)?;
            if token.kind == TokenKind::ObjectEnd {
                break;
            }
            let spelling = unquoted(scanner, token);
            let key = match token.escaped || !spelling.is_ascii() {
                true => unescape(spelling),
                // ASCII is UTF-8.
                false => std::str::from_utf8(spelling).unwrap_or_default().into(),
            };
            if self.nodes[node].checks_keys && keys.len() <= MAX_KEYS {
                // A collision counts as equal keys, which costs time only.
                keys.push(hash::of(key.as_bytes()));
            }
            let child = self.child_of_key(node, &key);
            scanner.drop_texts();
            let token = next(scanner)?;
            self.child_value(scanner, child, token)?;
            object.count += 1;
        }
        object.has_distinct_keys = keys.len() <= MAX_KEYS && !has_duplicates(keys);
        scanner.drop_texts();
        Ok(())
    }

    /// Finds the locations in a value that belongs to a child, and skips others.
    fn child_value<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        child: Option<usize>,
        first: Token,
    ) -> Result<(), ReadError> {
        match child {
            Some(child) => self.value(scanner, child, first),
            None => skip_rest(scanner, first, MAX_DOCUMENT_DEPTH).map(drop),
        }
    }

    /// Clears the locations of a node: for equal keys, the last one counts, and those under an
    /// earlier one are not in the document.
    fn clear(&mut self, node: usize) {
        self.nodes[node].location = None;
        for index in 0..self.nodes[node].children.len() {
            self.clear(self.nodes[node].children[index].1);
        }
    }
}

fn next<I: Input>(scanner: &mut Scanner<I>) -> Result<Token, ReadError> {
    Ok(scanner.next_token()?.ok_or_else(|| unfinished(scanner))?)
}

fn has_duplicates(mut hashes: Vec<u64>) -> bool {
    order::sort(&mut hashes);
    hashes.windows(2).any(|pair| pair[0] == pair[1])
}
