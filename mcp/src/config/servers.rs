//! Servers, as clients and tuckaway's own file describe them.

use std::path::PathBuf;

use super::reader::Reader;
use super::variables::Variables;
use super::{ConfigError, Reach, ServerConfig, ServerTools, names};
use crate::document::{Member, Value};

/// The members that are read.
const KEYS: [&str; 17] = [
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "type",
    "disabled",
    "enabled",
    "http_headers",
    "bearer_token_env_var",
    "env_http_headers",
    "env_vars",
    "description",
    "compress_tools",
    "include_tools",
    "exclude_tools",
];

/// Members that concern only the client, not the proxy and the server, such as how the client
/// shows the server or when it times out.
const OF_CLIENTS: [&str; 14] = [
    "alwaysAllow",
    "autoApprove",
    "description",
    "dev",
    "env_vars",
    "gallery",
    "iconPath",
    "name",
    "required",
    "startup_timeout_ms",
    "startup_timeout_sec",
    "timeout",
    "tool_timeout_sec",
    "version",
];

/// Members that the proxy does not support, each with an alternative. They restrict calls or
/// describe how to log in, so they must not be ignored.
const NOT_SUPPORTED: [(&str, &str); 12] = [
    ("auth", LOG_IN),
    ("oauth", LOG_IN),
    ("oauth_resource", LOG_IN),
    ("scopes", LOG_IN),
    ("headersHelper", "put the headers into `headers`"),
    ("envFile", "put the variables into `env`"),
    ("sandbox", SANDBOX),
    ("sandboxEnabled", SANDBOX),
    ("enabled_tools", TOOLS),
    ("disabled_tools", TOOLS),
    ("disabledTools", TOOLS),
    ("includeTools", TOOLS),
];
const LOG_IN: &str = "run `tuckaway mcp login` with its URL and remove the key, or give a token in `headers`";
const SANDBOX: &str = "the proxy has no sandbox; write its command as the server's command";
const TOOLS: &str = "write the lists of globs `include_tools` and `exclude_tools`";

/// The table of a server, before it is checked.
#[derive(Default)]
struct Draft {
    command: Option<String>,
    args: Vec<String>,
    env: Vec<(String, String)>,
    directory: Option<PathBuf>,
    url: Option<String>,
    headers: Vec<(String, String)>,
    transport: Option<String>,
    is_disabled: bool,
    tools: ServerTools,
}

/// Reads the servers of a table, except disabled ones.
pub fn read(
    reader: &Reader<'_>,
    table: &Member,
    variables: &Variables<'_>,
) -> Result<Vec<ServerConfig>, ConfigError> {
    let mut servers: Vec<ServerConfig> = Vec::new();
    for member in reader.table(table)? {
        let wrong = |why: String| reader.wrong(member, format!("server {:?}: {why}", member.key));
        let name = names::server_name(&member.key).map_err(wrong)?;
        let Some((reach, tools)) = server(reader, member, variables)? else { continue };
        if servers.iter().any(|server| server.name == name) {
            return Err(wrong(format!("another server is also named {name:?}; rename one of them")));
        }
        servers.push(ServerConfig { name, reach, tools });
    }
    Ok(servers)
}

/// Reads how a server is reached, and which of its tools are offered; `None` if it is disabled.
fn server(
    reader: &Reader<'_>,
    server: &Member,
    variables: &Variables<'_>,
) -> Result<Option<(Reach, ServerTools)>, ConfigError> {
    let mut draft = Draft::default();
    let values = Values { reader, server, variables };
    // A disabled server may be incomplete.
    for member in reader.table(server)? {
        match &*member.key {
            "disabled" => draft.is_disabled |= reader.bool(member)?,
            "enabled" => draft.is_disabled |= !reader.bool(member)?,
            _ => {}
        }
    }
    if draft.is_disabled {
        return Ok(None);
    }
    for member in reader.table(server)? {
        values.read(member, &mut draft)?;
    }
    let tools = std::mem::take(&mut draft.tools);
    let reach =
        draft.checked().map_err(|why| reader.wrong(server, format!("server {:?} {why}", server.key)))?;
    Ok(Some((reach, tools)))
}

/// Reads the members of one server.
struct Values<'a> {
    reader: &'a Reader<'a>,
    server: &'a Member,
    variables: &'a Variables<'a>,
}

