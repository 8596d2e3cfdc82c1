//! Puts a hook into the settings of a client, so that the client asks `tuckaway hook run` before
//! its shell tool runs a command.
//!
//! The hook is one element of a list in a JSON file, or a plugin in a separate file. As in the
//! configuration of servers, everything else is preserved byte for byte, and removing the hook
//! restores the file byte for byte. A file that did not exist before is removed.

use std::fmt;
use std::path::PathBuf;

use super::edit::{Edits, Source};
use crate::document::{Format, Malformed, Member, Node};

/// A client whose shell commands can be changed by a hook.
#[derive(Debug, PartialEq, Eq)]
pub struct HookClient {
    /// The name on the command line.
    pub id: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The name of its shell tool.
    pub tool: &'static str,
    /// The variable that names the folder of the settings, if there is one, and the folder below
    /// the home directory if the variable is not set.
    folder: (Option<&'static str>, &'static str),
    /// The file in this folder.
    file: &'static str,
    form: Form,
}

/// The form of a hook.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    /// An element of the list of this event.
    Element { event: &'static str },
    /// A JavaScript file.
    Plugin,
}

/// All clients whose hooks can change a command, in the order of their names. Files and forms were
/// read in November 2026 in the documentation or the package that the comment in a row names.
pub const HOOK_CLIENTS: [HookClient; 4] = [
    // code.claude.com/docs/en/hooks; the schema in `@anthropic-ai/claude-code` 2.1.197
    HookClient {
        id: "claude-code",
        title: "Claude Code",
        folder: (Some("CLAUDE_CONFIG_DIR"), ".claude"),
        file: "settings.json",
        tool: "Bash",
        form: Form::Element { event: "PreToolUse" },
    },
    // github.com/openai/codex: codex-rs/hooks; the messages in `@openai/codex` 0.171.0, which
    // accepts `updatedInput` only with `"permissionDecision": "allow"`
    HookClient {
        id: "codex",
        title: "Codex",
        folder: (Some("CODEX_HOME"), ".codex"),
        file: "hooks.json",
        tool: "Bash",
        form: Form::Element { event: "PreToolUse" },
    },
    // `@google/gemini-cli` 0.61.0: bundle/docs/hooks/reference.md
    HookClient {
        id: "gemini",
        title: "Gemini CLI",
        folder: (None, ".gemini"),
        file: "settings.json",
        tool: "run_shell_command",
        form: Form::Element { event: "BeforeTool" },
    },
    // opencode.ai/v1/docs/plugins; the types in `@opencode-ai/plugin` 1.18.33
    HookClient {
        id: "opencode",
        title: "opencode",
        folder: (Some("XDG_CONFIG_HOME"), ".config"),
        file: "opencode/plugins/tuckaway.js",
        tool: "bash",
        form: Form::Plugin,
    },
];

/// The change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookChange {
    /// There is nothing to do.
    Unchanged,
    /// The file gets this text. It may not exist yet.
    Write(String),
    /// The file is removed: it contains nothing but the hook.
    Remove,
}

/// The reason why a hook cannot be installed or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookError {
    /// The file cannot be read.
    Malformed(Malformed),
    /// A value that must contain the hook has another type. It has this name.
    WrongType(&'static str),
    /// The hook could not be removed again byte for byte.
    NotRestorable,
    /// The file of the plugin was not written by tuckaway.
    Foreign,
}

impl fmt::Display for HookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HookError::Malformed(malformed) => malformed.fmt(f),
            HookError::WrongType(name) => {
                write!(f, "{name} is not what the client expects; correct it, or remove it")
            }
            HookError::NotRestorable => {
                f.write_str("the hook cannot be added so that removing it restores the file; add it by hand")
            }
            HookError::Foreign => {
                f.write_str("this file was not written by tuckaway; move it away, or remove it by hand")
            }
        }
    }
}

impl std::error::Error for HookError {}

