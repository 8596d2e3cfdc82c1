//! The names under which a client knows the tools and prompts of servers.
//!
//! With one wrapped server, names are not changed. With several, each name is always
//! `SERVER_NAME`, so that adding a server renames nothing. A name gets a suffix of eight
//! digits in two cases, which depend only on the names of the servers: if it is too long, or
//! if another server could have it (`a` has `b_c`, and `a_b` may have `c`). The names of the
//! proxy's own tools are reserved.

use super::owners::Owners;

/// The longest name that providers accept.
const MAX_NAME_BYTES: usize = 64;
/// An underscore and eight digits.
const SUFFIX_BYTES: usize = 9;

/// The names of all items of one kind, such as tools.
pub struct Names {
    /// The names of the servers; empty if names are not changed.
    prefixes: Vec<String>,
    /// Names that no server may have.
    own: Vec<String>,
    /// The server and the original name for each name with a suffix, from which they cannot be
    /// derived.
    suffixed: Owners<(usize, String)>,
}

impl Names {
    /// Creates names with these prefixes, one for each server, or none if names are not changed.
    pub fn new(prefixes: Vec<String>, own: Vec<String>) -> Self {
        Names { prefixes, own, suffixed: Owners::default() }
    }

    /// Returns the name under which the client knows an item of a server, and remembers it.
    pub fn expose(&self, server: usize, name: &str) -> String {
        let (exposed, has_suffix) = self.exposed(server, name);
        if has_suffix {
            self.suffixed.remember(&exposed, (server, name.to_owned()));
        }
        exposed
    }

    /// Returns the name under which the client knows an item of a server, and whether the name
    /// has a suffix.
    fn exposed(&self, server: usize, name: &str) -> (String, bool) {
        let Some(prefix) = self.prefixes.get(server) else {
            return match self.own.iter().any(|own| own == name) {
                true => (self.suffixed(server, name, name), true),
                false => (name.to_owned(), false),
            };
        };
        let full = format!("{prefix}_{name}");
        let is_ambiguous = full.len() > MAX_NAME_BYTES
            || self.own.contains(&full)
            || self.prefixes.iter().enumerate().any(|(other, another)| {
                other != server
                    && another.len() > prefix.len()
                    && full.strip_prefix(another.as_str()).is_some_and(|rest| rest.starts_with('_'))
            });
        match is_ambiguous {
            true => (self.suffixed(server, name, &full), true),
            false => (full, false),
        }
    }

    fn suffixed(&self, server: usize, name: &str, full: &str) -> String {
        let head = tuckaway_text::cut::head(full, MAX_NAME_BYTES - SUFFIX_BYTES);
        format!("{head}_{:08x}", fingerprint(server_name(&self.prefixes, server), name))
    }

    /// Returns the server and the original name for the client's name; `None` if it is unknown,
    /// or has a suffix and was not listed yet.
    pub fn resolve(&self, exposed: &str) -> Option<(usize, String)> {
        let suffixed = self.suffixed.get(exposed);
        if suffixed.is_some() {
            return suffixed;
        }
        // A name without a suffix may mean an item that is listed with a suffix.
        let found = self.without_suffix(exposed)?;
        (self.exposed(found.0, &found.1).0 == exposed).then_some(found)
    }

    fn without_suffix(&self, exposed: &str) -> Option<(usize, String)> {
        if self.prefixes.is_empty() {
            return Some((0, exposed.to_owned()));
        }
        // If both `a` and `a_b` match, the longer one.
        let longest = self.prefixes.iter().enumerate().filter_map(|(server, prefix)| {
            let name = exposed.strip_prefix(prefix.as_str())?.strip_prefix('_')?;
            Some((prefix.len(), server, name))
        });
        let (_, server, name) = longest.max_by_key(|(length, ..)| *length)?;
        Some((server, name.to_owned()))
    }
}

fn server_name(prefixes: &[String], server: usize) -> &str {
    prefixes.get(server).map_or("", String::as_str)
}

/// FNV-1a with 32 bits.
fn fingerprint(server: &str, name: &str) -> u32 {
    let bytes = server.bytes().chain([0]).chain(name.bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(prefixes: &[&str]) -> Names {
        Names::new(prefixes.iter().map(|&name| name.to_owned()).collect(), vec!["artifact_read".to_owned()])
    }

    #[test]
    fn one_server_keeps_its_names() {
        let names = names(&[]);
        assert_eq!(names.expose(0, "read_file"), "read_file");
        assert_eq!(names.resolve("read_file"), Some((0, "read_file".to_owned())));
        let renamed = names.expose(0, "artifact_read");
        assert!(renamed.starts_with("artifact_read_"));
        assert_eq!(names.resolve(&renamed), Some((0, "artifact_read".to_owned())));
        assert_eq!(names.resolve("artifact_read"), None);
    }

    #[test]
    fn every_name_can_be_resolved() {
        let names = names(&["a", "a_b", "git", "artifact"]);
        let long = "x".repeat(80);
        for (server, name) in [(0, "b_c"), (1, "c"), (0, "c"), (2, "log"), (2, &long), (0, ""), (3, "read")] {
            let exposed = names.expose(server, name);
            assert!(exposed.len() <= MAX_NAME_BYTES);
            assert_eq!(names.resolve(&exposed), Some((server, name.to_owned())), "{exposed}");
        }
        assert_eq!(names.expose(2, "log"), "git_log");
        assert_ne!(names.expose(0, "b_c"), names.expose(1, "c"));
        assert_eq!(names.resolve("unknown"), None);
    }

    #[test]
    fn a_server_that_is_added_renames_nothing() {
        let (few, more) = (names(&["files", "git"]), names(&["files", "git", "web"]));
        for (server, name) in [(0, "read"), (1, "log")] {
            assert_eq!(few.expose(server, name), more.expose(server, name));
        }
    }
}
