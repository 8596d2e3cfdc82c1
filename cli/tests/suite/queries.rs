//! Queries of the command line as a process: they behave like the Unix tools of the
//! same names.

use std::process::Stdio;

use crate::test_dir::{TestDir, lines};

#[test]
fn cursors_lead_through_all_pages() {
    let dir = TestDir::new();
    let text = lines(500);
    let id = dir.put("build", text.as_bytes());
    let mut all = String::new();
    let mut next: Option<String> = None;
    loop {
        let cursor: Vec<&str> = next.iter().flat_map(|next| ["--cursor", next]).collect();
        let arguments = [&["read", &id, "--max-bytes", "1K"], &cursor[..]].concat();
        let ran = dir.run(&arguments);
        assert!(ran.status == 0 && ran.stdout.len() <= 1024);
        all.push_str(ran.out());
        match ran.stderr.trim_end() {
            "" => break,
            more => next = more.split('\'').nth(1).map(str::to_owned),
        }
        assert!(next.is_some(), "{}", ran.stderr);
    }
    assert_eq!(all, text);
    let page: serde_json::Value =
        serde_json::from_str(&dir.run(&["read", &id, "--max-bytes", "1K", "--json"]).ok()).unwrap();
    assert!(page["next"].is_string() && page["text"].as_str().unwrap().len() <= 1024);
    let page: serde_json::Value = serde_json::from_str(&dir.run(&["read", &id, "--json"]).ok()).unwrap();
    assert!(page["next"].is_null() && page["text"] == text);
}

#[test]
fn grep_behaves_like_grep() {
    let dir = TestDir::new();
    let text = "alpha\nBeta\ngamma\ndelta\nbeta again\nomega\nlast beta";
    dir.write("words.txt", text);
    let grep = |arguments: &[&str]| dir.run(&[&["grep", "words.txt"], arguments].concat());
    assert_eq!(grep(&["beta"]).ok(), "beta again\nlast beta\n");
    assert_eq!(grep(&["-n", "-i", "beta"]).ok(), "2:Beta\n5:beta again\n7:last beta\n");
    assert_eq!(grep(&["-nA1", "alpha"]).ok(), "1:alpha\n2-Beta\n");
    assert_eq!(
        grep(&["-n", "-C1", "gamma|omega"]).ok(),
        "2-Beta\n3:gamma\n4-delta\n5-beta again\n6:omega\n7-last beta\n"
    );
    assert_eq!(grep(&["-n", "-B1", "alpha|omega"]).ok(), "1:alpha\n--\n5-beta again\n6:omega\n");
    assert_eq!(grep(&["-v", "a$"]).ok(), "beta again\n");
    assert_eq!(grep(&["-c", "a"]).ok(), "7\n");
    assert_eq!(grep(&["-c", "-m2", "a"]).ok(), "2\n");
    assert_eq!(grep(&["-m2", "a"]).ok(), "alpha\nBeta\n");
    assert_eq!(grep(&["-F", "a$"]).quiet(1), "");
    assert_eq!(grep(&["-c", "nothing"]).quiet(1), "0\n");
    assert_eq!(grep(&["-e", "-x", "-v", "-c"]).ok(), "7\n");
    assert_eq!(grep(&["-q", "beta"]).ok(), "");
    assert_eq!(grep(&["-q", "nothing"]).quiet(1), "");
    assert!(grep(&["["]).error(2).ends_with("To search for exactly these characters, use -F."));
    let jq = dir.pipe(b"[1]", &["jq", "--max-steps", "9", "last(range(1e9))", "-"]).error(5);
    assert!(jq.ends_with("Query less at a time, or raise --max-steps."), "{jq}");
    assert!(grep(&["-C", "200", "x"]).error(2).starts_with("200 lines for -B or -C are too many"));
    assert!(grep(&["-A", "200", "x"]).error(2).starts_with("200 lines for -A or -C are too many"));
    assert_eq!(dir.pipe(b"one\ntwo\n", &["grep", "-", "tw"]).ok(), "two\n");
    let json: serde_json::Value = serde_json::from_str(&grep(&["--json", "gamma"]).ok()).unwrap();
    assert_eq!((&json["total"], &json["matches"][0]["byte_offset"]), (&1.into(), &11.into()));
}

