//! `tuckaway mcp install`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tuckaway_mcp::install::{
    Action, Client, Outcome as OfServer, Request, ServerChange, System, change, write,
};

use crate::args::{Cli, Install};
use crate::exit::{Failure, Outcome};
use crate::print;
use crate::source::cannot_read;

pub fn run(cli: &Cli, args: &Install) -> Outcome {
    let client = args.client;
    let path = match &args.path {
        Some(path) => path.clone(),
        None => of_user(client)?,
    };
    let text = read(client, &path)?;
    let action = if args.uninstall { Action::Uninstall } else { Action::Install };
    let request = Request { action, only: args.server.clone(), program: args.program.clone() };
    let changed = change(&text, client, &request)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    let is_changed = changed.text != text;
    let copy = match args.write && is_changed {
        true => Some(
            write(&path, &text, &changed.text)
                .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?
                .copy,
        ),
        false => None,
    };
    if cli.json {
        let servers: Vec<Value> = changed.servers.iter().map(as_json).collect();
        let text = if args.write { Value::Null } else { Value::from(changed.text) };
        return print::json(&json!({
            "client": client.id, "path": path, "changed": is_changed, "copy": copy, "servers": servers, "text": text,
        }));
    }
    if !args.write {
        print::text(&changed.text)?;
    }
    eprint!("{}", summary(client, &path, &changed.servers, action));
    if let Some(copy) = copy {
        eprintln!("Written. The old configuration is kept in {}. Restart {}.", copy.display(), client.title);
    } else if is_changed {
        eprintln!("Nothing was written; run this again with --write.");
    }
    if is_changed && action == Action::Install {
        warn_if_not_found(&args.program);
    }
    Ok(0)
}

/// Returns where the user's configuration of a client is.
fn of_user(client: &Client) -> Result<PathBuf, Failure> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from);
    client
        .location(System::HERE, env::home_dir(), variable)
        .ok_or_else(|| Failure::new("there is no home directory; name the configuration with --path FILE"))
}

fn read(client: &Client, path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(|error| {
        let hint = match client.of_project {
            "" => "name another file with --path".to_owned(),
            file => format!("name another file with --path, such as a project's {file}"),
        };
        cannot_read(path, &error).with_addition(&format!("({}: {hint})", client.title))
    })?;
    String::from_utf8(bytes).map_err(|_| Failure::new(format!("{} is not UTF-8", path.display())))
}

fn as_json(server: &ServerChange) -> Value {
    let (outcome, reason) = match &server.outcome {
        OfServer::Changed | OfServer::ChangedUrl => ("changed", None),
        OfServer::Unchanged => ("unchanged", None),
        OfServer::LeftAlone(why) => ("left_alone", Some(why)),
    };
    json!({ "name": server.name, "project": server.project, "outcome": outcome, "reason": reason })
}

/// Describes the outcome for each server.
fn summary(client: &Client, path: &Path, servers: &[ServerChange], action: Action) -> String {
    let (changed, unchanged) = match action {
        Action::Install => ("goes through tuckaway", "unchanged, already goes through tuckaway"),
        Action::Uninstall => ("restored", "unchanged, did not go through tuckaway"),
    };
    let name = |server: &ServerChange| match &server.project {
        Some(project) => format!("{} ({project})", server.name),
        None => server.name.clone(),
    };
    let width = servers.iter().map(|server| name(server).chars().count()).max().unwrap_or_default();
    let line = |server: &ServerChange| {
        let outcome = match &server.outcome {
            OfServer::Changed => changed.to_owned(),
            OfServer::ChangedUrl => {
                format!("{changed}; exclude it if {} signs in to it, which the proxy cannot do", client.title)
            }
            OfServer::Unchanged => unchanged.to_owned(),
            OfServer::LeftAlone(why) => format!("not changed: {why}"),
        };
        format!("  {:width$}  {outcome}\n", name(server))
    };
    format!("{}, {}\n{}", client.title, path.display(), servers.iter().map(line).collect::<String>())
}

/// Warns if the client will probably not find the proxy.
fn warn_if_not_found(program: &str) {
    if Path::new(program).components().count() > 1 {
        return;
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let is_found = env::split_paths(&folders)
        .any(|folder| folder.join(program).with_extension(env::consts::EXE_EXTENSION).is_file());
    if let (false, Ok(own)) = (is_found, env::current_exe()) {
        eprintln!("tuckaway: {program} is not in your PATH; use --program {}", own.display());
    }
}
