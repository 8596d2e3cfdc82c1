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
    /// The keys of a server.
    pub keys: Keys,
    /// Further members of the entry of a proxy for several servers, with their values in JSON.
    pub entry: &'static [(&'static str, &'static str)],
    /// A separate location of the list of tools that the model may call, and the form of a tool's
    /// name there, with SERVER and TOOL; `None` if the list is among the server's members.
    pub permissions: Option<(&'static str, &'static str)>,
    /// The configuration file of a project; empty if the client has none.
    pub of_project: &'static str,
    /// The variable that names the folder of the configuration, and the file in that folder. If
    /// there is no file, the variable names the file.
    folder: Option<(&'static str, &'static str)>,
    linux: Place,
    macos: Place,
    windows: Place,
}

/// The keys of a server, and the values of its `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    /// The key of the program.
    pub command: &'static str,
    /// The key of the arguments; `None` if they follow the program in one list.
    pub args: Option<&'static str>,
    /// The key of the environment.
    pub env: &'static str,
    /// The key of the URL of a server that speaks Streamable HTTP.
    pub url: Option<&'static str>,
    /// The key of such a URL if there is a `type`. Without a `type`, it is the URL of a server that
    /// speaks SSE.
    pub typed_url: Option<&'static str>,
    /// The key of the headers of a server with a URL.
    pub headers: &'static str,
    /// The type of a server with a command.
    pub stdio: &'static str,
    /// The key of a list of the tools that the model may call.
    pub allowed: Option<&'static str>,
}

/// The keys that most clients use.
const COMMON: Keys = Keys {
    command: "command",
    args: Some("args"),
    env: "env",
    url: Some("url"),
    typed_url: None,
    headers: "headers",
    stdio: "stdio",
    allowed: None,
};

/// The keys of Gemini CLI, which Qwen Code has inherited.
const GEMINI: Keys =
    Keys { url: Some("httpUrl"), typed_url: Some("url"), allowed: Some("includeTools"), ..COMMON };

/// The keys of opencode, on which Kilo Code is built.
const OPENCODE: Keys = Keys { args: None, env: "environment", stdio: "local", ..COMMON };

