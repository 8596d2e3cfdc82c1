//! Replaces several servers in a client's configuration by one proxy, and puts them back.
//!
//! ```text
//! a, b, c, d  ─► proxy, c       and in the proxy's file:  first piece   "a, b"
//!  (c stays)                                              after c       ", d"
//! ```
//!
//! A piece has all bytes from the end of the server before it, so that commas, comments and white
//! space return with the servers.

use std::ops::Range;

use super::edit::{Edits, Source};
use super::joined::Piece;
use super::servers::{Server, of_user};
use super::{Client, is_tuckaway};
use crate::document::{Format, Node, Value};

/// The entry of the proxy.
pub struct Entry<'a> {
    /// The name of the entry.
    pub name: &'a str,
    /// The program.
    pub program: &'a str,
    /// The program's arguments.
    pub words: &'a [String],
}

/// Replaces the servers that `is_joined` names, which are in one table, by one entry. Returns the
/// changed text and the removed pieces; `None` if the text is written in a way that cannot be
/// changed safely.
pub fn join(
    text: &str,
    client: &Client,
    is_joined: impl Fn(&Server<'_>) -> bool,
    entry: &Entry<'_>,
) -> Option<(String, Vec<Piece>)> {
    let root = client.format.parse(text).ok()?;
    let servers = of_user(&root, client);
    let first = servers.iter().position(&is_joined)?;
    let mut edits = Edits::default();
    let mut pieces: Vec<Piece> = Vec::new();
    // The range that is removed next, which grows while the servers that follow are joined too.
    let mut open: Option<(Option<&str>, Range<usize>)> = None;
    for (at, server) in servers.iter().enumerate().skip(first) {
        let range = range(text, client, server)?;
        if !is_joined(server) {
            continue;
        }
        let before = servers.get(at.wrapping_sub(1)).filter(|_| at > first);
        match (&mut open, before) {
            (Some((_, piece)), Some(before)) if is_joined(before) => {
                is_gap(text.get(piece.end..range.start)?, client.format).then_some(())?;
                piece.end = range.end;
            }
            (_, Some(before)) => {
                let start = self::range(text, client, before)?.end;
                is_gap(text.get(start..range.start)?, client.format).then_some(())?;
                close(text, open.take(), &mut edits, &mut pieces);
                open = Some((Some(before.name), start..range.end));
            }
            (_, None) => open = Some((None, range)),
        }
    }
    close(text, open, &mut edits, &mut pieces);
    let start = range(text, client, &servers[first])?.start;
    edits.insert(start, written(text, client, &servers[first], entry));
    let changed = edits.apply(text)?;
    let root = client.format.parse(&changed).ok()?;
    let left = servers.iter().filter(|server| !is_joined(server)).count();
    (of_user(&root, client).len() == left + 1).then_some((changed, pieces))
}

fn close(text: &str, open: Option<(Option<&str>, Range<usize>)>, edits: &mut Edits, pieces: &mut Vec<Piece>) {
    let Some((after, range)) = open else { return };
    pieces.push(Piece { after: after.map(str::to_owned), text: text[range.clone()].to_owned() });
    edits.remove(range);
}

/// Puts the removed pieces back in place of the proxy's entry. A piece whose server is gone
/// follows the first piece. Returns `None` if there is no entry with this file.
pub fn leave(text: &str, client: &Client, file: &str, pieces: &[Piece]) -> Option<String> {
    let root = client.format.parse(text).ok()?;
    let servers = of_user(&root, client);
    let proxy = servers.iter().find(|server| is_entry(server, client, file))?;
    let (first, rest) = pieces.split_first()?;
    let place = range(text, client, proxy)?;
    let mut edits = Edits::default();
    let mut replacement = first.text.clone();
    for piece in rest {
        let after = piece.after.as_deref();
        let server =
            servers.iter().find(|server| Some(server.name) == after && server.project == proxy.project);
        match server {
            Some(server) => edits.insert(range(text, client, server)?.end, piece.text.clone()),
            None => replacement.push_str(&piece.text),
        }
    }
    edits.replace(place, replacement);
    edits.apply(text)
}

/// Returns whether a server is the proxy that reads a file.
pub fn is_entry(server: &Server<'_>, client: &Client, file: &str) -> bool {
    let keys = &client.keys;
    let Some(command) = server.node.member(keys.command) else { return false };
    let (program, words) = match keys.args {
        Some(args) => (Some(&command.node), server.node.member(args).and_then(|args| args.node.list())),
        None => {
            let split = command.node.list().and_then(<[Node]>::split_first);
            (split.map(|(program, _)| program), split.map(|(_, words)| words))
        }
    };
    let words: Vec<_> = words.unwrap_or_default().iter().map(Node::text).collect();
    program.and_then(Node::text).is_some_and(is_tuckaway)
        && words.starts_with(&[Some("mcp"), Some("proxy")])
        && words.windows(2).any(|pair| pair == [Some("--config"), Some(file)])
}

/// Returns the bytes of a server; `None` if they are not in one place.
pub fn range(text: &str, client: &Client, server: &Server<'_>) -> Option<Range<usize>> {
    let Some(member) = server.member else { return Some(server.node.span.clone()) };
    let source = Source { text, format: client.format, table: server.node };
    let line = source.line_start(member.key_span.start);
    match client.format == Format::Toml && text[line..].trim_start().starts_with('[') {
        // A table with a header, and the tables in it.
        true => Some(line..source.line_end(end(server.node).max(member.key_span.end))),
        // A dotted key of TOML may be on several lines.
        false if client.format == Format::Toml && !text[member.node.span.clone()].starts_with('{') => None,
        false => Some(member.key_span.start..member.node.span.end),
    }
}

/// Returns the end of the last value in a node.
fn end(node: &Node) -> usize {
    match &node.value {
        Value::Table(members) => {
            let ends = members.iter().map(|member| end(&member.node).max(member.key_span.end));
            ends.max().unwrap_or_default()
        }
        _ => node.span.end,
    }
}

/// Returns whether all text between two servers belongs to them.
fn is_gap(text: &str, format: Format) -> bool {
    // In the other formats, servers that follow each other are neighbours.
    format != Format::Toml
        || text.lines().map(str::trim).all(|line| line.is_empty() || line == "," || line.starts_with('#'))
}

/// Returns the entry in the style of the server that it replaces.
fn written(text: &str, client: &Client, replaced: &Server<'_>, entry: &Entry<'_>) -> String {
    let source = Source { text, format: client.format, table: replaced.node };
    let quoted = |text: &str| source.quoted(text);
    let words: Vec<String> = entry.words.iter().map(|word| quoted(word)).collect();
    let mut members: Vec<(&str, String)> = Vec::new();
    if replaced.member.is_none() {
        members.push(("name", quoted(entry.name)));
    }
    members.extend(client.entry.iter().map(|(key, value)| (*key, (*value).to_owned())));
    match client.keys.args {
        Some(args) => members.extend([
            (client.keys.command, quoted(entry.program)),
            (args, format!("[{}]", words.join(", "))),
        ]),
        None => {
            let all = [vec![quoted(entry.program)], words].concat();
            members.push((client.keys.command, format!("[{}]", all.join(", "))));
        }
    }
    let start = replaced.member.map_or(replaced.node.span.start, |member| member.key_span.start);
    let before = &text[source.line_start(start)..start];
    let feed = source.feed();
    let lines = |indent: &str, sign: &str, last: &str| {
        let lines = members.iter().map(|(key, value)| format!("{indent}{key}{sign}{value}"));
        lines.collect::<Vec<_>>().join(&format!("{last}{feed}"))
    };
    let name = entry.name;
    let is_flow = text[replaced.node.span.clone()].starts_with('{');
    let blank = before.replace('-', " ");
    match client.format {
        Format::Toml if before.trim_start().starts_with('[') => {
            let path = client.servers[0].join(".");
            format!("[{path}.{name}]{feed}{}", lines("", " = ", ""))
        }
        Format::Toml => {
            let members: Vec<_> = members.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            format!("{name} = {{ {} }}", members.join(", "))
        }
        Format::Yaml if !is_flow && replaced.member.is_some() => {
            format!("{name}:{feed}{}", lines(&format!("{blank}  "), ": ", ""))
        }
        Format::Yaml if !is_flow => lines(&blank, ": ", "").trim_start().to_owned(),
        _ => {
            let key = if replaced.member.is_some() { format!("{}: ", quoted(name)) } else { String::new() };
            let members: Vec<_> =
                members.iter().map(|(key, value)| format!("{}: {value}", quoted(key))).collect();
            if !before.trim().is_empty() {
                return format!("{key}{{{}}}", members.join(", "));
            }
            let step = if before.contains('\t') { "\t" } else { "  " };
            let separator = format!(",{feed}{before}{step}");
            format!("{key}{{{feed}{before}{step}{}{feed}{before}}}", members.join(&separator))
        }
    }
}