impl HookClient {
    /// Returns the client with this name on the command line.
    pub fn named(id: &str) -> Option<&'static HookClient> {
        HOOK_CLIENTS.iter().find(|client| client.id == id)
    }

    /// Returns the file of the user's hooks; `None` if there is no home directory.
    pub fn location(
        &self,
        home: Option<PathBuf>,
        variable: impl Fn(&str) -> Option<PathBuf>,
    ) -> Option<PathBuf> {
        let (name, default) = self.folder;
        let set = name.and_then(variable).filter(|folder| folder.is_absolute());
        Some(set.or_else(|| Some(home?.join(default)))?.join(self.file))
    }

    /// Installs the hook in the text of the client's file; `None` if there is no file.
    pub fn install(&self, text: Option<&str>, program: &str) -> Result<HookChange, HookError> {
        let Form::Element { event } = &self.form else { return install_plugin(text, program) };
        let command = format!("{} hook run {}", word(program), self.id);
        let handler = format!("{{\"type\": \"command\", \"command\": {}}}", serde_json::Value::from(command));
        let element = format!("{{\"matcher\": \"{}\", \"hooks\": [{handler}]}}", self.tool);
        let Some(text) = text else {
            return Ok(HookChange::Write(format!("{{\"hooks\": {{\"{event}\": [{element}]}}}}\n")));
        };
        let before = match self.uninstall(Some(text))? {
            HookChange::Unchanged => text.to_owned(),
            HookChange::Write(before) => before,
            HookChange::Remove => return self.install(None, program).map(|new| unless_same(new, text)),
        };
        let changed = insert(&before, event, &element)?;
        match self.uninstall(Some(&changed)) {
            Ok(HookChange::Write(restored)) if restored == before => {
                Ok(unless_same(HookChange::Write(changed), text))
            }
            _ => Err(HookError::NotRestorable),
        }
    }

    /// Removes the hook from the text of the client's file; `None` if there is no file.
    pub fn uninstall(&self, text: Option<&str>) -> Result<HookChange, HookError> {
        match (text, &self.form) {
            (None, _) => Ok(HookChange::Unchanged),
            (Some(text), Form::Plugin) if text.starts_with(PLUGIN_HEAD) => Ok(HookChange::Remove),
            (Some(_), Form::Plugin) => Err(HookError::Foreign),
            (Some(text), Form::Element { event }) => {
                let root = Format::Json.parse(text).map_err(HookError::Malformed)?;
                let source = Source { text, format: Format::Json, table: &root };
                Ok(remove(source, event, &format!(" hook run {}", self.id)))
            }
        }
    }
}

/// Returns the settings of a client, in which comments are allowed; `None` if they are malformed.
pub fn parse_settings(text: &str) -> Option<serde_json::Value> {
    Format::Json.parse(text).ok().map(|root| root.to_json())
}

fn unless_same(change: HookChange, text: &str) -> HookChange {
    match change {
        HookChange::Write(new) if new == text => HookChange::Unchanged,
        change => change,
    }
}

/// Returns a program as one word of a shell.
fn word(program: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/\\:._-+@%".contains(c);
    match program.chars().all(is_plain) {
        true => program.to_owned(),
        false => format!("'{}'", program.replace('\'', "'\\''")),
    }
}

/// Adds an element to the list of an event, and the list if there is none.
fn insert(text: &str, event: &str, element: &str) -> Result<String, HookError> {
    let root = Format::Json.parse(text).map_err(HookError::Malformed)?;
    let mut edits = Edits::default();
    let table = |node| Source { text, format: Format::Json, table: node };
    match root.member("hooks") {
        None if text.get(root.span.clone()).is_some_and(|raw| raw.starts_with('{')) => {
            add(table(&root), &mut edits, "hooks", &format!("{{\"{event}\": [{element}]}}"));
        }
        None => return Err(HookError::WrongType("the file")),
        Some(hooks) if hooks.node.table().is_none() => return Err(HookError::WrongType("\"hooks\"")),
        Some(hooks) => match hooks.node.member(event) {
            None => add(table(&hooks.node), &mut edits, event, &format!("[{element}]")),
            Some(Member { node, .. }) => match node.list() {
                None => return Err(HookError::WrongType("the list of hooks before a tool")),
                Some([]) => edits.insert(node.span.start + 1, format!(" {element} ")),
                Some(_) => table(&root).append(&mut edits, node, &[element.to_owned()]),
            },
        },
    }
    edits.apply(text).ok_or(HookError::NotRestorable)
}

/// Adds a member to a table. The spaces in an empty table are the sign that it existed.
fn add(source: Source<'_>, edits: &mut Edits, key: &str, value: &str) {
    match source.table.table().and_then(<[Member]>::last) {
        Some(last) => source.insert_member(edits, last, key, value),
        None => edits.insert(source.table.span.start + 1, format!(" \"{key}\": {value} ")),
    }
}

