//! What all values at one place of a document have in common, gathered in one
//! pass over the tokens, in memory that does not grow with the document.

use std::borrow::Cow;

use crate::json::scan::{Scanner, SyntaxError, TokenKind};
use crate::json::unescape::unescape;
use crate::text::lossy;

/// More different keys than this in the objects at one place are not a record's
/// fields: the objects are maps, and their values are summed up as one.
const MAX_MEMBERS: usize = 128;
/// With more keys than this, objects are maps if their values are alike.
const MAX_NAMED_MEMBERS: usize = 32;
/// Places that are told apart. What comes after is counted, not described.
const MAX_NODES: usize = 16_384;
/// Levels that are told apart. What lies deeper is checked, not described.
const MAX_DEPTH: usize = 24;

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

    fn add(&mut self, length: u64) {
        self.min = if self.count == 0 { length } else { self.min.min(length) };
        self.max = self.max.max(length);
        self.count += 1;
    }

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

/// A container that is open.
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

impl Summary {
    /// The place of the documents themselves.
    pub const ROOT: NodeId = 0;

    /// Sums up a document or a sequence of documents.
    pub fn of(bytes: &[u8]) -> Result<Summary, SyntaxError> {
        let mut summary = Summary { nodes: vec![Node::default()], documents: 0 };
        let mut scanner = Scanner::new(bytes);
        let mut open: Vec<Frame> = Vec::new();
        while let Some(token) = scanner.next_token()? {
            match token.kind {
                TokenKind::Key => {
                    let frame = open.last_mut().expect("a key stands in an object");
                    let raw = token.inside(bytes);
                    let text: Cow<'_, str>;
                    let key = if token.escaped {
                        text = unescape(raw);
                        text.as_bytes()
                    } else {
                        raw
                    };
                    summary.key(frame, key);
                    continue;
                }
                TokenKind::ArrayEnd => {
                    let frame = open.pop().expect("an end has a start");
                    summary.nodes[frame.node].arrays.add(frame.length);
                }
                TokenKind::ObjectEnd => {
                    let frame = open.pop().expect("an end has a start");
                    summary.nodes[frame.node].objects.add(frame.length);
                }
                kind => {
                    let place = match open.last_mut() {
                        None => Some(Summary::ROOT),
                        Some(frame) => {
                            frame.length += 1;
                            frame.place
                        }
                    };
                    let container = matches!(kind, TokenKind::ArrayStart | TokenKind::ObjectStart);
                    match place {
                        Some(node) if !container => summary.scalar(node, kind),
                        Some(node) if open.len() < MAX_DEPTH => open.push(summary.enter(node, kind)),
                        _ if container => {
                            scanner.skip_container()?;
                            if let Some(node) = place {
                                summary.unseen(node, kind);
                            }
                        }
                        _ => {}
                    }
                }
            }
            summary.documents += u64::from(open.is_empty());
        }
        summary.find_maps(Summary::ROOT);
        Ok(summary)
    }

    /// What was seen at a place.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    #[inline]
    fn scalar(&mut self, node: NodeId, kind: TokenKind) {
        let node = &mut self.nodes[node];
        match kind {
            TokenKind::String => node.string = true,
            TokenKind::Integer => node.integer = true,
            TokenKind::Float => node.float = true,
            TokenKind::True | TokenKind::False => node.boolean = true,
            _ => node.null = true,
        }
    }

    #[inline]
    fn enter(&mut self, node: NodeId, kind: TokenKind) -> Frame {
        let place = match kind {
            TokenKind::ArrayStart => {
                if self.nodes[node].element.is_none() {
                    self.nodes[node].element = self.add_node();
                }
                self.nodes[node].element
            }
            _ => None,
        };
        Frame { node, length: 0, place, hint: 0 }
    }

    /// A container too deep to be looked into.
    fn unseen(&mut self, node: NodeId, kind: TokenKind) {
        let node = &mut self.nodes[node];
        match kind {
            TokenKind::ArrayStart => node.arrays.join(Lengths::UNKNOWN),
            _ => node.objects.join(Lengths::UNKNOWN),
        }
    }

