//! `tuckaway list`, `stat`, `sessions`, `gc`, `rm`, `tools` and `call`. Those before `tools` use
//! the store directly: they need no engine and start at once.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use tuckaway_host::{
    Artifact, ArtifactTool, CallOptions, DefinitionOptions, Dialect, Garbage, Limits, MemoryStore,
    Store as _, StoreError, check_artifact_id,
};
use tuckaway_text::{counted, human_bytes};

use crate::args::{Cli, Rm};
use crate::exit::{Failure, Outcome};
use crate::{print, setup};

pub async fn list(cli: &Cli) -> Outcome {
    let artifacts = all(cli).await?;
    if cli.json {
        return print::json(&artifacts);
    }
    let limits = setup::limits(cli);
    let now = now();
    let rows: Vec<[String; 7]> = artifacts
        .iter()
        .map(|each| {
            let left = limits.expires_at(each).map(|at| print::age(at.saturating_sub(now)));
            [
                each.id.clone(),
                human_bytes(each.size_bytes),
                print::number(each.line_count),
                print::age(age(each)),
                left.unwrap_or_else(|| "never".to_owned()),
                print::inline(&each.media_type),
                print::inline(&each.tool),
            ]
        })
        .collect();
    if rows.is_empty() {
        eprintln!("tuckaway: nothing is stored");
        return Ok(0);
    }
    let titles = ["ID", "SIZE", "LINES", "AGE", "EXPIRES IN", "TYPE", "TOOL"].map(str::to_owned);
    let width = |column: usize| {
        rows.iter().chain([&titles]).map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut out = print::stdout();
    for [id, size, lines, age, left, media_type, tool] in std::iter::once(&titles).chain(&rows) {
        let [w0, w1, w2, w3, w4, w5, _] = widths;
        writeln!(
            out,
            "{id:w0$}  {size:>w1$}  {lines:>w2$}  {age:>w3$}  {left:>w4$}  {media_type:w5$}  {tool}"
        )?;
    }
    out.flush()?;
    eprintln!("tuckaway: {}", summary(&artifacts, &limits));
    Ok(0)
}

/// Describes the number and size of the stored artifacts, and the limits.
fn summary(artifacts: &[Artifact], limits: &Limits) -> String {
    let bytes = human_bytes(artifacts.iter().map(|each| each.size_bytes).sum());
    let quota = limits.quota().map(|quota| format!(" of {}", human_bytes(quota)));
    let age = limits.max_age().map(|age| format!(", kept for {}", print::age(age.as_secs())));
    let count = counted(artifacts.len() as u64, "artifact");
    format!("{count}, {bytes}{}{}", quota.unwrap_or_default(), age.unwrap_or_default())
}

pub async fn sessions(cli: &Cli) -> Outcome {
    let names = setup::sessions(cli)?.sessions().await;
    let names = names.map_err(|error| error.into_error("listing sessions", ""))?;
    if cli.json {
        return print::json(&names);
    }
    if names.is_empty() {
        eprintln!("tuckaway: the store has no sessions");
    }
    let mut out = print::stdout();
    for name in names {
        writeln!(out, "{name}")?;
    }
    out.flush()?;
    Ok(0)
}

pub async fn collect_garbage(cli: &Cli) -> Outcome {
    let garbage = setup::sessions(cli)?.collect_garbage().await;
    let garbage = garbage.map_err(|error| error.into_error("collecting garbage", ""))?;
    if cli.json {
        return print::json(&garbage);
    }
    let Garbage { expired, abandoned, forgotten, freed_bytes } = garbage;
    let mut out = print::stdout();
    writeln!(out, "expired    {expired}")?;
    writeln!(out, "abandoned  {abandoned}")?;
    writeln!(out, "forgotten  {forgotten}")?;
    writeln!(out, "freed      {}", human_bytes(freed_bytes))?;
    out.flush()?;
    Ok(0)
}

pub async fn stat(cli: &Cli, id: &str) -> Outcome {
    check_artifact_id(id)?;
    let artifact = setup::store(cli).await?.stat(id).await;
    let artifact = artifact.map_err(|error| error.into_error("looking up an artifact", id))?;
    if cli.json {
        return print::json(&artifact);
    }
    let mut out = print::stdout();
    writeln!(out, "id          {}", artifact.id)?;
    writeln!(out, "tool        {}", print::inline(&artifact.tool))?;
    writeln!(out, "media_type  {}", print::inline(&artifact.media_type))?;
    writeln!(out, "size_bytes  {}", artifact.size_bytes)?;
    writeln!(out, "line_count  {}", artifact.line_count)?;
    writeln!(out, "created_at  {} ({} ago)", artifact.created_at, print::age(age(&artifact)))?;
    out.flush()?;
    Ok(0)
}

/// Removes as many artifacts as possible; reports the others.
pub async fn remove(cli: &Cli, args: &Rm) -> Outcome {
    if args.all
        && let Some(name) = setup::session(cli)?
    {
        return remove_session(cli, name).await;
    }
    let store = setup::store(cli).await?;
    let mut ids = args.ids.clone();
    if args.all || args.older_than.is_some() {
        let oldest_kept = args.older_than.filter(|_| !args.all).map_or(0, |age| age.as_secs());
        let old = all(cli).await?.into_iter().filter(|each| args.all || age(each) > oldest_kept);
        ids.extend(old.map(|each| each.id));
        ids.sort();
        ids.dedup();
    }
    let mut removed = Vec::new();
    let mut status = 0;
    for id in ids {
        let deleted = match check_artifact_id(&id) {
            Ok(()) => store.delete(&id).await.map_err(|error| error.into_error("removing an artifact", &id)),
            Err(error) => Err(error),
        };
        match deleted {
            Ok(()) => removed.push(id),
            Err(error) => {
                let failure = Failure::from(error);
                eprintln!("tuckaway: {}", failure.message.unwrap_or_default());
                status = status.max(failure.status);
            }
        }
    }
    match cli.json {
        true => print::json(&serde_json::json!({ "removed": removed }))?,
        false => 0,
    };
    Ok(status)
}

async fn remove_session(cli: &Cli, name: &str) -> Outcome {
    match setup::sessions(cli)?.remove_session(name).await {
        Ok(()) => {}
        Err(StoreError::NotFound) => {
            return Err(Failure::new(format!(
                "there is no session {name:?}; run `tuckaway sessions` to list the sessions"
            )));
        }
        Err(error) => return Err(error.into_error("removing a session", name).into()),
    }
    match cli.json {
        true => print::json(&serde_json::json!({ "removed_session": name })),
        false => Ok(0),
    }
}

pub async fn tools(cli: &Cli, tools: &[ArtifactTool], dialect: Dialect, is_detailed: bool) -> Outcome {
    // The tool `tool_output` is not defined while the store is empty.
    let store = MemoryStore::new();
    let stored = async {
        let id = store.create("", "").await?;
        store.seal(&id, 0).await
    };
    stored.await.map_err(|error| error.into_error("storing an example", ""))?;
    let engine = setup::engine(cli, Arc::new(store), None)?;
    let options = DefinitionOptions { dialect, is_final_turn: false, is_detailed };
    let definitions = engine.tool_definitions(tools, &options).await?;
    let definitions: Result<Vec<_>, Failure> = definitions
        .into_iter()
        .map(|each| {
            let schema: serde_json::Value = serde_json::from_str(&each.input_schema)
                .map_err(|error| Failure::new(format!("the schema of {} is not JSON: {error}", each.name)))?;
            Ok(serde_json::json!({
                "name": each.name,
                "description": each.description,
                "input_schema": schema,
            }))
        })
        .collect();
    print::json(&definitions?)
}

pub async fn call(cli: &Cli, name: &str, arguments: &str, max_bytes: Option<u32>) -> Outcome {
    let arguments = match arguments {
        "-" => {
            let mut text = String::new();
            let read = io::stdin().lock().read_to_string(&mut text);
            read.map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
            text
        }
        arguments => arguments.to_owned(),
    };
    let engine = setup::engine(cli, setup::store(cli).await?, None)?;
    let reply = engine.call_tool(name, &arguments, &CallOptions { max_bytes }).await?;
    match cli.json {
        true => print::json(&reply).map(|_| ())?,
        false => print::text(&reply.text)?,
    }
    Ok(u8::from(reply.is_error))
}

async fn all(cli: &Cli) -> Result<Vec<Artifact>, Failure> {
    let listed = setup::store(cli).await?.list_artifacts().await;
    Ok(listed.map_err(|error| error.into_error("listing artifacts", ""))?)
}

/// Returns the seconds since an artifact was stored.
fn age(artifact: &Artifact) -> u64 {
    now().saturating_sub(artifact.created_at)
}

/// Returns the time in Unix seconds.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
