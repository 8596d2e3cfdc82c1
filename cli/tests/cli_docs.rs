//! What the command line says of itself: help, completions, man pages.

mod desk;

use desk::Desk;

#[test]
fn help_teaches() {
    let desk = Desk::new();
    let help = desk.run(&["--help"]).ok();
    for word in ["Examples:", "offload", "exec", "TUCKAWAY_STORE", "stderr"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    for command in ["offload", "exec", "read", "grep", "jq", "completions", "man"] {
        let help = desk.run(&[command, "--help"]).ok();
        assert!(help.contains("Examples:"), "{help}");
    }
    assert!(desk.run(&["jq", "-h"]).ok().contains("Usage: tuckaway jq [OPTIONS] [FILTER] [ID|FILE]"));
    assert!(desk.run(&["grep", "-h"]).ok().contains("Usage: tuckaway grep [OPTIONS] [PATTERN] [ID|FILE]"));
    assert_eq!(desk.run(&[]).status, 2);
    assert!(desk.run(&["--version"]).ok().starts_with("tuckaway "));
}

#[test]
fn completions_are_for_each_shell() {
    let desk = Desk::new();
    for (shell, sign) in [
        ("bash", "complete -F _tuckaway"),
        ("zsh", "#compdef tuckaway"),
        ("fish", "complete -c tuckaway"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[tuckaway]"),
    ] {
        let script = desk.run(&["completions", shell]).ok();
        assert!(script.contains(sign) && script.contains("offload"), "{shell}: {script}");
    }
    assert_eq!(desk.run(&["completions", "tcsh"]).status, 2);
}

/// The script is one that the shell takes, and it completes.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes() {
    let desk = Desk::new();
    desk.write("completions.bash", desk.run(&["completions", "bash"]).ok());
    let script = ". ./completions.bash; COMP_WORDS=(tuckaway tru); COMP_CWORD=1; \
                  _tuckaway tuckaway tru tuckaway; echo ${COMPREPLY[@]}";
    let ran = std::process::Command::new("bash").args(["-c", script]).current_dir(&desk.0).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&ran.stdout),
        "truncate\n",
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

#[test]
fn man_pages_are_for_the_command_and_its_subcommands() {
    let desk = Desk::new();
    let page = desk.run(&["man"]).ok();
    for word in [".TH tuckaway 1", ".SH SYNOPSIS", ".SH SUBCOMMANDS", r"\fB\-\-store\fR"] {
        assert!(page.contains(word), "{word}: {page}");
    }
    let page = desk.run(&["man", "exec"]).ok();
    assert!(page.contains(".TH tuckaway-exec 1") && page.contains("exit status"), "{page}");
    assert!(desk.run(&["man", "nothing"]).complaint(1).contains("there is no command"));
}
