//! Puts the proxy in front of one server.
//!
//! All data that is needed to undo this stays in the text, as written: the command and the URL
//! become arguments, and the table of headers becomes the table of the environment. So
//! headers with secrets never appear in the arguments, which other users of a machine can list.
//!
//! ```text
//! command = C, args = [A…]          ─► command = tuckaway, args = [mcp proxy --name N -- C A…]
//! command = C                       ─► command = tuckaway, args = [mcp proxy --name=N -- C]
//! command = [C A…]                  ─► command = [tuckaway mcp proxy --name N -- C A…]
//! url = U, headers = {H = S}        ─► command = tuckaway, args = [mcp proxy --name N --url U
//!                                      --header "H: $V"], env = {V = S}
//! bearer_token_env_var = B          ─► … --header "Authorization: Bearer $B", env_vars = [B]
//! type = T                          ─► type = stdio, and --url-type T in args
//! allowed tools = [T…]              ─► allowed tools = [T…, artifact_read, …]
//! ```
//!
//! The [`Keys`] of a client say how it names these members.

use super::edit::{Edits, Source};
use super::{HEADER_PREFIX, Keys, UNLISTED, allow, header_variable, is_tuckaway};
use crate::config::server_name;
use crate::document::{Member, Node, Value};

/// Members that describe how a client logs in to a URL.
const SIGN_IN: [&str; 6] = ["auth", "oauth", "oauth_resource", "scopes", "headersHelper", "authProviderType"];

/// Members that only a server with a command has, or that the proxy cannot take over.
const NOT_BESIDE_A_URL: [&str; 4] = ["env_vars", "env_http_headers", "requestOptions", "apiKey"];

/// Returns the change of a server; `None` if the proxy is already in front of it. The proxy gets
/// these options. The error says why the server is not changed.
pub fn wrap(
    server: Source<'_>,
    name: &str,
    program: &str,
    options: &[&str],
    keys: &Keys,
) -> Result<Option<Edits>, String> {
    let members = server.table.table().ok_or("it is not a table")?;
    for (at, member) in members.iter().enumerate() {
        if members[..at].iter().any(|before| before.key == member.key) {
            return Err(format!("it has {:?} twice", member.key));
        }
    }
    server_name(name)?;
    let change = Change { server, name, program, options, keys };
    let edits = match (server.table.member(keys.command), url(server.table, keys)?) {
        (Some(_), Some(_)) => Err("it has a command and a URL".to_owned()),
        (Some(command), None) if keys.args.is_none() => change.list(command),
        (Some(command), None) => change.command(command),
        (None, Some(url)) => change.url(url).map(Some),
        (None, None) => Err("it has neither a command nor a URL".to_owned()),
    };
    let Some(mut edits) = edits? else { return Ok(None) };
    if !options.contains(&UNLISTED) {
        allow::allow(server, keys, &mut edits);
    }
    Ok(Some(edits))
}

/// Returns whether a server has a URL in place of a command.
pub fn has_url(server: &Node, keys: &Keys) -> bool {
    matches!(url(server, keys), Ok(Some(_)))
}

/// Returns the URL of a server.
fn url<'a>(server: &'a Node, keys: &Keys) -> Result<Option<&'a Member>, String> {
    let url = keys.url.and_then(|key| server.member(key));
    let Some(typed) = keys.typed_url.and_then(|key| server.member(key)) else { return Ok(url) };
    match (url, server.member("type")) {
        (Some(_), _) => Err("it has two URLs".to_owned()),
        (None, Some(_)) => Ok(Some(typed)),
        (None, None) => Err(format!(
            "it has {:?} without a type, which means SSE, and the proxy does not support SSE",
            typed.key
        )),
    }
}

struct Change<'a> {
    server: Source<'a>,
    name: &'a str,
    program: &'a str,
    options: &'a [&'a str],
    keys: &'a Keys,
}

