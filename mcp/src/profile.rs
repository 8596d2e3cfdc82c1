//! Facts about clients, by the names with which they introduce themselves.

use std::time::Duration;

/// The facts about a client.
#[derive(Debug, PartialEq)]
pub struct Profile {
    /// How the name in its `clientInfo` begins, in lower case. The first row that fits counts; the
    /// last one fits every client.
    prefix: &'static str,
    /// Whether the prefix must be the whole name.
    is_whole: bool,
    /// How long it waits for `initialize`, minus a margin for the transfer of the answer.
    pub start_patience: Duration,
    /// The parts of a result that it shows the model.
    pub shows: Shows,
    /// The name of a client that resumes the conversations of a working directory, for sessions of
    /// the store.
    pub resumes: Option<&'static str>,
    /// Whether it reads the list of tools again, for the running conversation, when it is notified
    /// that the list has changed. False if nothing is known.
    pub follows_tool_changes: bool,
}

/// The parts of a result that a client shows the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shows {
    /// The characters of a text up to which the client shows all of it. It cuts a longer one, or
    /// replaces it by the start and a file. `None` if nothing is known.
    pub result_chars: Option<u64>,
    /// The same with the smallest limit that the client has for any model, for pages of artifacts.
    pub page_chars: Option<u64>,
    /// Whether the model sees the text and the structured content of one result.
    pub both: bool,
    /// Whether the client reads a text that is JSON as structured content, and refuses the result
    /// if it is not an object.
    pub refuses_bare_json: bool,
    /// Whether a tool can raise the limit with `anthropic/maxResultSizeChars` in its `_meta`.
    pub limit_is_declared: bool,
    /// The characters of a tool's description that the model sees; `None` if nothing is known.
    pub description_chars: Option<usize>,
}

/// A client that we know nothing about.
const UNKNOWN: Shows = Shows {
    result_chars: None,
    page_chars: None,
    both: false,
    refuses_bare_json: false,
    limit_is_declared: false,
    description_chars: None,
};

/// One row for each client that differs from the others. A row is for all versions of a client: its
/// facts are those of the newest version in November 2026, as no older version is known to have
/// less patience or a lower limit, and several clients send a version that never changes.
///
/// The waits were read in the packages that the table of tests in `docs/mcp.md` has, or as named
/// here. None is longer than 25 s, because the tools of servers that are ready wait as long.
///
/// - Claude Code and Claude Desktop wait 30 s, or for `MCP_TIMEOUT`, which counts up to 60 s
///   (anthropics/claude-code, issue 16837).
/// - Codex waits for `startup_timeout_sec`, 10 s by default (openai/codex, issue 11851).
/// - Cline waits 3 s (`DEFAULT_MCP_CONNECT_TIMEOUT_MS`).
/// - The Agents SDK of OpenAI for Python waits 5 s (`client_session_timeout_seconds`). It has the
///   name of the SDK for Python, whose other clients wait longer.
/// - Copilot CLI waits 10 s for `server/discover`, and then tries `initialize`.
/// - opencode and Kilo wait 30 s, Qwen Code and Continue 60 s (the default of the SDK for
///   TypeScript), Gemini CLI 10 minutes.
/// - An unknown client may wait no longer than Codex.
///
/// So were the limits, which leave a margin for the words that the client writes around a text:
///
/// - Claude Code writes results of more than 50,000 characters or 25,000 tokens to a file
///   (anthropics/claude-agent-sdk-python, pull request 756), and shows the structured content alone
///   if there is any (anthropics/claude-code, issue 79944). A tool raises the 50,000 with
///   `anthropic/maxResultSizeChars`, to at most 500,000 (its change log, 2.1.91).
/// - Codex cuts at 10,000 tokens of 4 bytes for the models that it knows, and at 10,000 bytes for
///   others (openai/codex, `codex-rs/models-manager/src/model_info.rs`).
/// - Cline cuts each text at 8,000 characters, and shows the whole result as JSON
///   (`@cline/core` 0.0.86, `truncateNestedStrings`).
/// - Gemini CLI writes texts of more than 40,000 characters to a file, and reads a first text that
///   is JSON as structured content (`@google/gemini-cli` 0.61.0, `McpComplianceTransport`).
/// - opencode writes texts of more than 50 KiB to a file (anomalyco/opencode,
///   `packages/opencode/src/tool/truncate.ts`), and so does Kilo, which is built on it
///   (`@kilocode/cli` 7.7.7). Both also cut after 2,000 lines.
/// - Qwen Code writes texts of more than 25,000 characters or 1,000 lines to a file
///   (`@qwen-code/qwen-code` 0.15.10, `truncateToolOutput`).
/// - Copilot CLI writes results of more than 20,480 characters to a file, and shows the text and the
///   structured content (`@github/copilot` 1.0.102, measured; github/copilot-cli, issue 4515).
/// - Claude Code cuts the description of a tool at 2,048 characters (anthropics/claude-code, issue
///   87650).
///
/// Three clients read the list of tools again when it changes: Claude Code, if the server has the
/// capability (anthropics/claude-code, issue 66084), opencode (anomalyco/opencode, pull request
/// 5913) and Kilo. Codex (openai/codex, issue 37417) and Qwen Code do not. Nothing certain is known
/// about the others.
///
/// Claude Code (`--continue`), Codex (`resume`), Gemini CLI (`--resume`), Kilo, opencode and Qwen
/// Code (`--continue`) resume conversations, and start their servers in the conversation's
/// directory.
const PROFILES: [Profile; 14] = [
    Profile {
        prefix: "claude-code",
        is_whole: false,
        start_patience: LONG,
        shows: Shows { limit_is_declared: true, description_chars: Some(2_048), ..shows(48_000, 48_000) },
        resumes: Some("claude-code"),
        follows_tool_changes: true,
    },
    Profile { prefix: "claude", start_patience: LONG, ..OTHER },
    Profile { prefix: "codex", shows: shows(40_000, 10_000), resumes: Some("codex"), ..OTHER },
    Profile { prefix: "cline", ..CLINE },
    Profile { prefix: "@cline/", ..CLINE },
    Profile { prefix: "continue-cli", start_patience: LONG, ..OTHER },
    Profile {
        prefix: "gemini-cli",
        start_patience: LONG,
        shows: Shows { refuses_bare_json: true, ..shows(40_000, 40_000) },
        resumes: Some("gemini-cli"),
        ..OTHER
    },
    Profile { prefix: "opencode", resumes: Some("opencode"), ..OPENCODE },
    // The facts are those of the command line, which has exactly this name.
    Profile { prefix: "kilo", is_whole: true, resumes: Some("kilo"), ..OPENCODE },
    Profile {
        prefix: "qwen-",
        start_patience: LONG,
        shows: shows(24_000, 24_000),
        resumes: Some("qwen-code"),
        ..OTHER
    },
    Profile { prefix: "copilot-cli", ..COPILOT },
    Profile { prefix: "github-copilot", ..COPILOT },
    Profile { prefix: "mcp", is_whole: true, start_patience: Duration::from_secs(4), ..OTHER },
    OTHER,
];

