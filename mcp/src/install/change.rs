//! Decides for each server how it is changed, and changes the text.

use std::collections::BTreeMap;

use super::edit::{Edits, Source};
use super::join::{self, Entry};
use super::joined::{Joined, portable};
use super::listing::{self, Listing};
use super::servers::{Server, of_user, servers};
use super::{
    Action, Changed, Client, InstallError, JoinedFile, Outcome, Request, ServerChange, unwrap, wrap,
};

/// The name of the entry that stands for several servers.
const NAME: &str = "tuckaway";

const ODD: &str = "it is written in a way that cannot be changed safely; change it by hand";

/// Changes the text of a client's configuration.
pub fn change(text: &str, client: &Client, request: &Request) -> Result<Changed, InstallError> {
    let change = Change { client, request };
    let before = change.joined_before(text)?;
    // The text with every server in its own place.
    let apart = match &before {
        Some(joined) => join::leave(text, client, &request.file, &joined.pieces).ok_or_else(|| {
            InstallError::Joined("its servers do not fit into the configuration".to_owned())
        })?,
        None => text.to_owned(),
    };
    let root = client.format.parse(&apart).map_err(InstallError::Malformed)?;
    let all = servers(&root, client);
    change.check(&all)?;
    let was_joined = |name: &str| before.as_ref().is_some_and(|joined| joined.servers.contains_key(name));
    let candidates = change.candidates(&apart, &of_user(&root, client), was_joined);
    let (text, joined) = match &before {
        Some(joined) if joined.servers.keys().eq(candidates.joined.keys()) => {
            (text.to_owned(), before.clone())
        }
        _ => match change.join(&apart, &candidates, before.as_ref()) {
            Some((text, joined)) => (text, Some(joined)),
            None => (apart.clone(), None),
        },
    };
    let is_joined = |server: &Server<'_>| {
        server.project.is_none()
            && joined.as_ref().is_some_and(|joined| joined.servers.contains_key(server.name))
    };
    let mut listing = Listing::new(&text, client, joined.is_some());
    let (mut edits, mut changes) = (Edits::default(), Vec::new());
    for server in all.iter().filter(|server| change.is_requested(server.name)) {
        let now = is_joined(server);
        let of_user = server.project.is_none();
        let outcome = match (now, of_user && was_joined(server.name)) {
            (true, true) => Outcome::Unchanged,
            (true, false) => changed(server, client, request.action),
            (false, true) if request.action == Action::Uninstall => Outcome::Changed,
            _ => change.single(&text, server, &mut listing, &mut edits),
        };
        let is_alone = of_user && !now && joined.is_some();
        let is_changed = matches!(outcome, Outcome::Changed | Outcome::ChangedUrl);
        let alone = candidates.alone.get(server.name).filter(|_| is_alone && is_changed).cloned();
        let (project, name) = (server.project.map(str::to_owned), server.name.to_owned());
        changes.push(ServerChange { project, name, outcome, alone });
    }
    // Each change was tried separately, and the tables of servers do not overlap.
    let text = edits.apply(&text).unwrap_or(text);
    let text = listing::listed_once(text, client, joined.is_some());
    let joined = match joined {
        same if same == before => JoinedFile::Unchanged,
        Some(joined) => JoinedFile::Write(joined.write()),
        None => JoinedFile::Remove,
    };
    let listing = listing::names(&text, client, &request.file);
    Ok(Changed { text, joined, servers: changes, listing })
}

/// Returns the outcome for a server that was changed.
fn changed(server: &Server<'_>, client: &Client, action: Action) -> Outcome {
    match action == Action::Install && wrap::has_url(server.node, &client.keys) {
        true => Outcome::ChangedUrl,
        false => Outcome::Changed,
    }
}

/// The servers that one proxy stands for.
struct Candidates {
    /// In the form that the proxy reads.
    joined: serde_json::Map<String, serde_json::Value>,
    /// Why the others cannot be among them.
    alone: BTreeMap<String, String>,
}

struct Change<'a> {
    client: &'a Client,
    request: &'a Request,
}

