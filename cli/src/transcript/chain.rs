//! The tree of a Claude Code session: which branch is in use, and where its history begins.
//!
//! A branch is read from its last message to the root, or to the newest compaction. A compaction
//! writes a boundary, which has no parent, and a summary after it. It may keep messages, which
//! stay in their place before the boundary, while the next message names one of them as its parent.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

/// A record of the main conversation.
pub struct Node<'a> {
    pub uuid: Cow<'a, str>,
    pub parent: Option<Cow<'a, str>>,
    /// The metadata of a compaction boundary.
    pub boundary: Option<Boundary<'a>>,
    /// Whether it is a message that is sent.
    pub is_message: bool,
    /// Whether a branch can end with it.
    pub is_tip: bool,
    /// Whether it is the summary after a boundary.
    pub is_summary: bool,
    pub is_answer: bool,
    /// The id of the answer to which this line belongs.
    pub answer: Option<Cow<'a, str>>,
}

/// The messages that a compaction kept; the second form is older.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Boundary<'a> {
    #[serde(borrow)]
    preserved_messages: Option<Messages<'a>>,
    #[serde(borrow)]
    preserved_segment: Option<Segment<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Messages<'a> {
    #[serde(borrow)]
    anchor_uuid: Option<Cow<'a, str>>,
    /// The messages.
    #[serde(borrow)]
    uuids: Vec<Cow<'a, str>>,
    /// The messages and the records between them.
    #[serde(borrow)]
    all_uuids: Vec<Cow<'a, str>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Segment<'a> {
    #[serde(borrow)]
    anchor_uuid: Option<Cow<'a, str>>,
    #[serde(borrow)]
    head_uuid: Cow<'a, str>,
    #[serde(borrow)]
    tail_uuid: Cow<'a, str>,
}

/// The messages that are sent, in order.
pub struct Path {
    pub messages: Vec<usize>,
    /// The compaction after which they begin.
    pub boundary: Option<usize>,
}

/// The tree, by indices of its nodes in the order of the file.
pub struct Chain<'a> {
    nodes: Vec<Node<'a>>,
    parents: Vec<Option<usize>>,
    /// The compactions by their boundaries.
    compactions: BTreeMap<usize, Compaction>,
    /// The boundary that kept a record last.
    kept_by: HashMap<usize, usize>,
    /// The lines of each answer, in the order of their first lines.
    answers: Vec<Vec<usize>>,
}

struct Compaction {
    summary: Option<usize>,
    /// The messages that it kept, in order.
    kept: Vec<usize>,
    /// The records to which the next one can be linked.
    linked: Vec<usize>,
}

impl<'a> Chain<'a> {
    pub fn new(nodes: Vec<Node<'a>>, warnings: &mut Vec<String>) -> Chain<'a> {
        // If a record was written twice, the later one counts.
        let by_uuid: HashMap<&str, usize> =
            nodes.iter().enumerate().map(|(index, node)| (node.uuid.as_ref(), index)).collect();
        // Without any links, the records are in the order of the conversation.
        let is_linked = nodes.iter().any(|node| node.parent.is_some());
        let mut unknown = 0u64;
        let parent = |(index, node): (usize, &Node<'a>)| {
            if !is_linked {
                return index.checked_sub(1);
            }
            let parent = by_uuid.get(node.parent.as_deref()?).copied();
            // Claude Code does not write all records that it links to.
            if parent.is_none() && index > 0 {
                unknown += 1;
                return Some(index - 1);
            }
            parent
        };
        let parents: Vec<Option<usize>> = nodes.iter().enumerate().map(parent).collect();
        if unknown > 0 {
            warnings.push(format!(
                "The parents of {} are not in the session; the record before each of them counts instead.",
                tuckaway_text::counted(unknown, "record")
            ));
        }
        let compactions = compactions(&nodes, &by_uuid, &parents);
        let kept = compactions.iter().flat_map(|(&boundary, compaction)| {
            compaction.linked.iter().map(move |&index| (index, boundary))
        });
        let kept_by = kept.collect();
        let answers = answers(&nodes);
        Chain { nodes, parents, compactions, kept_by, answers }
    }

    /// Returns the messages that are sent, of all branches.
    pub fn messages(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|&index| self.nodes[index].is_message)
    }

    /// Returns the lines of each answer, of all branches.
    pub fn answers(&self) -> &[Vec<usize>] {
        &self.answers
    }

    /// Returns the branch in use, which ends with the last message of the file.
    pub fn path(&self) -> Path {
        let mut at = self.nodes.iter().rposition(|node| node.is_tip);
        let (mut path, mut seen, mut boundary) = (Vec::new(), HashSet::new(), None);
        while let Some(index) = at.filter(|&index| seen.insert(index)) {
            if self.nodes[index].boundary.is_some() {
                boundary = Some(index);
                break;
            }
            path.push(index);
            boundary = self.crossed(index);
            at = self.parents[index].filter(|_| boundary.is_none());
        }
        path.reverse();
        if let Some(boundary) = boundary {
            self.add_kept(boundary, &mut path);
        }
        path.retain(|&index| self.nodes[index].is_message);
        Path { messages: path, boundary }
    }

