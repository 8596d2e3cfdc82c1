//! Undoes the changes of `wrap`.

use super::edit::{Edits, Source};
use super::{Keys, allow, header_variable, is_tuckaway};
use crate::document::{Member, Node};

/// Returns the change that undoes `wrap`; `None` if the server was not wrapped. The error says
/// why it cannot be undone.
///
/// Options that were added to the proxy's arguments since then are lost.
pub fn unwrap(server: Source<'_>, name: &str, keys: &Keys) -> Result<Option<Edits>, String> {
    let Some(parts) = Parts::of(server.table, name, keys) else { return Ok(None) };
    let wrapped = Wrapped { server, parts, keys };
    let words = wrapped.parts.words;
    let is = |word: &str| words.iter().position(|found| found.text() == Some(word));
    let mut edits = match (is("--"), is("--url")) {
        (end, Some(url)) if end.is_none_or(|end| url < end) => wrapped.url(url + 1)?,
        (Some(end), _) => wrapped.command(end + 1)?,
        (None, _) => return Err("its arguments name neither a command nor a URL".to_owned()),
    };
    allow::disallow(server, keys, &mut edits);
    Ok(Some(edits))
}

/// Returns the arguments of the proxy in front of a server; `None` if the server was not wrapped.
pub fn words<'a>(server: &'a Node, name: &str, keys: &Keys) -> Option<&'a [Node]> {
    Parts::of(server, name, keys).map(|parts| parts.words)
}

/// The parts of a server that `wrap` changed.
struct Parts<'a> {
    command: &'a Member,
    /// The arguments; `None` if they follow the program in one list.
    args: Option<&'a Member>,
    words: &'a [Node],
    /// Whether the server had no arguments, not even an empty list.
    had_no_args: bool,
}

impl<'a> Parts<'a> {
    fn of(server: &'a Node, name: &str, keys: &Keys) -> Option<Self> {
        let command = server.member(keys.command)?;
        let (program, args, words) = match keys.args {
            Some(key) => {
                let args = server.member(key)?;
                (&command.node, Some(args), args.node.list()?)
            }
            None => {
                let (program, words) = command.node.list()?.split_first()?;
                (program, None, words)
            }
        };
        let word = |at: usize| words.get(at).and_then(Node::text);
        let had_no_args = args.is_some() && word(2) == Some(&format!("--name={name}"));
        let is_ours = is_tuckaway(program.text()?)
            && (word(0), word(1)) == (Some("mcp"), Some("proxy"))
            && (had_no_args || (word(2), word(3)) == (Some("--name"), Some(name)));
        is_ours.then_some(Parts { command, args, words, had_no_args })
    }
}

struct Wrapped<'a> {
    server: Source<'a>,
    parts: Parts<'a>,
    keys: &'a Keys,
}

impl Wrapped<'_> {
    fn command(&self, at: usize) -> Result<Edits, String> {
        let Parts { command, args, words, had_no_args } = &self.parts;
        let own = words.get(at).ok_or("its arguments end before the command")?;
        let mut edits = Edits::default();
        let Some(args) = args else {
            let list = command.node.list().and_then(<[Node]>::first);
            edits.remove(list.map_or(own.span.start, |program| program.span.start)..own.span.start);
            return Ok(edits);
        };
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

    fn url(&self, at: usize) -> Result<Edits, String> {
        let Parts { command, args, words, .. } = &self.parts;
        let (server, keys) = (self.server, self.keys);
        let url = words.get(at).ok_or("its arguments end before the URL")?;
        let mut edits = Edits::default();
        let url_type = server.table.member("type").zip(self.value_of("--url-type"));
        let typed = keys.typed_url.filter(|_| url_type.is_some());
        server.rename(&mut edits, command, typed.or(keys.url).unwrap_or("url"));
        edits.replace(command.node.span.clone(), server.raw(url));
        if let Some(args) = args {
            server.remove_member(&mut edits, args);
        }
        if let Some((transport, own)) = url_type {
            edits.replace(transport.node.span.clone(), server.raw(own));
        }
        if let Some(variables) = server.table.member("env_vars") {
            let [variable] = variables.node.list().unwrap_or_default() else {
                return Err("its env_vars were changed since the installation".to_owned());
            };
            server.rename(&mut edits, variables, "bearer_token_env_var");
            edits.replace(variables.node.span.clone(), server.raw(variable));
        }
        if let Some(env) = server.table.member(keys.env) {
            server.rename(&mut edits, env, keys.headers);
            for variable in env.node.table().unwrap_or_default() {
                let header = self.header_of(&variable.key).ok_or_else(|| {
                    format!("its {} has {:?}, which was not made from a header", keys.env, variable.key)
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
