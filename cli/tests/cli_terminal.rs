//! What differs on a terminal: a pager. `script` of util-linux makes the terminal.
#![cfg(target_os = "linux")]

mod desk;

use std::process::{Command, Stdio};

use desk::{Desk, lines};

/// Runs a command line on a terminal of its own, and gives what appears there.
fn on_terminal(desk: &Desk, pager: Option<&str>, arguments: &str) -> String {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_tuckaway"));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    command.current_dir(&desk.0).env("TUCKAWAY_STORE", "dir:store").env_remove("PAGER");
    if let Some(pager) = pager {
        command.env("PAGER", pager);
    }
    let output = command.stdin(Stdio::null()).output().expect("script, of util-linux");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

#[test]
fn a_whole_file_goes_through_the_pager() {
    let desk = Desk::new();
    desk.write("long.txt", lines(50_000));
    assert_eq!(on_terminal(&desk, Some("wc -l"), "read long.txt").trim(), "50000");
    assert_eq!(on_terminal(&desk, Some("sed -n '$='"), "read -n long.txt").trim(), "50000");
    // Leaving the pager early is not an error.
    assert_eq!(on_terminal(&desk, Some("head -n 1"), "read long.txt"), "line 1 of 50000\n");
}

#[test]
fn what_was_asked_for_is_printed_as_it_is() {
    let desk = Desk::new();
    desk.write("long.txt", lines(50_000));
    let shown = on_terminal(&desk, Some("wc -l"), "read long.txt --lines 2:3");
    assert_eq!(shown, "line 2 of 50000\nline 3 of 50000\n");
    let shown = on_terminal(&desk, Some("wc -l"), "read long.txt --max-bytes 1K");
    assert!(shown.starts_with("line 1 of 50000\n") && shown.contains("--cursor"), "{shown}");
    assert_eq!(on_terminal(&desk, Some("wc -l"), "read long.txt --raw").lines().count(), 50_000);
}

#[test]
fn without_a_pager_one_page_is_shown() {
    let desk = Desk::new();
    desk.write("long.txt", lines(50_000));
    let shown = on_terminal(&desk, Some(""), "read long.txt");
    assert!(shown.starts_with("line 1 of 50000\n") && shown.len() < 50_000, "{} bytes", shown.len());
    assert!(shown.contains("tuckaway: there is more: --cursor"), "{shown}");
    desk.write("short.txt", "short");
    assert_eq!(on_terminal(&desk, Some(""), "read short.txt"), "short\n");
}
