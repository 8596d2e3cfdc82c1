//! The chunks of a document; a model reads each of them once.
//!
//! ```text
//! waiting ─► open ─┬─► done
//!    ▲             ├─► waiting, once more
//!    └── halves ◄──┴─► failed
//! ```

use serde::{Deserialize, Serialize};
use tuckaway_contract::{ByteSpan, Coverage, ModelRequest, RequestPurpose};

use crate::chunks::{self, Range, halves};
use crate::host::{Error, Failed, Format, Host};
use crate::job::{Extract, Job, Open, Received, open_tokens};
use crate::measure;
use crate::prompt::{self, ChunkInfo, Prompt};

/// The maximum bytes of a table's header, which each chunk repeats.
const MAX_HEADER_BYTES: usize = 2 << 10;
/// Attempts at a request for a chunk before the chunk is split.
const ATTEMPTS: u32 = 2;
/// The maximum number of chunks, including split ones.
const MAX_CHUNKS: usize = 4_096;

/// The status of a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The chunk was not yet sent.
    #[default]
    Waiting,
    /// A request with the chunk is open.
    Open(Open),
    /// A model has read the chunk.
    Done(Extract),
    /// Every attempt failed; the last one for this reason.
    Failed(String),
    /// A limit was reached before the chunk was sent.
    Skipped,
}

/// A chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The chunk's bytes.
    pub range: Range,
    /// The number of failed attempts.
    pub failures: u32,
    /// Whether the chunk is half of a failed one.
    pub is_half: bool,
    /// The chunk's status.
    pub status: Status,
}

impl Chunk {
    fn new(range: Range, is_half: bool) -> Self {
        Chunk { range, failures: 0, is_half, status: Status::Waiting }
    }

    /// Returns whether the chunk lies within the document and keeps its limits.
    pub fn is_consistent(&self, size: u64) -> bool {
        let Range { start, own, end } = self.range;
        start <= own && own <= end && end <= size && self.failures <= ATTEMPTS
    }

    /// Returns the extract if it is relevant.
    pub fn found(&self) -> Option<&Extract> {
        match &self.status {
            Status::Done(extract) if !extract.is_not_found => Some(extract),
            _ => None,
        }
    }
}

/// The chunks of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    /// All chunks, in order.
    pub chunks: Vec<Chunk>,
    /// The bytes of the header that each chunk except the first repeats; 0 without a header.
    pub header_bytes: u32,
}

impl Map {
    /// Returns whether the chunks lie within the document and keep their limits.
    pub fn is_consistent(&self, size: u64) -> bool {
        self.header_bytes as usize <= MAX_HEADER_BYTES
            && self.chunks.iter().all(|chunk| chunk.is_consistent(size))
    }

    /// Cuts a document into chunks.
    pub fn new(host: &dyn Host, job: &Job, count: u64) -> Result<Self, Failed> {
        let whole = Range { start: 0, own: 0, end: job.size.bytes };
        let ranges = chunks::cut(host, whole, count, job.config.overlap_pct)?;
        let header_bytes = match host.format() {
            Format::Table => {
                let head = measure::bytes(host, 0, MAX_HEADER_BYTES as u64)?;
                head.iter().position(|byte| *byte == b'\n').unwrap_or(0) as u32
            }
            _ => 0,
        };
        Ok(Map { chunks: ranges.into_iter().map(|range| Chunk::new(range, false)).collect(), header_bytes })
    }

    /// Returns the requests that can be made in addition to the open ones. Chunks beyond the limits
    /// are skipped.
    pub fn fill(&mut self, host: &dyn Host, job: &mut Job) -> Result<Vec<ModelRequest>, Error> {
        let mut requests = Vec::new();
        let mut index = 0;
        while index < self.chunks.len() && self.open().count() < job.config.max_parallel as usize {
            if self.chunks[index].status != Status::Waiting {
                index += 1;
                continue;
            }
            let prompt = self.prompt(host, job, index)?;
            if prompt.tokens > job.max_input_tokens() {
                self.split(host, index, self.chunks[index].is_half, "it does not fit into a request")?;
                continue;
            }
            if !job.can_afford(prompt.tokens, open_tokens(self.open()), u32::from(self.chunks.len() > 1)) {
                self.skip_waiting();
                break;
            }
            let (open, request) = job.request(RequestPurpose::Extract, prompt);
            self.chunks[index].status = Status::Open(open);
            requests.push(request);
        }
        Ok(requests)
    }

