//! `tuckaway mcp tools`: the cost of tool definitions.

use std::sync::Arc;

use serde_json::{Value, json};
use tuckaway_host::{CountTokens, Tuckaway};
use tuckaway_mcp::config::{Compression, Options};
use tuckaway_mcp::{ListedTools, Proxy, seen_by_model};
use tuckaway_text::counted;

use super::{log, login, settings};
use crate::args::{Cli, LogLevel, Tools};
use crate::choice::Counter;
use crate::exit::{Failure, Outcome};
use crate::print::{self, inline, number, table};

pub async fn run(cli: &Cli, args: &Tools) -> Outcome {
    let settings = settings::of_servers(&args.servers, Options::default())?;
    let log = log::start(LogLevel::Error);
    // Nothing is stored.
    let engine = || Ok(Tuckaway::builder().build()?);
    let proxy = Proxy::new(settings, Arc::new(engine)).map_err(Failure::from)?;
    let proxy = match login::stored() {
        Some(logins) => proxy.with_logins(logins),
        None => proxy,
    };
    let tools = proxy.tools().await.map_err(Failure::from);
    log.finish();
    let tools = tools?;
    for (name, why) in &tools.failed {
        eprintln!("tuckaway: {name}: {why}");
    }
    let own = tokens(&tools.own, args.tokens).await?;
    let rows = rows(&tools, args.tokens).await?;
    if cli.json {
        print_json(&tools, args, own, &rows)?;
    } else if !rows.is_empty() {
        print::text(&describe(&rows, own))?;
    }
    Ok(u8::from(!tools.failed.is_empty()))
}

/// The cost in tokens of the tools of one server, or of all servers.
struct Row {
    name: String,
    tools: usize,
    /// As the server lists them.
    before: u64,
    /// For each level, as the proxy lists them.
    after: [u64; Compression::ALL.len()],
}

/// Returns a row for each server, and one for all if there are several.
async fn rows(tools: &ListedTools, counter: Counter) -> Result<Vec<Row>, Failure> {
    let servers: Vec<(Option<usize>, String)> =
        tools.servers().map(|(index, server)| (Some(index), server.name.clone())).collect();
    let all = (servers.len() > 1).then(|| (None, "(all)".to_owned()));
    let mut rows = Vec::new();
    for (server, name) in servers.into_iter().chain(all) {
        let listed = tools.of_servers(server);
        let mut after = [0; Compression::ALL.len()];
        for (sum, level) in after.iter_mut().zip(Compression::ALL) {
            *sum = tokens(&tools.compressed(server, level), counter).await?;
        }
        rows.push(Row { name, tools: listed.len(), before: tokens(&listed, counter).await?, after });
    }
    Ok(rows)
}

async fn tokens(tools: &[Value], counter: Counter) -> Result<u64, Failure> {
    let seen: Vec<Value> = tools.iter().map(seen_by_model).collect();
    if seen.is_empty() {
        return Ok(0);
    }
    let counted = counter.count(&Value::Array(seen).to_string()).await;
    counted.map_err(|error| Failure::new(format!("cannot count tokens: {error}")))
}

fn describe(rows: &[Row], own: u64) -> String {
    let cells = |row: &Row| {
        let [off, low, medium, high, max] = row.after.map(number);
        [inline(&row.name), number(row.tools as u64), number(row.before), off, low, medium, high, max]
    };
    let titles = ["SERVER", "TOOLS", "WITHOUT PROXY", "OFF", "LOW", "MEDIUM", "HIGH", "MAX"];
    format!(
        "{}\nTokens of the tools, without and with the proxy, by level of --compress-tools. The proxy's own tools take\n{} more.\n",
        table(titles, rows.iter().map(cells).collect()),
        counted(own, "token")
    )
}

fn print_json(tools: &ListedTools, args: &Tools, own: u64, rows: &[Row]) -> Outcome {
    let row = |row: &Row| {
        let levels: serde_json::Map<String, Value> = Compression::ALL
            .into_iter()
            .zip(row.after)
            .map(|(level, tokens)| (level.name().to_owned(), tokens.into()))
            .collect();
        json!({ "server": row.name, "tools": row.tools, "without_proxy": row.before, "levels": levels })
    };
    let mut document = json!({
        "servers": rows.iter().map(row).collect::<Vec<_>>(),
        "own_tools": own,
        "failed": tools.failed.iter().map(|(name, why)| json!({ "server": name, "error": why })).collect::<Vec<_>>(),
    });
    if let Some(level) = args.servers.compress_tools {
        document["listed"] = tools.compressed(None, level).into();
    }
    print::json(&document)
}
