//! What all values at one place of a document have in common, gathered in one
//! pass over the tokens, in memory that does not grow with the document.

use std::borrow::Cow;

use crate::scan::{Scanner, SyntaxError, Token, TokenKind};
use crate::unescape::unescape;

/// More different keys than this in the objects at one place are not a record's
/// fields: the objects are maps, and their values are summed up as one.
const MAX_MEMBERS: usize = 128;
/// With more keys than this, objects are maps if their values are alike.
const MAX_NAMED_MEMBERS: usize = 32;
/// Places that are told apart. What comes after is counted, not described.
const MAX_NODES: usize = 16_384;
/// Levels that are told apart. What lies deeper is checked, not described.
const MAX_DEPTH: usize = 24;
/// The same within a string that holds JSON.
const MAX_INNER_DEPTH: usize = 12;
/// Strings in strings that are looked into.
const MAX_INNER_LEVELS: usize = 2;
/// Strings that are looked into, and bytes of them: what comes after is a string of
/// which nothing more is said.
const MAX_INNER_STRINGS: usize = 65_536;
const MAX_INNER_BYTES: usize = 8 << 20;

/// The index of a place in [`Summary`].
pub type NodeId = usize;

/// Everything seen in a document, or in all documents of a sequence.
pub struct Summary {
    nodes: Vec<Node>,
    /// How many documents there were.
    pub documents: u64,
    /// Strings and bytes that may still be looked into.
    inner_left: (usize, usize),
}

/// All values seen at one place.
#[derive(Default)]
pub struct Node {
    /// Strings were seen.
    pub string: bool,
    /// Strings were seen that hold no JSON.
    pub bare_string: bool,
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
        let inner_left = (MAX_INNER_STRINGS, MAX_INNER_BYTES);
        let mut summary = Summary { nodes: vec![Node::default()], documents: 0, inner_left };
        summary.documents = summary.add(bytes, Summary::ROOT, 0)?;
        summary.find_maps(Summary::ROOT);
        Ok(summary)
    }

    /// Adds documents to what was seen at a place; how many they are. `level` counts
    /// the strings that they stand in.
    fn add(&mut self, bytes: &[u8], root: NodeId, level: usize) -> Result<u64, SyntaxError> {
        let max_depth = if level == 0 { MAX_DEPTH } else { MAX_INNER_DEPTH };
        let mut documents = 0;
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
                    self.key(frame, key);
                    continue;
                }
                TokenKind::ArrayEnd => {
                    let frame = open.pop().expect("an end has a start");
                    self.nodes[frame.node].arrays.add(frame.length);
                }
                TokenKind::ObjectEnd => {
                    let frame = open.pop().expect("an end has a start");
                    self.nodes[frame.node].objects.add(frame.length);
                }
                kind => {
                    let place = match open.last_mut() {
                        None => Some(root),
                        Some(frame) => {
                            frame.length += 1;
                            frame.place
                        }
                    };
                    let container = matches!(kind, TokenKind::ArrayStart | TokenKind::ObjectStart);
                    match place {
                        Some(node) if kind == TokenKind::String => self.string(node, &token, bytes, level),
                        Some(node) if !container => self.scalar(node, kind),
                        Some(node) if open.len() < max_depth => open.push(self.enter(node, kind)),
                        _ if container => {
                            scanner.skip_container()?;
                            if let Some(node) = place {
                                self.unseen(node, kind);
                            }
                        }
                        _ => {}
                    }
                }
            }
            documents += u64::from(open.is_empty());
        }
        Ok(documents)
    }

    /// What was seen at a place.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    #[inline]
    fn scalar(&mut self, node: NodeId, kind: TokenKind) {
        let node = &mut self.nodes[node];
        match kind {
            TokenKind::Integer => node.integer = true,
            TokenKind::Float => node.float = true,
            TokenKind::True | TokenKind::False => node.boolean = true,
            _ => node.null = true,
        }
    }

    #[inline]
    fn string(&mut self, node: NodeId, token: &Token, bytes: &[u8], level: usize) {
        self.nodes[node].string = true;
        let raw = token.inside(bytes);
        if level < MAX_INNER_LEVELS && may_be_json(raw) {
            self.inner(node, raw, level);
        } else {
            self.nodes[node].bare_string = true;
        }
    }

    /// A string that may hold JSON: an array, an object, or one of these in a string
    /// once more.
    fn inner(&mut self, node: NodeId, raw: &[u8], level: usize) {
        let (strings, bytes) = self.inner_left;
        let Some(left) = bytes.checked_sub(raw.len()).filter(|_| strings > 0) else { return };
        self.inner_left = (strings - 1, left);
        let text = unescape(raw);
        // All of it is checked before any of it is added.
        if !is_one_document(text.as_bytes()) {
            self.nodes[node].bare_string = true;
            return;
        }
        if self.nodes[node].inner.is_none() {
            self.nodes[node].inner = self.add_node();
        }
        if let Some(inner) = self.nodes[node].inner {
            let _ = self.add(text.as_bytes(), inner, level + 1);
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
                let key = String::from_utf8_lossy(key);
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
            let key = String::from_utf8_lossy(key).into();
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
        node.bare_string |= from.bare_string;
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
        match (self.nodes[into].inner, from.inner) {
            (Some(into), Some(from)) => self.join(into, from),
            (None, inner) => self.nodes[into].inner = inner,
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
        let below: Vec<NodeId> = node
            .members
            .iter()
            .map(|m| m.node)
            .chain(node.element)
            .chain(node.values)
            .chain(node.inner)
            .collect();
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
        let most = 2 * keys / members.len() + 2;
        let mut distinct: Vec<&str> = Vec::new();
        values().flat_map(|node| &node.members).all(|member| {
            if !distinct.contains(&&*member.key) {
                distinct.push(&member.key);
            }
            distinct.len() <= most
        })
    }

    fn add_node(&mut self) -> Option<NodeId> {
        (self.nodes.len() < MAX_NODES).then(|| {
            self.nodes.push(Node::default());
            self.nodes.len() - 1
        })
    }
}

/// Whether the inside of a string begins as an array or an object does, or as a
/// string of one.
#[inline]
fn may_be_json(raw: &[u8]) -> bool {
    matches!(raw, [b'{' | b'[', ..] | [b'\\', b'"', b'{' | b'[', ..])
}

fn is_one_document(text: &[u8]) -> bool {
    let mut scanner = Scanner::new(text);
    let opens = match scanner.next_token() {
        Ok(Some(token)) => token.kind.opens(),
        _ => return false,
    };
    (!opens || scanner.skip_container().is_ok()) && matches!(scanner.next_token(), Ok(None))
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
