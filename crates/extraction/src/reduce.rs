//! Combines the extracts of chunks, in levels if they do not fit into one request.

use serde::{Deserialize, Serialize};
use tuckaway_contract::{ModelRequest, RequestMessage, RequestPurpose};
use tuckaway_text::cut::head;

use crate::host::Host;
use crate::job::{Job, Open, Received, open_tokens};
use crate::map::{Chunk, Status};
use crate::measure::count;
use crate::prompt::{self, Prompt};

/// Attempts at a request before it counts as failed.
const ATTEMPTS: u32 = 2;

/// Items that one request combines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The extracts, or the texts of the level before.
    items: Vec<String>,
    /// The number of failed attempts.
    failures: u32,
    /// The request, if it is open.
    open: Option<Open>,
    /// The model's text, if the request is answered.
    text: Option<String>,
}

/// The groups of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reduce {
    /// The chunks, without their extracts.
    pub chunks: Vec<Chunk>,
    /// The groups, in order.
    groups: Vec<Group>,
    /// Whether an extract was truncated.
    pub is_cut: bool,
    /// Whether the last report says that nothing is relevant.
    pub is_not_found: bool,
    /// Why the extracts cannot be combined.
    pub failure: Option<String>,
}

impl Reduce {
    /// Returns whether the chunks lie within the document, and they and the groups keep
    /// their limits.
    pub fn is_consistent(&self, size: u64) -> bool {
        self.chunks.iter().all(|chunk| chunk.is_consistent(size))
            && self.groups.iter().all(|group| group.failures <= ATTEMPTS)
    }

    /// Starts with the extracts of chunks.
    pub fn new(host: &dyn Host, job: &Job, mut chunks: Vec<Chunk>) -> Self {
        let (mut items, mut is_cut) = (Vec::new(), false);
        for chunk in &mut chunks {
            if let Status::Done(extract) = &mut chunk.status {
                is_cut |= extract.is_cut;
                let text = std::mem::take(&mut extract.text);
                if !extract.is_not_found {
                    items.push(text);
                }
            }
        }
        let mut reduce = Reduce { chunks, groups: Vec::new(), is_cut, is_not_found: false, failure: None };
        reduce.pack(host, job, items);
        reduce
    }

    /// Forms groups that fit into a request. An item takes at most half of a request, so that
    /// the next level has about half as many items.
    fn pack(&mut self, host: &dyn Host, job: &Job, items: Vec<String>) {
        let frame = count(host, &prompt::reduce(&job.subject, "")) + 2 * prompt::MESSAGE_TOKENS;
        let available = job.max_input_tokens().saturating_sub(frame);
        let mut groups: Vec<Group> = Vec::new();
        let mut used = available;
        for item in items {
            let (item, tokens) = self.fitted(host, job, item, available / 2);
            match groups.last_mut().filter(|_| used.saturating_add(tokens) <= available) {
                Some(group) => {
                    group.items.push(item);
                    used += tokens;
                }
                None => {
                    groups.push(Group { items: vec![item], failures: 0, open: None, text: None });
                    used = tokens;
                }
            }
        }
        if groups.len() > 1 && groups.iter().all(|group| group.items.len() == 1) {
            self.failure = Some("the prompt leaves no space for two extracts".to_owned());
        }
        for group in groups.iter_mut().filter(|group| group.items.len() == 1) {
            group.text = group.items.first().cloned();
        }
        self.groups = groups;
    }

    /// Truncates an item to at most `most` tokens.
    fn fitted(&mut self, host: &dyn Host, job: &Job, mut item: String, most: u64) -> (String, u64) {
        loop {
            let tokens = count(host, &prompt::fenced(&job.subject, prompt::OUTPUT, &item)) + 2;
            if tokens <= most || item.is_empty() {
                return (item, tokens);
            }
            self.is_cut = true;
            // One eighth less than its share, because the rest may be denser.
            let share = u128::from(most) * item.len() as u128 / u128::from(tokens);
            let share = (share as usize).saturating_sub(share as usize / 8).min(item.len() - 1);
            item.truncate(head(&item, share).len());
        }
    }

