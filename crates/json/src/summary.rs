//! The common structure of the values at each path of a document: types, lengths, keys. A path
//! has one step for all elements of an array. One pass over the document; memory does not
//! grow with it.

use crate::quoted::{Quoted, QuotedStrings};
use crate::scan::SyntaxError;
use crate::spans::Spans;

mod distinct;
mod gather;
mod maps;
mod outer;

pub use distinct::{DistinctString, DistinctStrings};
use gather::Scratch;

/// Objects at one path that have more different keys than this are maps, not records:
/// their values are summarized as one.
const MAX_MEMBERS: usize = 128;
/// Maximum paths to describe. Values at further paths are only counted.
const MAX_NODES: usize = 16_384;

/// Paths that most documents do not exceed.
const EXPECTED_NODES: usize = 64;

/// The index of a path in [`Summary`].
pub type NodeId = usize;

/// The summary of a document, or of all documents of a sequence.
pub struct Summary {
    nodes: Vec<Node>,
    /// The keys as they were written at their first occurrences.
    keys: QuotedStrings,
    /// The number of documents.
    pub documents: u64,
}

/// The reason why bytes have no summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The first error in the JSON.
    pub error: SyntaxError,
    /// Whether no complete document precedes the error.
    pub is_first: bool,
}

/// All values at one path.
#[derive(Default)]
pub struct Node {
    /// Whether there are strings.
    pub string: bool,
    /// Whether there are strings that do not contain JSON.
    pub bare_string: bool,
    /// The distinct strings among those, if there are few.
    pub distinct: DistinctStrings,
    /// The JSON that strings contain.
    pub inner: Option<NodeId>,
    /// Whether there are numbers without fraction and exponent.
    pub integer: bool,
    /// Whether there are other numbers.
    pub float: bool,
    /// Whether there is `true` or `false`.
    pub boolean: bool,
    /// Whether there is `null`.
    pub null: bool,
    /// The lengths of the arrays.
    pub arrays: Lengths,
    /// The numbers of members of the objects.
    pub objects: Lengths,
    /// The elements of the arrays.
    pub element: Option<NodeId>,
    /// The members of the objects, in the order of their first occurrences.
    pub members: Vec<Member>,
    /// The values of all members, if the objects are maps; then `members` is empty.
    pub values: Option<NodeId>,
}

/// A key of the objects at one path.
pub struct Member {
    /// The key without escapes; U+FFFD stands for malformed UTF-8 and lone surrogates.
    pub key: Box<str>,
    /// The values under the key.
    pub node: NodeId,
    /// The number of objects that have the key.
    pub present: u64,
    /// The number of the last object that has it, so that a repeated key counts once.
    last_object: u64,
    /// The key as it was written at its first occurrence, in [`Summary::keys`].
    quoted: Quoted,
}

/// The number of containers, and their lengths.
#[derive(Clone, Copy, Default)]
pub struct Lengths {
    /// The number of containers.
    pub count: u64,
    /// The length of the shortest.
    pub min: u64,
    /// The length of the longest.
    pub max: u64,
}

impl Lengths {
    /// One container of unknown length.
    const UNKNOWN: Lengths = Lengths { count: 1, min: 0, max: u64::MAX };

    #[inline]
    fn add(&mut self, length: u64) {
        self.min = if self.count == 0 { length } else { self.min.min(length) };
        self.max = self.max.max(length);
        self.count += 1;
    }

    #[inline(never)]
    fn join(&mut self, other: Lengths) {
        if other.count > 0 {
            self.min = if self.count == 0 { other.min } else { self.min.min(other.min) };
            self.max = self.max.max(other.max);
            self.count += other.count;
        }
    }
}

impl Node {
    /// Returns whether all values are arrays and objects.
    pub fn is_container(&self) -> bool {
        self.types() > 0 && !(self.string || self.integer || self.float || self.boolean || self.null)
    }

    /// Counts the different types of values, without null.
    #[inline(never)]
    pub fn types(&self) -> usize {
        let seen = [
            self.string,
            self.integer || self.float,
            self.boolean,
            self.arrays.count > 0,
            self.objects.count > 0,
        ];
        seen.into_iter().filter(|&seen| seen).count()
    }
}

impl Summary {
    /// The path of the documents themselves.
    pub const ROOT: NodeId = 0;

    /// Summarizes a document or a sequence of documents.
    pub fn of(bytes: &[u8]) -> Result<Summary, Malformed> {
        Summary::with_spans(bytes, None).map(|(summary, _)| summary)
    }

    /// Works like [`Summary::of`] and, in the same pass, finds the values of the given number of
    /// outer levels, like [`Spans::of`]; not for several documents in a row.
    pub fn with_spans(bytes: &[u8], levels: Option<usize>) -> Result<(Summary, Option<Spans>), Malformed> {
        let mut scratch = Scratch::of(levels);
        let mut summary = Summary {
            nodes: Vec::with_capacity(EXPECTED_NODES),
            keys: QuotedStrings::default(),
            documents: 0,
        };
        summary.nodes.push(Node::default());
        summary.documents = match summary.add(bytes, Summary::ROOT, 0, &mut scratch) {
            Ok(documents) => documents,
            Err(error) => {
                let root = summary.node(Summary::ROOT);
                return Err(Malformed { error, is_first: root.types() == 0 && !root.null });
            }
        };
        summary.find_maps(Summary::ROOT);
        Ok((summary, scratch.outer.map(|outer| outer.finish())))
    }

    /// Returns the common structure of the values at a path.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    #[cold]
    fn add_node(&mut self) -> Option<NodeId> {
        (self.nodes.len() < MAX_NODES).then(|| {
            self.nodes.push(Node::default());
            self.nodes.len() - 1
        })
    }
}

#[cfg(test)]
mod tests;