#[test]
fn an_error_about_memory_names_the_options_that_raise_it() {
    let dir = TestDir::new();
    for (options, advice) in [
        (&["--max-memory", "1M"][..], "--max-memory"),
        (&["--max-memory", "1G", "--memory", "64M"], "--memory"),
        (&["--max-memory", "32M", "--memory", "64M"], "--max-memory and --memory"),
    ] {
        for filter in ["[range(1e6)] | map(tostring)", "1, ([range(1e6)] | map(tostring))"] {
            let ran = dir.pipe(b"[1]", &[&["jq"], options, &[filter, "-"]].concat());
            let end = format!("Query less at a time, or raise {advice}.\n");
            assert!(ran.status == 5 && ran.stderr.ends_with(&end), "{filter}: {}", ran.stderr);
        }
    }
    dir.write("numbers.json", format!("[{}1]", "1,".repeat(100_000)));
    let jq = dir.run(&["jq", "numbers.json", "--max-memory", "1M", "walk(.) | length"]).error(5);
    assert!(jq.contains("fits into 640 KiB of memory. Begin it with a path"), "{jq}");
    assert!(jq.ends_with("`.[:10]`, or raise --max-memory."), "{jq}");
}

#[test]
fn grep_matches_several_patterns_whole_words_and_whole_lines() {
    let dir = TestDir::new();
    dir.write("words.txt", "cat\nconcat\ncat dog\na.b\naxb\n--x --\n|\ncat_\n");
    let grep = |arguments: &[&str]| dir.run(&[&["grep", "words.txt"], arguments].concat());
    assert_eq!(grep(&["-w", "cat"]).ok(), "cat\ncat dog\n");
    assert_eq!(grep(&["-x", "cat"]).ok(), "cat\n");
    assert_eq!(grep(&["-x", "cat|con.*"]).ok(), "cat\nconcat\n");
    assert_eq!(grep(&["-wx", "cat"]).ok(), "cat\n");
    assert_eq!(grep(&["-wF", "--", "--"]).ok(), "--x --\n");
    assert_eq!(grep(&["-xF", "a.b"]).ok(), "a.b\n");
    assert_eq!(grep(&["-xF", "|"]).ok(), "|\n");
    assert_eq!(grep(&["-e", "dog", "-e", "a.b"]).ok(), "cat dog\na.b\naxb\n");
    assert_eq!(grep(&["-F", "-e", "dog", "-e", "a.b"]).ok(), "cat dog\na.b\n");
    assert_eq!(grep(&["-i", "-x", "-e", "CAT", "-e", "AXB"]).ok(), "cat\naxb\n");
    // A later word of the line may match.
    assert_eq!(dir.pipe(b"concat cat\n", &["grep", "-", "-w", "cat"]).ok(), "concat cat\n");
}

#[test]
fn grep_prints_the_stored_bytes() {
    let dir = TestDir::new();
    let long = [b"match \xff ".as_slice(), &[b'x'; 200_000]].concat();
    let stored =
        [b"before \xfe\r\nmatch \xff short\nbetween\n".as_slice(), &long, b"\nmatch \xe9\r"].concat();
    dir.write("bytes.txt", &stored);
    let ran = dir.run(&["grep", "bytes.txt", "-C1", "match"]);
    let whole = [b"before \xfe\nmatch \xff short\nbetween\n".as_slice(), &long, b"\nmatch \xe9\r\n"].concat();
    assert!(ran.status == 0 && ran.stdout == whole, "{:?}", String::from_utf8_lossy(&ran.stdout[..60]));
    assert!(dir.run(&["grep", "bytes.txt", "short", "--max-bytes", "1K"]).ok().contains('\u{fffd}'));
}

#[test]
fn grep_prints_long_lines_in_full_unless_a_page_is_requested() {
    let dir = TestDir::new();
    let long = format!("{}NEEDLE{}", "x".repeat(300_000), "y".repeat(300_000));
    let before = format!("before {}", "b".repeat(100_000));
    dir.write("long.txt", format!("first\n{before}\n{long}\r\nafter\n"));
    let ran = dir.run(&["grep", "long.txt", "-n", "-C1", "NEEDLE"]).ok();
    assert!(ran == format!("2-{before}\n3:{long}\n4-after\n"), "{} bytes", ran.len());
    let ran = dir.run(&["grep", "long.txt", "NEEDLE", "--max-bytes", "1K"]).ok();
    assert!(ran.len() <= 1024 && ran.contains("NEEDLE"), "{ran}");
}