    /// Makes the place of a key's value the next one.
    #[inline]
    fn key(&mut self, frame: &mut Frame, key: &[u8]) {
        let node = &self.nodes[frame.node];
        frame.place = node.values;
        if node.values.is_some() {
            return;
        }
        let object = node.objects.count + 1;
        let expected = node.members.get(frame.hint);
        let found = match expected.is_some_and(|member| member.key.as_bytes() == key) {
            true => Some(frame.hint),
            // Members are kept as they are shown: a key that is not UTF-8 too.
            false => {
                let key = lossy(key);
                node.members.iter().position(|member| *member.key == *key)
            }
        };
        if let Some(index) = found {
            let member = &mut self.nodes[frame.node].members[index];
            member.present += u64::from(member.last_object != object);
            member.last_object = object;
            frame.place = Some(member.node);
            frame.hint = index + 1;
        } else if node.members.len() == MAX_MEMBERS {
            frame.place = self.sum_up_as_map(frame.node);
        } else if let Some(id) = self.add_node() {
            let key = lossy(key).into();
            let members = &mut self.nodes[frame.node].members;
            members.push(Member { key, node: id, present: 1, last_object: object });
            frame.place = Some(id);
            frame.hint = members.len();
        } else {
            frame.place = None;
        }
    }

    /// Turns the record at a place into a map: one place for all its values.
    fn sum_up_as_map(&mut self, id: NodeId) -> Option<NodeId> {
        let values = self.add_node()?;
        for member in std::mem::take(&mut self.nodes[id].members) {
            self.join(values, member.node);
        }
        self.nodes[id].values = Some(values);
        Some(values)
    }

    /// Adds to one place what was seen at another, which is given up. As deep
    /// as places go, which is [`MAX_DEPTH`].
    fn join(&mut self, into: NodeId, from: NodeId) {
        let from = std::mem::take(&mut self.nodes[from]);
        let node = &mut self.nodes[into];
        node.string |= from.string;
        node.integer |= from.integer;
        node.float |= from.float;
        node.boolean |= from.boolean;
        node.null |= from.null;
        node.arrays.join(from.arrays);
        let objects_before = node.objects.count;
        node.objects.join(from.objects);
        match (node.element, from.element) {
            (Some(into), Some(from)) => self.join(into, from),
            (None, element) => node.element = element,
            (Some(_), None) => {}
        }
        if let Some(values) = from.values {
            match self.nodes[into].values.or_else(|| self.sum_up_as_map(into)) {
                Some(into) => self.join(into, values),
                None => return,
            }
        }
        for mut member in from.members {
            let node = &mut self.nodes[into];
            if let Some(values) = node.values {
                self.join(values, member.node);
            } else if let Some(same) = node.members.iter_mut().find(|m| m.key == member.key) {
                same.present += member.present;
                let same = same.node;
                self.join(same, member.node);
            } else if node.members.len() == MAX_MEMBERS {
                if let Some(values) = self.sum_up_as_map(into) {
                    self.join(values, member.node);
                }
            } else {
                // Stamps count the objects at one place; they start anew here.
                member.last_object += objects_before;
                node.members.push(member);
            }
        }
    }

    /// Finds the records at and below a place whose keys are data, not names,
    /// and turns them into maps.
    fn find_maps(&mut self, id: NodeId) {
        if self.is_map(id) {
            self.sum_up_as_map(id);
        }
        let node = &self.nodes[id];
        let below: Vec<NodeId> =
            node.members.iter().map(|m| m.node).chain(node.element).chain(node.values).collect();
        for id in below {
            self.find_maps(id);
        }
    }

    /// Keys are data where they look like ids, or where there are many and what
    /// they lead to is all of one make.
    fn is_map(&self, id: NodeId) -> bool {
        let members = &self.nodes[id].members;
        let ids = members.iter().filter(|m| looks_like_id(&m.key)).count();
        let keys_are_ids =
            members.len() >= 2 && ids == members.len() || members.len() >= 8 && ids * 5 >= members.len() * 4;
        let many = members.len() > MAX_NAMED_MEMBERS;
        (keys_are_ids || many) && self.is_homogeneous(members)
    }

    fn is_homogeneous(&self, members: &[Member]) -> bool {
        let values = || members.iter().map(|m| &self.nodes[m.node]);
        let Some(first) = values().find(|node| node.types() > 0) else { return true };
        let like_first = |node: &Node| {
            node.types() == 0
                || node.types() == 1
                    && node.string == first.string
                    && node.boolean == first.boolean
                    && (node.arrays.count > 0) == (first.arrays.count > 0)
                    && (node.objects.count > 0) == (first.objects.count > 0)
        };
        if first.types() != 1 || !values().all(like_first) {
            return false;
        }
        // Records of one make have most keys in common.
        let keys: usize = values().map(|node| node.members.len()).sum();
        let mut distinct: Vec<&str> =
            values().flat_map(|node| node.members.iter().map(|m| &*m.key)).collect();
        crate::sort::by(&mut distinct, |l, r| l.cmp(r));
        distinct.dedup();
        distinct.len() <= 2 * keys / members.len() + 2
    }

