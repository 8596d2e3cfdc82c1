//! Settings: which results are reduced, and how far.

use tuckaway_host::{ArtifactTool, Policy};
use tuckaway_text::glob;

use super::abilities::ClientAbilities;

/// The name under which the results of `resources/read` are reduced; globs match it as they
/// match the name of a tool.
pub const RESOURCES: &str = "resources/read";

/// The name under which the results of `prompts/get` are reduced.
pub const PROMPTS: &str = "prompts/get";

/// The default of [`ReduceSettings::file_tools`]: the tools of common servers that read one
/// named file, even if their names have a prefix (`files_read_file`), and those that read the page
/// of a browser: the references in it are needed for the next click.
///
/// | glob | used by |
/// |---|---|
/// | `*read_file` | the first version of the official file system server, and most servers with files |
/// | `*read_text_file` | the official file system server |
/// | `*readFile` | servers that write names in camel case |
/// | `*view_file` | servers for sandboxes and editors |
/// | `*get_file_content`, `*get_file_contents` | GitHub, GitLab and other hosts of repositories; notes |
/// | `*get_file_text_by_path` | the IDEs of JetBrains |
/// | `Read`, `*_Read` | Claude Code as a server |
/// | `*browser_snapshot` | Playwright |
/// | `*take_snapshot` | Chrome DevTools |
/// | `resources/read` | resources, which a client reads by their address |
pub const FILE_TOOLS: [&str; 12] = [
    "*read_file",
    "*read_text_file",
    "*readFile",
    "*view_file",
    "*get_file_content",
    "*get_file_contents",
    "*get_file_text_by_path",
    "Read",
    "*_Read",
    "*browser_snapshot",
    "*take_snapshot",
    RESOURCES,
];

/// Which results are reduced, and how far. Globs match the name under which the client knows a
/// tool: `*` matches any run of characters, `?` one character, every other character itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceSettings {
    /// The policy. A proxy does not know how much of the window is used, so its headroom gate
    /// is off. Default: at most 10,000 tokens per result, and otherwise the defaults of
    /// [`Policy`].
    pub policy: Policy,
    /// The artifact tools that the client lets the model call, which views name. Default: all.
    pub artifact_tools: Vec<ArtifactTool>,
    /// The model's context window in tokens. Default: 200,000.
    pub context_window: u64,
    /// Globs of tools that read one named file or page. They have [`Self::file_cap_tokens`]
    /// instead of the policy's cap, because the model asked for all of it, and storing it would
    /// cost turns. Default: [`FILE_TOOLS`].
    pub file_tools: Vec<String>,
    /// The cap of the tools that read one named file, unless the policy's cap is higher.
    /// Default: 25,000.
    pub file_cap_tokens: u64,
    /// Globs of tools, each with a cap in tokens that replaces the other caps; the first glob
    /// that matches applies. Default: none.
    pub tool_caps: Vec<(String, u64)>,
    /// Globs of tools in whose arguments a handle is replaced by the content of its artifact.
    /// Default: none.
    pub handle_arguments: Vec<String>,
    /// The bytes of a result that the client shows the model; `u64::MAX` if it shows all, `None`
    /// for the known limit of the client.
    pub client_limit_bytes: Option<u64>,
    /// The maximum size of all contents that replace handles in one call. Default: 1 MiB.
    pub max_argument_bytes: u64,
    /// Globs of tools that get an argument `_jq`, a filter for the result. Default: none.
    pub filtered_tools: Vec<String>,
    /// Globs of tools, each with the jq filter for a result if the call has none; the first glob
    /// that matches applies. Default: none.
    pub default_filters: Vec<(String, String)>,
    /// Whether the artifact tools have their long descriptions, and other tools their output
    /// schemas in the description. Default: the brief ones, and no schemas.
    pub detailed_tools: bool,
}

impl Default for ReduceSettings {
    fn default() -> Self {
        ReduceSettings {
            policy: Policy { max_output_tokens: Some(10_000), headroom_percentage: 1.0, ..Policy::default() },
            artifact_tools: ArtifactTool::ALL.to_vec(),
            context_window: 200_000,
            file_tools: FILE_TOOLS.map(str::to_owned).to_vec(),
            file_cap_tokens: 25_000,
            tool_caps: Vec::new(),
            handle_arguments: Vec::new(),
            client_limit_bytes: None,
            max_argument_bytes: 1 << 20,
            filtered_tools: Vec::new(),
            default_filters: Vec::new(),
            detailed_tools: false,
        }
    }
}