    /// Returns the boundary between a node and its parent, if the parent is a message that it kept.
    fn crossed(&self, index: usize) -> Option<usize> {
        let parent = self.parents[index]?;
        self.kept_by.get(&parent).copied().filter(|&boundary| parent < boundary && boundary < index)
    }

    /// Adds the summary of a compaction and the messages that it kept to a path that begins after it.
    fn add_kept(&self, boundary: usize, path: &mut Vec<usize>) {
        let Compaction { summary, kept, .. } = &self.compactions[&boundary];
        let on_path: HashSet<usize> = path.iter().copied().collect();
        let kept = kept.iter().copied().filter(|index| !on_path.contains(index));
        let mut at = 0;
        if let Some(summary) = *summary {
            if !on_path.contains(&summary) {
                path.insert(0, summary);
            }
            at = path.iter().position(|&index| index == summary).map_or(0, |index| index + 1);
        }
        path.splice(at..at, kept);
    }

    /// Returns for each node the number of requests that were made after it on its branches. What
    /// a compaction kept counts only up to it.
    pub fn later_requests(&self) -> Vec<u64> {
        let mut later = vec![0u64; self.nodes.len()];
        let mut is_first = vec![false; self.nodes.len()];
        for first in self.answers.iter().filter_map(|lines| lines.first()) {
            is_first[*first] = true;
        }
        for index in (0..self.nodes.len()).rev() {
            let parent = match self.crossed(index) {
                Some(boundary) => self.compactions[&boundary].summary,
                None => self.parents[index],
            };
            // A parent that comes later is malformed, and could be a circle.
            if let Some(parent) = parent.filter(|&parent| parent < index) {
                later[parent] += later[index] + u64::from(is_first[index]);
            }
        }
        later
    }
}

/// Returns the compactions by their boundaries. All of them together keep at most as many records
/// as the session has.
fn compactions(
    nodes: &[Node<'_>],
    by_uuid: &HashMap<&str, usize>,
    parents: &[Option<usize>],
) -> BTreeMap<usize, Compaction> {
    let find = |uuid: &Cow<'_, str>| by_uuid.get(uuid.as_ref()).copied();
    let (mut compactions, mut last, mut room) = (BTreeMap::new(), None, nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        if let Some(boundary) = &node.boundary {
            let (kept, linked) = boundary.kept(find, parents, room);
            room -= linked.len();
            let summary = boundary.anchor().and_then(find).filter(|&anchor| anchor > index);
            compactions.insert(index, Compaction { summary, kept, linked });
            last = Some(index);
        }
        if node.is_summary
            && let Some(compaction) = last.take().and_then(|boundary| compactions.get_mut(&boundary))
        {
            compaction.summary = Some(index);
        }
    }
    compactions
}

impl<'a> Boundary<'a> {
    /// Reads the metadata of a boundary. If it is missing or malformed, nothing was kept.
    pub fn read(metadata: Option<&'a RawValue>) -> Boundary<'a> {
        metadata.and_then(|metadata| serde_json::from_str(metadata.get()).ok()).unwrap_or_default()
    }

    /// Returns the uuid of the record after which the messages were kept: usually the summary.
    fn anchor(&self) -> Option<&Cow<'a, str>> {
        let of_messages = self.preserved_messages.as_ref().and_then(|messages| messages.anchor_uuid.as_ref());
        of_messages.or_else(|| self.preserved_segment.as_ref()?.anchor_uuid.as_ref())
    }

    /// Returns the messages that the compaction kept, in order, and the records to which the next
    /// one can be linked; of these at most `room`.
    fn kept(
        &self,
        find: impl Fn(&Cow<'a, str>) -> Option<usize>,
        parents: &[Option<usize>],
        room: usize,
    ) -> (Vec<usize>, Vec<usize>) {
        if let Some(Messages { uuids, all_uuids, .. }) = &self.preserved_messages {
            let linked = uuids.iter().chain(all_uuids).filter_map(&find).take(room).collect();
            return (uuids.iter().filter_map(&find).take(room).collect(), linked);
        }
        let segment = self.preserved_segment.as_ref();
        let Some((head, tail)) =
            segment.and_then(|each| Some((find(&each.head_uuid)?, find(&each.tail_uuid)?)))
        else {
            return (Vec::new(), Vec::new());
        };
        let (mut kept, mut at) = (Vec::new(), Some(tail));
        while let Some(index) = at.filter(|_| kept.len() < room) {
            kept.push(index);
            at = parents[index].filter(|_| index != head);
        }
        kept.reverse();
        (kept.clone(), kept)
    }
}

/// Returns the lines of each answer. An answer without an id has one line.
fn answers(nodes: &[Node<'_>]) -> Vec<Vec<usize>> {
    let (mut answers, mut by_id): (Vec<Vec<usize>>, HashMap<&str, usize>) = Default::default();
    for (index, node) in nodes.iter().enumerate().filter(|(_, node)| node.is_answer) {
        let id = node.answer.as_deref();
        match id.and_then(|id| by_id.get(id)) {
            Some(&known) => answers[known].push(index),
            None => {
                by_id.extend(id.map(|id| (id, answers.len())));
                answers.push(vec![index]);
            }
        }
    }
    answers
}
