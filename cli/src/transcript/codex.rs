//! Codex's rollouts: the provider sees the `response_item`s; the other lines say what happens
//! to them.
//!
//! The rollout is replayed as Codex does when it resumes a session: a compaction replaces the
//! history, a rollback takes back turns of the user.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use tuckaway_host::TokenUsage;

use super::lines::Lines;
use super::{Agent, Arrived, Facts, FirstRequest, Transcript, content, input_tokens};

/// The bytes of the user's messages that older versions kept with a summary: their 20,000 tokens.
const KEPT_BYTES: usize = 80_000;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    payload: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    base_instructions: Option<&'a RawValue>,
}

/// An item of the history.
#[derive(Clone, Deserialize)]
struct Item<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    call_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    output: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Compacted<'a> {
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    #[serde(borrow, default)]
    replacement_history: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    info: Option<Counts<'a>>,
    #[serde(default)]
    model_context_window: Option<u64>,
    #[serde(default)]
    num_turns: Option<u64>,
}

/// The usage in a `token_count`.
#[derive(Deserialize)]
struct Counts<'a> {
    #[serde(borrow, default)]
    total_token_usage: Option<&'a RawValue>,
    #[serde(default)]
    last_token_usage: Option<Usage>,
    #[serde(default)]
    model_context_window: Option<u64>,
}

/// A usage as Codex writes it: its input includes cached tokens.
#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    cached_input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
}

impl Usage {
    /// Returns the usage; `None` if it is zero or impossible.
    fn read(&self) -> Option<TokenUsage> {
        let cached = self.cached_input_tokens.min(self.input_tokens);
        let usage = serde_json::json!({
            "input_tokens": self.input_tokens - cached,
            "output_tokens": self.output_tokens,
            "cache_read_tokens": cached,
        });
        tuckaway_usage::token_usage(&usage).ok().filter(|usage| usage.total_tokens() > 0)
    }
}

/// Reads a rollout; `None` if it has no messages.
pub fn read<'a>(lines: &Lines<'a>) -> Option<Transcript<'a>> {
    let mut facts = Facts::new(Agent::Codex, lines);
    let parsed: Vec<Line<'a>> = lines.parse(&mut facts.warnings);
    let mut replay = Replay::new(facts);
    let mut payloads = parsed.iter().filter_map(|line| line.payload);
    replay.has_counts = payloads.any(|payload| payload.get().contains("\"last_token_usage\""));
    for line in &parsed {
        if let Some(payload) = line.payload {
            replay.line(&line.kind, payload);
        }
    }
    replay.finish()
}

/// An item that is sent, as JSON.
struct Sent<'a> {
    json: Cow<'a, str>,
    /// Whether it begins a turn of the user.
    begins_turn: bool,
    /// The result in it, by its index.
    result: Option<usize>,
}

/// The state of a replay.
struct Replay<'a> {
    facts: Facts,
    instructions: Option<&'a RawValue>,
    window: Option<u64>,
    history: Vec<Sent<'a>>,
    /// Where the turns of the user begin in the history.
    turns: Vec<usize>,
    results: Vec<Arrived<'a>>,
    tools: HashMap<Cow<'a, str>, String>,
    /// Whether a count ends each answer. Older versions wrote none.
    has_counts: bool,
    /// The requests that have begun: each with the first item of its answer.
    begun: u64,
    /// Whether the answer of the last request is being written.
    is_answering: bool,
    /// Where the answer of the last request begins in the history.
    answer_start: usize,
    /// Where the answer of the first request with a usage begins, and the tokens of its input.
    first: Option<(usize, u64)>,
    /// The usage of the last answer, if nothing of the model came after it.
    usage: Option<TokenUsage>,
    /// The total usage in the last `token_count`. Codex repeats it.
    total: Option<&'a str>,
}

