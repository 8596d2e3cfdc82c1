//! `tuckaway mcp install`.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tuckaway_mcp::install::{
    Action, Changed, Client, JoinedFile, Outcome as OfServer, Request, ServerChange, System, artifact_tools,
    change, remove, write, write_private,
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
    let file = beside(&path)?;
    let action = if args.uninstall { Action::Uninstall } else { Action::Install };
    let request = Request {
        action,
        only: args.server.clone(),
        program: args.program.clone(),
        separate: args.separate,
        joined: joined(Path::new(&file))?,
        file,
    };
    let changed = change(&text, client, &request)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    let is_changed = changed.text != text;
    let copy = match args.write && is_changed {
        true => Some(written(&path, &text, &changed, &request.file)?),
        false => None,
    };
    if cli.json {
        let servers: Vec<Value> = changed.servers.iter().map(as_json).collect();
        let text = if args.write { Value::Null } else { Value::from(changed.text) };
        let file = matches!(changed.joined, JoinedFile::Write(_)).then_some(request.file);
        return print::json(&json!({
            "client": client.id, "path": path, "changed": is_changed, "copy": copy, "file": file, "servers": servers, "text": text,
        }));
    }
    if !args.write {
        print::text(&changed.text)?;
    }
    eprint!("{}", summary(client, &path, &changed.servers, action));
    if is_changed && action == Action::Install {
        if let JoinedFile::Write(_) = changed.joined {
            eprint!("{}", about_one_proxy(client, &request.file));
        }
        eprint!("{}", about_permissions(client, &changed.listing));
    }
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

/// Returns the file for a proxy that stands for several servers. The client may start the proxy
/// in any directory, so the path is absolute.
fn beside(path: &Path) -> Result<String, Failure> {
    let cannot = |error| cannot_read(path, &error);
    let mut file = std::path::absolute(path).map_err(cannot)?.into_os_string();
    file.push(".tuckaway.json");
    file.into_string().map_err(|file| Failure::new(format!("the path {} is not UTF-8", file.display())))
}

/// Reads the proxy's file, if it exists.
fn joined(file: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot_read(file, &error)),
    }
}

/// Writes the configuration and the proxy's file. Returns the copy of the old configuration.
///
/// The servers are never in neither of the two files.
fn written(path: &Path, text: &str, changed: &Changed, file: &str) -> Result<PathBuf, Failure> {
    let cannot = |path: &Path, error| Failure::new(format!("cannot write {}: {error}", path.display()));
    let file = Path::new(file);
    if let JoinedFile::Write(joined) = &changed.joined {
        write_private(file, joined).map_err(|error| cannot(file, error))?;
    }
    let copy = write(path, text, &changed.text).map_err(|error| cannot(path, error))?.copy;
    if changed.joined == JoinedFile::Remove {
        remove(file).map_err(|error| cannot(file, error))?;
    }
    Ok(copy)
}

/// Describes the changes if one proxy stands for several servers.
fn about_one_proxy(client: &Client, file: &str) -> String {
    format!(
        "One proxy stands for these servers, which move to {file}. The names of their tools begin with the\n\
         server's name. Permissions and lists in {} that name a server or a tool do not apply to the new names:\n\
         change them and allow the artifact tools, or use --separate.\n",
        client.title
    )
}

/// Says what to allow in a list of tools that is not in the configuration.
fn about_permissions(client: &Client, servers: &[String]) -> String {
    let Some((place, name)) = client.permissions else { return String::new() };
    let named = |server: &String| {
        artifact_tools().map(|tool| name.replace("SERVER", server).replace("TOOL", tool)).collect::<Vec<_>>()
    };
    let names: Vec<String> = servers.iter().flat_map(named).collect();
    format!("If you use {place}, add the artifact tools: {}.\n", names.join(", "))
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
    json!({
        "name": server.name, "project": server.project, "outcome": outcome, "reason": reason, "alone": server.alone,
    })
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
    let way = |server: &ServerChange| match &server.alone {
        Some(why) => format!("goes through a separate proxy: {why}"),
        None => changed.to_owned(),
    };
    let line = |server: &ServerChange| {
        let outcome = match &server.outcome {
            OfServer::Changed => way(server),
            OfServer::ChangedUrl => {
                let way = way(server);
                format!("{way}; if {} logs in to it, run `tuckaway mcp login` with its URL", client.title)
            }
            OfServer::Unchanged => unchanged.to_owned(),
            OfServer::LeftAlone(why) => format!("not changed: {why}"),
        };
        format!("  {:width$}  {outcome}\n", name(server))
    };
    format!("{}, {}\n{}", client.title, path.display(), servers.iter().map(line).collect::<String>())
}

/// Warns if the client will probably not find the program.
pub fn warn_if_not_found(program: &str) {
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
