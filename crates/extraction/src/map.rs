//! Chunks, each of which a model reads once.
//!
//! ```text
//! waiting ─► open ─┬─► done
//!    ▲             ├─► waiting, once more
//!    └── halves ◄──┴─► failed
//! ```

use crate::chunks::{self, Range, halves};
use crate::codec::{Codec, Values};
use crate::host::{Error, Failed, Format, Host};
use crate::job::{Extract, Job, Open, Received};
use crate::measure;
use crate::model::{ByteSpan, Coverage, ModelRequest, RequestPurpose};
use crate::prompt::{self, ChunkInfo, Prompt};

/// The most bytes of a table's header that each chunk repeats.
const MAX_HEADER_BYTES: usize = 2 << 10;
/// The most chunks, split ones included.
const MAX_CHUNKS: usize = 4_096;

/// What became of a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// It was not sent yet.
    #[default]
    Waiting,
    /// It was sent.
    Open(Open),
    /// A model has read it.
    Done(Extract),
    /// Every attempt failed: why the last one did.
    Failed(String),
    /// A limit was reached before it was sent.
    Skipped,
}

/// A chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Its bytes.
    pub range: Range,
    /// Attempts that failed.
    pub failures: u32,
    /// Whether it is half of one that failed.
    pub is_half: bool,
    /// What became of it.
    pub status: Status,
}

impl Chunk {
    fn new(range: Range, is_half: bool) -> Self {
        Chunk { range, failures: 0, is_half, status: Status::Waiting }
    }

    /// Returns whether the chunk lies within the document.
    pub fn is_within(&self, size: u64) -> bool {
        let Range { start, own, end } = self.range;
        start <= own && own <= end && end <= size
    }

    /// Returns what was extracted, if there is something.
    pub fn found(&self) -> Option<&Extract> {
        match &self.status {
            Status::Done(extract) if !extract.is_not_found => Some(extract),
            _ => None,
        }
    }
}

/// The chunks of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// All of them, in order.
    pub chunks: Vec<Chunk>,
    /// The bytes of the header that each chunk but the first repeats; 0 if there is none.
    pub header_bytes: u32,
}

impl Map {
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

    /// Returns the requests that can be made beside those that are open. What no limit
    /// allows is skipped.
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
            let open_tokens = self.open().map(|open| open.tokens).sum();
            if !job.can_afford(prompt.tokens, open_tokens, u32::from(self.chunks.len() > 1)) {
                self.skip_waiting();
                break;
            }
            let (open, request) = job.request(RequestPurpose::Extract, prompt);
            self.chunks[index].status = Status::Open(open);
            requests.push(request);
        }
        Ok(requests)
    }

    /// Returns the requests that are open.
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

    /// Takes what became of a request: false if it is not open.
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

    /// Returns whether nothing is left to do.
    pub fn is_finished(&self) -> bool {
        !self.chunks.iter().any(|chunk| matches!(chunk.status, Status::Waiting | Status::Open(_)))
    }

    /// Returns all that was extracted, in order.
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

    /// After a failure: tries again once, then with halves, then gives up.
    fn fail(&mut self, host: &dyn Host, index: usize, why: &str) -> Result<(), Failed> {
        let chunk = &mut self.chunks[index];
        chunk.failures += 1;
        if chunk.is_half {
            chunk.status = Status::Failed(why.to_owned());
            return Ok(());
        }
        if chunk.failures == 1 {
            chunk.status = Status::Waiting;
            return Ok(());
        }
        self.split(host, index, true, why)
    }

    /// Replaces a chunk by its halves; if it has none, it failed.
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

impl Values for Map {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        codec.list(&mut self.chunks);
        codec.small(&mut self.header_bytes);
    }
}

impl Values for Chunk {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        let Range { start, own, end } = &mut self.range;
        [start, own, end].into_iter().for_each(|number| codec.number(number));
        codec.small(&mut self.failures);
        codec.flag(&mut self.is_half);
        self.status.pass(codec);
    }
}

impl Values for Status {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        let index = match self {
            Status::Waiting => 0,
            Status::Open(_) => 1,
            Status::Done(_) => 2,
            Status::Failed(_) => 3,
            Status::Skipped => 4,
        };
        match (codec.case(index, 5), &mut *self) {
            (_, Status::Open(open)) => open.pass(codec),
            (_, Status::Done(extract)) => extract.pass(codec),
            (_, Status::Failed(why)) => codec.text(why),
            (1, status) => *status = Status::Open(codec.read_new()),
            (2, status) => *status = Status::Done(codec.read_new()),
            (3, status) => *status = Status::Failed(codec.read_new()),
            (4, status) => *status = Status::Skipped,
            _ => {}
        }
    }
}

/// Returns how much of a document was read.
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
