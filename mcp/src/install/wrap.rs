//! Puts the proxy in front of one server.
//!
//! Everything that is needed to undo this stays in the text, as it was written: the command and
//! the URL become arguments, and the table of headers becomes the table of the environment. So
//! headers with secrets never appear in the arguments, which other users of a machine can list.
//!
//! ```text
//! command = C, args = [A…]          ─► command = tuckaway, args = [mcp proxy --name N -- C A…]
//! command = C                       ─► command = tuckaway, args = [mcp proxy --name=N -- C]
//! url = U, headers = {H = S}        ─► command = tuckaway, args = [mcp proxy --name N --url U
//!                                      --header "H: $V"], env = {V = S}
//! bearer_token_env_var = B          ─► … --header "Authorization: Bearer $B", env_vars = [B]
//! type = T                          ─► type = stdio, and --url-type T in args
//! ```

use super::edit::{Edits, Source};
use super::{HEADER_PREFIX, header_variable, is_tuckaway};
use crate::config::server_name;
use crate::document::{Member, Node, Value};

/// Members that describe how a client signs in to a URL.
const SIGN_IN: [&str; 5] = ["auth", "oauth", "oauth_resource", "scopes", "headersHelper"];

/// Returns the change of a server; `None` if the proxy is already in front of it. The error says
/// why the server is not changed.
pub fn wrap(
    server: Source<'_>,
    name: &str,
    program: &str,
    headers_key: &str,
) -> Result<Option<Edits>, String> {
    let members = server.table.table().ok_or("it is not a table")?;
    for (at, member) in members.iter().enumerate() {
        if members[..at].iter().any(|before| before.key == member.key) {
            return Err(format!("it has {:?} twice", member.key));
        }
    }
    server_name(name)?;
    let change = Change { server, name, program };
    match (server.table.member("command"), server.table.member("url")) {
        (Some(_), Some(_)) => Err("it has a command and a URL".to_owned()),
        (Some(command), None) => change.command(command),
        (None, Some(url)) => change.url(url, headers_key).map(Some),
        (None, None) => Err("it has neither a command nor a URL".to_owned()),
    }
}

struct Change<'a> {
    server: Source<'a>,
    name: &'a str,
    program: &'a str,
}

impl Change<'_> {
    fn command(&self, command: &Member) -> Result<Option<Edits>, String> {
        let server = self.server;
        let program = command.node.text().ok_or("its command is not a string")?;
        let args = server.table.member("args");
        if let Some(args) = args
            && args.node.list().is_none_or(|args| args.iter().any(|arg| arg.text().is_none()))
        {
            return Err("its args are not a list of strings".to_owned());
        }
        if is_tuckaway(program) {
            return Ok(None);
        }
        let mut edits = Edits::default();
        edits.replace(command.node.span.clone(), server.quoted(self.program));
        let own = server.raw(&command.node).to_owned();
        match args {
            Some(args) => {
                let elements = [self.words(&["--name", self.name, "--"]), vec![own]].concat();
                server.prepend(&mut edits, &args.node, &elements);
            }
            // If option and name are one word, there was no list: `unwrap` relies on this.
            None => {
                let elements = [self.words(&[&format!("--name={}", self.name), "--"]), vec![own]].concat();
                server.insert_after(&mut edits, command, "args", &elements);
            }
        }
        Ok(Some(edits))
    }

    fn url(&self, url: &Member, headers_key: &str) -> Result<Edits, String> {
        let server = self.server;
        url.node.text().ok_or("its URL is not a string")?;
        if let Some(key) = SIGN_IN.into_iter().find(|key| server.table.member(key).is_some()) {
            return Err(format!("it signs in ({key}), which the proxy cannot do"));
        }
        if let Some(key) = ["args", "env", "env_vars", "env_http_headers"]
            .into_iter()
            .find(|key| server.table.member(key).is_some())
        {
            return Err(format!("it has a URL and {key}"));
        }
        let mut edits = Edits::default();
        let mut elements = self.words(&["--name", self.name, "--url"]);
        elements.push(server.raw(&url.node).to_owned());
        if let Some(transport) = server.table.member("type") {
            match transport.node.text() {
                Some("http" | "streamable-http" | "streamableHttp" | "streamable_http") => {}
                Some("sse") => return Err("its type is sse, which the proxy does not support".to_owned()),
                _ => return Err("its type is not http".to_owned()),
            }
            elements.extend([server.quoted("--url-type"), server.raw(&transport.node).to_owned()]);
            edits.replace(transport.node.span.clone(), server.quoted("stdio"));
        }
        if let Some(bearer) = server.table.member("bearer_token_env_var") {
            let variable = bearer.node.text().ok_or("its bearer_token_env_var is not a string")?;
            elements.extend(self.header("Authorization", &format!("Bearer ${variable}")));
            server.rename(&mut edits, bearer, "env_vars");
            edits.replace(bearer.node.span.clone(), format!("[{}]", server.raw(&bearer.node)));
        }
        if let Some(headers) = server.table.member(headers_key) {
            server.rename(&mut edits, headers, "env");
            elements.extend(self.headers(&headers.node, &mut edits)?);
        }
        server.rename(&mut edits, url, "command");
        edits.replace(url.node.span.clone(), server.quoted(self.program));
        server.insert_after(&mut edits, url, "args", &elements);
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

    /// Returns the first words of the arguments.
    fn words(&self, options: &[&str]) -> Vec<String> {
        ["mcp", "proxy"].iter().chain(options).map(|word| self.server.quoted(word)).collect()
    }
}