impl Values<'_> {
    fn read(&self, member: &Member, draft: &mut Draft) -> Result<(), ConfigError> {
        match &*member.key {
            "disabled" | "enabled" => {}
            "command" => draft.command = Some(self.text(member)?),
            "args" => draft.args = self.args(member)?,
            "env" => draft.env = self.pairs(member)?,
            "cwd" => draft.directory = Some(self.text(member)?.into()),
            "url" => draft.url = Some(self.text(member)?),
            "headers" | "http_headers" => draft.headers.extend(self.pairs(member)?),
            "type" => draft.transport = Some(self.reader.text(member)?),
            "compress_tools" => {
                let text = self.reader.text(member)?;
                draft.tools.compression = Some(self.reader.parsed(member, &text, str::parse)?);
            }
            "include_tools" => draft.tools.include = self.reader.texts(member)?,
            "exclude_tools" => draft.tools.exclude = self.reader.texts(member)?,
            "bearer_token_env_var" => {
                let token = self.variable(member, &self.reader.text(member)?)?;
                draft.headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
            }
            "env_http_headers" => {
                for header in self.reader.table(member)? {
                    let value = self.variable(header, &self.reader.text(header)?)?;
                    draft.headers.push((header.key.clone(), value));
                }
            }
            key if OF_CLIENTS.contains(&key) => {}
            key => {
                let place = format!("server {:?}", self.server.key);
                return Err(match NOT_SUPPORTED.iter().find(|(name, _)| *name == key) {
                    Some((_, what)) => self
                        .reader
                        .wrong(member, format!("{place} has {key:?}, which is not supported: {what}")),
                    None => self.reader.unknown(member, &place, &KEYS),
                });
            }
        }
        Ok(())
    }

    /// Returns a text with its variables replaced.
    fn expanded(&self, member: &Member, text: &str) -> Result<String, ConfigError> {
        self.variables.expand(text).map_err(|why| {
            self.reader.wrong(member, format!("server {:?}, {:?}: {why}", self.server.key, member.key))
        })
    }

    /// Returns the value of an environment variable that a member names.
    fn variable(&self, member: &Member, name: &str) -> Result<String, ConfigError> {
        (self.variables.lookup)(name).ok_or_else(|| {
            let server = &self.server.key;
            self.reader.wrong(
                member,
                format!("server {server:?}, {:?}: the environment variable {name} is not set", member.key),
            )
        })
    }

    fn text(&self, member: &Member) -> Result<String, ConfigError> {
        self.expanded(member, &self.reader.text(member)?)
    }

    fn args(&self, member: &Member) -> Result<Vec<String>, ConfigError> {
        self.reader.texts(member)?.iter().map(|arg| self.expanded(member, arg)).collect()
    }

    /// Reads a table of strings. Numbers and booleans are taken as written.
    fn pairs(&self, member: &Member) -> Result<Vec<(String, String)>, ConfigError> {
        let pair = |inner: &Member| match &inner.node.value {
            Value::Number(number) => Ok((inner.key.clone(), number.clone())),
            Value::Bool(bool) => Ok((inner.key.clone(), bool.to_string())),
            _ => Ok((inner.key.clone(), self.text(inner)?)),
        };
        self.reader.table(member)?.iter().map(pair).collect()
    }
}

impl Draft {
    /// Returns how the server is reached. The error is the rest of a sentence whose subject is
    /// the server.
    fn checked(self) -> Result<Reach, String> {
        let transport = self.transport.as_deref();
        match transport {
            None | Some("stdio" | "http" | "streamable-http" | "streamableHttp" | "streamable_http") => {}
            Some("sse") => {
                return Err(
                    "has the type \"sse\", which Streamable HTTP has replaced; if the server also has a URL for \
                            Streamable HTTP, use it with the type \"http\"; otherwise run a bridge as its \
                            command, such as `npx mcp-remote URL --transport sse-only`"
                        .to_owned(),
                );
            }
            Some(other) => return Err(format!("has the type {other:?}; write \"stdio\" or \"http\"")),
        }
        let is_stdio = transport == Some("stdio");
        match (self.command, self.url) {
            (Some(_), Some(_)) => Err("has a command and a URL; keep one of them".to_owned()),
            (Some(_), None) if transport.is_some() && !is_stdio => {
                Err("has a command, so its type must be \"stdio\"".to_owned())
            }
            (Some(_), None) if !self.headers.is_empty() => {
                Err("has headers, which only a URL can have; pass secrets to a command in env".to_owned())
            }
            (None, Some(_)) if is_stdio => Err("has a URL, so its type must be \"http\"".to_owned()),
            (None, Some(_)) if !self.args.is_empty() => {
                Err("has args, which only a command can have; remove them".to_owned())
            }
            (None, Some(_)) if !self.env.is_empty() => {
                Err("has env, which only a command can have; pass secrets to a URL in headers".to_owned())
            }
            (Some(program), None) => Reach::command(program, self.args, self.env, self.directory),
            (None, Some(url)) => Reach::url(url, self.headers),
            (None, None) => Err("has neither a command nor a URL; add one of them".to_owned()),
        }
    }
}

impl Reach {
    /// Checks a command. The error is the rest of a sentence whose subject is the server.
    pub fn command(
        program: String,
        args: Vec<String>,
        env: Vec<(String, String)>,
        directory: Option<PathBuf>,
    ) -> Result<Self, String> {
        if program.trim().is_empty() {
            return Err("has an empty command; write the program to run".to_owned());
        }
        if let Some((name, _)) = env.iter().find(|(name, _)| name.is_empty() || name.contains(['=', '\0'])) {
            return Err(format!("has an environment variable with the invalid name {name:?}"));
        }
        let has_zero = args.iter().chain(env.iter().map(|(_, value)| value)).any(|text| text.contains('\0'));
        match has_zero || program.contains('\0') {
            true => Err("has a NUL character in its command, which the system does not allow".to_owned()),
            false => Ok(Reach::Command { program, args, env, directory }),
        }
    }

    /// Checks a URL. The error is the rest of a sentence whose subject is the server.
    pub fn url(url: String, headers: Vec<(String, String)>) -> Result<Self, String> {
        let parsed = url.parse::<http::Uri>().ok();
        let is_http = parsed.as_ref().and_then(http::Uri::scheme_str).is_some_and(|scheme| {
            scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
        });
        if !is_http || parsed.as_ref().and_then(http::Uri::host).is_none_or(str::is_empty) {
            return Err(format!("has the URL {url:?}; write one that begins with http:// or https://"));
        }
        for (name, value) in &headers {
            if name.parse::<http::HeaderName>().is_err() {
                return Err(format!("has a header named {name:?}, which HTTP does not allow"));
            }
            if value.parse::<http::HeaderValue>().is_err() {
                // The value may be a secret.
                return Err(format!("has a value for the header {name:?} that HTTP does not allow"));
            }
        }
        Ok(Reach::Url { url, headers })
    }
}
