//! Behaviour on a terminal, which `script` of util-linux simulates: the pager.

use std::process::{Command, Stdio};

use crate::test_dir::{TestDir, lines};

/// Runs a command line on its own terminal, and returns what appears there.
fn on_terminal(dir: &TestDir, pager: Option<&str>, arguments: &str) -> String {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_tuckaway"));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    command
        .current_dir(&dir.0)
        .env("TUCKAWAY_STORE", "dir:store")
        .env("TERM", "xterm")
        .env_remove("PAGER")
        .env_remove("NO_COLOR");
    if let Some(pager) = pager {
        command.env("PAGER", pager);
    }
    let output = command.stdin(Stdio::null()).output().expect("script, of util-linux");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

#[test]
fn a_whole_file_goes_through_the_pager() {
    let dir = TestDir::new();
    dir.write("long.txt", lines(50_000));
    assert_eq!(on_terminal(&dir, Some("wc -l"), "read long.txt").trim(), "50000");
    assert_eq!(on_terminal(&dir, Some("sed -n '$='"), "read -n long.txt").trim(), "50000");
    // Leaving the pager early is not an error.
    assert_eq!(on_terminal(&dir, Some("head -n 1"), "read long.txt"), "line 1 of 50000\n");
}

#[test]
fn explicit_ranges_are_printed_without_a_pager() {
    let dir = TestDir::new();
    dir.write("long.txt", lines(50_000));
    let shown = on_terminal(&dir, Some("wc -l"), "read long.txt --lines 2:3");
    assert_eq!(shown, "line 2 of 50000\nline 3 of 50000\n");
    let shown = on_terminal(&dir, Some("wc -l"), "read long.txt --max-bytes 1K");
    assert!(shown.starts_with("line 1 of 50000\n") && shown.contains("--cursor"), "{shown}");
    assert_eq!(on_terminal(&dir, Some("wc -l"), "read long.txt --raw").lines().count(), 50_000);
}

#[test]
fn without_a_pager_one_page_is_shown() {
    let dir = TestDir::new();
    dir.write("long.txt", lines(50_000));
    let shown = on_terminal(&dir, Some(""), "read long.txt");
    assert!(shown.starts_with("line 1 of 50000\n") && shown.len() < 50_000, "{} bytes", shown.len());
    assert!(shown.contains("tuckaway: there is more; continue with --cursor"), "{shown}");
    dir.write("short.txt", "short");
    assert_eq!(on_terminal(&dir, Some(""), "read short.txt"), "short\n");
}

#[test]
fn binary_content_is_not_shown() {
    let dir = TestDir::new();
    dir.write("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    for arguments in ["read image.png", "read image.png --raw"] {
        let shown = on_terminal(&dir, Some("cat"), &format!("{arguments} || true"));
        assert!(shown.ends_with("write it to a file: tuckaway read image.png --raw > FILE\n"), "{shown:?}");
    }
}

#[test]
fn colors_are_shown_unless_the_user_refuses_them() {
    let dir = TestDir::new();
    dir.write("one.json", "[1]\n");
    for (arguments, colored) in [
        ("jq -c . one.json", "\u{1b}[0;39m1\u{1b}[0m"),
        ("grep 1 one.json", "[\u{1b}[1;31m1\u{1b}[0m]\n"),
        ("shape one.json", "\u{1b}[1;39m"),
    ] {
        let shown = on_terminal(&dir, None, &format!("{arguments}; true"));
        assert!(shown.contains(colored), "{shown:?}");
        let plain = dir.run(&arguments.split(' ').collect::<Vec<_>>());
        assert!(!plain.out().contains('\u{1b}'), "{plain:?}");
    }
    for arguments in ["jq -cM . one.json", "grep --color=never 1 one.json", "jq . one.json --max-bytes 1K"] {
        assert!(!on_terminal(&dir, None, arguments).contains('\u{1b}'), "{arguments}");
    }
}

#[test]
fn an_extraction_shows_its_progress() {
    let server =
        tuckaway_test_kit::model_server::ModelServer::start(vec!["slow:1500".parse().unwrap()], None);
    let server = server.unwrap();
    let dir = TestDir::new();
    dir.write("short.txt", lines(10));
    let url = server.url();
    let shown = on_terminal(&dir, None, &format!("extract short.txt 'line 7' --model m --base-url {url}"));
    assert!(shown.contains("\r\u{1b}[K0 answered, 1 open, 0 tokens in, 0 out, "), "{shown:?}");
    // The line is removed before the answer is printed.
    let (_, after) = shown.rsplit_once("\r\u{1b}[K").unwrap();
    assert!(after.starts_with("ABSTRACT FROM TOOL OUTPUT short"), "{shown:?}");
}
