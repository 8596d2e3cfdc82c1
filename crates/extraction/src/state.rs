//! The state between two steps: JSON with a version and a checksum.

use crate::codec::{self, Codec, Values};
use crate::config::{check_config, defaults};
use crate::host::Error;
use crate::job::Job;
use crate::map::Map;
use crate::measure::Size;
use crate::model::{ExtractionMode, ExtractionUsage};
use crate::reduce::Reduce;
use crate::search::Search;
use crate::subject::{Subject, fingerprint};

/// The version of states. It changes with what they contain.
const VERSION: u32 = 1;

/// What is going on.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Chunks are read.
    Map(Map),
    /// What was extracted from them is put together.
    Reduce(Reduce),
    /// A model reads and searches.
    Search(Search),
}

/// Everything that the next step needs.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The extraction.
    pub job: Job,
    /// What is going on.
    pub work: Work,
}

/// What a state begins with, before its version, its checksum and its values.
const BEGINNING: [&str; 3] = ["{\"version\":", ",\"checksum\":\"", "\",\"extraction\":"];

impl State {
    /// Writes the state.
    pub fn into_json(mut self) -> String {
        let values = codec::write(&mut self);
        let [version, checksum, extraction] = BEGINNING;
        format!("{version}{VERSION}{checksum}{:016x}{extraction}{values}}}", fingerprint(&values))
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
        let (version, checksum, values) = unsealed(json).ok_or_else(malformed)?;
        if version != VERSION.to_string() {
            return Err(Error::invalid(format!(
                "The state has version {}, but this is version {VERSION}: start the extraction again.",
                tuckaway_text::cut::head(version, 20)
            )));
        }
        if checksum != format!("{:016x}", fingerprint(values)) {
            return Err(malformed());
        }
        let state = codec::read(values, State::blank()).filter(State::is_consistent);
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

/// Returns the version, the checksum and the values of a state.
fn unsealed(json: &str) -> Option<(&str, &str, &str)> {
    let [version, checksum, extraction] = BEGINNING;
    let (version, rest) = json.strip_prefix(version)?.split_once(checksum)?;
    let (checksum, rest) = rest.split_once(extraction)?;
    Some((version, checksum, rest.strip_suffix('}')?))
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
