//! Help, and errors about the arguments.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory};

use crate::args::Cli;
use crate::exit::Failure;

/// Prints the requested help, or the mistake in the arguments.
pub fn report(mut error: clap::Error) -> ExitCode {
    correct(&mut error);
    let status = u8::try_from(error.exit_code()).unwrap_or(1);
    match error.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::from(status),
        Err(error) => {
            let failure = Failure::from(error);
            if let Some(message) = failure.message {
                eprintln!("tuckaway: {message}");
            }
            ExitCode::from(failure.status)
        }
    }
}

/// Corrects two lines of clap: the usage lists optional options, such as options that the environment
/// sets, as if they were required; and the advice to pass an unknown option as a value suits only
/// commands whose operand may begin with a hyphen.
fn correct(error: &mut clap::Error) {
    let Some(usage) = error.get(ContextKind::Usage).map(ToString::to_string) else { return };
    let mut command = command_of(&usage);
    error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    let is_advice =
        error.get(ContextKind::Suggested).is_some_and(|tip| tip.to_string().contains("as a value"));
    if is_advice && !["grep", "exec"].contains(&command.get_name()) {
        error.remove(ContextKind::Suggested);
    }
}

/// Returns the command that a usage line belongs to.
fn command_of(usage: &str) -> Command {
    let mut command = Cli::command();
    command.build();
    for word in usage.split_whitespace().skip_while(|word| *word != "tuckaway").skip(1) {
        match command.find_subcommand(word).cloned() {
            Some(found) => command = found,
            None => break,
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_never_shown_as_required() {
        let corrected = |usage| command_of(usage).render_usage().to_string();
        assert_eq!(
            corrected("Usage: tuckaway jq --store <STORE> --json [FILTER] [ID|FILE]..."),
            "Usage: tuckaway jq [OPTIONS] [FILTER] [ID|FILE]..."
        );
        assert_eq!(corrected("Usage: tuckaway exec --json <CMD>"), "Usage: tuckaway exec [OPTIONS] <CMD>...");
        assert_eq!(corrected("Usage: tuckaway --json <COMMAND>"), "Usage: tuckaway [OPTIONS] <COMMAND>");
    }
}
