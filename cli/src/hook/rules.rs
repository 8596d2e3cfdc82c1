//! The rules of a client that restrict or allow shell commands. A client compares its rules with
//! the wrapped command, to which they do not apply, so they are respected here.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tuckaway_mcp::install::parse_settings;

use super::shell::Simple;

/// The rules of a client.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Patterns of commands that the client denies, or asks the user about.
    restricted: Vec<String>,
    /// Patterns of commands that run without asking the user.
    allowed: Vec<String>,
}

impl Rules {
    /// Reads the rules of a client that works in a directory. A file that cannot be read restricts
    /// all commands.
    pub fn of(client: &str, directory: &Path) -> Self {
        let mut rules = Rules::default();
        let home = env::home_dir().unwrap_or_default();
        let folder = |variable: &str, default: &str| {
            env::var_os(variable)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
                .unwrap_or_else(|| home.join(default))
        };
        match client {
            "claude-code" => {
                let project = env::var_os("CLAUDE_PROJECT_DIR").map_or(directory.to_owned(), PathBuf::from);
                let project = project.join(".claude");
                for file in [
                    folder("CLAUDE_CONFIG_DIR", ".claude").join("settings.json"),
                    project.join("settings.json"),
                    project.join("settings.local.json"),
                    PathBuf::from("/etc/claude-code/managed-settings.json"),
                    PathBuf::from("/Library/Application Support/ClaudeCode/managed-settings.json"),
                ] {
                    rules.read(&file, Rules::add_claude);
                }
            }
            "codex" => {
                for folder in [folder("CODEX_HOME", ".codex"), directory.join(".codex")] {
                    let files = fs::read_dir(folder.join("rules")).into_iter().flatten().flatten();
                    files.for_each(|file| rules.read_text(&file.path(), Rules::add_codex));
                }
            }
            "opencode" => {
                for folder in [folder("XDG_CONFIG_HOME", ".config").join("opencode"), directory.to_owned()] {
                    for file in ["opencode.json", "opencode.jsonc"] {
                        rules.read(&folder.join(file), Rules::add_opencode);
                    }
                }
            }
            // Gemini CLI applies its rules before it calls the hook.
            _ => {}
        }
        rules
    }

    /// Returns whether the client may deny one of the commands, or ask about it.
    pub fn restrict(&self, commands: &[Simple]) -> bool {
        let is_restricted = |pattern: &String, command: &Simple| {
            let has = |wanted: &str| command.words.iter().any(|word| base(&unquoted(word)) == base(wanted));
            literal_words(pattern).all(has)
        };
        self.restricted.iter().any(|pattern| commands.iter().any(|command| is_restricted(pattern, command)))
    }

    /// Returns whether the client runs all of the commands without asking.
    pub fn allow(&self, commands: &[Simple]) -> bool {
        let is_allowed = |command: &Simple| {
            let text = command.words.join(" ");
            let is_plain = !command.is_nested && !command.is_complex && !text.contains('$');
            is_plain && self.allowed.iter().any(|pattern| matches(pattern, &text))
        };
        commands.iter().all(is_allowed)
    }

    fn read(&mut self, file: &Path, add: fn(&mut Self, &Value)) {
        self.read_text(file, |rules, text| match parse_settings(text) {
            Some(settings) => add(rules, &settings),
            None => rules.restricted.push(EVERYTHING.to_owned()),
        });
    }

