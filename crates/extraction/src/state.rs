//! The state between two steps: JSON with a version and a checksum.

use tuckaway_json::write::quote;

use crate::codec::{self, Codec, Values};
use crate::config::{check_config, defaults};
use crate::host::Error;
use crate::job::Job;
use crate::map::{self, Map};
use crate::measure::Size;
use crate::model::{Coverage, ExtractionMode, ExtractionUsage};
use crate::reduce::Reduce;
use crate::search::Search;
use crate::subject::{Subject, fingerprint};

/// The version of states. It changes with what they contain.
const VERSION: u32 = 1;

/// What is going on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Work {
    /// Chunks are read.
    Map(Map),
    /// What was extracted from them is put together.
    Reduce(Reduce),
    /// A model reads and searches.
    Search(Search),
}

impl Work {
    /// Returns how much of a document was read.
    pub fn coverage(&self, size_bytes: u64) -> Coverage {
        match self {
            Work::Map(Map { chunks, .. }) | Work::Reduce(Reduce { chunks, .. }) => {
                map::coverage(chunks, size_bytes)
            }
            Work::Search(search) => search.coverage(size_bytes),
        }
    }
}

/// Everything that the next step needs.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The extraction.
    pub(crate) job: Job,
    /// What is going on.
    pub(crate) work: Work,
}

/// What comes before the version of a state, before its checksum, and before what that is
/// of.
const BEGINNING: [&str; 3] = ["{\"version\":", ",\"checksum\":\"", "\","];
/// What comes before the values. In a text, its quotes have a backslash before them.
const VALUES: &str = ",\"values\":";

impl State {
    /// Returns the artifact, which the host has to open for the next step.
    pub fn artifact(&self) -> &str {
        &self.job.subject.artifact
    }

    /// Writes the state. For hosts and people, it names the artifact and what is extracted.
    pub(crate) fn into_json(mut self) -> String {
        let Subject { artifact, extract, .. } = &self.job.subject;
        let about = format!("\"artifact\":{},\"extract\":{}", quote(artifact), quote(extract));
        let content = format!("{about}{VALUES}{}}}", codec::write(&mut self));
        let [version, checksum, begin] = BEGINNING;
        format!("{version}{VERSION}{checksum}{:016x}{begin}{content}", fingerprint(&content))
    }

    /// Reads a state.
    ///
    /// Errors: invalid for one that was cut or changed, or is of another version.
    pub fn from_json(json: &str) -> Result<State, Error> {
        let malformed = || {
            Error::invalid(
                "This is not the state of an extraction: pass the state of the last step unchanged, or start again.",
            )
        };
        let (version, checksum, content) = unsealed(json).ok_or_else(malformed)?;
        if version != VERSION.to_string() {
            return Err(Error::invalid(format!(
                "The state has version {}, but this is version {VERSION}: start the extraction again.",
                tuckaway_text::cut::head(version, 20)
            )));
        }
        if checksum != format!("{:016x}", fingerprint(content)) {
            return Err(malformed());
        }
        let values = content.split_once(VALUES).and_then(|(_, values)| values.strip_suffix('}'));
        let state =
            values.and_then(|values| codec::read(values, State::blank())).filter(State::is_consistent);
        state.ok_or_else(malformed)
    }

    /// Returns a state to read over.
    fn blank() -> State {
        let job = Job {
            subject: Subject::default(),
            config: defaults(0),
            size: Size::default(),
            strategy: ExtractionMode::Auto,
            warnings: Vec::new(),
            usage: ExtractionUsage::default(),
        };
        State { job, work: Work::Search(Search::default()) }
    }

    /// Returns whether nothing in the state contradicts its size and limits: the checksum
    /// is for accidents.
    fn is_consistent(&self) -> bool {
        if check_config(&self.job.config).is_err() {
            return false;
        }
        let chunks = match &self.work {
            Work::Map(map) => &map.chunks,
            Work::Reduce(reduce) => &reduce.chunks,
            Work::Search(search) => return search.is_consistent(&self.job.config, self.job.size.bytes),
        };
        chunks.iter().all(|chunk| chunk.is_within(self.job.size.bytes))
    }
}

/// Returns the version of a state, its checksum and what that is of.
fn unsealed(json: &str) -> Option<(&str, &str, &str)> {
    let [version, checksum, begin] = BEGINNING;
    let (version, rest) = json.strip_prefix(version)?.split_once(checksum)?;
    let (checksum, content) = rest.split_once(begin)?;
    Some((version, checksum, content))
}

impl Values for State {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        self.job.pass(codec);
        let index = match self.work {
            Work::Map(_) => 0,
            Work::Reduce(_) => 1,
            Work::Search(_) => 2,
        };
        match (codec.case(index, 3), &mut self.work) {
            (_, Work::Map(map)) => map.pass(codec),
            (_, Work::Reduce(reduce)) => reduce.pass(codec),
            (0, work) => *work = Work::Map(codec.read_new()),
            (1, work) => *work = Work::Reduce(codec.read_new()),
            (_, Work::Search(search)) => search.pass(codec),
        }
    }
}