impl Change<'_> {
    fn command(&self, command: &Member) -> Result<Option<Edits>, String> {
        let server = self.server;
        let program = command.node.text().ok_or("its command is not a string")?;
        let key = self.keys.args.unwrap_or_default();
        let args = server.table.member(key);
        if args.is_some_and(|args| !is_texts(&args.node)) {
            return Err(format!("its {key} are not a list of strings"));
        }
        if is_tuckaway(program) {
            return Ok(None);
        }
        let mut edits = Edits::default();
        edits.replace(command.node.span.clone(), server.quoted(self.program));
        let own = server.raw(&command.node).to_owned();
        match args {
            Some(args) => {
                let elements = [self.words(&["--name", self.name], &["--"]), vec![own]].concat();
                server.prepend(&mut edits, &args.node, &elements);
            }
            // If option and name are one word, there was no list: `unwrap` relies on this.
            None => {
                let elements = [self.words(&[&format!("--name={}", self.name)], &["--"]), vec![own]].concat();
                server.insert_after(&mut edits, command, key, &elements);
            }
        }
        Ok(Some(edits))
    }

    /// Changes a command that is a list with its arguments.
    fn list(&self, command: &Member) -> Result<Option<Edits>, String> {
        let words = command.node.list().filter(|_| is_texts(&command.node));
        let words = words.ok_or("its command is not a list of strings")?;
        let program = words.first().and_then(Node::text).ok_or("its command is empty")?;
        if is_tuckaway(program) {
            return Ok(None);
        }
        let mut edits = Edits::default();
        let elements = [vec![self.server.quoted(self.program)], self.words(&["--name", self.name], &["--"])];
        self.server.prepend(&mut edits, &command.node, &elements.concat());
        Ok(Some(edits))
    }

    fn url(&self, url: &Member) -> Result<Edits, String> {
        let (server, keys) = (self.server, self.keys);
        url.node.text().ok_or("its URL is not a string")?;
        if let Some(key) = SIGN_IN.into_iter().find(|key| server.table.member(key).is_some()) {
            return Err(format!(
                "its client logs in ({key}); to use the proxy, run `tuckaway mcp login` with its URL, and remove {key}"
            ));
        }
        let others = keys.args.into_iter().chain([keys.env]).chain(NOT_BESIDE_A_URL);
        if let Some(key) = others.into_iter().find(|key| server.table.member(key).is_some()) {
            return Err(format!("it has a URL and {key}"));
        }
        let mut edits = Edits::default();
        let mut elements = self.words(&["--name", self.name], &["--url"]);
        elements.push(server.raw(&url.node).to_owned());
        if let Some(transport) = server.table.member("type") {
            match transport.node.text() {
                Some("http" | "streamable-http" | "streamableHttp" | "streamable_http" | "remote") => {}
                Some("sse") => return Err("its type is sse, which the proxy does not support".to_owned()),
                _ => return Err("its type is not http".to_owned()),
            }
            elements.extend([server.quoted("--url-type"), server.raw(&transport.node).to_owned()]);
            edits.replace(transport.node.span.clone(), server.quoted(keys.stdio));
        }
        if let Some(bearer) = server.table.member("bearer_token_env_var") {
            let variable = bearer.node.text().ok_or("its bearer_token_env_var is not a string")?;
            elements.extend(self.header("Authorization", &format!("Bearer ${variable}")));
            server.rename(&mut edits, bearer, "env_vars");
            edits.replace(bearer.node.span.clone(), format!("[{}]", server.raw(&bearer.node)));
        }
        if let Some(headers) = server.table.member(keys.headers) {
            server.rename(&mut edits, headers, keys.env);
            elements.extend(self.headers(&headers.node, &mut edits)?);
        }
        server.rename(&mut edits, url, keys.command);
        let program = server.quoted(self.program);
        match keys.args {
            Some(args) => {
                edits.replace(url.node.span.clone(), program);
                server.insert_after(&mut edits, url, args, &elements);
            }
            None => {
                elements.insert(0, program);
                edits.replace(url.node.span.clone(), format!("[{}]", elements.join(", ")));
            }
        }
        Ok(edits)
    }

    /// Turns headers into variables, and returns the arguments that refer to the variables.
    fn headers(&self, headers: &Node, edits: &mut Edits) -> Result<Vec<String>, String> {
        let mut variables: Vec<String> = Vec::new();
        let mut elements = Vec::new();
        for header in headers.table().ok_or("its headers are not a table")? {
            if !matches!(header.node.value, Value::Text(_)) {
                return Err(format!("its header {:?} is not a string", header.key));
            }
            let variable = header_variable(&header.key);
            if variables.contains(&variable) || variable.len() == HEADER_PREFIX.len() {
                return Err(format!("its header {:?} cannot be stored in a separate variable", header.key));
            }
            self.server.rename(edits, header, &variable);
            elements.extend(self.header(&header.key, &format!("${variable}")));
            variables.push(variable);
        }
        Ok(elements)
    }

    fn header(&self, name: &str, value: &str) -> [String; 2] {
        [self.server.quoted("--header"), self.server.quoted(&format!("{name}: {value}"))]
    }

    /// Returns the first words of the arguments: the name of the server, the options of the proxy,
    /// and the words in front of the server's own.
    fn words(&self, name: &[&str], last: &[&str]) -> Vec<String> {
        let words = [&["mcp", "proxy"], name, self.options, last].concat();
        words.into_iter().map(|word| self.server.quoted(word)).collect()
    }
}

/// Returns whether a node is a list of strings.
fn is_texts(node: &Node) -> bool {
    node.list().is_some_and(|elements| elements.iter().all(|element| element.text().is_some()))
}
