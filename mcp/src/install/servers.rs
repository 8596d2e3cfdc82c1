//! Finds the servers in a client's configuration.

use super::Client;
use crate::document::{Member, Node};

/// A server in a configuration.
#[derive(Clone, Copy)]
pub struct Server<'a> {
    /// The project to which it belongs; `None` for all projects.
    pub project: Option<&'a str>,
    /// Its name.
    pub name: &'a str,
    /// Its table.
    pub node: &'a Node,
    /// Its key and its table; `None` if the servers are a list.
    pub member: Option<&'a Member>,
}

/// Returns the servers of a configuration, in the order of the client's paths.
pub fn servers<'a>(root: &'a Node, client: &Client) -> Vec<Server<'a>> {
    client.servers.iter().flat_map(|path| below(root, client, path, 0, None)).collect()
}

/// Returns the servers of the table that is for all projects.
pub fn of_user<'a>(root: &'a Node, client: &Client) -> Vec<Server<'a>> {
    let paths = client.servers.iter().filter(|path| !path.contains(&"*"));
    let mut tables = paths.map(|path| below(root, client, path, 0, None));
    tables.find(|servers| !servers.is_empty()).unwrap_or_default()
}

/// Returns the servers to which the keys of a path lead, from a node that is `depth` keys deep.
fn below<'a>(
    node: &'a Node,
    client: &Client,
    path: &[&str],
    depth: usize,
    project: Option<&'a str>,
) -> Vec<Server<'a>> {
    let Some(key) = path.get(depth) else {
        // The end of another path is not a server.
        let is_path = |member: &&Member| {
            client.servers.iter().any(|other| {
                other.len() == depth + 1 && other[..depth] == *path && other[depth] == member.key
            })
        };
        let members = node.table().unwrap_or_default().iter().filter(|member| !is_path(member));
        let members = members.map(|member| Server {
            project,
            name: &member.key,
            node: &member.node,
            member: Some(member),
        });
        let elements = node.list().unwrap_or_default().iter().filter_map(|element| {
            let name = element.member("name")?.node.text()?;
            Some(Server { project, name, node: element, member: None })
        });
        return members.chain(elements).collect();
    };
    let members = node.table().unwrap_or_default();
    let matching = members.iter().filter(|member| *key == "*" || member.key == *key);
    matching
        .flat_map(|member| {
            let project = if *key == "*" { Some(&*member.key) } else { project };
            below(&member.node, client, path, depth + 1, project)
        })
        .collect()
}
