//! A configuration file: tuckaway's own, or a client's.

use std::path::Path;

use serde_json::Value as Json;
use tuckaway_host::{Mode, Policy};

use super::options::{Options, ToolRule, client_limit};
use super::reader::Reader;
use super::variables::Variables;
use super::{ConfigError, ServerConfig, servers};
use crate::document::{Format, Member, Value};

/// The keys of the settings.
const KEYS: [&str; 25] = [
    "cap",
    "file_cap",
    "file_tools",
    "caps",
    "client_limit",
    "window",
    "handles",
    "max_argument",
    "jq",
    "filters",
    "max_result",
    "store",
    "session",
    "store_endpoint",
    "max_age",
    "quota",
    "dialect",
    "mode",
    "policy",
    "tools",
    "allowed_tools",
    "compress_tools",
    "detailed_tools",
    "list_when_stored",
    "servers",
];

/// The keys of a rule for tools.
const RULE_KEYS: [&str; 5] = ["glob", "exempt", "mode", "cap", "max_threshold_bytes"];

/// The keys under which clients list their servers.
const SERVERS_OF_CLIENTS: [&str; 2] = ["mcpServers", "mcp_servers"];

/// Keys that Visual Studio Code writes next to its servers.
const BESIDE_SERVERS: [&str; 2] = ["inputs", "$schema"];

/// The content of a file.
#[derive(Debug)]
pub struct File {
    /// The servers that are not disabled.
    pub servers: Vec<ServerConfig>,
    /// The settings.
    pub options: Options,
}

/// Reads a file, whose content decides whether it is JSON or TOML.
pub fn read(text: &str, path: &Path, variables: &Variables<'_>) -> Result<File, ConfigError> {
    let reader = Reader { text, path };
    let root = Format::of(text).parse(text).map_err(|error| ConfigError {
        path: Some(path.to_owned()),
        line: Some(error.line),
        message: error.message,
    })?;
    let Some(members) = root.table() else {
        return Err(reader.error(root.span.start, "the file is not a table of settings"));
    };
    let is_of_client = members.iter().any(|member| SERVERS_OF_CLIENTS.contains(&&*member.key));
    let (mut found, mut options) = (None, Options::default());
    for member in members {
        let key = &*member.key;
        if key == "servers" || SERVERS_OF_CLIENTS.contains(&key) {
            if found.is_some() {
                return Err(reader.wrong(member, format!("{key:?} is a second list of servers; join them")));
            }
            found = Some(servers::read(&reader, member, variables)?);
        } else if KEYS.contains(&key) {
            setting(&reader, member, &mut options)?;
        } else if !is_of_client && !BESIDE_SERVERS.contains(&key) {
            // The other settings in a client's file are for the client.
            return Err(reader.unknown(member, "the file", &KEYS));
        }
    }
    match found {
        Some(servers) if !servers.is_empty() => Ok(File { servers, options }),
        Some(_) => Err(reader.error(0, "there is no enabled server; add one, or enable one")),
        None => {
            Err(reader.error(0, "there are no servers; write mcpServers in JSON, or [servers.NAME] in TOML"))
        }
    }
}

