//! `tuckaway hook install` and `uninstall`.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::json;
use tuckaway_mcp::install::{HookChange, HookClient, remove, write, write_private};

use crate::args::{Cli, HookFile, HookInstall};
use crate::exit::{Failure, Outcome};
use crate::print;
use crate::source::cannot_read;

pub fn install(cli: &Cli, args: &HookInstall) -> Outcome {
    let file = File::read(&args.file)?;
    let change = file.client.install(file.text.as_deref(), &args.program);
    let status = file.change(cli, change.map_err(|error| file.refused(&error))?, args.file.write)?;
    if args.file.write {
        eprint!("{}", advice(file.client));
    }
    crate::mcp::warn_if_not_found(&args.program);
    Ok(status)
}

pub fn uninstall(cli: &Cli, args: &HookFile) -> Outcome {
    let file = File::read(args)?;
    let change = file.client.uninstall(file.text.as_deref()).map_err(|error| file.refused(&error))?;
    file.change(cli, change, args.write)
}

/// A client's file with hooks.
struct File {
    client: &'static HookClient,
    path: PathBuf,
    /// `None` if the file does not exist.
    text: Option<String>,
}

impl File {
    fn read(args: &HookFile) -> Result<Self, Failure> {
        let client = args.client;
        let variable = |name: &str| env::var_os(name).map(PathBuf::from);
        let path = match &args.path {
            Some(path) => path.clone(),
            None => client.location(env::home_dir(), variable).ok_or_else(|| {
                Failure::new("there is no home directory; name the client's file with --path FILE")
            })?,
        };
        let text = match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(cannot_read(&path, &error)),
        };
        Ok(File { client, path, text })
    }

    fn refused(&self, error: &dyn std::fmt::Display) -> Failure {
        Failure::new(format!("{}: {error}", self.path.display()))
    }

    /// Prints the changed file, or writes it.
    fn change(&self, cli: &Cli, change: HookChange, writes: bool) -> Outcome {
        let copy = if writes { self.written(&change)? } else { None };
        let text = match &change {
            HookChange::Write(text) => Some(text),
            HookChange::Unchanged | HookChange::Remove => None,
        };
        let is_changed = change != HookChange::Unchanged;
        if cli.json {
            return print::json(&json!({
                "client": self.client.id, "path": self.path, "changed": is_changed, "copy": copy,
                "text": text.filter(|_| !writes),
            }));
        }
        if let (Some(text), false) = (text, writes) {
            print::text(text)?;
        }
        let done = match (&change, writes) {
            (HookChange::Unchanged, _) => "nothing to change",
            (HookChange::Write(_), true) => "written",
            (HookChange::Remove, true) => "removed, because it contained nothing but the hook",
            (HookChange::Write(_), false) => "nothing was written; run this again with --write",
            (HookChange::Remove, false) => "contains nothing but the hook; remove it with --write",
        };
        eprintln!("{}, {}: {done}", self.client.title, self.path.display());
        if let Some(copy) = copy {
            eprintln!("The old file is kept in {}.", copy.display());
        }
        Ok(0)
    }

    /// Writes or removes the file. Returns the copy of the old one.
    fn written(&self, change: &HookChange) -> Result<Option<PathBuf>, Failure> {
        let path = &self.path;
        let written = match (change, &self.text) {
            (HookChange::Unchanged, _) => Ok(None),
            (HookChange::Write(new), Some(old)) => write(path, old, new).map(|written| Some(written.copy)),
            (HookChange::Write(new), None) => {
                let folder = path.parent().filter(|folder| *folder != Path::new(""));
                folder
                    .map_or(Ok(()), fs::create_dir_all)
                    .and_then(|()| write_private(path, new))
                    .map(|()| None)
            }
            (HookChange::Remove, _) => remove(path).map(|()| None),
        };
        written.map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
    }
}

/// Lists further steps for the user.
fn advice(client: &HookClient) -> String {
    let more = match client.id {
        "claude-code" => {
            "It changes commands that permissions.allow names, such as \"Bash(cargo test:*)\". So that the model can\n\
             read outputs, also allow \"Bash(tuckaway read:*)\", \"Bash(tuckaway grep:*)\" and \"Bash(tuckaway jq:*)\".\n"
        }
        "codex" => {
            "Codex asks you to review the hook before it runs. Let the sandbox write the store: add its folder\n\
             (~/.local/state/tuckaway) to writable_roots in [sandbox_workspace_write] of config.toml.\n"
        }
        _ => "",
    };
    format!("Restart {}. TUCKAWAY_HOOK=off turns the hook off.\n{more}", client.title)
}
