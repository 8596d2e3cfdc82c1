//! `tuckaway grep` as people use grep. The expected outputs are from GNU grep 3.8.

use crate::test_dir::TestDir;

fn with_files() -> TestDir {
    let dir = TestDir::new();
    std::fs::create_dir_all(dir.0.join("sub/deep")).unwrap();
    dir.write("a.txt", "one\ntwo\n");
    dir.write("sub/b.txt", "two\nthree\ntwo\n");
    dir.write("sub/deep/c.txt", "none here\n");
    dir.write("sub/image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR two");
    dir
}

#[test]
fn lines_after_the_last_match_are_printed() {
    let dir = TestDir::new();
    dir.write("lines", "a\nm1\nb\nm2\nc\nd\n");
    let grep = |arguments: &[&str]| dir.run(&[&["grep", "-n", "m"], arguments, &["lines"]].concat()).ok();
    assert_eq!(grep(&["-m1", "-A3"]), "2:m1\n3-b\n4-m2\n5-c\n");
    assert_eq!(grep(&["-m1", "-C1"]), "1-a\n2:m1\n3-b\n");
    assert_eq!(grep(&["-m2", "-A9"]), "2:m1\n3-b\n4:m2\n5-c\n6-d\n");
    assert_eq!(grep(&["-m1", "-A0"]), "2:m1\n");
}

#[test]
fn several_files_have_names() {
    let dir = with_files();
    let grep = |arguments: &[&str]| dir.run(&[&["grep"], arguments].concat());
    assert_eq!(grep(&["two", "a.txt", "sub/b.txt"]).ok(), "a.txt:two\nsub/b.txt:two\nsub/b.txt:two\n");
    assert_eq!(
        grep(&["-n", "-A1", "thr", "a.txt", "sub/b.txt"]).ok(),
        "sub/b.txt:2:three\nsub/b.txt-3-two\n"
    );
    assert_eq!(grep(&["-H", "two", "a.txt"]).ok(), "a.txt:two\n");
    assert_eq!(grep(&["--no-filename", "-o", "-e", "t.o", "a.txt", "sub/b.txt"]).ok(), "two\ntwo\ntwo\n");
    assert_eq!(grep(&["-c", "two", "a.txt", "sub/b.txt"]).ok(), "a.txt:1\nsub/b.txt:2\n");
    assert_eq!(grep(&["-m1", "two", "a.txt", "sub/b.txt"]).ok(), "a.txt:two\nsub/b.txt:two\n");
    let id = dir.put("t", b"two stored\n");
    assert_eq!(grep(&["two", "a.txt", &id]).ok(), format!("a.txt:two\n{id}:two stored\n"));
    assert!(grep(&["--json", "two", "a.txt", "sub/b.txt"]).error(2).contains("take one input"));
    // A pattern may begin with a hyphen.
    dir.write("dash", "a -x b\n");
    assert_eq!(grep(&["-e", "-x", "dash"]).ok(), "a -x b\n");
    assert_eq!(grep(&["--", "-x", "dash"]).ok(), "a -x b\n");
}

#[test]
fn names_of_files_are_listed() {
    let dir = with_files();
    let grep = |arguments: &[&str]| dir.run(&[&["grep"], arguments].concat());
    assert_eq!(grep(&["-l", "two", "a.txt", "sub/b.txt", "sub/deep/c.txt"]).ok(), "a.txt\nsub/b.txt\n");
    assert_eq!(grep(&["-L", "two", "a.txt", "sub/b.txt", "sub/deep/c.txt"]).ok(), "sub/deep/c.txt\n");
    assert_eq!(grep(&["-l", "four", "a.txt"]).quiet(1), "");
    assert_eq!(grep(&["-L", "two", "a.txt"]).quiet(1), "");
    assert_eq!(dir.pipe(b"two\n", &["grep", "-l", "two"]).ok(), "(standard input)\n");
    let (old, new) = (dir.put("old", b"two\n"), dir.put("new", b"one\n"));
    assert_eq!(grep(&["-l", "two"]).ok(), format!("{old}\n"));
    assert_eq!(grep(&["-L", "two"]).ok(), format!("{new}\n"));
}

#[test]
fn directories_are_searched() {
    let dir = with_files();
    let found = dir.run(&["grep", "-r", "two", "sub"]);
    assert_eq!((found.status, found.out()), (0, "sub/b.txt:two\nsub/b.txt:two\n"));
    assert!(found.stderr.starts_with("tuckaway: not searched: sub/image: "), "{}", found.stderr);
    assert!(found.stderr.ends_with("To search its bytes, use `grep -a`.\n"), "{}", found.stderr);
    assert_eq!(dir.run(&["grep", "-rs", "two", "sub"]).ok(), found.out());
    assert_eq!(dir.run(&["grep", "-rsl", "two"]).ok(), "./a.txt\n./sub/b.txt\n");
    // The pattern comes first, even if there is a file of that name.
    assert_eq!(dir.run(&["grep", "-rs", "a.txt"]).quiet(1), "");
}

#[test]
fn files_that_are_missing_do_not_end_the_search() {
    let dir = with_files();
    let ran = dir.run(&["grep", "two", "gone", "a.txt"]);
    assert_eq!((ran.status, ran.out()), (2, "a.txt:two\n"));
    assert!(
        ran.stderr.starts_with("tuckaway: not searched: gone: there is no artifact or file"),
        "{}",
        ran.stderr
    );
    assert_eq!(dir.run(&["grep", "-s", "two", "gone", "a.txt"]).quiet(2), "a.txt:two\n");
    assert_eq!(dir.run(&["grep", "-s", "two", "./gone"]).quiet(2), "");
    assert_eq!(dir.run(&["grep", "-q", "two", "a.txt", "gone"]).ok(), "");
    // A mistake in the pattern is reported once.
    assert!(dir.run(&["grep", "(", "a.txt", "sub/b.txt"]).error(2).ends_with("use -F."));
}

#[test]
fn matches_are_colored_on_request() {
    let dir = with_files();
    let grep = |arguments: &[&str]| dir.run(&[&["grep"], arguments].concat()).ok();
    let colored = |color: &str, text: &str| format!("\u{1b}[{color}m{text}\u{1b}[0m");
    let (name, colon) = (colored("35", "a.txt"), colored("36", ":"));
    let line = format!("{name}{colon}{}{colon}{}o\n", colored("32", "2"), colored("1;31", "tw"));
    assert_eq!(grep(&["--color=always", "-nH", "tw", "a.txt"]), line);
    assert_eq!(grep(&["--color=always", "-v", "two", "a.txt"]), "one\n");
    for option in ["--color", "--color=auto", "--colour=never"] {
        assert_eq!(grep(&[option, "two", "a.txt"]), "two\n");
    }
}

#[test]
fn what_cannot_be_done_says_what_to_do() {
    let dir = with_files();
    assert!(dir.run(&["grep", "-z", "two", "a.txt"]).error(2).contains("tr '\\0' '\\n' < FILE"));
    assert_eq!(dir.run(&["grep", "-a", "two", "a.txt"]).ok(), "two\n");
    assert!(dir.run(&["grep", "-a", "two", "sub/image"]).error(2).ends_with("use `grep -a`."));
    // -F is not advised if it was given, or would refuse the pattern as well.
    let long = &*"x".repeat(5_000);
    for arguments in [&["-F", long][..], &[long], &["-wF", long]] {
        let error = dir.run(&[&["grep", "a.txt"], arguments].concat()).error(2);
        assert!(error.ends_with("Search for a part of it."), "{error}");
    }
}
