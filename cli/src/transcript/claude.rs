//! Claude Code's session files: one record a line, linked by `parentUuid`.
//!
//! Claude Code writes a line for each block of an answer; lines of one answer share `message.id`.
//! The lines of parallel calls and of their results are siblings or follow each other, so results
//! are placed after the answer with their calls, wherever they are in the tree.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;
use tuckaway_host::TokenUsage;

use super::chain::{Boundary, Chain, Node};
use super::lines::Lines;
use super::{Agent, Arrived, Facts, FirstRequest, Transcript, content, input_tokens};

/// The relevant members of a line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    subtype: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    uuid: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    parent_uuid: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    session_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    team_name: Option<Cow<'a, str>>,
    #[serde(default)]
    is_sidechain: Option<bool>,
    #[serde(default)]
    is_meta: Option<bool>,
    #[serde(default)]
    is_compact_summary: Option<bool>,
    #[serde(default)]
    is_api_error_message: Option<bool>,
    #[serde(borrow, default)]
    compact_metadata: Option<&'a RawValue>,
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
}

#[derive(Clone, Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
}

/// A block of a message.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    tool_use_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(default)]
    is_error: Option<bool>,
}

/// A message of the user or of the model that is sent to the provider.
struct Record<'a> {
    is_answer: bool,
    /// The id of the answer; the same for all of its lines.
    answer: Option<Cow<'a, str>>,
    usage: Option<TokenUsage>,
    content: &'a RawValue,
    blocks: Vec<(&'a RawValue, Block<'a>)>,
}

/// Reads a session; `None` if it has no messages.
pub fn read<'a>(lines: &Lines<'a>) -> Option<Transcript<'a>> {
    let mut facts = Facts::new(Agent::ClaudeCode, lines);
    let parsed: Vec<Line<'a>> = lines.parse(&mut facts.warnings);
    let (nodes, records) = nodes(parsed, &mut facts);
    let chain = Chain::new(nodes, &mut facts.warnings);
    let path = chain.path();
    let messages = assembled(&records, &path.messages);
    let included: HashSet<usize> =
        messages.iter().flat_map(|message| message.lines.iter().copied()).collect();
    for index in chain.messages().filter(|index| !included.contains(index)) {
        match path.boundary.is_some_and(|boundary| index < boundary) {
            true => facts.left_out.before_compaction += 1,
            false => facts.left_out.other_branches += 1,
        }
    }
    sum_usage(&records, &chain, &mut facts);
    let usage_of = |message: &Assembled<'_>| {
        message.lines.iter().rev().find_map(|&index| records[index].as_ref()?.usage)
    };
    let usage = messages.iter().rfind(|message| message.is_answer).and_then(usage_of);
    let answers = messages.iter().enumerate().filter(|(_, message)| message.is_answer);
    let first = answers.filter_map(|(at, message)| Some((at, usage_of(message)?))).next();
    let first = first
        .filter(|(at, _)| *at > 0)
        .map(|(at, usage)| FirstRequest { json: json(&messages[..at]), input_tokens: input_tokens(&usage) });
    (!messages.is_empty()).then(|| Transcript {
        json: json(&messages),
        usage,
        first,
        window: None,
        results: arrived(&records, &chain),
        facts,
    })
}

/// Separates lines into the nodes of the tree and the messages at them.
fn nodes<'a>(parsed: Vec<Line<'a>>, facts: &mut Facts) -> (Vec<Node<'a>>, Vec<Option<Record<'a>>>) {
    let (mut nodes, mut records) = (Vec::new(), Vec::new());
    for line in parsed {
        if facts.session.is_none() {
            facts.session = line.session_id.as_deref().map(str::to_owned);
        }
        let kind = line.kind.as_deref().unwrap_or_default();
        let is_message = kind == "user" || kind == "assistant";
        if line.is_sidechain == Some(true) || line.team_name.is_some() {
            facts.left_out.subagents += u64::from(is_message);
            facts.left_out.other += u64::from(!is_message);
            continue;
        }
        let is_boundary = kind == "system" && line.subtype.as_deref() == Some("compact_boundary");
        facts.compactions += u64::from(is_boundary);
        // Messages that Claude Code shows in place of an answer are not sent.
        let sent = line.message.filter(|_| is_message && line.is_api_error_message != Some(true));
        let record = sent.and_then(|message| Record::new(message, kind == "assistant"));
        match kind {
            "attachment" => facts.left_out.attachments += 1,
            _ => facts.left_out.other += u64::from(record.is_none()),
        }
        let Some(uuid) = line.uuid else { continue };
        nodes.push(Node {
            uuid,
            parent: line.parent_uuid,
            boundary: is_boundary.then(|| Boundary::read(line.compact_metadata)),
            is_message: record.is_some(),
            is_tip: record.is_some() && line.is_meta != Some(true),
            is_summary: line.is_compact_summary == Some(true),
            answer: record.as_ref().and_then(|record| record.answer.clone()),
            is_answer: record.as_ref().is_some_and(|record| record.is_answer),
        });
        records.push(record);
    }
    (nodes, records)
}