#[test]
fn jq_behaves_like_jq() {
    let dir = TestDir::new();
    dir.write("data.json", r#"{"rows": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]}"#);
    let jq = |arguments: &[&str]| dir.run(&[&["jq", "data.json"], arguments].concat());
    assert_eq!(jq(&[".rows | length"]).ok(), "2\n");
    assert_eq!(jq(&["-c", ".rows[0]"]).ok(), "{\"id\":1,\"name\":\"one\"}\n");
    assert_eq!(jq(&[".rows[].name", "-r"]).ok(), "one\ntwo\n");
    assert_eq!(jq(&[".rows[1]"]).ok(), "{\n  \"id\": 2,\n  \"name\": \"two\"\n}\n");
    assert!(!jq(&[".rows["]).error(3).is_empty());
    let ran = jq(&[".rows[].name | (., error(\"no\"))"]);
    assert_eq!((ran.status, ran.out()), (5, "\"one\"\n"), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("tuckaway: ") && ran.stderr.contains("no"), "{}", ran.stderr);
    let ran = jq(&[".rowz"]);
    assert_eq!((ran.status, ran.out()), (0, "null\n"));
    assert_eq!(ran.stderr, "tuckaway: .rowz: no such key; keys here: rows; the nearest is rows\n");
    assert!(!dir.pipe(b"no json here", &["jq", "-", "."]).error(2).is_empty());
    let id = dir.put("fetch", b"[1, 2, 3]");
    assert_eq!(dir.run(&["jq", &id, "add"]).ok(), "6\n");
}

#[test]
fn jq_uses_other_sources_and_saves_outputs() {
    let dir = TestDir::new();
    dir.write("issues.json", r#"[{"id": 1, "user": "ann"}, {"id": 2, "user": "bo"}]"#);
    dir.write("users.json", r#"{"ann": "Ann", "bo": "Bo"}"#);
    let filter = ".[] | .user |= $users[.]";
    let joined = ["jq", filter, "issues.json", "--with", "users=users.json"];
    assert_eq!(
        dir.run(&[&joined[..], &["-c"]].concat()).ok(),
        "{\"id\":1,\"user\":\"Ann\"}\n{\"id\":2,\"user\":\"Bo\"}\n"
    );
    let saved = dir.run(&[&joined[..], &["--save-as", "joined"]].concat());
    assert!(saved.stderr.contains("saved 2 outputs, 43 bytes, as joined"), "{}", saved.stderr);
    let id = saved.out().trim_end().to_owned();
    assert_eq!(dir.run(&["jq", "-r", ".user", &id]).out(), "Ann\nBo\n");
    assert_eq!(
        dir.run(&["jq", "-c", "$j | map(.id)", "users.json", "--with", &format!("j={id}")]).ok(),
        "[1,2]\n"
    );
    // Two sources of the same name are different sources.
    assert_eq!(
        dir.run(&["jq", "length == ($a | length)", "users.json", "--with", "a=users.json"]).ok(),
        "true\n"
    );
    assert!(dir.run(&["jq", "empty", &id, "--save-as", "none"]).error(3).starts_with("Nothing was saved."));
    let refused = |arguments: &[&str], why: &str| {
        let ran = dir.run(&[&["jq", ".", id.as_str()], arguments].concat());
        assert!(ran.status == 2 && ran.stderr.contains(why), "{}", ran.stderr);
    };
    refused(&["--save-as", "x", "--max-bytes", "1K"], "cannot be used with '--max-bytes");
    refused(&["--with", "users"], "write NAME=ID or NAME=FILE");
}

#[test]
fn jq_reports_how_it_read_other_formats() {
    let dir = TestDir::new();
    for (content, filter, out, note) in [
        ("{\"a\":1}\n{\"a\":2}\n", ".a", "1\n2\n", "Several JSON documents: the filter runs once for each"),
        ("a,b\n1,x\n2,y\n", ".[].a", "1\n2\n", "CSV read as an array of 2 objects, keyed by its header"),
    ] {
        let ran = dir.pipe(content.as_bytes(), &["jq", "-", filter]);
        assert_eq!((ran.status, ran.out(), &*ran.stderr), (0, out, &*format!("tuckaway: {note}\n")));
        let ran = dir.pipe(content.as_bytes(), &["jq", "-", filter, "--json"]).ok();
        assert!(ran.contains(&format!("\"parsed_as\": \"{note}\"")), "{ran}");
    }
}

#[test]
fn operands_are_accepted_in_either_order() {
    let dir = TestDir::new();
    dir.write("data.json", r#"{"a": "one", "b": "two"}"#);
    let id = dir.put("fetch", b"{\"a\": \"stored\"}");
    for (first, second, found) in
        [(".a", "data.json", "one"), ("data.json", ".a", "one"), (".a", &id, "stored"), (&id, ".a", "stored")]
    {
        assert_eq!(dir.run(&["jq", "-r", first, second]).ok(), format!("{found}\n"));
        let (first, second) = (first.replace(".a", "\"a\""), second.replace(".a", "\"a\""));
        assert!(dir.run(&["grep", &first, &second]).ok().contains(found), "{first} {second}");
    }
    // If both operands are files, the second one is the source, as in the Unix tools.
    dir.write("keys", r#"{"x": 1}"#);
    dir.write("one", "a line of its own\n");
    assert_eq!(dir.run(&["jq", "-c", "keys", "data.json"]).ok(), "[\"a\",\"b\"]\n");
    assert!(dir.run(&["grep", "one", "data.json"]).ok().contains("two"));
    assert_eq!(dir.run(&["grep", "-e", "line", "one"]).ok(), "a line of its own\n");
    // An id that another program has minted is looked up in the store.
    let artifact = std::fs::read_to_string(dir.0.join(format!("store/{id}.json"))).unwrap();
    dir.write("store/other-id.json", artifact.replace(&id, "other-id"));
    dir.write("store/other-id", "{\"a\": \"stored\"}");
    assert_eq!(dir.run(&["jq", "-r", ".a", "other-id"]).ok(), "stored\n");
    assert_eq!(dir.run(&["jq", "-r", "other-id", ".a"]).ok(), "stored\n");
}

#[test]
fn standard_input_is_the_default_source() {
    let dir = TestDir::new();
    assert_eq!(dir.pipe(b"{\"a\": 1}", &["jq", ".a"]).ok(), "1\n");
    assert_eq!(dir.pipe(b"[1]", &["jq", "-c"]).ok(), "[1]\n");
    assert_eq!(dir.pipe(b"one\ntwo\n", &["grep", "tw"]).ok(), "two\n");
    assert_eq!(dir.pipe(b"one\ntwo\n", &["grep", "-e", "tw"]).ok(), "two\n");
    dir.write("data.json", "[1, 2]");
    assert_eq!(dir.run(&["jq", "-c", "data.json"]).ok(), "[1,2]\n");
}

#[test]
fn grep_without_a_source_searches_all_artifacts() {
    let dir = TestDir::new();
    let nothing = dir.run(&["grep", "two"]);
    assert_eq!((nothing.status, nothing.out()), (1, ""));
    assert_eq!(nothing.stderr, "tuckaway: searched 0 artifacts, 0 bytes\n");
    let old = dir.put("old", b"one\ntwo\n");
    let long = format!("{} two {}", "x".repeat(3_000), "y".repeat(3_000));
    let new = dir.put("new", format!("two\nthree\n{long}\n").as_bytes());
    let png = dir.put("shot", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    let all = dir.run(&["grep", "-n", "two"]);
    let (newest, oldest) = (
        format!("{new} (new, text/plain): 2 lines\n1:two\n3:{long}\n"),
        format!("{old} (old, text/plain): 1 line\n2:two\n"),
    );
    assert_eq!((all.status, all.out()), (0, &*format!("{newest}\n{oldest}")));
    let binary = format!("tuckaway: not searched: {png}: This artifact is binary");
    assert!(
        all.stderr.starts_with(&binary) && all.stderr.contains("searched 2 artifacts, 6 KB"),
        "{}",
        all.stderr
    );
    assert_eq!(dir.run(&["grep", "-e", "two", "-c"]).out(), format!("{new}:2\n{old}:1\n"));
    assert_eq!(dir.run(&["grep", "two", "-o", "-m2"]).out().matches("two\n").count(), 2);
    assert_eq!(dir.run(&["grep", "two", "-q"]).quiet(0), "");
    assert_eq!(dir.run(&["grep", "four", "-q"]).quiet(1), "");
    // Standard input is searched if it can have content, unless an option says otherwise.
    assert_eq!(dir.pipe(b"two of the pipe\n", &["grep", "two"]).ok(), "two of the pipe\n");
    assert_eq!(dir.pipe(b"two of the pipe\n", &["grep", "--all", "-n", "two"]).out(), all.out());
    let json: serde_json::Value = serde_json::from_str(&dir.run(&["grep", "--json", "two"]).ok()).unwrap();
    assert_eq!((&json["groups"][0]["artifact"]["id"], &json["searched"]), (&new.as_str().into(), &2.into()));
    let page = dir.run(&["grep", "two", "-m1", "--max-bytes", "1K"]);
    let cursor = page.stderr.split('\'').nth(1).unwrap();
    let next = dir.run(&["grep", "two", "--max-bytes", "1K", "--cursor", cursor]);
    assert!(
        page.out().contains(&new) && next.out().contains('…') && next.out().contains(&old),
        "{page:?} {next:?}"
    );
    assert!(
        dir.run(&["grep", "two", "--max-bytes", "512"])
            .error(2)
            .contains("--max-bytes is 512, but a search of all")
    );
    assert!(dir.run(&["grep", "--all", "two", "words.txt"]).error(2).ends_with("or remove words.txt"));
    assert!(dir.run(&["grep", "--all"]).error(2).starts_with("the pattern is missing"));
}

#[test]
fn operands_that_do_not_exist_are_refused() {
    let dir = TestDir::new();
    let neither =
        "neither ./missing nor . is a file or an artifact; run `tuckaway list` to see the artifacts";
    assert_eq!(dir.run(&["jq", "./missing", "."]).error(2), neither);
    assert_eq!(dir.run(&["grep", "./missing", "."]).error(2), neither);
    dir.write("words.txt", "word\n");
    assert!(dir.run(&["grep", "words.txt"]).error(2).starts_with("the pattern is missing"));
    std::fs::create_dir(dir.0.join("folder")).unwrap();
    let folder = "folder is a directory; name a file or an artifact";
    for command in
        [&["read", "folder"][..], &["jq", ".", "folder"], &["grep", "a", "folder"], &["shape", "folder"]]
    {
        assert_eq!(dir.run(command).error(2), folder);
    }
}

#[test]
fn grep_prints_only_matching_parts() {
    let dir = TestDir::new();
    dir.write("log.txt", "id=1 id=22\nnothing\nID=3 x\r\nid=\n");
    let grep = |arguments: &[&str]| dir.run(&[&["grep", "-o"], arguments, &["log.txt"]].concat());
    assert_eq!(grep(&["id=[0-9]+"]).ok(), "id=1\nid=22\n");
    assert_eq!(grep(&["-i", "-n", "id=[0-9]*"]).ok(), "1:id=1\n1:id=22\n3:ID=3\n4:id=\n");
    assert_eq!(grep(&["-F", "d=2"]).ok(), "d=2\n");
    assert_eq!(grep(&["-w", "-e", "22", "-e", "x"]).ok(), "22\nx\n");
    assert_eq!(grep(&["-C2", "nothing"]).ok(), "nothing\n");
    assert_eq!(grep(&["x*"]).ok(), "x\n");
    assert_eq!(grep(&["-c", "id"]).ok(), "2\n");
    assert_eq!(grep(&["-v", "id"]).ok(), "");
    assert_eq!(grep(&["-m1", "id="]).ok(), "id=\nid=\n");
    assert_eq!(grep(&["absent"]).quiet(1), "");
    // A line that the engine returns as an excerpt is searched in full.
    let long: String = (0..100_000).map(|n| format!("{{\"name\":\"n{n}\"}}")).collect();
    dir.write("long.json", &long);
    let names = dir.run(&["grep", "-o", "\"n[0-9]+\"", "long.json"]).ok();
    assert_eq!((names.lines().count(), names.lines().last()), (100_000, Some("\"n99999\"")));
}

#[test]
fn names_are_ids_or_paths() {
    let dir = TestDir::new();
    dir.write("Makefile", "all:\n");
    assert_eq!(dir.run(&["read", "Makefile"]).ok(), "all:\n");
    assert_eq!(dir.run(&["read", "./Makefile"]).ok(), "all:\n");
    // A name in the form of an id is an artifact, or a file if there is no such artifact.
    let id = dir.put("t", b"stored\n");
    dir.write(&id, "a file\n");
    assert_eq!(dir.run(&["read", &id]).ok(), "stored\n");
    dir.run(&["rm", &id]).ok();
    assert_eq!(dir.run(&["read", &id]).ok(), "a file\n");
    assert!(dir.run(&["read", "nothing"]).error(2).contains("tuckaway list"));
    assert!(dir.run(&["read", "../../etc/no-such-file"]).error(2).starts_with("cannot read ../../etc"));
    assert!(dir.run(&["read", "./"]).error(2).contains("is a directory"));
    assert!(dir.run(&["stat", "nothing"]).error(2).ends_with("see `tuckaway list`."));
    assert!(dir.run(&["rm", "nothing"]).error(2).ends_with("see `tuckaway list`."));
    assert!(dir.run(&["stat", "../x"]).error(1).contains("not an artifact id"));
    assert!(dir.run(&["rm", "../x"]).error(1).contains("not an artifact id"));
}

#[test]
fn binary_bytes_are_returned_unchanged() {
    let dir = TestDir::new();
    let bytes: Vec<u8> = (0..20_000u32).map(|n| (n % 251) as u8).collect();
    dir.write("bytes", &bytes);
    assert_eq!(dir.run(&["read", "./bytes", "--raw"]).stdout, bytes);
    assert!(dir.run(&["read", "./bytes"]).ok().contains('\u{fffd}'));
    let ran = dir.pipe(&bytes, &["offload", "--media-type", "image/png"]);
    assert_eq!((ran.status, ran.stdout), (0, bytes));
}

#[test]
fn shape_and_truncate() {
    let dir = TestDir::new();
    dir.write("data.json", r#"{"rows": [{"id": 1}, {"id": 2}]}"#);
    let ran = dir.run(&["shape", "data.json"]);
    assert_eq!(ran.stderr, "application/json\n");
    assert!(ran.out().contains("rows"), "{}", ran.out());
    let shape: serde_json::Value =
        serde_json::from_str(&dir.run(&["shape", "--json", "data.json"]).ok()).unwrap();
    assert_eq!(shape["media_type"], "application/json");
    let short = dir.pipe(lines(10_000).as_bytes(), &["truncate", "--max-bytes", "1K"]).ok();
    assert!(short.len() <= 1024 && short.starts_with("line 1 of") && short.contains("truncated"), "{short}");
    // Bytes are not decoded first.
    let gzip = [&b"\x1F\x8B\x08\0\0\0\0\0\0\x03"[..], &[0x9D; 600]].concat();
    assert_eq!(dir.pipe(&gzip, &["truncate", "--max-bytes", "1K"]).ok(), "[gzip data, 610 bytes, not shown]");
    assert_eq!(dir.pipe(&gzip, &["shape", "-"]).stderr, "application/gzip\n");
    for command in ["truncate", "offload"] {
        let ran = dir.run(&[command, "data.json", "--max-bytes", "511"]);
        assert!(ran.status == 2 && ran.stderr.contains("at least 512 bytes"), "{}", ran.stderr);
    }
}

#[test]
fn tools_and_their_calls() {
    let dir = TestDir::new();
    let tools: serde_json::Value =
        serde_json::from_str(&dir.run(&["tools", "--tools", "jq,read"]).ok()).unwrap();
    let names: Vec<_> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["artifact_read", "artifact_jq"]);
    assert_eq!(tools[0]["input_schema"]["type"], "object");
    assert_eq!(dir.run(&["tools", "--tools", "none"]).ok(), "[]\n");
    let id = dir.put("fetch", b"[1, 2, 3]");
    let arguments = format!(r#"{{"artifact_id": "{id}", "filter": "add"}}"#);
    assert!(dir.run(&["call", "artifact_jq", &arguments]).ok().contains('6'));
    assert!(dir.pipe(arguments.as_bytes(), &["call", "artifact_jq", "-"]).ok().contains('6'));
    let ran = dir.run(&["call", "artifact_jq", "{}"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    assert!(ran.out().contains("artifact_id"), "{}", ran.out());
    assert!(!dir.run(&["call", "sql_query", "{}"]).error(1).is_empty());
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_not_reported() {
    let dir = TestDir::new();
    dir.write("long.txt", lines(300_000));
    let mut command = dir.command(&["read", "./long.txt"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
