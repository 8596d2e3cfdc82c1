use serde_json::{Value, json};

use super::*;

/// Returns the outline, and the entries as JSON.
fn read(text: &str) -> Option<(Value, Vec<Value>)> {
    detect(&Sample::of(text.as_bytes())).then(|| {
        let outline = outline(text.as_bytes()).to_json(4_096, &crate::Layout::ONE_LINE);
        let entries = to_json(text.as_bytes(), 1 << 20).unwrap().json;
        (serde_json::from_str(&outline).unwrap(), serde_json::from_slice(&entries).unwrap())
    })
}

#[test]
fn listings_are_read() {
    for (text, kind, last) in [
        (
            ".:\ntotal 12\ndrwxr-xr-x 2 ada ada 4096 Nov 25 14:38 src\n-rw-r--r-- 1 ada ada  120 Jan  2  2025 a b.txt\n\n./src:\ntotal 4\n-rw-r--r--. 1 ada ada 2048 2026-11-25 14:38 a.rs\n",
            "listing of ls -l: 3 entries in 2 directories",
            json!({"directory": "./src", "mode": "-rw-r--r--.", "links": 1, "owner": "ada", "group": "ada", "size": 2048, "modified": "2026-11-25 14:38", "path": "a.rs"}),
        ),
        (
            "total 8\n-rw-r--r-- 1 ada ada 1.5K Nov 25 14:38 a\nlrwxrwxrwx 1 ada ada 7 2026-11-25 14:38:01.123 +0100 b -> usr/bin\n",
            "listing of ls -l: 2 entries in 1 directory",
            json!({"directory": null, "mode": "lrwxrwxrwx", "links": 1, "owner": "ada", "group": "ada", "size": 7, "modified": "2026-11-25 14:38:01.123 +0100", "path": "b -> usr/bin"}),
        ),
        (
            "   330607     40 drwxr-xr-x 772 root     root        36864 Nov 25 14:38 /usr/share/doc\n   332343      4 -rw-r--r--   1 root     root         4096 Jun 24  2025 /usr/share/doc/a\n",
            "listing of find -ls: 2 entries in 2 directories",
            json!({"inode": 332_343, "blocks": 4, "mode": "-rw-r--r--", "links": 1, "owner": "root", "group": "root", "size": 4096, "modified": "Jun 24  2025", "path": "/usr/share/doc/a"}),
        ),
        (
            "drwxr-xr-x ada/ada         0 2026-11-25 14:38 a/\n-rw-r--r-- ada/ada       120 2026-11-25 14:38 a/b.txt\n",
            "listing of tar -tv: 2 entries in 1 directory",
            json!({"mode": "-rw-r--r--", "owner": "ada/ada", "size": 120, "modified": "2026-11-25 14:38", "path": "a/b.txt"}),
        ),
        (
            "d41d8cd98f00b204e9800998ecf8427e  a/b.txt\nd41d8cd98f00b204e9800998ecf8427f  c.txt\n",
            "listing of sha256sum: 2 entries in 2 directories",
            json!({"checksum": "d41d8cd98f00b204e9800998ecf8427f", "path": "c.txt"}),
        ),
        (
            "100644 blob d41d8cd98f00b204e9800998ecf8427e00000000      49\ta/b.txt\n040000 tree d41d8cd98f00b204e9800998ecf8427e00000001       -\tc\n",
            "listing of git ls-tree -l: 2 entries in 2 directories",
            json!({"mode": "040000", "type": "tree", "object": "d41d8cd98f00b204e9800998ecf8427e00000001", "size": "-", "path": "c"}),
        ),
        (
            "8.0K\t./a/b\n1.2M\t./a/c\n1.3M\t./a\n",
            "listing of du: 3 entries in 2 directories",
            json!({"usage": "1.3M", "path": "./a"}),
        ),
        (
            "  253 src/a.rs\n 1063 src/b.rs\n   12 src/c/d.rs\n 1328 total\n",
            "listing of wc -l: 3 entries in 2 directories",
            json!({"lines": 12, "path": "src/c/d.rs"}),
        ),
        (
            "a.txt\nsrc/a.rs\nsrc/b.rs\nsrc/c/d.rs\nsrc/c/e.rs\n",
            "listing of paths: 5 entries in 3 directories",
            json!({"path": "src/c/e.rs"}),
        ),
    ] {
        let (outline, entries) = read(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((outline["kind"].as_str(), entries.last()), (Some(kind), Some(&last)), "{text}");
    }
}

#[test]
fn directories_and_the_largest_entries_are_named() {
    let text = "a:\n-rw-r--r-- 1 ada ada 2048 Nov 25 14:38 x\n-rw-r--r-- 1 ada ada 1024 Nov 25 14:38 y\n\nb:\n-rw-r--r-- 1 ada ada 4.0K Nov 25 14:38 z\n";
    let (outline, _) = read(text).unwrap();
    assert_eq!(outline["directories"], json!({"a": "2 entries, 3 KB", "b": "1 entry, 4 KB"}));
    assert_eq!(outline["largest"], json!({"z": "4.0K", "x": "2048", "y": "1024"}));
}

#[test]
fn other_lines_are_not_listings() {
    for text in [
        "",
        "https://example.org/a\nhttps://example.org/b\nhttps://example.org/c\nhttps://example.org/d\nhttps://example.org/e\n",
        "one\ntwo\nthree\nfour\nfive\nsix\n",
        "  3 /index.html\n  2 /about.html\n  1 /a/b.html\n",
        "      2 one\n      1 two\n      3 total\n",
        "// a comment/path\n// another/one\n// more/of it\n// more/of it\n// more/of it\n",
        "<TR><TD>1</TD>\n<TD>Oslo</TD>\n</TR>\n<TR><TD>2</TD>\n<TD>Bergen</TD>\n</TR>\n",
        "read and/or write\nmore and/or less\nthis and/or that\none and/or two\nyes and/or no\n",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}