impl<'a> Record<'a> {
    fn new(message: Message<'a>, is_answer: bool) -> Option<Record<'a>> {
        let content = message.content?;
        let blocks = content::elements(content).into_iter();
        let blocks = blocks.filter_map(|raw| Some((raw, serde_json::from_str(raw.get()).ok()?))).collect();
        let usage = message.usage.and_then(|usage| {
            let usage = serde_json::from_str(usage.get()).ok()?;
            tuckaway_usage::token_usage(&usage).ok().filter(|usage| usage.total_tokens() > 0)
        });
        Some(Record { is_answer, answer: message.id.filter(|_| is_answer), usage, content, blocks })
    }

    /// Returns the calls: their ids and tools.
    fn calls(&self) -> impl Iterator<Item = (&str, &str)> {
        let blocks = self.blocks.iter().filter(|(_, block)| self.is_answer && block.kind == "tool_use");
        blocks
            .filter_map(|(_, block)| Some((block.id.as_deref()?, block.name.as_deref().unwrap_or_default())))
    }

    /// Returns the results: the ids of their calls, and the blocks.
    fn results(&self) -> impl Iterator<Item = (&str, &Block<'a>)> {
        let blocks = self.blocks.iter().filter(|(_, block)| !self.is_answer && block.kind == "tool_result");
        blocks.filter_map(|(_, block)| Some((block.tool_use_id.as_deref()?, block)))
    }
}

/// A message as sent: all lines of an answer with the results of its calls, or a message of
/// the user.
struct Assembled<'a> {
    is_answer: bool,
    /// The records that are part of it.
    lines: Vec<usize>,
    /// The blocks of an answer.
    blocks: Vec<&'a RawValue>,
    /// Results of the calls, which come first in the user's message after the answer.
    results: Vec<&'a RawValue>,
    /// Other blocks of the records with results.
    others: Vec<&'a RawValue>,
    /// The content of a message of the user.
    content: Option<&'a RawValue>,
}

/// The messages of a history while they are assembled.
#[derive(Default)]
struct Assembly<'a, 'r> {
    messages: Vec<Assembled<'a>>,
    /// The message of each answer.
    answers: HashMap<&'r str, usize>,
    /// The message of each call that has no result yet.
    waiting: HashMap<&'r str, usize>,
}

/// Assembles the messages of a path. Lines of its answers and results of its calls that are
/// siblings of the path are part of it.
fn assembled<'a>(records: &[Option<Record<'a>>], path: &[usize]) -> Vec<Assembled<'a>> {
    let mut assembly = Assembly::default();
    let of = |index: usize| records[index].as_ref().map(|record| (index, record));
    for (index, record) in path.iter().filter_map(|&index| of(index)) {
        assembly.add(index, record);
    }
    let on_path: HashSet<usize> = path.iter().copied().collect();
    for (index, record) in (0..records.len()).filter(|index| !on_path.contains(index)).filter_map(of) {
        assembly.add_sibling(index, record);
    }
    assembly.messages
}

impl<'a, 'r> Assembly<'a, 'r> {
    fn add(&mut self, index: usize, record: &'r Record<'a>) {
        match record.is_answer {
            true => self.add_answer(index, record),
            false if self.add_results(index, record) => {}
            false => self.messages.push(Assembled {
                is_answer: false,
                lines: vec![index],
                blocks: Vec::new(),
                results: Vec::new(),
                others: Vec::new(),
                content: Some(record.content),
            }),
        }
    }