    fn add_node(&mut self) -> Option<NodeId> {
        (self.nodes.len() < MAX_NODES).then(|| {
            self.nodes.push(Node::default());
            self.nodes.len() - 1
        })
    }
}

/// Whether a key is a number, a date, a UUID, a hash, a path or an address
/// rather than a name that someone gave a field.
fn looks_like_id(key: &str) -> bool {
    let digits = key.bytes().filter(u8::is_ascii_digit).count();
    let number_like = digits > 0 && key.bytes().all(|b| b.is_ascii_digit() || b"-+.:/_ TZ".contains(&b));
    let hex_like = key.len() >= 8 && digits > 0 && key.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    let path_like = key.contains('/') || key.contains('@') || key.contains("::");
    number_like || hex_like || path_like
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(json: &str) -> Summary {
        Summary::of(json.as_bytes()).unwrap()
    }

    #[test]
    fn all_elements_are_looked_at() {
        let summary = root(r#"[{"id": 1, "email": "a"}, {"id": 2.5}, {"id": null, "id": 3}]"#);
        let rows = summary.node(Summary::ROOT);
        assert_eq!((rows.arrays.count, rows.arrays.max), (1, 3));
        let row = summary.node(rows.element.unwrap());
        assert_eq!(row.objects.count, 3);
        let present: Vec<_> = row.members.iter().map(|m| (&*m.key, m.present)).collect();
        assert_eq!(present, [("id", 3), ("email", 1)]);
        let id = summary.node(row.members[0].node);
        assert!(id.integer && id.float && id.null && !id.string);
    }

    #[test]
    fn keys_are_the_same_however_they_are_escaped() {
        let summary = root(r#"[{"a\u0062": 1}, {"ab": 2}, {"\ud800": 3}]"#);
        let element = summary.node(Summary::ROOT).element.unwrap();
        let keys: Vec<_> = summary.node(element).members.iter().map(|m| (&*m.key, m.present)).collect();
        assert_eq!(keys, [("ab", 2), ("\u{FFFD}", 1)]);
    }

    #[test]
    fn keys_that_are_not_utf8_are_the_same_when_they_come_again() {
        let summary = Summary::of(b"[{\"\xE9\": 1, \"b\": 2}, {\"b\": 1, \"\xE9\": 2}]").unwrap();
        let element = summary.node(Summary::ROOT).element.unwrap();
        let keys: Vec<_> = summary.node(element).members.iter().map(|m| (&*m.key, m.present)).collect();
        assert_eq!(keys, [("\u{FFFD}", 2), ("b", 2)]);
    }

    #[test]
    fn objects_with_endless_keys_are_maps() {
        let members: Vec<String> = (0..1_000).map(|i| format!(r#""k{i}": {{"n": {i}}}"#)).collect();
        let summary = root(&format!("{{{}}}", members.join(",")));
        let map = summary.node(Summary::ROOT);
        assert!(map.members.is_empty());
        assert_eq!(map.objects.max, 1_000);
        let value = summary.node(map.values.unwrap());
        assert_eq!((value.objects.count, value.members[0].present), (1_000, 1_000));
    }

    #[test]
    fn objects_keyed_by_ids_are_maps() {
        let is_map = |json: &str| root(json).node(Summary::ROOT).values.is_some();
        assert!(is_map(r#"{"324846098": "a", "324846099": "b"}"#));
        assert!(is_map(r#"{"2026-01-01": {"n": 1}, "2026-01-02": {"n": 2}}"#));
        assert!(!is_map(r#"{"324846098": "a", "324846099": []}"#));
        assert!(!is_map(r#"{"id": 1, "name": 2, "a1": 3}"#));
        let members = |n: usize, value: &str| {
            let members: Vec<_> = (0..n).map(|i| format!(r#""plugin-{i}a": {value}"#)).collect();
            format!("{{{}}}", members.join(","))
        };
        assert!(is_map(&members(40, r#"{"name": "x", "version": "1"}"#)));
        assert!(!is_map(&members(20, r#"{"name": "x", "version": "1"}"#)));
    }

    #[test]
    fn depth_and_breadth_are_bounded() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(root(&deep).nodes.len() <= MAX_DEPTH + 1);
        // A tree of records with ever new keys.
        let wide: Vec<String> = (0..20_000)
            .map(|i| format!(r#"{{"a{}": {{"b{}": {{"c{i}": 1}}}}}}"#, i % 100, i % 101))
            .collect();
        assert!(root(&format!("[{}]", wide.join(","))).nodes.len() <= MAX_NODES);
    }

    #[test]
    fn documents_are_counted() {
        assert_eq!(root("1 2 {} []").documents, 4);
        assert_eq!(root(" ").documents, 0);
    }
}