    fn read_text(&mut self, file: &Path, add: impl Fn(&mut Self, &str)) {
        match fs::read_to_string(file) {
            Ok(text) => add(self, &text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => self.restricted.push(EVERYTHING.to_owned()),
        }
    }

    fn add_claude(&mut self, settings: &Value) {
        let list = |name: &str| {
            let rules = settings["permissions"][name].as_array().into_iter().flatten();
            rules.filter_map(|rule| pattern_of(rule.as_str()?)).collect::<Vec<_>>()
        };
        // A rule for all commands also applies to wrapped ones.
        self.restricted.extend(["deny", "ask"].into_iter().flat_map(list).filter(|pattern| pattern != "*"));
        self.allowed.extend(list("allow"));
    }

    /// Codex's rules are programs: each string of a file that restricts anything may be a word of
    /// a restricted command.
    fn add_codex(&mut self, text: &str) {
        if text.contains("forbidden") || text.contains("prompt") {
            let strings = text.split(['"', '\'']).skip(1).step_by(2);
            self.restricted.extend(strings.filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }

    fn add_opencode(&mut self, settings: &Value) {
        match settings {
            Value::Object(members) => {
                for (key, value) in members {
                    let rules = value.as_object().filter(|_| key == "bash").into_iter().flatten();
                    let restricting =
                        rules.filter(|(_, value)| matches!(value.as_str(), Some("ask" | "deny")));
                    self.restricted
                        .extend(restricting.map(|(pattern, _)| pattern.clone()).filter(|it| it != "*"));
                    self.add_opencode(value);
                }
            }
            Value::Array(elements) => elements.iter().for_each(|element| self.add_opencode(element)),
            _ => {}
        }
    }
}

/// A pattern without any word that could be missing.
const EVERYTHING: &str = "";

/// Returns the pattern of a rule for Claude Code's shell tool.
fn pattern_of(rule: &str) -> Option<String> {
    let rule = rule.trim();
    if rule == "Bash" {
        return Some("*".to_owned());
    }
    let pattern = rule.strip_prefix("Bash(")?.strip_suffix(')')?;
    Some(match pattern.strip_suffix(":*") {
        Some("") => "*".to_owned(),
        Some(prefix) => format!("{prefix} *"),
        None => pattern.to_owned(),
    })
}

/// Returns the words of a pattern that a command must have.
fn literal_words(pattern: &str) -> impl Iterator<Item = &str> {
    pattern.split_whitespace().filter(|word| !word.contains(['*', '?']))
}

fn matches(pattern: &str, text: &str) -> bool {
    match pattern.strip_suffix(" *") {
        _ if pattern == "*" => true,
        Some(prefix) if !prefix.contains('*') => {
            text.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        }
        Some(_) => false,
        None => !pattern.contains('*') && pattern == text,
    }
}

fn unquoted(word: &str) -> String {
    word.replace(['"', '\'', '\\'], "")
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::shell::commands;
    use super::*;

    #[test]
    fn restricted_commands_are_recognised_in_any_spelling() {
        let mut rules = Rules::default();
        rules.add_claude(
            &json!({"permissions": {"deny": ["Bash(rm:*)", "Read(x)", "Bash"], "ask": ["Bash(git push *)"]}}),
        );
        rules.add_codex("prefix_rule(pattern = [\"terraform\", 'apply'], decision = \"forbidden\")");
        rules.add_codex("prefix_rule(pattern = [\"ls\"], decision = \"allow\")");
        rules.add_opencode(&json!({"agent": {"a": {"permission": {"bash": {"*": "ask", "curl *": "deny", "make *": "allow"}}}}}));
        for (script, is_restricted) in [
            ("rm -r x", true),
            ("make; /bin/rm x", true),
            ("\"r\"m x", true),
            ("echo $(rm x)", true),
            ("sudo rm x", true),
            ("git push", true),
            ("git -C x push", true),
            ("git pull", false),
            ("terraform plan", true),
            ("curl x", true),
            ("make", false),
            ("ls", false),
        ] {
            assert_eq!(rules.restrict(&commands(script).unwrap()), is_restricted, "{script}");
        }
        for pattern in ["* --force", EVERYTHING] {
            let rules = Rules { restricted: vec![pattern.to_owned()], ..Rules::default() };
            assert_eq!(rules.restrict(&commands("ls").unwrap()), pattern == EVERYTHING);
            assert!(rules.restrict(&commands("a --force").unwrap()));
        }
    }

    #[test]
    fn only_plain_commands_are_allowed() {
        let mut rules = Rules::default();
        rules.add_claude(&json!({"permissions": {"allow": ["Bash(cargo test:*)", "Bash(make all)", "Bash(ls *)", "Bash(a * b)"]}}));
        for (script, is_allowed) in [
            ("cargo test", true),
            ("cargo test -p x | ls", true),
            ("cargo tests", false),
            ("make all", true),
            ("make all install", false),
            ("cargo test && rm x", false),
            ("ls > x", false),
            ("ls $(x)", false),
            ("ls $X", false),
            ("A=b ls", false),
            ("(ls)", false),
            ("a x b", false),
        ] {
            assert_eq!(rules.allow(&commands(script).unwrap()), is_allowed, "{script}");
        }
        assert!(!Rules::default().allow(&commands("ls").unwrap()));
        let all = Rules { allowed: vec!["*".to_owned()], ..Rules::default() };
        assert!(all.allow(&commands("ls").unwrap()));
    }

    #[test]
    fn files_of_a_project_are_read() {
        let directory = env::temp_dir().join(tuckaway_host::store::mint("rules").unwrap());
        fs::create_dir_all(&directory).unwrap();
        let restricts = |text: &str| {
            fs::write(directory.join("opencode.jsonc"), text).unwrap();
            Rules::of("opencode", &directory).restrict(&commands("curl x").unwrap())
        };
        assert!(restricts("{ // mine\n \"permission\": {\"bash\": {\"curl *\": \"deny\",}}}"));
        assert!(restricts("{"));
        fs::remove_dir_all(&directory).unwrap();
    }
}