    /// Adds a record outside the path, if it belongs to an answer of the path.
    fn add_sibling(&mut self, index: usize, record: &'r Record<'a>) {
        match record.answer.as_deref().is_some_and(|id| self.answers.contains_key(id)) {
            true => self.add_answer(index, record),
            false => {
                self.add_results(index, record);
            }
        }
    }

    fn add_answer(&mut self, index: usize, record: &'r Record<'a>) {
        let known = record.answer.as_deref().and_then(|id| self.answers.get(id).copied());
        let at = known.unwrap_or(self.messages.len());
        if known.is_none() {
            let (lines, blocks, results, others) = Default::default();
            self.messages.push(Assembled { is_answer: true, lines, blocks, results, others, content: None });
        }
        self.messages[at].lines.push(index);
        if let Some(id) = record.answer.as_deref() {
            self.answers.insert(id, at);
        }
        for (id, _) in record.calls() {
            self.waiting.entry(id).or_insert(at);
        }
        match content::is_list(record.content) {
            true => self.messages[at].blocks.extend(record.blocks.iter().map(|(raw, _)| *raw)),
            false => self.messages[at].content = Some(record.content),
        }
    }

    /// Adds a record with results of known calls to their answers. Returns false if it has none.
    fn add_results(&mut self, index: usize, record: &Record<'a>) -> bool {
        let mut at = None;
        let mut others = Vec::new();
        for (raw, block) in &record.blocks {
            let call =
                block.tool_use_id.as_deref().filter(|_| !record.is_answer && block.kind == "tool_result");
            match call.and_then(|call| self.waiting.remove(call)) {
                Some(answer) => {
                    self.messages[answer].results.push(raw);
                    at = Some(answer);
                }
                // A second result of a call.
                None if call.is_some() => {}
                None => others.push(*raw),
            }
        }
        let Some(at) = at else { return false };
        self.messages[at].lines.push(index);
        self.messages[at].others.append(&mut others);
        true
    }
}

/// Writes the request.
fn json(messages: &[Assembled<'_>]) -> String {
    let list = |blocks: &mut dyn Iterator<Item = &&RawValue>| {
        let blocks: Vec<&str> = blocks.map(|block| block.get()).collect();
        format!("[{}]", blocks.join(","))
    };
    let mut written = Vec::new();
    for message in messages {
        let role = if message.is_answer { "assistant" } else { "user" };
        let content = match message.content {
            Some(content) => content.get().to_owned(),
            None => list(&mut message.blocks.iter()),
        };
        written.push(format!(r#"{{"role":"{role}","content":{content}}}"#));
        if !message.results.is_empty() {
            let content = list(&mut message.results.iter().chain(&message.others));
            written.push(format!(r#"{{"role":"user","content":{content}}}"#));
        }
    }
    format!(r#"{{"messages":[{}]}}"#, written.join(","))
}

/// Counts the requests and sums their usages: of an answer, the last line counts.
fn sum_usage(records: &[Option<Record<'_>>], chain: &Chain<'_>, facts: &mut Facts) {
    for lines in chain.answers() {
        facts.requests += 1;
        let usage = lines.iter().rev().find_map(|&index| records[index].as_ref()?.usage);
        if let Some(usage) = usage {
            facts.add(&usage);
        }
    }
}

/// Returns the results of the whole session, and how many later requests sent each of them again.
fn arrived<'a>(records: &[Option<Record<'a>>], chain: &Chain<'_>) -> Vec<Arrived<'a>> {
    let later = chain.later_requests();
    let mut calls: HashMap<&str, (&str, u64)> = HashMap::new();
    for lines in chain.answers() {
        let requests = lines.iter().map(|&index| later[index]).max().unwrap_or(0);
        for record in lines.iter().filter_map(|&index| records[index].as_ref()) {
            for (id, tool) in record.calls() {
                calls.entry(id).or_insert((tool, requests));
            }
        }
    }
    let mut arrived = Vec::new();
    for (id, block) in records.iter().flatten().flat_map(Record::results) {
        // A call has one result, even if a line was written twice.
        let (Some((tool, requests)), Some(content)) = (calls.remove(id), block.content) else { continue };
        let is_error = block.is_error == Some(true);
        arrived.push(Arrived { tool: tool.to_owned(), content, is_error, requests });
    }
    arrived
}
