//! Undoes the changes of `wrap`.

use super::edit::{Edits, Source};
use super::{header_variable, is_tuckaway};
use crate::document::{Member, Node};

/// Returns the change that undoes `wrap`; `None` if the server was not wrapped. The error says
/// why it cannot be undone.
///
/// Options that were added to the proxy's arguments since then are lost.
pub fn unwrap(server: Source<'_>, name: &str, headers_key: &str) -> Result<Option<Edits>, String> {
    let Some(parts) = Parts::of(server.table, name) else { return Ok(None) };
    let wrapped = Wrapped { server, parts };
    let words = &wrapped.parts.words;
    let is = |word: &str| words.iter().position(|found| found.text() == Some(word));
    match (is("--"), is("--url")) {
        (end, Some(url)) if end.is_none_or(|end| url < end) => wrapped.url(url + 1, headers_key).map(Some),
        (Some(end), _) => wrapped.command(end + 1).map(Some),
        (None, _) => Err("its arguments name neither a command nor a URL".to_owned()),
    }
}

/// The parts of a server that `wrap` changed.
struct Parts<'a> {
    command: &'a Member,
    args: &'a Member,
    words: &'a [Node],
    /// Whether the server had no arguments, not even an empty list.
    had_no_args: bool,
}

impl<'a> Parts<'a> {
    fn of(server: &'a Node, name: &str) -> Option<Self> {
        let (command, args) = (server.member("command")?, server.member("args")?);
        let words = args.node.list()?;
        let word = |at: usize| words.get(at).and_then(Node::text);
        let had_no_args = word(2) == Some(&format!("--name={name}"));
        let is_ours = is_tuckaway(command.node.text()?)
            && (word(0), word(1)) == (Some("mcp"), Some("proxy"))
            && (had_no_args || (word(2), word(3)) == (Some("--name"), Some(name)));
        is_ours.then_some(Parts { command, args, words, had_no_args })
    }
}

struct Wrapped<'a> {
    server: Source<'a>,
    parts: Parts<'a>,
}

impl Wrapped<'_> {
    fn command(&self, at: usize) -> Result<Edits, String> {
        let Parts { command, args, words, had_no_args } = &self.parts;
        let own = words.get(at).ok_or("its arguments end before the command")?;
        let mut edits = Edits::default();
        edits.replace(command.node.span.clone(), self.server.raw(own));
        match (words.first(), words.get(at + 1)) {
            (Some(first), Some(next)) => edits.remove(first.span.start..next.span.start),
            _ if *had_no_args => self.server.remove_member(&mut edits, args),
            (first, None) => {
                let start = first.map_or(own.span.start, |first| first.span.start);
                let following = &self.server.text[own.span.end..args.node.span.end];
                // A trailing comma that was added since then.
                let comma = following.find(',').map_or(0, |comma| comma + 1);
                edits.remove(start..own.span.end + comma);
            }
            (None, Some(_)) => {}
        }
        Ok(edits)
    }

    fn url(&self, at: usize, headers_key: &str) -> Result<Edits, String> {
        let Parts { command, args, words, .. } = &self.parts;
        let server = self.server;
        let url = words.get(at).ok_or("its arguments end before the URL")?;
        let mut edits = Edits::default();
        server.rename(&mut edits, command, "url");
        edits.replace(command.node.span.clone(), server.raw(url));
        server.remove_member(&mut edits, args);
        if let (Some(transport), Some(own)) = (server.table.member("type"), self.value_of("--url-type")) {
            edits.replace(transport.node.span.clone(), server.raw(own));
        }
        if let Some(variables) = server.table.member("env_vars") {
            let [variable] = variables.node.list().unwrap_or_default() else {
                return Err("its env_vars were changed since the installation".to_owned());
            };
            server.rename(&mut edits, variables, "bearer_token_env_var");
            edits.replace(variables.node.span.clone(), server.raw(variable));
        }
        if let Some(env) = server.table.member("env") {
            server.rename(&mut edits, env, headers_key);
            for variable in env.node.table().unwrap_or_default() {
                let header = self.header_of(&variable.key).ok_or_else(|| {
                    format!("its env has {:?}, which was not made from a header", variable.key)
                })?;
                server.rename(&mut edits, variable, header);
            }
        }
        Ok(edits)
    }

    /// Returns the value of an option.
    fn value_of(&self, option: &str) -> Option<&Node> {
        let words = self.parts.words;
        words.iter().position(|word| word.text() == Some(option)).and_then(|at| words.get(at + 1))
    }

    /// Returns the header from which a variable was made.
    fn header_of(&self, variable: &str) -> Option<&str> {
        let words = self.parts.words;
        let options = words.iter().zip(words.iter().skip(1));
        let headers = options.filter(|(option, _)| option.text() == Some("--header"));
        let mut names = headers.filter_map(|(_, header)| Some(header.text()?.split_once(':')?.0));
        names.find(|name| header_variable(name) == variable)
    }
}