    /// Returns the open requests.
    pub fn resume(&self, host: &dyn Host, job: &Job) -> Result<Vec<ModelRequest>, Error> {
        let mut requests = Vec::new();
        for (index, chunk) in self.chunks.iter().enumerate() {
            if let Status::Open(open) = &chunk.status {
                let prompt = self.prompt(host, job, index)?;
                requests.push(job.open_request(open, RequestPurpose::Extract, prompt));
            }
        }
        Ok(requests)
    }

    /// Receives the outcome of a request. Returns false if the request is not open.
    pub fn receive(
        &mut self,
        host: &dyn Host,
        job: &mut Job,
        request: &str,
        received: Received<'_>,
    ) -> Result<bool, Failed> {
        let Some((index, open)) = self.position(request) else { return Ok(false) };
        match job.extracted(host, &open, received) {
            Ok(extract) => self.chunks[index].status = Status::Done(extract),
            Err(why) => self.fail(host, index, &why)?,
        }
        Ok(true)
    }

    /// Returns whether no chunk is waiting or open.
    pub fn is_finished(&self) -> bool {
        !self.chunks.iter().any(|chunk| matches!(chunk.status, Status::Waiting | Status::Open(_)))
    }

    /// Returns all relevant extracts, in order.
    pub fn joined(&self) -> String {
        let found: Vec<&str> =
            self.chunks.iter().filter_map(Chunk::found).map(|extract| extract.text.as_str()).collect();
        found.join("\n\n")
    }

    fn open(&self) -> impl Iterator<Item = &Open> {
        self.chunks.iter().filter_map(|chunk| match &chunk.status {
            Status::Open(open) => Some(open),
            _ => None,
        })
    }

    fn position(&self, request: &str) -> Option<(usize, Open)> {
        self.chunks.iter().enumerate().find_map(|(index, chunk)| match &chunk.status {
            Status::Open(open) if open.request == request => Some((index, open.clone())),
            _ => None,
        })
    }

    fn skip_waiting(&mut self) {
        for chunk in self.chunks.iter_mut().filter(|chunk| chunk.status == Status::Waiting) {
            chunk.status = Status::Skipped;
        }
    }

    /// Handles a failure: retries once, then splits the chunk, then gives up.
    fn fail(&mut self, host: &dyn Host, index: usize, why: &str) -> Result<(), Failed> {
        let chunk = &mut self.chunks[index];
        chunk.failures += 1;
        if chunk.is_half {
            chunk.status = Status::Failed(why.to_owned());
            return Ok(());
        }
        if chunk.failures < ATTEMPTS {
            chunk.status = Status::Waiting;
            return Ok(());
        }
        self.split(host, index, true, why)
    }

    /// Replaces a chunk by its halves; a chunk that cannot be split has failed.
    fn split(&mut self, host: &dyn Host, index: usize, is_half: bool, why: &str) -> Result<(), Failed> {
        let is_possible = self.chunks.len() < MAX_CHUNKS;
        match halves(host, self.chunks[index].range)?.filter(|_| is_possible) {
            Some(halves) => {
                let halves = halves.map(|range| Chunk::new(range, is_half));
                self.chunks.splice(index..=index, halves);
            }
            None => self.chunks[index].status = Status::Failed(why.to_owned()),
        }
        Ok(())
    }

    fn prompt(&self, host: &dyn Host, job: &Job, index: usize) -> Result<Prompt, Failed> {
        let Range { start, end, .. } = self.chunks[index].range;
        let info = ChunkInfo {
            index: index + 1,
            total: self.chunks.len(),
            overlap_pct: if self.chunks.len() > 1 { job.config.overlap_pct } else { 0 },
        };
        let mut text = measure::text(host, start, end)?;
        if self.header_bytes > 0 && start >= u64::from(self.header_bytes) {
            let header = measure::text(host, 0, self.header_bytes.into())?;
            text = format!("{}\n{text}", header.trim_end_matches('\r'));
        }
        let system = prompt::map(&job.subject, &job.size, &info);
        let message = prompt::fenced(&job.subject, prompt::CHUNK, &text);
        Ok(Prompt::new(host, system, message))
    }
}

/// Returns the part of a document that was read in chunks.
pub fn coverage(chunks: &[Chunk], size_bytes: u64) -> Coverage {
    let mut coverage = Coverage { chunks: chunks.len() as u32, size_bytes, ..Coverage::default() };
    let mut read = Vec::new();
    for chunk in chunks {
        match chunk.status {
            Status::Done(_) => {
                coverage.chunks_done += 1;
                read.push(ByteSpan { start: chunk.range.start, end: chunk.range.end });
            }
            Status::Failed(_) => coverage.chunks_failed += 1,
            _ => coverage.chunks_skipped += 1,
        }
    }
    coverage.read = crate::coverage::bounded(crate::coverage::merged(read));
    coverage
}
