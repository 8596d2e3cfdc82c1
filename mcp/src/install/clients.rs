//! The clients whose configuration can be changed, with its location and its format.

use std::path::PathBuf;

use crate::document::Format;

/// A client.
#[derive(Debug, PartialEq, Eq)]
pub struct Client {
    /// The name on the command line.
    pub id: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The format of its configuration.
    pub format: Format,
    /// The keys that lead to its servers; `*` stands for any key.
    pub servers: &'static [&'static [&'static str]],
    /// The key of the headers of a server with a URL.
    pub headers: &'static str,
    /// The configuration file of a project; empty if the client has none.
    pub of_project: &'static str,
    /// The variable that names the folder of the configuration, and the file in that folder.
    folder: Option<(&'static str, &'static str)>,
    linux: Place,
    macos: Place,
    windows: Place,
}

/// A file below one of the user's folders.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Home(&'static str),
    /// `$XDG_CONFIG_HOME`, or `~/.config`.
    Config(&'static str),
    /// `%APPDATA%`.
    AppData(&'static str),
}

/// All clients.
pub const CLIENTS: [Client; 5] = [
    Client {
        id: "claude-code",
        title: "Claude Code",
        format: Format::Json,
        servers: &[&["mcpServers"], &["projects", "*", "mcpServers"]],
        headers: "headers",
        of_project: ".mcp.json",
        folder: Some(("CLAUDE_CONFIG_DIR", ".claude.json")),
        linux: Place::Home(".claude.json"),
        macos: Place::Home(".claude.json"),
        windows: Place::Home(".claude.json"),
    },
    Client {
        id: "claude-desktop",
        title: "Claude Desktop",
        format: Format::Json,
        servers: &[&["mcpServers"]],
        headers: "headers",
        of_project: "",
        folder: None,
        linux: Place::Config("Claude/claude_desktop_config.json"),
        macos: Place::Home("Library/Application Support/Claude/claude_desktop_config.json"),
        windows: Place::AppData("Claude/claude_desktop_config.json"),
    },
    Client {
        id: "cursor",
        title: "Cursor",
        format: Format::Json,
        servers: &[&["mcpServers"]],
        headers: "headers",
        of_project: ".cursor/mcp.json",
        folder: None,
        linux: Place::Home(".cursor/mcp.json"),
        macos: Place::Home(".cursor/mcp.json"),
        windows: Place::Home(".cursor/mcp.json"),
    },
    Client {
        id: "vscode",
        title: "Visual Studio Code",
        format: Format::Json,
        // The second path is for `settings.json`, in which older versions keep the servers.
        servers: &[&["servers"], &["mcp", "servers"]],
        headers: "headers",
        of_project: ".vscode/mcp.json",
        folder: None,
        linux: Place::Config("Code/User/mcp.json"),
        macos: Place::Home("Library/Application Support/Code/User/mcp.json"),
        windows: Place::AppData("Code/User/mcp.json"),
    },
    Client {
        id: "codex",
        title: "Codex",
        format: Format::Toml,
        servers: &[&["mcp_servers"]],
        headers: "http_headers",
        of_project: ".codex/config.toml",
        folder: Some(("CODEX_HOME", "config.toml")),
        linux: Place::Home(".codex/config.toml"),
        macos: Place::Home(".codex/config.toml"),
        windows: Place::Home(".codex/config.toml"),
    },
];

/// An operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux, and all other systems that are not named here.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// The system that this program is built for.
    pub const HERE: System = if cfg!(windows) {
        System::Windows
    } else if cfg!(target_os = "macos") {
        System::MacOs
    } else {
        System::Linux
    };
}

impl Client {
    /// Returns the client with this name on the command line.
    pub fn named(id: &str) -> Option<&'static Client> {
        CLIENTS.iter().find(|client| client.id == id)
    }

    /// Returns where the user's configuration is; `None` if there is no home directory.
    pub fn location(
        &self,
        system: System,
        home: Option<PathBuf>,
        variable: impl Fn(&str) -> Option<PathBuf>,
    ) -> Option<PathBuf> {
        let set = |name: &str| variable(name).filter(|path| !path.as_os_str().is_empty());
        if let Some((name, file)) = self.folder
            && let Some(folder) = set(name)
        {
            return Some(folder.join(file));
        }
        let place = match system {
            System::Linux => &self.linux,
            System::MacOs => &self.macos,
            System::Windows => &self.windows,
        };
        match place {
            Place::Home(file) => Some(home?.join(file)),
            Place::Config(file) => {
                let folder = set("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
                Some(folder.or_else(|| Some(home?.join(".config")))?.join(file))
            }
            Place::AppData(file) => {
                Some(set("APPDATA").or_else(|| Some(home?.join("AppData/Roaming")))?.join(file))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_has_a_location_on_every_system() {
        let at = |id: &str, system: System| {
            let client = Client::named(id).unwrap();
            let set = |name: &str| (name == "APPDATA").then(|| PathBuf::from("/app"));
            let place = client.location(system, Some("/home/ada".into()), set).unwrap();
            place.to_str().unwrap().replace('\\', "/")
        };
        for (id, linux, macos, windows) in [
            ("claude-code", "/home/ada/.claude.json", "/home/ada/.claude.json", "/home/ada/.claude.json"),
            (
                "claude-desktop",
                "/home/ada/.config/Claude/claude_desktop_config.json",
                "/home/ada/Library/Application Support/Claude/claude_desktop_config.json",
                "/app/Claude/claude_desktop_config.json",
            ),
            (
                "cursor",
                "/home/ada/.cursor/mcp.json",
                "/home/ada/.cursor/mcp.json",
                "/home/ada/.cursor/mcp.json",
            ),
            (
                "vscode",
                "/home/ada/.config/Code/User/mcp.json",
                "/home/ada/Library/Application Support/Code/User/mcp.json",
                "/app/Code/User/mcp.json",
            ),
            (
                "codex",
                "/home/ada/.codex/config.toml",
                "/home/ada/.codex/config.toml",
                "/home/ada/.codex/config.toml",
            ),
        ] {
            assert_eq!(at(id, System::Linux), linux);
            assert_eq!(at(id, System::MacOs), macos);
            assert_eq!(at(id, System::Windows), windows);
        }
        assert_eq!(Client::named("emacs"), None);
    }

    #[test]
    fn variables_move_a_configuration() {
        let set = |wanted: &'static str, path: &'static str| {
            move |name: &str| (name == wanted).then(|| PathBuf::from(path))
        };
        let at = |id: &str, wanted, path| {
            Client::named(id).unwrap().location(System::Linux, None, set(wanted, path))
        };
        assert_eq!(at("codex", "CODEX_HOME", "/c"), Some("/c/config.toml".into()));
        assert_eq!(at("claude-code", "CLAUDE_CONFIG_DIR", "/c"), Some("/c/.claude.json".into()));
        assert_eq!(at("vscode", "XDG_CONFIG_HOME", "/c"), Some("/c/Code/User/mcp.json".into()));
        assert_eq!(at("vscode", "XDG_CONFIG_HOME", "relative"), None);
        assert_eq!(at("cursor", "CODEX_HOME", "/c"), None);
    }
}