impl Change<'_> {
    fn is_requested(&self, name: &str) -> bool {
        self.request.only.is_empty() || self.request.only.iter().any(|only| only == name)
    }

    /// Checks that there are servers, and that all requested ones are among them.
    fn check(&self, all: &[Server<'_>]) -> Result<(), InstallError> {
        let known = || all.iter().map(|server| server.name.to_owned());
        if all.is_empty() {
            return Err(InstallError::NoServers);
        }
        match self.request.only.iter().find(|name| known().all(|known| known != **name)) {
            Some(name) => Err(InstallError::NoServer { name: name.clone(), known: known().collect() }),
            None => Ok(()),
        }
    }

    /// Returns the servers that one proxy already stands for.
    fn joined_before(&self, text: &str) -> Result<Option<Joined>, InstallError> {
        let Request { file, joined, .. } = self.request;
        let root = self.client.format.parse(text).map_err(InstallError::Malformed)?;
        let has_entry =
            of_user(&root, self.client).iter().any(|server| join::is_entry(server, self.client, file));
        match (has_entry, joined) {
            (false, _) => Ok(None),
            (true, None) => Err(InstallError::NoJoined(file.clone())),
            (true, Some(joined)) => Joined::read(joined).map(Some),
        }
    }

    /// Returns the servers that one proxy stands for after the change. A single one keeps its
    /// place, unless it already shared a proxy.
    fn candidates(
        &self,
        text: &str,
        servers: &[Server<'_>],
        was_joined: impl Fn(&str) -> bool,
    ) -> Candidates {
        let mut candidates = Candidates { joined: serde_json::Map::new(), alone: BTreeMap::new() };
        let is_install = self.request.action == Action::Install;
        let mut had_any = false;
        for server in servers {
            let requested = self.is_requested(server.name);
            let wanted = match was_joined(server.name) {
                true => is_install || !requested,
                false => is_install && requested && !self.request.separate,
            };
            had_any |= was_joined(server.name);
            if !wanted {
                continue;
            }
            match self.moved(text, server) {
                Ok(moved) => {
                    candidates.joined.insert(server.name.to_owned(), moved);
                }
                Err(why) => {
                    candidates.alone.insert(server.name.to_owned(), why);
                }
            }
        }
        if candidates.joined.len() == 1 && !had_any {
            candidates.joined.clear();
        }
        candidates
    }

    /// Returns a server in the form that the proxy reads, or why it cannot share a proxy.
    fn moved(&self, text: &str, server: &Server<'_>) -> Result<serde_json::Value, String> {
        let source = Source { text, format: self.client.format, table: server.node };
        let is_new =
            wrap::wrap(source, server.name, &self.request.program, &[], &self.client.keys)?.is_some();
        match is_new && join::range(text, self.client, server).is_some() {
            true => portable(server.node, server.name, self.client),
            false => Err("it cannot be moved safely".to_owned()),
        }
    }

    /// Replaces servers by one proxy, after trying to put them back.
    fn join(&self, text: &str, candidates: &Candidates, before: Option<&Joined>) -> Option<(String, Joined)> {
        let (client, request) = (self.client, self.request);
        if candidates.joined.is_empty() {
            return None;
        }
        let root = client.format.parse(text).ok()?;
        let is_free = |name: &&str| servers(&root, client).iter().all(|server| server.name != *name);
        let name = [NAME, "tuckaway-proxy"].into_iter().find(is_free)?;
        let words = ["mcp", "proxy", "--config", &request.file, "--session", client.id].map(str::to_owned);
        let entry = Entry { name, program: &request.program, words: &words };
        let is_joined = |server: &Server<'_>| candidates.joined.contains_key(server.name);
        let (changed, pieces) = join::join(text, client, is_joined, &entry)?;
        let restored = join::leave(&changed, client, &request.file, &pieces)?;
        let settings = before.map(|joined| joined.settings.clone()).unwrap_or_default();
        let joined = Joined { servers: candidates.joined.clone(), pieces, settings };
        (restored == text).then_some((changed, joined))
    }

    /// Changes a server that does not share a proxy.
    fn single(&self, text: &str, server: &Server<'_>, listing: &mut Listing, edits: &mut Edits) -> Outcome {
        let Ok(root) = self.client.format.parse(text) else { return Outcome::LeftAlone(ODD.to_owned()) };
        let is_same = |found: &&Server<'_>| found.name == server.name && found.project == server.project;
        let all = servers(&root, self.client);
        let Some(server) = all.iter().find(is_same) else { return Outcome::LeftAlone(ODD.to_owned()) };
        match self.edits_of(text, server, listing) {
            Ok(None) => Outcome::Unchanged,
            Ok(Some(new)) => {
                edits.extend(new);
                if self.request.action == Action::Install {
                    listing.add(server.project);
                }
                changed(server, self.client, self.request.action)
            }
            Err(why) => Outcome::LeftAlone(why),
        }
    }

    /// Returns the changes for one server, after trying them; `None` if there is nothing to do.
    fn edits_of(&self, text: &str, server: &Server<'_>, listing: &Listing) -> Result<Option<Edits>, String> {
        let (client, keys) = (self.client, &self.client.keys);
        let source = Source { text, format: client.format, table: server.node };
        let edits = match self.request.action {
            Action::Install => {
                let options = listing.options(client, server.project);
                wrap::wrap(source, server.name, &self.request.program, &options, keys)?
            }
            Action::Uninstall => unwrap::unwrap(source, server.name, keys)?,
        };
        let Some(edits) = edits else { return Ok(None) };
        let odd = || ODD.to_owned();
        let changed = edits.clone().apply(text).ok_or_else(odd)?;
        let root = client.format.parse(&changed).map_err(|_| odd())?;
        if self.request.action == Action::Install {
            // Several projects may have a server with this name.
            let named = servers(&root, client).into_iter().filter(|found| found.name == server.name);
            let restored = named.map(|found| {
                let source = Source { text: &changed, format: client.format, table: found.node };
                unwrap::unwrap(source, server.name, keys).ok().flatten()?.apply(&changed)
            });
            if !restored.into_iter().flatten().any(|restored| restored == text) {
                return Err(odd());
            }
        }
        Ok(Some(edits))
    }
}