/// Removes the hook whose command ends with `own`, and the containers that this empties, unless
/// they were empty before.
fn remove(source: Source<'_>, event: &str, own: &str) -> HookChange {
    let Source { text, table: root, .. } = source;
    let is_own = |handler: &Node| {
        let command = handler.member("command").and_then(|command| command.node.text());
        command.is_some_and(|command| command.ends_with(own) && command.contains("tuckaway"))
    };
    let handlers =
        |group: &Node| group.member("hooks").and_then(|hooks| hooks.node.list().map(<[Node]>::to_vec));
    let Some(hooks) = root.member("hooks") else { return HookChange::Unchanged };
    let Some(list) = hooks.node.member(event) else { return HookChange::Unchanged };
    let groups = list.node.list().unwrap_or_default();
    let has_own = |group: &Node| handlers(group).is_some_and(|handlers| handlers.iter().any(is_own));
    let Some(at) = groups.iter().position(has_own) else { return HookChange::Unchanged };
    let of_group = handlers(&groups[at]).unwrap_or_default();
    let mut edits = Edits::default();
    let hooks_source = Source { table: &hooks.node, ..source };
    let is_only = |table: &Node| table.table().is_some_and(|members| members.len() == 1);
    let member_is_spaced =
        |table: &Node, member: &Member| is_spaced(text, table, member.key_span.start, member.node.span.end);
    let within = |table: &Node, end: usize| table.span.start + 1..end + 1;
    if of_group.len() > 1 {
        remove_element(&mut edits, &of_group, of_group.iter().position(is_own).unwrap_or_default());
    } else if groups.len() > 1 {
        remove_element(&mut edits, groups, at);
    } else if is_spaced(text, &list.node, groups[0].span.start, groups[0].span.end) {
        edits.remove(within(&list.node, groups[0].span.end));
    } else if !is_only(&hooks.node) {
        hooks_source.remove_member(&mut edits, list);
    } else if member_is_spaced(&hooks.node, list) {
        edits.remove(within(&hooks.node, list.node.span.end));
    } else if !is_only(root) {
        source.remove_member(&mut edits, hooks);
    } else if member_is_spaced(root, hooks) {
        edits.remove(within(root, hooks.node.span.end));
    } else {
        return HookChange::Remove;
    }
    edits.apply(text).map_or(HookChange::Unchanged, HookChange::Write)
}

/// Returns whether the only content of a list or table was inserted when it was empty.
fn is_spaced(text: &str, outer: &Node, start: usize, end: usize) -> bool {
    start == outer.span.start + 2
        && text[outer.span.start + 1..].starts_with(' ')
        && text[end..].starts_with(' ')
}

/// Removes one of at least two elements.
fn remove_element(edits: &mut Edits, elements: &[Node], at: usize) {
    match at.checked_sub(1) {
        Some(before) => edits.remove(elements[before].span.end..elements[at].span.end),
        None => edits.remove(elements[at].span.start..elements[at + 1].span.start),
    }
}

/// The first line of a plugin that tuckaway wrote.
const PLUGIN_HEAD: &str = "// Written by `tuckaway hook install opencode`;";

fn install_plugin(text: Option<&str>, program: &str) -> Result<HookChange, HookError> {
    let plugin = plugin(program);
    match text {
        Some(text) if !text.starts_with(PLUGIN_HEAD) => Err(HookError::Foreign),
        Some(text) => Ok(unless_same(HookChange::Write(plugin), text)),
        None => Ok(HookChange::Write(plugin)),
    }
}