/// A file below one of the user's folders.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Home(&'static str),
    /// `$XDG_CONFIG_HOME`, or `~/.config`.
    Config(&'static str),
    /// `%APPDATA%`.
    AppData(&'static str),
}

/// All clients. Files and keys were read in November 2026 in the documentation or the package
/// that the comment in a row names.
pub const CLIENTS: [Client; 16] = [
    // code.claude.com/docs/en/mcp
    Client {
        id: "claude-code",
        title: "Claude Code",
        servers: &[&["mcpServers"], &["projects", "*", "mcpServers"]],
        permissions: Some(("permissions.allow in ~/.claude/settings.json", "mcp__SERVER__TOOL")),
        of_project: ".mcp.json",
        folder: Some(("CLAUDE_CONFIG_DIR", ".claude.json")),
        ..in_home(".claude.json")
    },
    // modelcontextprotocol.io/docs/develop/connect-local-servers
    Client {
        id: "claude-desktop",
        title: "Claude Desktop",
        linux: Place::Config("Claude/claude_desktop_config.json"),
        macos: Place::Home("Library/Application Support/Claude/claude_desktop_config.json"),
        windows: Place::AppData("Claude/claude_desktop_config.json"),
        ..in_home("")
    },
    // docs.cline.bot/mcp/mcp-overview and docs.cline.bot/cli/configuration
    Client {
        id: "cline",
        title: "Cline",
        keys: Keys { url: None, typed_url: Some("url"), ..COMMON },
        folder: Some(("CLINE_MCP_SETTINGS_PATH", "")),
        ..in_home(".cline/data/settings/cline_mcp_settings.json")
    },
    // developers.openai.com/codex/mcp
    Client {
        id: "codex",
        title: "Codex",
        format: Format::Toml,
        servers: &[&["mcp_servers"]],
        keys: Keys { headers: "http_headers", allowed: Some("enabled_tools"), ..COMMON },
        of_project: ".codex/config.toml",
        folder: Some(("CODEX_HOME", "config.toml")),
        ..in_home(".codex/config.toml")
    },
    // npm: @continuedev/cli 1.5.47
    Client {
        id: "continue",
        title: "Continue",
        format: Format::Yaml,
        folder: Some(("CONTINUE_GLOBAL_DIR", "config.yaml")),
        ..in_home(".continue/config.yaml")
    },
    // docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers
    Client {
        id: "copilot",
        title: "Copilot CLI",
        keys: Keys { stdio: "local", allowed: Some("tools"), ..COMMON },
        entry: &[("type", "\"local\""), ("tools", "[\"*\"]")],
        of_project: ".github/mcp.json",
        folder: Some(("COPILOT_HOME", "mcp-config.json")),
        ..in_home(".copilot/mcp-config.json")
    },
    // cursor.com/docs/context/mcp
    Client { id: "cursor", title: "Cursor", of_project: ".cursor/mcp.json", ..in_home(".cursor/mcp.json") },
    // github.com/google-gemini/gemini-cli: docs/tools/mcp-server.md, packages/core/src/config/config.ts
    Client {
        id: "gemini",
        title: "Gemini CLI",
        keys: GEMINI,
        of_project: ".gemini/settings.json",
        ..in_home(".gemini/settings.json")
    },
    // github.com/block/goose: documentation/docs/guides/config-files.md
    Client {
        id: "goose",
        title: "Goose",
        format: Format::Yaml,
        servers: &[&["extensions"]],
        keys: Keys {
            command: "cmd",
            env: "envs",
            url: Some("uri"),
            allowed: Some("available_tools"),
            ..COMMON
        },
        entry: &[
            ("type", "\"stdio\""),
            ("name", "\"tuckaway\""),
            ("description", "\"Servers behind tuckaway\""),
            ("enabled", "true"),
            ("timeout", "300"),
        ],
        linux: Place::Config("goose/config.yaml"),
        windows: Place::AppData("Block/goose/config/config.yaml"),
        ..in_home(".config/goose/config.yaml")
    },
    // kilo.ai/docs/automate/mcp/using-in-kilo-code
    Client {
        id: "kilo",
        title: "Kilo Code",
        servers: &[&["mcp"]],
        keys: OPENCODE,
        entry: &[("type", "\"local\""), ("enabled", "true")],
        of_project: ".kilo/kilo.jsonc",
        linux: Place::Config("kilo/kilo.jsonc"),
        ..in_home(".config/kilo/kilo.jsonc")
    },
    // kiro.dev/docs/mcp/configuration
    Client {
        id: "kiro",
        title: "Kiro",
        of_project: ".kiro/settings/mcp.json",
        ..in_home(".kiro/settings/mcp.json")
    },
    // opencode.ai/docs/config, opencode.ai/docs/mcp-servers; the first path is from version 2
    Client {
        id: "opencode",
        title: "opencode",
        servers: &[&["mcp", "servers"], &["mcp"]],
        keys: OPENCODE,
        entry: &[("type", "\"local\""), ("enabled", "true")],
        of_project: "opencode.json",
        folder: Some(("OPENCODE_CONFIG", "")),
        linux: Place::Config("opencode/opencode.json"),
        ..in_home(".config/opencode/opencode.json")
    },
    // github.com/QwenLM/qwen-code: docs/users/features/mcp.md
    Client {
        id: "qwen",
        title: "Qwen Code",
        keys: GEMINI,
        of_project: ".qwen/settings.json",
        ..in_home(".qwen/settings.json")
    },
    // code.visualstudio.com/docs/copilot/reference/mcp-configuration
    Client {
        id: "vscode",
        title: "Visual Studio Code",
        // The second path is for `settings.json`, in which older versions keep the servers.
        servers: &[&["servers"], &["mcp", "servers"]],
        of_project: ".vscode/mcp.json",
        linux: Place::Config("Code/User/mcp.json"),
        macos: Place::Home("Library/Application Support/Code/User/mcp.json"),
        windows: Place::AppData("Code/User/mcp.json"),
        ..in_home("")
    },
    // docs.windsurf.com/windsurf/cascade/mcp
    Client {
        id: "windsurf",
        title: "Windsurf",
        keys: Keys { url: Some("serverUrl"), ..COMMON },
        ..in_home(".codeium/windsurf/mcp_config.json")
    },
    // zed.dev/docs/ai/mcp
    Client {
        id: "zed",
        title: "Zed",
        servers: &[&["context_servers"]],
        entry: &[("source", "\"custom\"")],
        of_project: ".zed/settings.json",
        linux: Place::Config("zed/settings.json"),
        windows: Place::AppData("Zed/settings.json"),
        ..in_home(".config/zed/settings.json")
    },
];

/// Returns a client with the values that most clients share, whose configuration is this file below
/// the home directory.
const fn in_home(file: &'static str) -> Client {
    Client {
        id: "",
        title: "",
        format: Format::Json,
        servers: &[&["mcpServers"]],
        keys: COMMON,
        entry: &[],
        permissions: None,
        of_project: "",
        folder: None,
        linux: Place::Home(file),
        macos: Place::Home(file),
        windows: Place::Home(file),
    }
}

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
            return Some(if file.is_empty() { folder } else { folder.join(file) });
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
            (
                "claude-desktop",
                "/home/ada/.config/Claude/claude_desktop_config.json",
                "/home/ada/Library/Application Support/Claude/claude_desktop_config.json",
                "/app/Claude/claude_desktop_config.json",
            ),
            (
                "goose",
                "/home/ada/.config/goose/config.yaml",
                "/home/ada/.config/goose/config.yaml",
                "/app/Block/goose/config/config.yaml",
            ),
            (
                "vscode",
                "/home/ada/.config/Code/User/mcp.json",
                "/home/ada/Library/Application Support/Code/User/mcp.json",
                "/app/Code/User/mcp.json",
            ),
            (
                "zed",
                "/home/ada/.config/zed/settings.json",
                "/home/ada/.config/zed/settings.json",
                "/app/Zed/settings.json",
            ),
        ] {
            assert_eq!(at(id, System::Linux), linux);
            assert_eq!(at(id, System::MacOs), macos);
            assert_eq!(at(id, System::Windows), windows);
        }
        for (id, file) in [
            ("claude-code", ".claude.json"),
            ("cline", ".cline/data/settings/cline_mcp_settings.json"),
            ("codex", ".codex/config.toml"),
            ("continue", ".continue/config.yaml"),
            ("copilot", ".copilot/mcp-config.json"),
            ("cursor", ".cursor/mcp.json"),
            ("gemini", ".gemini/settings.json"),
            ("kilo", ".config/kilo/kilo.jsonc"),
            ("kiro", ".kiro/settings/mcp.json"),
            ("opencode", ".config/opencode/opencode.json"),
            ("qwen", ".qwen/settings.json"),
            ("windsurf", ".codeium/windsurf/mcp_config.json"),
        ] {
            for system in [System::Linux, System::MacOs, System::Windows] {
                assert_eq!(at(id, system), format!("/home/ada/{file}"));
            }
        }
        assert!(CLIENTS.is_sorted_by_key(|client| client.id));
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
        assert_eq!(at("cline", "CLINE_MCP_SETTINGS_PATH", "/c/mcp.json"), Some("/c/mcp.json".into()));
        assert_eq!(at("cursor", "CODEX_HOME", "/c"), None);
    }
}
