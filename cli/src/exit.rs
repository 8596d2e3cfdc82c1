//! How a command ends: an exit status, and one line that says why.

use std::io;

/// The status of a process that a closed pipe ended, as shells report it.
const BROKEN_PIPE: u8 = 128 + 13;

/// Why a command could not do what it was asked.
#[derive(Debug)]
pub struct Failure {
    /// The exit status.
    pub status: u8,
    /// What to tell on stderr; nothing if nobody wants to know.
    pub message: Option<String>,
}

/// The exit status of a command.
pub type Outcome = Result<u8, Failure>;

impl Failure {
    /// A failure with the usual status, 1.
    pub fn new(message: impl Into<String>) -> Self {
        Failure { status: 1, message: Some(message.into()) }
    }

    /// The same with another status, unless it is quiet.
    #[must_use]
    pub fn with_status(self, status: u8) -> Self {
        match self.message {
            Some(_) => Failure { status, ..self },
            None => self,
        }
    }

    /// The same with one more sentence, unless it is quiet.
    #[must_use]
    pub fn with_addition(self, sentence: &str) -> Self {
        Failure { message: self.message.map(|message| format!("{message} {sentence}")), ..self }
    }
}

/// What the engine tells a model to do, and what does the same on a command line.
const IN_OWN_WORDS: [(&str, &str); 5] = [
    ("use an artifact_id exactly as an envelope gave it", "see `tuckaway list`"),
    ("Use an artifact_id exactly as an envelope gave it", "See `tuckaway list`"),
    ("set fixed_string to true", "use -F"),
    ("lines of before context are too many", "lines for -B or -C are too many"),
    ("lines of after context are too many", "lines for -A or -C are too many"),
];

impl From<tuckaway_host::Error> for Failure {
    fn from(error: tuckaway_host::Error) -> Self {
        let own = |message: String, (model, own): &(&str, &str)| message.replace(model, own);
        Failure::new(IN_OWN_WORDS.iter().fold(error.message, own))
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure::new(format!("{error:#}"))
    }
}

/// Only writing to stdout fails with an error that nothing is added to.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure { status: BROKEN_PIPE, message: None },
            _ => Failure::new(format!("cannot write to standard output: {error}")),
        }
    }
}
