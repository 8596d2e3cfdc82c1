//! Objects whose keys are data, not names: maps.

use super::{MAX_MEMBERS, Member, Node, NodeId, Summary};

/// Objects with more keys than this are maps if their values are alike.
const MAX_NAMED_MEMBERS: usize = 32;

impl Summary {
    /// Turns the objects at a path into maps, except for the keys that all of them have: those are names.
    /// Returns the node that the other values share.
    pub(super) fn convert_to_map(&mut self, id: NodeId) -> Option<NodeId> {
        let values = self.add_node()?;
        let objects = self.nodes[id].objects.count;
        let is_name = |member: &Member| is_in_all(member, objects) && !looks_like_id(&member.key);
        let members = std::mem::take(&mut self.nodes[id].members);
        let (names, others): (Vec<_>, Vec<_>) = members.into_iter().partition(is_name);
        self.nodes[id].members = names;
        for member in others {
            self.join(values, member.node);
        }
        self.nodes[id].values = Some(values);
        Some(values)
    }

    /// Moves the values at one path to another. The recursion is as deep as paths are:
    /// [`MAX_DEPTH`](super::gather::MAX_DEPTH) and that of strings.
    fn join(&mut self, into: NodeId, from: NodeId) {
        let from = std::mem::take(&mut self.nodes[from]);
        let node = &mut self.nodes[into];
        node.string |= from.string;
        node.bare_string |= from.bare_string;
        node.distinct.join(from.distinct);
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
            match self.nodes[into].values.or_else(|| self.convert_to_map(into)) {
                Some(into) => self.join(into, values),
                None => return,
            }
        }
        for mut member in from.members {
            let node = &mut self.nodes[into];
            if let Some(same) = node.members.iter_mut().find(|m| m.key == member.key) {
                same.present += member.present;
                let same = same.node;
                self.join(same, member.node);
            } else if let Some(values) = node.values {
                self.join(values, member.node);
            } else if node.members.len() == MAX_MEMBERS {
                if let Some(values) = self.convert_to_map(into) {
                    self.join(values, member.node);
                }
            } else {
                // Objects are numbered by path, after those already here.
                member.last_object += objects_before;
                node.members.push(member);
            }
        }
    }

    /// Detects the objects at and below a path whose keys are data, not names, and turns
    /// them into maps.
    pub(super) fn find_maps(&mut self, id: NodeId) {
        if self.is_map(id) {
            self.convert_to_map(id);
        }
        let mut index = 0;
        while let Some(member) = self.nodes[id].members.get(index) {
            self.find_maps(member.node);
            index += 1;
        }
        let Node { element, values, inner, .. } = self.nodes[id];
        for below in [element, values, inner].into_iter().flatten() {
            self.find_maps(below);
        }
    }

    /// Returns whether keys are data: they look like ids, or there are many, and their
    /// values are alike.
    fn is_map(&self, id: NodeId) -> bool {
        let members = &self.nodes[id].members;
        let ids = members.iter().filter(|m| looks_like_id(&m.key)).count();
        let keys_are_ids =
            members.len() >= 2 && ids == members.len() || members.len() >= 8 && ids * 5 >= members.len() * 4;
        let objects = self.nodes[id].objects.count;
        let many =
            members.len() > MAX_NAMED_MEMBERS && !members.iter().any(|member| is_in_all(member, objects));
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
        // Records of one type have most keys in common.
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
}

/// Returns whether all objects have a member, and are too many for this to be chance.
fn is_in_all(member: &Member, objects: u64) -> bool {
    objects >= 3 && member.present >= objects
}

/// Returns whether a key is a number, a date, a UUID, a hash, a path or an address rather
/// than the name of a field.
fn looks_like_id(key: &str) -> bool {
    let digits = key.bytes().filter(u8::is_ascii_digit).count();
    let number_like = digits > 0 && key.bytes().all(|b| b.is_ascii_digit() || b"-+.:/_ TZ".contains(&b));
    let hex_like = key.len() >= 8 && digits > 0 && key.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    let path_like =
        key.contains('/') || key.contains('@') || key.as_bytes().windows(2).any(|two| two == b"::");
    number_like || hex_like || path_like
}
