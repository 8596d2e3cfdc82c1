//! Which proxy of a client lists the artifact tools. All of them answer the tools, because they
//! share a session, so that one list is enough for the model.

use super::edit::{Edits, Source};
use super::servers::{Server, servers};
use super::{Client, UNLISTED, allow, join, unwrap};
use crate::document::Node;

/// The proxies that list the artifact tools.
pub struct Listing {
    /// The project of each; `None` if the proxy is for all projects.
    projects: Vec<Option<String>>,
}

impl Listing {
    /// Finds the proxies in a text. `has_joined` is whether one of them stands for several
    /// servers; it is for all projects, and lists the tools.
    pub fn new(text: &str, client: &Client, has_joined: bool) -> Self {
        let mut listing = Listing { projects: Vec::new() };
        if has_joined {
            listing.add(None);
        }
        let Ok(root) = client.format.parse(text) else { return listing };
        for server in servers(&root, client) {
            if words(&server, client).is_some_and(|words| unlisted(words).is_none()) {
                listing.add(server.project);
            }
        }
        listing
    }

    /// Adds a proxy, which lists the tools unless another one does.
    pub fn add(&mut self, project: Option<&str>) {
        if !self.has(project) {
            self.projects.push(project.map(str::to_owned));
        }
    }

    /// Returns whether a model that works on this project finds the tools.
    fn has(&self, project: Option<&str>) -> bool {
        self.projects.iter().any(|listed| listed.is_none() || listed.as_deref() == project)
    }

    /// Returns the options of a new proxy.
    pub fn options(&self, client: &Client, project: Option<&str>) -> Vec<&'static str> {
        let mut options = vec!["--session", client.id];
        if self.has(project) {
            options.push(UNLISTED);
        }
        options
    }
}

/// Lets another proxy list the tools if the one that listed them was removed.
pub fn listed_once(mut text: String, client: &Client, has_joined: bool) -> String {
    loop {
        let Ok(root) = client.format.parse(&text) else { return text };
        let listing = Listing::new(&text, client, has_joined);
        let found = servers(&root, client).into_iter().find_map(|server| {
            let words = words(&server, client).filter(|_| !listing.has(server.project))?;
            let at = unlisted(words)?;
            let mut edits = Edits::default();
            edits.remove(words.get(at)?.span.start..words.get(at + 1)?.span.start);
            let source = Source { text: &text, format: client.format, table: server.node };
            allow::allow(source, &client.keys, &mut edits);
            Some(edits)
        });
        let Some(edits) = found else { return text };
        match edits.apply(&text) {
            Some(changed) => text = changed,
            None => return text,
        }
    }
}

/// Returns the entries whose proxies list the tools. `file` is the file of the proxy that stands
/// for several servers.
pub fn names(text: &str, client: &Client, file: &str) -> Vec<String> {
    let Ok(root) = client.format.parse(text) else { return Vec::new() };
    let lists = |server: &Server<'_>| {
        join::is_entry(server, client, file)
            || words(server, client).is_some_and(|words| unlisted(words).is_none())
    };
    servers(&root, client).into_iter().filter(lists).map(|server| server.name.to_owned()).collect()
}

/// Returns the arguments of a proxy in front of one server.
fn words<'a>(server: &Server<'a>, client: &Client) -> Option<&'a [Node]> {
    unwrap::words(server.node, server.name, &client.keys)
}

/// Returns where the option is that hides the tools.
fn unlisted(words: &[Node]) -> Option<usize> {
    let own = words.iter().take_while(|word| word.text() != Some("--"));
    own.enumerate().find(|(_, word)| word.text() == Some(UNLISTED)).map(|(at, _)| at)
}
