//! Decides whether a shell command is run by `tuckaway exec`, and how it is then written.

use std::env;
use std::path::Path;

use super::shell::{self, Operator, Simple};

/// The maximum tokens of a view. All clients show that much of a command's output.
const CAP: u32 = 5_000;

/// The length beyond which a command is not changed: systems limit the length of one argument.
const MAX_LENGTH: usize = 100_000;

/// Commands that change the shell's own state, which a child process cannot do.
const STATE: [&str; 35] = [
    ".",
    "alias",
    "bg",
    "bind",
    "cd",
    "conda",
    "deactivate",
    "declare",
    "dirs",
    "disown",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "fg",
    "hash",
    "jobs",
    "local",
    "logout",
    "mamba",
    "nvm",
    "popd",
    "pushd",
    "read",
    "readonly",
    "set",
    "setopt",
    "shopt",
    "source",
    "trap",
    "ulimit",
    "umask",
    "unset",
    "wait",
];

/// Commands that need a terminal or a person, or that keep running in the background.
const INTERACTIVE: [&str; 31] = [
    "btop", "dialog", "ed", "emacs", "fzf", "gdb", "htop", "less", "lldb", "man", "micro", "more", "mosh",
    "most", "nano", "nohup", "nvim", "passwd", "pico", "screen", "setsid", "sftp", "ssh", "su", "telnet",
    "tmux", "top", "vi", "view", "vim", "watch",
];

/// Programs that read commands from a terminal if they have no arguments.
const PROMPTS: [&str; 12] =
    ["bash", "dash", "fish", "irb", "mysql", "node", "psql", "python", "python3", "sh", "sqlite3", "zsh"];

/// Commands that run the command among their arguments.
const RUNNERS: [&str; 10] =
    ["builtin", "command", "doas", "env", "nice", "stdbuf", "sudo", "time", "timeout", "xargs"];

/// Words before a command, and words after which no command follows.
const BEFORE: [&str; 9] = ["!", "do", "elif", "else", "if", "then", "until", "while", "{"];
const AFTER: [&str; 5] = ["done", "esac", "fi", "for", "}"];

/// Commands of the shell itself that change nothing in it.
const BUILTINS: [&str; 8] = [":", "[", "[[", "echo", "false", "printf", "test", "true"];

/// Commands that may precede the wrapped rest: their effect is inherited by its process.
const PREFIX: [&str; 3] = ["cd", "export", "pushd"];

/// The words of a command, beginning with the program, or nothing if there is no program.
fn program_of(command: &Simple) -> &[String] {
    let mut words = &command.words[..];
    while let [first, rest @ ..] = words {
        match &**first {
            word if BEFORE.contains(&word) || is_assignment(word) => words = rest,
            word if AFTER.contains(&word) => return &[],
            _ => break,
        }
    }
    words
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// A command that can be wrapped.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrappable<'a> {
    /// The part that the client's shell runs itself.
    prefix: &'a str,
    /// The part that is wrapped.
    rest: &'a str,
    /// The program of its first command.
    program: String,
    /// All commands that are run.
    pub commands: Vec<Simple>,
}

impl<'a> Wrappable<'a> {
    /// Returns how a command is wrapped; `None` if it must not be changed. `is_program` says
    /// whether a name belongs to a program: another name may be an alias or a function of the
    /// client's shell, which the process of a wrapped command does not have.
    pub fn of(script: &'a str, is_program: impl Fn(&str) -> bool) -> Option<Self> {
        if script.len() > MAX_LENGTH || script.contains('\0') {
            return None;
        }
        let commands = shell::commands(script)?;
        let is_prefix = |command: &Simple| {
            !command.is_nested
                && command.words.first().is_some_and(|word| PREFIX.contains(&&**word))
                && matches!(command.then, Operator::And | Operator::Next)
        };
        let top: Vec<&Simple> = commands.iter().filter(|command| !command.is_nested).collect();
        let count = top.iter().take_while(|command| is_prefix(command)).count();
        let (prefixes, rest) = top.split_at(count);
        let start = rest.first()?.start;
        // If the prefix fails, the shell continues after these operators, but not within the rest.
        let goes_on = |command: &&Simple| matches!(command.then, Operator::Or | Operator::Next);
        if prefixes.iter().any(|command| command.then == Operator::And) && rest.iter().any(goes_on) {
            return None;
        }
        let is_kept = |command: &Simple| command.start < start && is_prefix(command);
        if !commands.iter().all(|command| is_kept(command) || is_wrappable(command, &is_program)) {
            return None;
        }
        let programs = commands.iter().filter(|command| command.start >= start);
        let program = programs.filter_map(|command| program_of(command).first()).next()?;
        let program = base(program).to_owned();
        Some(Wrappable { prefix: &script[..start], rest: &script[start..], program, commands })
    }

    /// Returns the command to run: `own` is the program `tuckaway`.
    pub fn wrap(&self, own: &str, shell: &str) -> String {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let tool: String = self.program.chars().filter(is_plain).take(32).collect();
        let tool =
            crate::offload::tool_named(if tool.trim_start_matches('-').is_empty() { "shell" } else { &tool });
        let tool = tool.trim_start_matches('-');
        let Wrappable { prefix, rest, .. } = self;
        format!(
            "{prefix}{} exec --tool {tool} --cap {CAP} --commands -- {} -c {}",
            word(own),
            word(shell),
            quoted(rest)
        )
    }
}

