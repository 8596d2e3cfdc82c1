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

    let pages = dir.0.join("pages");
    dir.run(&["man", "--output", pages.to_str().unwrap()]).ok();
    for name in ["tuckaway.1", "tuckaway-exec.1", "tuckaway-mcp-proxy.1"] {
        assert!(std::fs::read_to_string(pages.join(name)).unwrap().contains(".SH NAME"), "{name}");
    }
    let file = pages.join("tuckaway.1");
    let error = dir.run(&["man", "--output", file.to_str().unwrap()]).error(1);
    assert!(error.contains("cannot write man pages into"), "{error}");
}

#[test]
fn usage_names_no_option_as_required() {
    let dir = TestDir::new();
    let ran = dir.run(&["jq", "--nonsense"]);
    let usage = "Usage: tuckaway jq [OPTIONS] [FILTER] [ID|FILE]...\n";
    assert!(
        ran.status == 2 && ran.stderr.contains(usage) && !ran.stderr.contains("as a value"),
        "{}",
        ran.stderr
    );
    let ran = dir.run(&["rm"]);
    assert!(ran.status == 2 && !ran.stderr.contains("--store <STORE>"), "{}", ran.stderr);
    // A pattern may begin with hyphens.
    assert!(dir.run(&["grep", "--xyzzy"]).stderr.contains("use '-- --xyzzy'"));
}

#[test]
fn options_of_all_commands_have_their_own_heading() {
    let help = TestDir::new().run(&["grep", "--help"]).ok();
    let (own, global) = help.split_once("\nGlobal options:\n").expect("a heading");
    assert!(own.contains("--ignore-case") && !own.contains("--store"), "{help}");
    assert!(global.contains("--store") && !global.contains("--ignore-case"), "{help}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let dir = TestDir::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    for arguments in [&["--help"][..], &["grep", "-h"], &["--version"]] {
        let output = dir.command(arguments).stdout(full.try_clone().unwrap()).output().unwrap();
        let ran = crate::test_dir::Outcome::of(output);
        assert!(ran.error(1).starts_with("cannot write to standard output"), "{arguments:?}");
    }
}
