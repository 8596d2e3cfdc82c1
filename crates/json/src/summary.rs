//! What all values at one place of a document have in common, gathered in one
//! pass over the tokens, in memory that does not grow with the document.

use crate::Quoted;

use crate::scan::SyntaxError;

mod few;
mod gather;
mod maps;

pub use few::Few;
use gather::Work;

/// More different keys than this in the objects at one place are not a record's
/// fields: the objects are maps, and their values are summed up as one.
const MAX_MEMBERS: usize = 128;
/// Places that are told apart. What comes after is counted, not described.
const MAX_NODES: usize = 16_384;

/// The index of a place in [`Summary`].
pub type NodeId = usize;

/// Everything seen in a document, or in all documents of a sequence.
pub struct Summary {
    nodes: Vec<Node>,
    /// How many documents there were.
    pub documents: u64,
}

/// All values seen at one place.
#[derive(Default)]
pub struct Node {
    /// Strings were seen.
    pub string: bool,
    /// Strings were seen that hold no JSON.
    pub bare_string: bool,
    /// Those, where they are few.
    pub few: Few,
    /// What the JSON is that strings hold.
    pub inner: Option<NodeId>,
    /// Numbers without fraction and exponent were seen.
    pub integer: bool,
    /// Other numbers were seen.
    pub float: bool,
    /// `true` or `false` was seen.
    pub boolean: bool,
    /// `null` was seen.
    pub null: bool,
    /// Lengths of the arrays seen.
    pub arrays: Lengths,
    /// Numbers of members of the objects seen.
    pub objects: Lengths,
    /// What the arrays' elements are.
    pub element: Option<NodeId>,
    /// What the objects' members are, in the order in which they came up.
    pub members: Vec<Member>,
    /// What all members are where the objects are maps; `members` is empty then.
    pub values: Option<NodeId>,
}

/// A key of the objects at one place.
pub struct Member {
    /// Unescaped; what is not UTF-8 or half a surrogate pair as U+FFFD.
    pub key: Box<str>,
    /// The values under the key.
    pub node: NodeId,
    /// Objects that have the key.
    pub present: u64,
    /// The object that had it last, so that a repeated key counts once.
    last_object: u64,
    /// How the key stood in the document where it came up.
    quoted: Quoted,
}

/// How many containers there were and how long they were.
#[derive(Clone, Copy, Default)]
pub struct Lengths {
    /// Containers seen.
    pub count: u64,
    /// The shortest.
    pub min: u64,
    /// The longest.
    pub max: u64,
}

impl Lengths {
    /// One container of which nothing is known.
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
    /// Only arrays and objects were seen.
    pub fn is_container(&self) -> bool {
        self.types() > 0 && !(self.string || self.integer || self.float || self.boolean || self.null)
    }

    /// Different types that were seen, null left out.
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
    /// The place of the documents themselves.
    pub const ROOT: NodeId = 0;

    /// Sums up a document or a sequence of documents.
    pub fn of(bytes: &[u8]) -> Result<Summary, SyntaxError> {
        let mut summary = Summary { nodes: vec![Node::default()], documents: 0 };
        summary.documents = summary.add(bytes, Summary::ROOT, 0, &mut Work::default())?;
        summary.find_maps(Summary::ROOT);
        Ok(summary)
    }

    /// What was seen at a place.
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