impl ReduceSettings {
    /// Returns one sentence for each mistake in the globs and caps. The policy itself is checked
    /// by the engine.
    pub fn violations(&self) -> Vec<String> {
        let mut violations = Vec::new();
        let mut check = |name: &str, glob: &str, cap: u64| {
            violations.extend(glob::violation(glob).map(|why| format!("{name}: {why}")));
            if cap == 0 {
                violations.push(format!("{name}: the cap of {glob:?} is 0 tokens; it must be at least 1."));
            }
        };
        self.file_tools.iter().for_each(|glob| check("file_tools", glob, self.file_cap_tokens));
        self.tool_caps.iter().for_each(|(glob, cap)| check("tool_caps", glob, *cap));
        self.handle_arguments.iter().for_each(|glob| check("handle_arguments", glob, 1));
        self.filtered_tools.iter().for_each(|glob| check("jq", glob, 1));
        self.default_filters.iter().for_each(|(glob, _)| check("filters", glob, 1));
        violations
    }

    /// Returns the rules for one tool.
    pub(super) fn rules(&self, tool: &str) -> Rules<'_> {
        let policy = &self.policy;
        let matched = policy.overrides.iter().find(|over| glob::matches(&over.tools, tool));
        let exempt = matched.is_some_and(|over| over.exempt);
        let ceiling = matched.and_then(|over| over.max_threshold_bytes).unwrap_or(policy.max_threshold_bytes);
        Rules {
            settings: self,
            cap_tokens: self.cap_tokens(tool),
            passes: !policy.enabled || exempt,
            floor: policy.min_threshold_bytes.min(ceiling),
            client_bytes: u64::MAX,
        }
    }

    /// Returns the cap for one tool; `None` if there is no limit.
    fn cap_tokens(&self, tool: &str) -> Option<u64> {
        if let Some((_, cap)) = self.tool_caps.iter().find(|(glob, _)| glob::matches(glob, tool)) {
            return Some(*cap);
        }
        let cap = self.policy.max_output_tokens?;
        Some(match matches_any(&self.file_tools, tool) {
            true => cap.max(self.file_cap_tokens),
            false => cap,
        })
    }

    /// Returns whether handles are allowed in the arguments of a tool.
    pub(super) fn allows_handles(&self, tool: &str) -> bool {
        matches_any(&self.handle_arguments, tool)
    }

    /// Returns whether a tool gets an argument for a filter, unless it has one of that name.
    pub(super) fn offers_filter(&self, tool: &str) -> bool {
        matches_any(&self.filtered_tools, tool)
    }

    /// Returns the filter for the results of a tool if a call has none.
    pub(super) fn default_filter(&self, tool: &str) -> Option<&str> {
        let matched = self.default_filters.iter().find(|(glob, _)| glob::matches(glob, tool));
        matched.map(|(_, filter)| &**filter)
    }
}

fn matches_any(globs: &[String], tool: &str) -> bool {
    globs.iter().any(|glob| glob::matches(glob, tool))
}

/// The rules for one tool.
#[derive(Debug)]
pub(super) struct Rules<'a> {
    settings: &'a ReduceSettings,
    cap_tokens: Option<u64>,
    /// Whether every result passes unchanged.
    pub passes: bool,
    /// Results with fewer bytes pass.
    floor: u64,
    /// The bytes of a result that the client shows.
    client_bytes: u64,
}

