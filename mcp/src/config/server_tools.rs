//! Which tools of a server a client sees, and how.

use tuckaway_text::glob;

use crate::surface::Compression;

/// Which tools of a server a client sees, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerTools {
    /// How far the definitions are compressed; the setting of the proxy if `None`.
    pub compression: Option<Compression>,
    /// Globs, over the server's own names, of the tools that the client may use; all if there is
    /// none.
    pub include: Vec<String>,
    /// Globs of tools that the client may not use, even if they are included.
    pub exclude: Vec<String>,
}

impl ServerTools {
    /// Returns whether the client may use the tool with this name of the server.
    pub fn offers(&self, name: &str) -> bool {
        let matches = |globs: &[String]| globs.iter().any(|glob| glob::matches(glob, name));
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }

    /// Returns the first mistake in the globs.
    pub(super) fn violation(&self) -> Option<String> {
        let globs = [("include_tools", &self.include), ("exclude_tools", &self.exclude)];
        globs.iter().find_map(|(name, globs)| {
            let why = globs.iter().find_map(|glob| glob::violation(glob))?;
            Some(format!("{name}: {why}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excluded_tools_are_not_offered() {
        let globs = |all: &[&str]| all.iter().map(|&glob| glob.to_owned()).collect();
        for (include, exclude, offered) in [
            (&[][..], &[][..], [true, true, true]),
            (&["get_*"], &[], [true, true, false]),
            (&["get_*"], &["*_all"], [true, false, false]),
            (&[], &["delete"], [true, true, false]),
        ] {
            let tools = ServerTools { include: globs(include), exclude: globs(exclude), compression: None };
            assert_eq!(["get_one", "get_all", "delete"].map(|name| tools.offers(name)), offered);
        }
    }
}