fn is_wrappable(command: &Simple, is_program: impl Fn(&str) -> bool) -> bool {
    if command.words.iter().take_while(|word| is_assignment(word)).any(|word| word == "TUCKAWAY_HOOK=off") {
        return false;
    }
    let words = program_of(command);
    let Some(first) = words.first().map(|word| base(word)) else { return true };
    let is_excluded = |word: &str| {
        STATE.contains(&word) || INTERACTIVE.contains(&word) || matches!(word, "tuckaway" | "tuckaway.exe")
    };
    let is_run_by_another = RUNNERS.contains(&first) && words.iter().any(|word| is_excluded(base(word)));
    let is_prompt = words.len() == 1 && PROMPTS.contains(&first) && command.then != Operator::Pipe;
    !is_excluded(first)
        && !is_run_by_another
        && !is_prompt
        && (BUILTINS.contains(&first) || words[0].contains('/') || is_program(&words[0]))
}

/// Returns whether a name belongs to a program in the search path.
pub fn is_in_path(name: &str) -> bool {
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
    is_name
        && env::split_paths(&env::var_os("PATH").unwrap_or_default())
            .any(|folder| folder.join(name).is_file())
}

/// Returns the shell that the client runs commands with. `of_user` is the user's shell.
pub fn shell_of(client: &str, of_user: Option<String>) -> String {
    let is_known = |shell: &String| matches!(base(shell), "bash" | "zsh") && Path::new(shell).is_absolute();
    // Gemini CLI runs bash, regardless of the user's shell.
    of_user.filter(|shell| client != "gemini" && is_known(shell)).unwrap_or_else(|| "bash".to_owned())
}

/// Returns a text as one shell word, quoted only if necessary.
fn word(text: &str) -> String {
    match !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+@%".contains(c)) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// Returns a text in single quotes, in which a shell replaces nothing.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(script: &str) -> Option<String> {
        let is_program =
            |name: &str| matches!(name, "cargo" | "make" | "ls" | "grep" | "nproc" | "sudo" | "python3");
        Wrappable::of(script, is_program).map(|command| command.wrap("tuckaway", "bash"))
    }

    #[test]
    fn commands_are_wrapped_behind_what_changes_the_shell() {
        for (script, before, tool, rest) in [
            ("cargo test", "", "cargo", "cargo test"),
            ("A=b make -j$(nproc) | grep -v 'x'", "", "make", r"A=b make -j$(nproc) | grep -v '\''x'\''"),
            ("cd 'a b' && cargo test 2>&1 | grep x", "cd 'a b' && ", "cargo", "cargo test 2>&1 | grep x"),
            ("cd a; export B=c\nmake; ls", "cd a; export B=c\n", "make", "make; ls"),
            ("for f in *; do ls $f; done", "", "ls", "for f in *; do ls $f; done"),
            ("if [ -f x ]; then make; fi", "", "shell", "if [ -f x ]; then make; fi"),
            ("./gradlew build", "", "gradlew", "./gradlew build"),
            ("(make; ls) > log", "", "make", "(make; ls) > log"),
            ("# first\nmake", "# first\n", "make", "make"),
        ] {
            let expected =
                format!("{before}tuckaway exec --tool {tool} --cap 5000 --commands -- bash -c '{rest}'");
            assert_eq!(wrapped(script).as_deref(), Some(&*expected), "{script}");
        }
    }

    #[test]
    fn commands_that_need_the_clients_shell_are_not_changed() {
        for script in [
            "",
            "cd a",
            "export A=b",
            "cd a && make; ls",
            "cd a && make || ls",
            "make && cd a",
            "source x && make",
            ". x; make",
            "make &",
            "nohup make",
            "vim x",
            "git log | less",
            "ssh host make",
            "sudo vim x",
            "/usr/bin/vim x",
            "python3",
            "tuckaway list",
            "/opt/tuckaway read x",
            "make | tuckaway offload",
            "sudo tuckaway list",
            "TUCKAWAY_HOOK=off make",
            "my_alias",
            "my_alias && make",
            "f() { make; }; f",
            "$CMD x",
            "cat <<E\nE",
            "make\0",
            "(cd a; make)",
            "trap x EXIT; make",
        ] {
            assert_eq!(wrapped(script), None, "{script}");
        }
        assert_eq!(wrapped(&format!("make {}", "x".repeat(MAX_LENGTH))), None);
    }

    #[test]
    fn the_shell_is_that_of_the_client() {
        for (client, of_user, shell) in [
            ("claude-code", Some("/bin/zsh"), "/bin/zsh"),
            ("claude-code", Some("/usr/bin/fish"), "bash"),
            ("claude-code", None, "bash"),
            ("gemini", Some("/bin/zsh"), "bash"),
        ] {
            assert_eq!(shell_of(client, of_user.map(str::to_owned)), shell);
        }
        assert!(!is_in_path("../x") && !is_in_path("") && !is_in_path("no-such-program-here"));
    }

    #[cfg(unix)]
    mod quoting {
        use proptest::prelude::*;

        use super::super::*;

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(64))]

            /// A shell that runs a quoted script gets the script byte for byte.
            #[test]
            fn a_shell_reads_back_what_was_quoted(text in "[^\0]{0,80}", odd in "[ '\"\\\\$`!\n;&|(){}*?~#-]{0,20}") {
                for text in [&*text, &*odd, &format!("{odd}{text}{odd}")] {
                    for spelled in [quoted(text), word(text)] {
                        let script = format!("printf %s {spelled}");
                        let ran = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
                        prop_assert_eq!(String::from_utf8_lossy(&ran.stdout), text);
                    }
                }
            }

            /// No script makes the parser fail.
            #[test]
            fn any_script_is_wrapped_or_not(script in any::<String>(), odd in "[a '\"\\\\$`\n;&|(){}<>#=]{0,40}") {
                for script in [&*script, &*odd] {
                    if let Some(command) = Wrappable::of(script, |_| true) {
                        prop_assert_eq!(format!("{}{}", command.prefix, command.rest), script);
                    }
                }
            }
        }
    }
}