impl Rules<'_> {
    /// Returns the rules for the results that a client gets.
    pub fn of_client(self, client: ClientAbilities) -> Self {
        Rules { client_bytes: client.result_bytes.unwrap_or(u64::MAX), ..self }
    }

    /// Returns the size below which a result passes and is not stored.
    pub fn bytes_that_pass(&self) -> u64 {
        match (self.passes, self.settings.policy.keep_all && self.settings.policy.enabled) {
            (_, true) => 0,
            (true, false) => u64::MAX,
            (false, false) => self.floor,
        }
    }

    /// Returns the policy for `count` outputs that share the cap.
    pub fn policy(&self, count: usize) -> Policy {
        let policy = &self.settings.policy;
        let policy = Policy {
            max_output_tokens: self.cap_tokens,
            max_threshold_bytes: policy.max_threshold_bytes.min(self.client_bytes),
            ..policy.clone()
        };
        let (true, Some(cap)) = (count > 1, self.cap_tokens) else { return policy };
        // The outputs of a turn share its headroom, which is the cap here. Media that is passed
        // on does not count, as in a result.
        Policy {
            headroom_percentage: (cap as f64 / self.settings.context_window as f64)
                .min(policy.headroom_percentage),
            min_threshold_bytes: policy.min_threshold_bytes / count as u64,
            image_tokens: 0,
            ..policy
        }
    }

    /// Returns the maximum size of a view that is made without the policy, if `count` views
    /// share the cap.
    pub fn view_bytes(&self, count: usize) -> u64 {
        let (policy, tokens) = (&self.settings.policy, self.cap_tokens);
        let bytes = |tokens: u64| (tokens as f64 * policy.bytes_per_token) as u64;
        let window = bytes((self.settings.context_window as f64 * policy.context_percentage) as u64);
        tokens.map_or(window, bytes).min(window).min(policy.max_threshold_bytes).min(self.client_bytes)
            / count.max(1) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuckaway_host::ToolOverride;

    fn over(tools: &str) -> ToolOverride {
        ToolOverride { tools: tools.to_owned(), exempt: false, mode: None, max_threshold_bytes: None }
    }

    #[test]
    fn tools_that_read_one_file_have_a_separate_cap() {
        let settings = ReduceSettings::default();
        assert_eq!(settings.violations(), [""; 0]);
        for tool in [
            "read_file",
            "files_read_text_file",
            "github_get_file_contents",
            "Read",
            "claude_Read",
            "browser_snapshot",
            "chrome_take_snapshot",
            "resources/read",
        ] {
            assert_eq!(settings.cap_tokens(tool), Some(25_000), "{tool}");
        }
        for tool in ["read_multiple_files", "search_code", "fetch", "markRead", "prompts/get", ""] {
            assert_eq!(settings.cap_tokens(tool), Some(10_000), "{tool}");
        }
    }

    #[test]
    fn the_first_cap_that_matches_applies() {
        let mut settings = ReduceSettings {
            tool_caps: vec![("*read_file".to_owned(), 7), ("*".to_owned(), 9)],
            ..ReduceSettings::default()
        };
        assert_eq!(settings.cap_tokens("a_read_file"), Some(7));
        assert_eq!(settings.cap_tokens("read_text_file"), Some(9));
        settings.tool_caps.clear();
        settings.policy.max_output_tokens = Some(40_000);
        assert_eq!(settings.cap_tokens("read_file"), Some(40_000), "a file may have what all others may");
        settings.policy.max_output_tokens = None;
        assert_eq!(settings.cap_tokens("read_file"), None);
    }

    #[test]
    fn exempt_tools_pass_unless_everything_is_stored() {
        let mut settings = ReduceSettings::default();
        settings.policy.overrides = vec![
            ToolOverride { exempt: true, ..over("skill_*") },
            ToolOverride { max_threshold_bytes: Some(100), ..over("db_*") },
        ];
        assert_eq!(settings.rules("skill_a").bytes_that_pass(), u64::MAX);
        assert_eq!(settings.rules("db_a").bytes_that_pass(), 100);
        assert_eq!(settings.rules("other").bytes_that_pass(), 4_096);
        settings.policy.keep_all = true;
        assert_eq!(settings.rules("skill_a").bytes_that_pass(), 0);
        settings.policy.enabled = false;
        assert_eq!(settings.rules("other").bytes_that_pass(), u64::MAX);
    }

    #[test]
    fn mistakes_are_named() {
        let settings = ReduceSettings {
            file_tools: vec![String::new()],
            tool_caps: vec![("a".to_owned(), 0)],
            ..ReduceSettings::default()
        };
        assert_eq!(
            settings.violations(),
            [
                "file_tools: its glob is empty; write * for all tools.",
                "tool_caps: the cap of \"a\" is 0 tokens; it must be at least 1."
            ]
        );
    }
}
