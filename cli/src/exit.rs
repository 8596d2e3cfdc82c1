//! How a command ends: an exit status, and one line that says why.

use std::{env, io};

use clap::CommandFactory;
use tuckaway_host::ErrorKind;

/// The status of a process that a closed pipe ended, as shells report it.
const BROKEN_PIPE: u8 = 128 + 13;

/// The status of a usage error, and of an input that does not exist or cannot be read.
pub const NO_INPUT: u8 = 2;

/// Why a command failed.
#[derive(Debug)]
pub struct Failure {
    /// The exit status.
    pub status: u8,
    /// The message for stderr; `None` to exit silently.
    pub message: Option<String>,
}

/// The exit status of a command.
pub type Outcome = Result<u8, Failure>;

impl Failure {
    /// Creates a failure with the usual status, 1.
    pub fn new(message: impl Into<String>) -> Self {
        Failure { status: 1, message: Some(message.into()) }
    }

    /// Changes the status, unless the failure is silent.
    #[must_use]
    pub fn with_status(self, status: u8) -> Self {
        match self.message {
            Some(_) => Failure { status, ..self },
            None => self,
        }
    }

    /// Removes the message.
    #[must_use]
    pub fn silenced(self) -> Self {
        Failure { message: None, ..self }
    }

    /// Replaces a phrase of the message.
    #[must_use]
    pub fn with_wording(self, phrase: &str, own: &str) -> Self {
        Failure { message: self.message.map(|message| message.replace(phrase, own)), ..self }
    }

    /// Appends a sentence to the message, unless the failure is silent.
    #[must_use]
    pub fn with_addition(self, sentence: &str) -> Self {
        Failure { message: self.message.map(|message| format!("{message} {sentence}")), ..self }
    }
}

/// Phrases that the engine addresses to a model or a host, and their counterparts for the
/// command line.
const COMMAND_LINE_WORDING: [(&str, &str); 8] = [
    ("pass an artifact_id exactly as its envelope shows it", "see `tuckaway list`"),
    ("Pass an artifact_id exactly as its envelope shows it", "See `tuckaway list`"),
    ("set fixed_string to true", "use -F"),
    ("; the host can raise --", ", or raise --"),
    ("; the host can raise memory_limit", ", or raise --memory"),
    (" and memory_limit", " and --memory"),
    ("lines of before context are too many", "lines for -B or -C are too many"),
    ("lines of after context are too many", "lines for -A or -C are too many"),
];

impl From<tuckaway_host::Error> for Failure {
    fn from(error: tuckaway_host::Error) -> Self {
        let own = |message: String, (model, own): &(&str, &str)| message.replace(model, own);
        let message = error.message_with(as_option);
        let failure = Failure::new(COMMAND_LINE_WORDING.iter().fold(message, own));
        match error.kind {
            ErrorKind::NotFound | ErrorKind::Expired => failure.with_status(NO_INPUT),
            _ => failure,
        }
    }
}

/// Spells an argument as the option of the running command that sets it, if there is one.
///
/// A name of one word stays as it is: it is also a noun of the sentence, and the memory of a history
/// is not `--memory`.
fn as_option(argument: &str) -> String {
    let option = argument.replace('_', "-");
    let has_option = |command: clap::Command| command.get_arguments().any(|a| a.get_long() == Some(&option));
    match argument.contains('_') && running().is_some_and(has_option) {
        true => format!("--{option}"),
        false => argument.to_owned(),
    }
}

/// Returns the command that is running, with the options of all commands.
fn running() -> Option<clap::Command> {
    let mut command = crate::Cli::command();
    command.build();
    let matches = command.clone().try_get_matches_from(env::args_os()).ok()?;
    let mut matches = &matches;
    while let Some((name, inner)) = matches.subcommand() {
        command = command.find_subcommand(name)?.clone();
        matches = inner;
    }
    Some(command)
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure::new(format!("{error:#}"))
    }
}

/// Only writes to stdout are converted without context; all other I/O errors get some.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure { status: BROKEN_PIPE, message: None },
            _ => Failure::new(format!("cannot write to standard output: {error}")),
        }
    }
}