impl<'a> Replay<'a> {
    fn new(facts: Facts) -> Replay<'a> {
        Replay {
            facts,
            instructions: None,
            window: None,
            history: Vec::new(),
            turns: Vec::new(),
            results: Vec::new(),
            tools: HashMap::new(),
            has_counts: false,
            begun: 0,
            is_answering: false,
            answer_start: 0,
            first: None,
            usage: None,
            total: None,
        }
    }

    fn line(&mut self, kind: &str, payload: &'a RawValue) {
        match kind {
            "response_item" => match serde_json::from_str(payload.get()) {
                Ok(item) => self.item(&item, payload),
                Err(_) => self.facts.left_out.other += 1,
            },
            "compacted" => self.compact(serde_json::from_str(payload.get()).ok()),
            kind => {
                self.facts.left_out.other += 1;
                match kind {
                    "session_meta" => self.meta(payload),
                    "event_msg" => self.event(payload),
                    _ => {}
                }
            }
        }
    }

    fn meta(&mut self, payload: &'a RawValue) {
        #[derive(Deserialize)]
        struct Instructions<'a> {
            #[serde(borrow)]
            text: &'a RawValue,
        }
        let Ok(meta) = serde_json::from_str::<Meta<'a>>(payload.get()) else { return };
        // A fork begins with its own line, which the lines of its origin follow.
        if self.facts.session.is_none() {
            self.facts.session = meta.id.map(Cow::into_owned);
        }
        let base = meta.base_instructions.filter(|_| self.instructions.is_none());
        let base = base.and_then(|base| serde_json::from_str::<Instructions<'a>>(base.get()).ok());
        self.instructions = self.instructions.or(base.map(|base| base.text));
    }

    fn item(&mut self, item: &Item<'a>, json: &'a RawValue) {
        // A copy of the files for undoing changes, which is not sent.
        if item.kind == "ghost_snapshot" {
            self.facts.left_out.other += 1;
            return;
        }
        let begins_turn = item.begins_turn();
        if item.is_of_model() {
            if !std::mem::replace(&mut self.is_answering, true) {
                self.begun += 1;
                self.answer_start = self.history.len();
            }
            self.usage = None;
        } else if begins_turn || !self.has_counts {
            // Without counts, any item that the model did not write ends its answer.
            self.is_answering = false;
        }
        if let (Some(call), false) = (&item.call_id, item.is_output()) {
            let tool = item.name.as_deref().unwrap_or_else(|| item.kind.trim_end_matches("_call"));
            self.tools.insert(call.clone(), tool.to_owned());
        }
        let result = self.result(item);
        self.push(Sent { json: json.get().into(), begins_turn, result });
    }

    fn push(&mut self, sent: Sent<'a>) {
        if sent.begins_turn {
            self.turns.push(self.history.len());
        }
        self.history.push(sent);
    }

    /// Notes a result. Until it is removed, `requests` is the number of those before it.
    fn result(&mut self, item: &Item<'a>) -> Option<usize> {
        let content = item.output.filter(|_| item.is_output())?;
        let tool = self.tools.remove(item.call_id.as_ref()?)?;
        self.results.push(Arrived { tool, content, is_error: false, requests: self.begun });
        Some(self.results.len() - 1)
    }

    fn event(&mut self, payload: &'a RawValue) {
        let Ok(event) = serde_json::from_str::<Event<'a>>(payload.get()) else { return };
        self.window = event.model_context_window.or(self.window);
        match (&*event.kind, event.info, event.num_turns) {
            ("token_count", Some(counts), _) => self.count(&counts),
            ("thread_rolled_back", _, Some(turns)) => self.roll_back(turns),
            _ => {}
        }
    }

    fn count(&mut self, counts: &Counts<'a>) {
        self.window = counts.model_context_window.or(self.window);
        let total = counts.total_token_usage.map(RawValue::get);
        if total.is_some() && total == self.total {
            return;
        }
        self.total = total;
        // After a compaction, Codex estimates what it will send next.
        if !std::mem::take(&mut self.is_answering) {
            return;
        }
        self.usage = counts.last_token_usage.as_ref().and_then(Usage::read);
        if let Some(usage) = &self.usage {
            self.facts.add(usage);
            self.first = self.first.or(Some((self.answer_start, input_tokens(usage))));
        }
    }

    /// Replaces the history. Older versions wrote only the summary, and kept the user's newest messages.
    fn compact(&mut self, compacted: Option<Compacted<'a>>) {
        let Some(compacted) = compacted else { return };
        self.facts.compactions += 1;
        (self.usage, self.first, self.is_answering) = (None, None, false);
        let mut old = std::mem::take(&mut self.history);
        self.turns.clear();
        old.iter().for_each(|sent| self.remove(sent));
        if let Some(items) = compacted.replacement_history {
            for json in items {
                let item = serde_json::from_str::<Item<'_>>(json.get());
                let begins_turn = item.is_ok_and(|item| item.begins_turn());
                self.push(Sent { json: json.get().into(), begins_turn, result: None });
            }
        } else {
            let (mut kept, mut room) = (Vec::new(), KEPT_BYTES);
            while let Some(sent) = old.pop_if(|sent| !sent.begins_turn || sent.json.len() <= room) {
                match sent.begins_turn {
                    true => {
                        room -= sent.json.len();
                        kept.push(sent);
                    }
                    false => self.facts.left_out.before_compaction += 1,
                }
            }
            kept.into_iter().rev().for_each(|sent| self.push(sent));
            let text = compacted.message.map_or("\"\"", RawValue::get);
            let content = format!(r#"[{{"type":"input_text","text":{text}}}]"#);
            let json = format!(r#"{{"type":"message","role":"user","content":{content}}}"#);
            self.push(Sent { json: json.into(), begins_turn: false, result: None });
        }
        self.facts.left_out.before_compaction += old.len() as u64;
    }

    /// Takes back the newest turns of the user.
    fn roll_back(&mut self, turns: u64) {
        let kept = self.turns.len().saturating_sub(usize::try_from(turns).unwrap_or(usize::MAX));
        let Some(&start) = self.turns.get(kept) else { return };
        self.turns.truncate(kept);
        let removed = self.history.split_off(start);
        removed.iter().for_each(|sent| self.remove(sent));
        self.facts.left_out.other_branches += removed.len() as u64;
        (self.usage, self.is_answering) = (None, false);
        self.first = self.first.filter(|(answer, _)| *answer < start);
    }

    /// Counts the requests that sent the result in an item, which is not sent any more.
    fn remove(&mut self, sent: &Sent<'_>) {
        if let Some(result) = sent.result {
            let result = &mut self.results[result];
            result.requests = self.begun - result.requests;
        }
    }

    fn finish(mut self) -> Option<Transcript<'a>> {
        let history = std::mem::take(&mut self.history);
        history.iter().for_each(|sent| self.remove(sent));
        if history.is_empty() {
            return None;
        }
        let instructions =
            self.instructions.map(|text| format!(r#""instructions":{text},"#)).unwrap_or_default();
        let json = |items: &[Sent<'_>]| {
            let items: Vec<&str> = items.iter().map(|sent| &*sent.json).collect();
            format!(r#"{{{instructions}"input":[{}]}}"#, items.join(","))
        };
        let first = self.first.filter(|(answer, _)| *answer > 0);
        self.facts.requests = self.begun;
        Some(Transcript {
            json: json(&history),
            usage: self.usage,
            first: first
                .map(|(answer, input_tokens)| FirstRequest { json: json(&history[..answer]), input_tokens }),
            window: self.window.filter(|&window| window > 0),
            facts: self.facts,
            results: self.results,
        })
    }
}

impl Item<'_> {
    /// Returns whether the model wrote it.
    fn is_of_model(&self) -> bool {
        match &*self.kind {
            "message" => self.role.as_deref() == Some("assistant"),
            "reasoning" => true,
            kind => kind.ends_with("_call"),
        }
    }

    fn is_output(&self) -> bool {
        self.kind.ends_with("_output")
    }

    /// Returns whether it begins a turn: a message of the user that Codex did not write itself.
    fn begins_turn(&self) -> bool {
        const OF_CODEX: [&str; 8] = [
            "<environment_context>",
            "<user_instructions>",
            "# AGENTS.md instructions",
            "<turn_aborted>",
            "<skill>",
            "<user_shell_command>",
            "<subagent_notification>",
            "<recommended_plugins>",
        ];
        let is_of_user = self.kind == "message" && self.role.as_deref() == Some("user");
        let is_own = || {
            let text = self.content.map(content::text).unwrap_or_default();
            !OF_CODEX.iter().any(|prefix| text.trim_start().starts_with(prefix))
        };
        is_of_user && is_own()
    }
}
