//! The command line's documentation: help, completions, man pages.

use crate::test_dir::TestDir;

#[test]
fn help_has_examples() {
    let dir = TestDir::new();
    let help = dir.run(&["--help"]).ok();
    for word in ["Examples:", "offload", "exec", "TUCKAWAY_STORE", "stderr"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    for command in ["offload", "exec", "read", "grep", "jq", "extract", "completions", "man"] {
        let help = dir.run(&[command, "--help"]).ok();
        assert!(help.contains("Examples:"), "{help}");
    }
    assert!(dir.run(&["jq", "-h"]).ok().contains("Usage: tuckaway jq [OPTIONS] [FILTER] [ID|FILE]"));
    assert!(dir.run(&["grep", "-h"]).ok().contains("Usage: tuckaway grep [OPTIONS] [PATTERN] [ID|FILE]"));
    assert_eq!(dir.run(&[]).status, 2);
    assert!(dir.run(&["--version"]).ok().starts_with("tuckaway "));
}

#[test]
fn each_shell_has_completions() {
    let dir = TestDir::new();
    for (shell, sign) in [
        ("bash", "complete -F _tuckaway"),
        ("zsh", "#compdef tuckaway"),
        ("fish", "complete -c tuckaway"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[tuckaway]"),
    ] {
        let script = dir.run(&["completions", shell]).ok();
        assert!(script.contains(sign) && script.contains("offload"), "{shell}: {script}");
    }
    assert_eq!(dir.run(&["completions", "tcsh"]).status, 2);
}

/// Checks that bash accepts the script and completes with it.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes() {
    let dir = TestDir::new();
    dir.write("completions.bash", dir.run(&["completions", "bash"]).ok());
    let script = ". ./completions.bash; COMP_WORDS=(tuckaway tru); COMP_CWORD=1; \
                  _tuckaway tuckaway tru tuckaway; echo ${COMPREPLY[@]}";
    let ran = std::process::Command::new("bash").args(["-c", script]).current_dir(&dir.0).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&ran.stdout),
        "truncate\n",
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

#[test]
fn the_command_and_its_subcommands_have_man_pages() {
    let dir = TestDir::new();
    let page = dir.run(&["man"]).ok();
    for word in [".TH tuckaway 1", ".SH SYNOPSIS", ".SH SUBCOMMANDS", r"\fB\-\-store\fR"] {
        assert!(page.contains(word), "{word}: {page}");
    }
    let page = dir.run(&["man", "exec"]).ok();
    assert!(page.contains(".TH tuckaway-exec 1") && page.contains("exit status"), "{page}");
    assert!(dir.run(&["man", "nothing"]).error(1).contains("no such command"));
}
