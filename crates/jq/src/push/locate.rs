//! The pass over a document that checks all of its grammar and finds the places
//! that are asked for.

use super::super::limits::MAX_DOCUMENT_DEPTH;
use super::super::read::{ReadError, inside, skip_rest};
use super::{Ask, To, What};
use tuckaway_json::input::Input;
use tuckaway_json::scan::{Scanner, SyntaxError, Token, TokenKind};
use tuckaway_json::unescape::unescape;
use tuckaway_search::hash;

/// Members of an object whose keys are told apart at most, to know whether some
/// are equal: what is kept of each takes some 20 bytes.
const MAX_KEYS: usize = 1 << 20;

/// A value that was found where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) kind: TokenKind,
    /// Where it begins, from the artifact's start.
    pub(super) start: u64,
    /// One past its last byte.
    pub(super) end: u64,
    /// Elements, or members.
    pub(super) count: u64,
    /// No two keys are known to be equal, nor too many to be told.
    pub(super) distinct: bool,
}

/// The places of all asks as one tree, the document itself at its root.
pub(super) struct Places {
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    steps: Vec<(To, usize)>,
    /// Whether it matters that keys are equal.
    tell_keys: bool,
    found: Option<Found>,
}

impl Places {
    /// The places of these asks, not looked for yet.
    pub(super) fn of(asks: &[Ask]) -> Places {
        let mut places = Places { nodes: vec![Node::default()] };
        for ask in asks {
            let mut at = 0;
            for step in &ask.path {
                at = places.child(at, &step.to).unwrap_or_else(|| {
                    let child = places.nodes.len();
                    places.nodes.push(Node::default());
                    places.nodes[at].steps.push((step.to.clone(), child));
                    child
                });
            }
            places.nodes[at].tell_keys |= matches!(ask.what, What::Each { .. } | What::Length);
        }
        places
    }

    /// The place of the document itself.
    pub(super) const ROOT: usize = 0;

    /// The place to which a step leads from another.
    pub(super) fn child(&self, at: usize, to: &To) -> Option<usize> {
        self.nodes[at].steps.iter().find(|(known, _)| known == to).map(|(_, child)| *child)
    }

    /// What was found at a place.
    pub(super) fn found(&self, at: usize) -> Option<Found> {
        self.nodes[at].found
    }

    /// Looks for the places in the next document, and runs to its end.
    pub(super) fn locate<I: Input>(&mut self, scanner: &mut Scanner<I>) -> Result<(), ReadError> {
        scanner.drop_texts();
        let first = next(scanner)?;
        self.walk(scanner, Places::ROOT, first)?;
        scanner.keep_texts();
        Ok(())
    }

    /// Looks inside of the value that begins with this token. Recursive, as deep
    /// as the longest path.
    fn walk<I: Input>(&mut self, scanner: &mut Scanner<I>, at: usize, first: Token) -> Result<(), ReadError> {
        self.forget(at);
        let mut found =
            Found { kind: first.kind, start: first.start, end: first.end, count: 0, distinct: true };
        if scanner.depth() > MAX_DOCUMENT_DEPTH {
            return Err(ReadError::Depth(first.start));
        }
        match first.kind {
            TokenKind::ArrayStart => loop {
                let token = next(scanner)?;
                if token.kind == TokenKind::ArrayEnd {
                    break;
                }
                let index = To::Index(found.count);
                self.step(scanner, at, &index, token)?;
                found.count += 1;
            },
            TokenKind::ObjectStart => {
                let mut keys = Vec::new();
                loop {
                    scanner.keep_texts();
                    let token = next(scanner)?;
                    if token.kind == TokenKind::ObjectEnd {
                        break;
                    }
                    let spelling = inside(scanner, token);
                    let key = match token.escaped || !spelling.is_ascii() {
                        true => unescape(spelling),
                        // Checked to be ASCII.
                        false => std::str::from_utf8(spelling).unwrap_or_default().into(),
                    };
                    if self.nodes[at].tell_keys && keys.len() <= MAX_KEYS {
                        // Keys that differ may have one hash: that costs time only.
                        keys.push(hash::of(key.as_bytes()));
                    }
                    let child =
                        self.nodes[at].steps.iter().find(|(to, _)| matches!(to, To::Key(to) if *to == *key));
                    let child = child.map(|(_, child)| *child);
                    scanner.drop_texts();
                    let token = next(scanner)?;
                    match child {
                        Some(child) => self.walk(scanner, child, token)?,
                        None => skip_rest(scanner, token, MAX_DOCUMENT_DEPTH).map(drop)?,
                    }
                    found.count += 1;
                }
                found.distinct = keys.len() <= MAX_KEYS && !has_equals(keys);
                scanner.drop_texts();
            }
            _ => {}
        }
        if first.kind.opens() {
            found.end = scanner.offset();
        }
        self.nodes[at].found = Some(found);
        Ok(())
    }

    fn step<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        at: usize,
        to: &To,
        token: Token,
    ) -> Result<(), ReadError> {
        match self.nodes[at].steps.is_empty() {
            false if let Some(child) = self.child(at, to) => self.walk(scanner, child, token),
            _ => skip_rest(scanner, token, MAX_DOCUMENT_DEPTH).map(drop),
        }
    }

    /// Of equal keys the last one counts: what was found under the one before is
    /// not in the document.
    fn forget(&mut self, at: usize) {
        self.nodes[at].found = None;
        for index in 0..self.nodes[at].steps.len() {
            self.forget(self.nodes[at].steps[index].1);
        }
    }
}

fn next<I: Input>(scanner: &mut Scanner<I>) -> Result<Token, ReadError> {
    let token = scanner.next_token()?;
    Ok(token.ok_or(SyntaxError {
        offset: scanner.offset(),
        expected: "more: the input ends inside a document",
    })?)
}

fn has_equals(mut hashes: Vec<u64>) -> bool {
    hashes.sort();
    hashes.windows(2).any(|pair| pair[0] == pair[1])
}
