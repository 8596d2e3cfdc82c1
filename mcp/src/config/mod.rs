//! The configuration of a proxy: its servers and its settings, from a file and from flags.
//!
//! ```text
//! file ─► document ─► servers, options ─┐
//! flags ──────────────────────► options ┴─► Settings, checked
//! ```

mod error;
mod file;
mod names;
mod options;
mod reader;
mod server_tools;
mod servers;
mod variables;

#[cfg(test)]
mod tests;

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

pub use error::ConfigError;
pub use names::server_name;
pub use options::{MaxAge, Options, Quota, Session, StoreAt, StoreSettings, ToolRule, client_limit};
pub use server_tools::ServerTools;

use crate::reduce::ReduceSettings;
pub use crate::surface::Compression;
use variables::Variables;

/// Everything that a proxy needs, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The servers, in the order of the file. Their names are unique.
    pub servers: Vec<ServerConfig>,
    /// Whether the names of tools and prompts begin with the server's name: true for the servers
    /// of a file, false for one command or URL.
    pub prefix_names: bool,
    /// Whether the artifact tools are listed. They are answered in any case.
    pub lists_artifact_tools: bool,
    /// Whether the artifact tools are listed only once something is stored, for clients that read
    /// the list again when it changes.
    pub lists_when_stored: bool,
    /// How far the definitions of the servers' tools are compressed, unless a server says otherwise.
    pub compression: Compression,
    /// How results are reduced.
    pub reduce: ReduceSettings,
    /// Where results are stored, for whom and for how long.
    pub store: StoreSettings,
    /// The maximum size of one result; a larger one is an error.
    pub max_result_bytes: u64,
}

/// A server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// The name: 1 to 64 characters from `A-Z`, `a-z`, `0-9`, `_` and `-`.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
    /// Which of its tools the client sees, and how.
    pub tools: ServerTools,
}

/// How a server is reached. The values of variables and headers may be secrets: `Debug` does
/// not show them.
#[derive(Clone, PartialEq, Eq)]
pub enum Reach {
    /// A command, over its standard input and output.
    Command {
        /// The program.
        program: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables that are added to the proxy's own environment.
        env: Vec<(String, String)>,
        /// The directory in which the program is started; the proxy's if `None`.
        directory: Option<PathBuf>,
    },
    /// A URL, over Streamable HTTP.
    Url {
        /// The URL.
        url: String,
        /// Headers that are added to each request.
        headers: Vec<(String, String)>,
    },
}

impl fmt::Debug for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn names(pairs: &[(String, String)]) -> Vec<&str> {
            pairs.iter().map(|(name, _)| &**name).collect()
        }
        match self {
            Reach::Command { program, args, env, directory } => f
                .debug_struct("Command")
                .field("program", program)
                .field("args", args)
                .field("env", &names(env))
                .field("directory", directory)
                .finish(),
            Reach::Url { url, headers } => {
                f.debug_struct("Url").field("url", url).field("headers", &names(headers)).finish()
            }
        }
    }
}

impl Settings {
    /// Returns the settings of a file, overridden by flags. The content of the file decides
    /// whether it is JSON or TOML.
    ///
    /// Servers are read from `mcpServers` (Claude Desktop, Claude Code, Cursor), `servers`
    /// (Visual Studio Code, and tuckaway's own file) or `mcp_servers` (Codex). Variables such
    /// as `${NAME}` are replaced.
    pub fn read(text: &str, path: &Path, flags: Options) -> Result<Self, ConfigError> {
        let variables =
            Variables { lookup: &variable, home: env::home_dir(), workspace: variables::workspace(path) };
        let file = file::read(text, path, &variables)?;
        Settings::new(file.servers, true, flags.over(file.options)).map_err(|error| error.in_file(path))
    }

    /// Returns the settings for one server that no file describes. Its tools keep their names.
    /// If `name` is `None`, the server is named after its program, package or host.
    pub fn of_one(reach: Reach, name: Option<&str>, flags: Options) -> Result<Self, ConfigError> {
        let name = match name {
            Some(name) => names::server_name(name).map_err(ConfigError::new)?,
            None => match &reach {
                Reach::Command { program, args, .. } => names::name_of_command(program, args),
                Reach::Url { url, .. } => names::name_of_url(url),
            },
        };
        let tools = ServerTools {
            compression: None,
            include: flags.include_tools.clone(),
            exclude: flags.exclude_tools.clone(),
        };
        Settings::new(vec![ServerConfig { name, reach, tools }], false, flags.over(Options::default()))
    }

    /// Returns the settings for a server that only serves artifacts. All clients read all of
    /// them, unless flags say otherwise.
    pub fn without_servers(flags: Options) -> Result<Self, ConfigError> {
        let shared = Options { session: Some(Session::Shared), ..Options::default() };
        Settings::new(Vec::new(), false, flags.over(shared))
    }

    /// Returns how far the definitions of a server's tools are compressed.
    pub fn compression(&self, server: &ServerConfig) -> Compression {
        server.tools.compression.unwrap_or(self.compression)
    }

    fn new(servers: Vec<ServerConfig>, prefix_names: bool, options: Options) -> Result<Self, ConfigError> {
        let lists_artifact_tools = !options.unlisted;
        let lists_when_stored = options.list_when_stored.unwrap_or(false);
        let compression = options.compress_tools.unwrap_or_default();
        if let Some(why) = servers.iter().find_map(|server| server.tools.violation()) {
            return Err(ConfigError::new(why));
        }
        let checked = options.checked()?;
        Ok(Settings {
            servers,
            prefix_names,
            lists_artifact_tools,
            lists_when_stored,
            compression,
            reduce: checked.reduce,
            store: checked.store,
            max_result_bytes: checked.max_result_bytes,
        })
    }
}

/// Reads the header in a flag, `Name: value`. In the value, `$NAME` is replaced by the
/// environment variable.
pub fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) =
        text.split_once(':').ok_or_else(|| format!("{text:?} is not a header; write 'Name: value'"))?;
    let value = variables::expand_dollars(value.trim(), &variable)
        .map_err(|why| format!("the header {:?}: {why}", name.trim()))?;
    Ok((name.trim().to_owned(), value))
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}