/// Every other client.
const OTHER: Profile = Profile {
    prefix: "",
    is_whole: false,
    start_patience: SHORT,
    shows: UNKNOWN,
    resumes: None,
    follows_tool_changes: false,
};

/// Clients that are built on opencode.
const OPENCODE: Profile =
    Profile { start_patience: LONG, shows: shows(50_000, 50_000), follows_tool_changes: true, ..OTHER };

const CLINE: Profile = Profile {
    start_patience: Duration::from_secs(2),
    shows: Shows { both: true, ..shows(8_000, 8_000) },
    ..OTHER
};

const COPILOT: Profile = Profile { shows: Shows { both: true, ..shows(20_000, 20_000) }, ..OTHER };

/// The wait of an unknown client.
const SHORT: Duration = Duration::from_secs(8);

/// The longest wait.
const LONG: Duration = Duration::from_secs(25);

const fn shows(result_chars: u64, page_chars: u64) -> Shows {
    Shows { result_chars: Some(result_chars), page_chars: Some(page_chars), ..UNKNOWN }
}

/// Returns the facts about the client with this name.
pub fn of(name: &str) -> &'static Profile {
    let name = name.to_lowercase();
    let fits = |profile: &&Profile| match profile.is_whole {
        true => name == profile.prefix,
        false => name.starts_with(profile.prefix),
    };
    PROFILES.iter().find(fits).unwrap_or(&PROFILES[PROFILES.len() - 1])
}

/// Returns whether this is the name of a client that resumes conversations, for sessions.
pub fn resumes(name: &str) -> bool {
    PROFILES.iter().any(|profile| profile.resumes == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_known_by_the_beginning_of_their_names() {
        for (name, seconds) in [
            ("claude-code", 25),
            ("Claude-AI", 25),
            ("codex-mcp-client", 8),
            ("Cline", 2),
            ("@cline/core", 2),
            ("continue-cli-client", 25),
            ("gemini-cli-mcp-client", 25),
            ("kilo", 25),
            ("Kilo Code", 8),
            ("opencode", 25),
            ("qwen-cli-mcp-client-git", 25),
            ("copilot-cli", 8),
            ("mcp", 4),
            ("mcp-inspector", 8),
            ("", 8),
        ] {
            assert_eq!(of(name).start_patience.as_secs(), seconds, "{name}");
        }
    }

    #[test]
    fn limits_are_those_of_the_client() {
        for (name, limit, page) in [
            ("claude-code", Some(48_000), Some(48_000)),
            ("claude-ai", None, None),
            ("codex-mcp-client", Some(40_000), Some(10_000)),
            ("Cline", Some(8_000), Some(8_000)),
            ("@cline/core", Some(8_000), Some(8_000)),
            ("gemini-cli-mcp-client", Some(40_000), Some(40_000)),
            ("opencode", Some(50_000), Some(50_000)),
            ("kilo", Some(50_000), Some(50_000)),
            ("Kilo Code", None, None),
            ("qwen-cli-mcp-client-git", Some(24_000), Some(24_000)),
            ("copilot-cli", Some(20_000), Some(20_000)),
            ("github-copilot-developer", Some(20_000), Some(20_000)),
            ("somebody", None, None),
        ] {
            let shows = of(name).shows;
            assert_eq!((shows.result_chars, shows.page_chars), (limit, page), "{name}");
            assert_eq!(shows.both, name.contains("copilot") || name.to_lowercase().contains("cline"));
            assert_eq!(shows.refuses_bare_json, name.starts_with("gemini"));
            assert_eq!(of(name).resumes.is_some(), page.is_some() && !shows.both, "{name}");
            let follows = ["claude-code", "kilo", "opencode"].contains(&name);
            assert_eq!(of(name).follows_tool_changes, follows, "{name}");
            assert_eq!(shows.description_chars.is_some(), name == "claude-code", "{name}");
        }
    }
}