/// Returns a plugin that passes each call of the shell tool to `tuckaway hook run`.
fn plugin(program: &str) -> String {
    let program = serde_json::Value::from(program);
    format!(
        r#"{PLUGIN_HEAD} `tuckaway hook uninstall opencode --write` removes it.
import {{ spawnSync }} from "node:child_process";

const PROGRAM = {program};

export const Tuckaway = async ({{ directory }}) => ({{
  "tool.execute.before": async (input, output) => {{
    if (input.tool !== "bash") return;
    const call = JSON.stringify({{ cwd: directory, tool_name: input.tool, tool_input: output.args }});
    const options = {{ input: call, encoding: "utf8", timeout: 10_000 }};
    const {{ status, stdout }} = spawnSync(PROGRAM, ["hook", "run", "opencode"], options);
    // If the hook fails, the command runs unchanged.
    if (status === 0 && stdout) Object.assign(output.args, JSON.parse(stdout).tool_input);
  }},
}});
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAUDE: &HookClient = &HOOK_CLIENTS[0];

    /// Installs and uninstalls, and returns the text between.
    #[track_caller]
    fn round_trip(client: &HookClient, text: &str) -> String {
        let HookChange::Write(changed) = client.install(Some(text), "tuckaway").unwrap() else {
            panic!("no change: {text}")
        };
        assert_eq!(client.install(Some(&changed), "tuckaway").unwrap(), HookChange::Unchanged, "{changed}");
        assert_eq!(
            client.uninstall(Some(&changed)).unwrap(),
            HookChange::Write(text.to_owned()),
            "{changed}"
        );
        changed
    }

    #[test]
    fn every_form_of_settings_is_restored_byte_for_byte() {
        let other = r#"{"matcher": "Edit", "hooks": [{"type": "command", "command": "x"}]}"#;
        for text in [
            "{}",
            "{ }\n",
            "{\n}\n",
            "{\"a\": 1}",
            "{\n  \"a\": 1\n}\n",
            "{\r\n\t\"a\": [1, 2], // mine\r\n}\r\n",
            "{\"hooks\": {}}",
            "{\"hooks\": {\"PreToolUse\": []}}",
            "{\"hooks\": { \"PreToolUse\": [ ] }, \"a\": 1}",
            "{\"hooks\": {\"Stop\": []}}",
            &format!("{{\"hooks\": {{\"PreToolUse\": [{other}]}}}}"),
            &format!("{{\n  \"hooks\": {{\n    \"PreToolUse\": [\n      {other}\n    ]\n  }}\n}}\n"),
        ] {
            let changed = round_trip(CLAUDE, text);
            assert!(changed.contains("\"command\": \"tuckaway hook run claude-code\""), "{changed}");
            assert!(Format::Json.parse(&changed).is_ok(), "{changed}");
        }
    }

    #[test]
    fn a_file_that_did_not_exist_is_removed() {
        for client in &HOOK_CLIENTS {
            let HookChange::Write(text) = client.install(None, "/a b/tuckaway").unwrap() else { panic!() };
            assert_eq!(client.install(Some(&text), "/a b/tuckaway").unwrap(), HookChange::Unchanged);
            assert_eq!(client.uninstall(Some(&text)).unwrap(), HookChange::Remove, "{text}");
            assert_eq!(client.uninstall(None).unwrap(), HookChange::Unchanged);
            let HookChange::Write(moved) = client.install(Some(&text), "tuckaway").unwrap() else { panic!() };
            assert_eq!(HookChange::Write(moved), client.install(None, "tuckaway").unwrap());
        }
        assert_eq!(word("/a b/it's"), "'/a b/it'\\''s'");
    }

    #[test]
    fn a_hook_that_the_client_reformatted_is_removed_with_what_is_empty() {
        let text = "{\n  \"a\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \
            \"hooks\": [\n          {\n            \"type\": \"command\",\n            \
            \"command\": \"tuckaway hook run claude-code\"\n          }\n        ]\n      }\n    ]\n  }\n}\n";
        assert_eq!(CLAUDE.uninstall(Some(text)).unwrap(), HookChange::Write("{\n  \"a\": 1\n}\n".to_owned()));
        let shared = "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"x\"}, {\"command\": \"tuckaway hook run claude-code\"}]}]}}";
        let left = "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"x\"}]}]}}";
        assert_eq!(CLAUDE.uninstall(Some(shared)).unwrap(), HookChange::Write(left.to_owned()));
    }

    #[test]
    fn files_in_other_forms_are_refused() {
        for (text, message) in [
            ("", "the file is not what"),
            ("[]", "the file is not what"),
            ("{\"hooks\": 1}", "\"hooks\" is not what"),
            ("{\"hooks\": {\"PreToolUse\": {}}}", "the list of hooks before a tool is not what"),
            ("{", "line 1: "),
        ] {
            let error = CLAUDE.install(Some(text), "tuckaway").unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        let opencode = HookClient::named("opencode").unwrap();
        assert_eq!(opencode.install(Some("x"), "tuckaway"), Err(HookError::Foreign));
        assert_eq!(opencode.uninstall(Some("x")), Err(HookError::Foreign));
    }

    #[test]
    fn variables_move_the_files() {
        let at = |id: &str, name: &'static str| {
            let set = move |asked: &str| (asked == name).then(|| PathBuf::from("/c"));
            HookClient::named(id).unwrap().location(Some("/home/ada".into()), set).unwrap()
        };
        for (id, name, moved, usual) in [
            ("claude-code", "CLAUDE_CONFIG_DIR", "/c/settings.json", "/home/ada/.claude/settings.json"),
            ("codex", "CODEX_HOME", "/c/hooks.json", "/home/ada/.codex/hooks.json"),
            (
                "opencode",
                "XDG_CONFIG_HOME",
                "/c/opencode/plugins/tuckaway.js",
                "/home/ada/.config/opencode/plugins/tuckaway.js",
            ),
        ] {
            assert_eq!(at(id, name), PathBuf::from(moved));
            assert_eq!(at(id, "OTHER"), PathBuf::from(usual));
        }
        assert_eq!(at("gemini", "OTHER"), PathBuf::from("/home/ada/.gemini/settings.json"));
        assert!(HOOK_CLIENTS.is_sorted_by_key(|client| client.id));
    }
}
