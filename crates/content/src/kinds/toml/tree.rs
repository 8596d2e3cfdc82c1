//! The tables of a document, in the order in which the text defines them, and TOML's rules for
//! defining them again. Nothing here recurses, because keys may nest to any depth.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use tuckaway_json::write::push_string;

/// The table of the document.
pub const ROOT: NodeId = 0;
/// Tables with more keys than this are searched by an index.
const FEW: usize = 8;

/// The index of a node.
pub type NodeId = usize;
/// A key, or a part of a dotted one.
pub type Key<'t> = Cow<'t, str>;

/// Tables, arrays and scalars.
pub struct Tree<'t> {
    nodes: Vec<Node<'t>>,
    /// The scalars as JSON.
    scalars: Vec<u8>,
}

struct Node<'t> {
    /// Empty for elements of arrays.
    key: Key<'t>,
    value: Value<'t>,
}

/// A value.
pub enum Value<'t> {
    /// The range of its JSON.
    Scalar(Range<usize>),
    /// An array in brackets.
    Array(Vec<NodeId>),
    /// Tables below `[[headers]]`.
    Tables(Vec<NodeId>),
    /// A table.
    Table(Table<'t>),
}

/// A table: its members, and its origin.
pub struct Table<'t> {
    members: Vec<NodeId>,
    index: BTreeMap<Key<'t>, NodeId>,
    origin: Origin,
}

/// The construct that defined a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The header of a table within it. Its own header may follow.
    Implied,
    /// A header.
    Header,
    /// A dotted key. Other dotted keys may add to it.
    Dotted,
    /// Braces. Nothing may add to it.
    Inline,
}

/// The reason why a key cannot be defined.
pub type Conflict = &'static str;
const DUPLICATE: Conflict = "a key that is defined twice";
const NOT_A_TABLE: Conflict = "a key below a value that cannot be extended";

impl Table<'_> {
    /// Creates an empty table.
    pub fn of(origin: Origin) -> Self {
        Table { members: Vec::new(), index: BTreeMap::new(), origin }
    }
}

/// What a header opens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// A table: `[a]`.
    Table,
    /// The next table of an array: `[[a]]`.
    Item,
}

impl<'t> Tree<'t> {
    /// Creates the tree of an empty document.
    pub fn new() -> Self {
        let root = Value::Table(Table::of(Origin::Header));
        Tree { nodes: vec![Node { key: "".into(), value: root }], scalars: Vec::new() }
    }

    /// Adds a scalar, which is written as JSON by a function.
    pub fn scalar(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Value<'t> {
        let start = self.scalars.len();
        write(&mut self.scalars);
        Value::Scalar(start..self.scalars.len())
    }

