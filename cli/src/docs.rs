//! `tuckaway completions` and `tuckaway man`: the definition of the command line in
//! the formats of shells and of `man`.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Cli;
use crate::exit::{Failure, Outcome};
use crate::print;

/// Prints a completion script.
pub fn completions(shell: Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tuckaway", &mut script);
    write(&script)
}

/// Prints the man page of the command, or of one of its subcommands.
pub fn man(subcommand: Option<&str>) -> Outcome {
    let mut command = Cli::command();
    command.build();
    let command = match subcommand {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name).cloned();
            let found = found
                .ok_or_else(|| Failure::new(format!("no such command: {name:?}; see `tuckaway --help`")))?;
            // The page of a subcommand is tuckaway-exec(1), its synopsis `tuckaway exec`.
            let usage_name = found.get_display_name().unwrap_or(name).to_owned();
            found.name(usage_name)
        }
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(Failure::from)?;
    write(&page)
}

/// Writes the man pages of the command and of all subcommands into a directory: `tuckaway.1`,
/// `tuckaway-mcp-proxy.1` and so on.
pub fn man_pages(directory: &Path) -> Outcome {
    let failure = |error: std::io::Error| {
        Failure::new(format!("cannot write man pages into {}: {error}", directory.display()))
    };
    fs::create_dir_all(directory).map_err(failure)?;
    clap_mangen::generate_to(Cli::command(), directory).map_err(failure)?;
    Ok(0)
}

fn write(bytes: &[u8]) -> Outcome {
    let mut out = print::stdout();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(0)
}
