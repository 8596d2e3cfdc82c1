use serde_json::{Value, json};

use super::*;

/// Returns the first line of the outline, and the matches as JSON.
fn read(text: &str) -> Option<(String, Vec<Value>)> {
    detect(&Sample::of(text.as_bytes())).then(|| {
        let outline = outline(text.as_bytes()).to_json(4_096, &crate::Layout::ONE_LINE);
        let outline: Value = serde_json::from_str(&outline).unwrap();
        let matches = to_json(text.as_bytes(), 1 << 20).unwrap().json;
        (outline["kind"].as_str().unwrap().to_owned(), serde_json::from_slice(&matches).unwrap())
    })
}

#[test]
fn results_are_read() {
    for (text, kind, last) in [
        (
            "src/a.rs:12:    let x = 1;\nsrc/a.rs:40:fn b() {\nREADME:7:x: 8:9\n",
            "search results of grep -n: 3 matches in 2 files",
            json!({"file": "README", "line": 7, "text": "x: 8:9"}),
        ),
        (
            "src/a.rs-11-// before\nsrc/a.rs:12:let x = 1;\nsrc/a.rs-13-// behind\n--\nsrc/b.rs:1:\n",
            "search results of grep -n: 2 matches in 2 files",
            json!({"file": "src/b.rs", "line": 1, "text": null}),
        ),
        (
            "a.rs:1:5:use a;\nb.rs:22:1:x\n",
            "search results of rg --vimgrep: 2 matches in 2 files",
            json!({"file": "b.rs", "line": 22, "column": 1, "text": "x"}),
        ),
        (
            "src/a.rs\n1:use a;\n22:use b;\n\nsrc/b.rs\n7:42\n",
            "search results of rg --heading: 3 matches in 2 files",
            json!({"file": "src/b.rs", "line": 7, "text": "42"}),
        ),
        (
            "./a/b.txt:one\n./a/b.txt:two: 3\n./c.txt:four\n",
            "search results of grep -r: 3 matches in 2 files",
            json!({"file": "./c.txt", "text": "four"}),
        ),
        (
            "C:\\src\\a.cs:3:x\nC:\\src\\a.cs:4:y\n",
            "search results of grep -n: 2 matches in 1 file",
            json!({"file": "C:\\src\\a.cs", "line": 4, "text": "y"}),
        ),
    ] {
        let (found, matches) = read(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((found.as_str(), matches.last()), (kind, Some(&last)), "{text}");
    }
}

#[test]
fn other_lines_with_colons_are_not_results() {
    for text in [
        "",
        "12:34:56 started\n12:34:57 ended\n",
        "src/a.c:12: warning: unused\nsrc/b.c:7: error: missing\n",
        "a.py:1:5: E501 line too long\nb.py:2:1: W291 trailing whitespace\n",
        "https://example.org:80/a\nhttps://example.org:81/b\nhttps://example.org:82/c\n",
        "root:x:0:0:root:/root:/bin/bash\nada:x:1:1::/home/ada:/bin/sh\n",
        "127.0.0.1 - - [25/Nov/2026 14:49:34] \"GET / HTTP/1.1\" 200 -\n127.0.0.1 - - [25/Nov/2026 14:49:35] \"GET / HTTP/1.1\" 200 -\n",
        "Name: a\nVersion: 1\nSize: 12:13\n",
        "1:a\n2:b\n3:c\n",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}