    /// Opens the table of a header.
    pub fn open(&mut self, path: &[Key<'t>], header: Header) -> Result<NodeId, Conflict> {
        let Some((last, parents)) = path.split_last() else { return Err(NOT_A_TABLE) };
        let mut table = ROOT;
        for key in parents {
            table = match self.find(table, key) {
                None => self.insert(table, key.clone(), Value::Table(Table::of(Origin::Implied)))?,
                Some(node) => match &self.nodes[node].value {
                    Value::Table(inner) if inner.origin != Origin::Inline => node,
                    Value::Tables(items) => items.last().copied().ok_or(NOT_A_TABLE)?,
                    _ => return Err(NOT_A_TABLE),
                },
            };
        }
        let Some(node) = self.find(table, last) else {
            let node = Value::Table(Table::of(Origin::Header));
            if header == Header::Table {
                return self.insert(table, last.clone(), node);
            }
            let tables = self.insert(table, last.clone(), Value::Tables(Vec::new()))?;
            return Ok(self.push(tables, node));
        };
        match &mut self.nodes[node].value {
            Value::Table(inner) if header == Header::Table && inner.origin == Origin::Implied => {
                inner.origin = Origin::Header;
                Ok(node)
            }
            Value::Tables(_) if header == Header::Item => {
                Ok(self.push(node, Value::Table(Table::of(Origin::Header))))
            }
            _ => Err(DUPLICATE),
        }
    }

    /// Returns the table that the first parts of a dotted key lead to.
    pub fn descend(&mut self, mut table: NodeId, parents: &[Key<'t>]) -> Result<NodeId, Conflict> {
        for key in parents {
            table = match self.find(table, key) {
                None => self.insert(table, key.clone(), Value::Table(Table::of(Origin::Dotted)))?,
                Some(node) => match &mut self.nodes[node].value {
                    Value::Table(inner) if matches!(inner.origin, Origin::Implied | Origin::Dotted) => {
                        inner.origin = Origin::Dotted;
                        node
                    }
                    _ => return Err(NOT_A_TABLE),
                },
            };
        }
        Ok(table)
    }

    /// Adds a member to a table.
    pub fn insert(&mut self, table: NodeId, key: Key<'t>, value: Value<'t>) -> Result<NodeId, Conflict> {
        if self.find(table, &key).is_some() {
            return Err(DUPLICATE);
        }
        let node = self.nodes.len();
        let Value::Table(Table { members, index, .. }) = &mut self.nodes[table].value else {
            return Err(NOT_A_TABLE);
        };
        members.push(node);
        match members.len() {
            ..=FEW => {}
            len if len == FEW + 1 => {
                let earlier = members[..FEW].to_vec();
                let mut names = BTreeMap::new();
                names.insert(key.clone(), node);
                names.extend(earlier.into_iter().map(|node| (self.nodes[node].key.clone(), node)));
                if let Value::Table(table) = &mut self.nodes[table].value {
                    table.index = names;
                }
            }
            _ => {
                index.insert(key.clone(), node);
            }
        }
        self.nodes.push(Node { key, value });
        Ok(node)
    }

    /// Adds an element to an array; adds nothing to other values.
    pub fn push(&mut self, array: NodeId, value: Value<'t>) -> NodeId {
        let node = self.nodes.len();
        if let Value::Array(items) | Value::Tables(items) = &mut self.nodes[array].value {
            items.push(node);
        }
        self.nodes.push(Node { key: "".into(), value });
        node
    }

    fn find(&self, table: NodeId, key: &str) -> Option<NodeId> {
        let Value::Table(table) = &self.nodes[table].value else { return None };
        match table.members.len() {
            ..=FEW => table.members.iter().copied().find(|&node| self.nodes[node].key == key),
            _ => table.index.get(key).copied(),
        }
    }

    /// Returns the document as JSON; none if that is longer than `max` bytes.
    pub fn to_json(&self, max: usize) -> Option<Vec<u8>> {
        let mut json = Vec::with_capacity(self.scalars.len().saturating_mul(2).min(max));
        // Containers that are open, each with how many of its values are written.
        let mut open: Vec<(NodeId, usize)> = Vec::new();
        let mut next = Some(ROOT);
        loop {
            if let Some(node) = next.take() {
                match &self.nodes[node].value {
                    Value::Scalar(range) => json.extend_from_slice(&self.scalars[range.clone()]),
                    Value::Table(_) => {
                        json.push(b'{');
                        open.push((node, 0));
                    }
                    Value::Array(_) | Value::Tables(_) => {
                        json.push(b'[');
                        open.push((node, 0));
                    }
                }
            }
            if json.len() > max {
                return None;
            }
            let Some((node, written)) = open.last_mut() else { break };
            let (values, is_table) = match &self.nodes[*node].value {
                Value::Table(table) => (&table.members[..], true),
                Value::Array(items) | Value::Tables(items) => (&items[..], false),
                Value::Scalar(_) => (&[][..], false),
            };
            match values.get(*written) {
                None => {
                    json.push(if is_table { b'}' } else { b']' });
                    open.pop();
                }
                Some(&value) => {
                    json.extend_from_slice(if *written > 0 { b"," } else { b"" });
                    if is_table {
                        push_string(&mut json, self.nodes[value].key.as_bytes());
                        json.push(b':');
                    }
                    *written += 1;
                    next = Some(value);
                }
            }
        }
        json.push(b'\n');
        (json.len() <= max).then_some(json)
    }
}