fn setting(reader: &Reader<'_>, member: &Member, options: &mut Options) -> Result<(), ConfigError> {
    let text = || reader.text(member);
    match &*member.key {
        "cap" => options.cap = Some(reader.count(member)?),
        "file_cap" => options.file_cap = Some(reader.count(member)?),
        "file_tools" => options.file_tools = Some(reader.texts(member)?),
        "caps" => {
            let cap = |cap: &Member| Ok((cap.key.clone(), reader.count(cap)?));
            options.caps = reader.table(member)?.iter().map(cap).collect::<Result<_, ConfigError>>()?;
        }
        "client_limit" => options.client_limit = Some(limit(reader, member)?),
        "window" => options.window = Some(reader.count(member)?),
        "handles" => options.handles = Some(reader.texts(member)?),
        "max_argument" => options.max_argument = Some(reader.size(member)?),
        "jq" => options.jq = Some(reader.texts(member)?),
        "filters" => {
            let filter = |filter: &Member| Ok((filter.key.clone(), reader.text(filter)?));
            options.filters = reader.table(member)?.iter().map(filter).collect::<Result<_, ConfigError>>()?;
        }
        "max_result" => options.max_result = Some(reader.size(member)?),
        "store" => options.store = Some(reader.parsed(member, &text()?, str::parse)?),
        "session" => options.session = Some(reader.parsed(member, &text()?, str::parse)?),
        "store_endpoint" => options.store_endpoint = Some(text()?),
        "quota" => options.quota = Some(reader.parsed(member, &text()?, str::parse)?),
        "max_age" => options.max_age = Some(reader.parsed(member, &text()?, str::parse)?),
        "dialect" => {
            let dialect = serde_json::from_value(member.node.to_json());
            let known = "it should be artifact, cache, handle or file";
            options.dialect =
                Some(dialect.map_err(|_| reader.wrong(member, format!("\"dialect\": {known}")))?);
        }
        "mode" => options.mode = Some(mode(reader, member)?),
        "policy" => policy(reader, member, options)?,
        "tools" => options.tools = rules(reader, member)?,
        "allowed_tools" => options.allowed_tools = Some(reader.texts(member)?),
        "compress_tools" => options.compress_tools = Some(reader.parsed(member, &text()?, str::parse)?),
        "detailed_tools" => options.detailed_tools = Some(reader.bool(member)?),
        "list_when_stored" => options.list_when_stored = Some(reader.bool(member)?),
        _ => {}
    }
    Ok(())
}

/// Reads the display limit of a client: a number of bytes, a size such as `12K`, or `unlimited`.
fn limit(reader: &Reader<'_>, member: &Member) -> Result<u64, ConfigError> {
    match &member.node.value {
        Value::Number(number) => reader.parsed(member, number, client_limit),
        _ => reader.parsed(member, &reader.text(member)?, client_limit),
    }
}

fn mode(reader: &Reader<'_>, member: &Member) -> Result<Mode, ConfigError> {
    serde_json::from_value(member.node.to_json())
        .map_err(|_| reader.wrong(member, "\"mode\": it should be auto, artifact or truncate"))
}

/// Reads the fields of a policy. Each is checked separately, so that an error names its line.
fn policy(reader: &Reader<'_>, member: &Member, options: &mut Options) -> Result<(), ConfigError> {
    let Ok(Json::Object(fields)) = serde_json::to_value(Policy::default()) else { return Ok(()) };
    let known: Vec<&str> = fields.keys().map(String::as_str).collect();
    for field in reader.table(member)? {
        if !known.contains(&&*field.key) {
            return Err(reader.unknown(field, "the policy", &known));
        }
        let value = field.node.to_json();
        let alone = Json::Object([(field.key.clone(), value.clone())].into_iter().collect());
        serde_json::from_value::<Policy>(alone)
            .map_err(|error| reader.wrong(field, format!("\"policy.{}\": {error}", field.key)))?;
        options.policy.insert(field.key.clone(), value);
    }
    Ok(())
}

fn rules(reader: &Reader<'_>, tools: &Member) -> Result<Vec<ToolRule>, ConfigError> {
    let mut rules = Vec::new();
    for element in reader.list(tools)? {
        let mut rule = ToolRule::default();
        let Some(members) = element.table() else {
            return Err(reader.error(element.span.start, "a rule for tools must be a table with a glob"));
        };
        for member in members {
            match &*member.key {
                "glob" => rule.glob = reader.text(member)?,
                "exempt" => rule.exempt = reader.bool(member)?,
                "mode" => rule.mode = Some(mode(reader, member)?),
                "cap" => rule.cap = Some(reader.count(member)?),
                "max_threshold_bytes" => rule.max_threshold_bytes = Some(reader.size(member)?),
                _ => return Err(reader.unknown(member, "a rule for tools", &RULE_KEYS)),
            }
        }
        if rule.glob.is_empty() {
            return Err(reader.error(element.span.start, "a rule for tools needs a glob, such as \"sql_*\""));
        }
        rules.push(rule);
    }
    Ok(rules)
}