    /// Returns the requests that can be made in addition to the open ones.
    pub fn fill(&mut self, host: &dyn Host, job: &mut Job) -> Vec<ModelRequest> {
        let mut requests = Vec::new();
        for index in 0..self.groups.len() {
            let open: Vec<&Open> = self.groups.iter().filter_map(|group| group.open.as_ref()).collect();
            let group = &self.groups[index];
            if group.text.is_some() || group.open.is_some() || open.len() >= job.config.max_parallel as usize
            {
                continue;
            }
            let prompt = group.prompt(host, job);
            if !job.can_afford(prompt.tokens, open_tokens(open), 0) {
                self.failure = Some("a limit of requests or tokens was reached".to_owned());
                return requests;
            }
            let (open, request) = job.request(RequestPurpose::Synthesize, prompt);
            self.groups[index].open = Some(open);
            requests.push(request);
        }
        requests
    }

    /// Returns the open requests.
    pub fn resume(&self, host: &dyn Host, job: &Job) -> Vec<ModelRequest> {
        let open = self.groups.iter().filter_map(|group| Some((group, group.open.as_ref()?)));
        open.map(|(group, open)| job.open_request(open, RequestPurpose::Synthesize, group.prompt(host, job)))
            .collect()
    }

    /// Receives the outcome of a request. Returns false if the request is not open.
    pub fn receive(&mut self, host: &dyn Host, job: &mut Job, request: &str, received: Received<'_>) -> bool {
        let Some((index, open)) = self.take(request) else { return false };
        let group = &mut self.groups[index];
        match job.extracted(host, &open, received) {
            Ok(extract) => {
                self.is_cut |= extract.is_cut;
                self.is_not_found = extract.is_not_found;
                group.text = Some(extract.text);
            }
            Err(why) => {
                group.failures += 1;
                if group.failures >= ATTEMPTS {
                    self.failure = Some(why);
                }
            }
        }
        true
    }

    fn take(&mut self, request: &str) -> Option<(usize, Open)> {
        let is_it = |group: &Group| group.open.as_ref().is_some_and(|open| open.request == request);
        let index = self.groups.iter().position(is_it)?;
        Some((index, self.groups[index].open.take()?))
    }

    /// Starts the next level if this one is finished. Returns the final text: the answer of
    /// the last request, or all texts in order if they cannot be combined.
    pub fn advance(&mut self, host: &dyn Host, job: &Job) -> Option<String> {
        if self.failure.is_some() {
            return Some(self.joined());
        }
        if self.groups.iter().any(|group| group.text.is_none()) {
            return None;
        }
        let mut texts: Vec<String> = self.groups.iter_mut().filter_map(|group| group.text.take()).collect();
        if texts.len() <= 1 {
            return Some(texts.pop().unwrap_or_default());
        }
        self.pack(host, job, texts);
        None
    }

    /// Returns whether a request is open.
    pub fn is_waiting(&self) -> bool {
        self.groups.iter().any(|group| group.open.is_some())
    }

    /// Returns the texts and the items without a text, in order.
    pub fn joined(&self) -> String {
        let texts = self.groups.iter().map(|group| match &group.text {
            Some(text) => text.clone(),
            None => group.items.join("\n\n"),
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }
}

impl Group {
    fn prompt(&self, host: &dyn Host, job: &Job) -> Prompt {
        let outputs: Vec<String> =
            self.items.iter().map(|item| prompt::fenced(&job.subject, prompt::OUTPUT, item)).collect();
        let system = prompt::reduce(&job.subject, &outputs.join("\n"));
        // The message is a constant of about as many tokens as the frame of a message.
        let tokens = count(host, &system) + 3 * prompt::MESSAGE_TOKENS;
        Prompt { system, messages: vec![RequestMessage::User(prompt::SYNTHESIZE_NOW.to_owned())], tokens }
    }
}
