//! Source code: which language it is in, and where in it what is declared.
//!
//! ```text
//! head ─► Language ─┬─► shape: declarations by line number
//!                   └─► cut: head and tail, what is declared between them listed
//! ```
//!
//! No grammar: a declaration is known by the word that its line begins with. That
//! takes a few bytes a language, is right for code as people set it, and costs no
//! more than finding the lines.

mod language;
mod numbered;
mod truncate;
mod walker;

pub use truncate::truncate;

use walker as source;

use crate::line as lines;
use crate::outline::{Entry, Outline};
use crate::sample::Sample;
use language::Language;

/// Declarations that are named; what comes after is counted.
const MAX_NAMED: usize = 512;
/// No line that declares something is looked at beyond this.
const LINE_BYTES: usize = 400;

/// Whether enough lines are those of one language.
pub fn detect(sample: &Sample) -> bool {
    Language::of(sample).is_some()
}

/// Language, lines, and what is declared, by line number.
pub fn outline(bytes: &[u8]) -> Outline {
    let sample = Sample::of(bytes);
    let language = Language::of(&sample);
    let numbered = numbered::is_numbered(sample.lines());
    let (mut line_count, mut count) = (0u64, 0u64);
    let mut named: Vec<(String, String)> = Vec::new();
    let mut all = lines::Lines::of(bytes);
    while let Some(line) = all.next() {
        line_count += 1;
        if let Some(symbol) = language.and_then(|language| declared(line, language, numbered)) {
            count += 1;
            if named.len() < MAX_NAMED {
                named.push((line_count.to_string(), with_name(symbol, &all, numbered)));
            }
        }
    }
    let name = language.map_or("source", |language| language.name);
    let noun = if language.is_some_and(|language| language.name == "configuration") { "" } else { " source" };
    let listing = if numbered { ", with line numbers" } else { "" };
    let mut entries = Outline::default();
    entries.push("kind", Entry::Text(format!("{name}{noun}: {line_count} lines{listing}")));
    let more = count - named.len() as u64;
    entries.push_members("symbols", named, more);
    entries
}

/// A symbol as it is listed. One table of many, `[[package]]`, says little without its
/// name, which is the first of what is behind it.
fn with_name(symbol: &[u8], behind: &lines::Lines, numbered: bool) -> String {
    let text = lines::excerpt(symbol);
    let first = if symbol.starts_with(b"[[") { behind.clone().next() } else { None };
    let first = first.map(|line| if numbered { numbered::without(line) } else { line });
    match first.and_then(|first| first.strip_prefix(b"name = ")) {
        Some(name) => format!("{text} {}", lines::excerpt(name).trim_matches('"')),
        None => text,
    }
}

/// What a line declares, of which only the head is looked at, its number taken off.
fn declared<'a>(line: &'a [u8], language: &Language, numbered: bool) -> Option<&'a [u8]> {
    let head = &line[..line.len().min(LINE_BYTES)];
    let code = if numbered { numbered::without(head) } else { head };
    source::declared(code, language.keywords, language.style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn languages_are_told() {
        for (name, text) in [
            (
                "Rust",
                "use std::fmt;\n\n/// A pair.\npub struct Pair(u8, u8);\n\nimpl Pair {\n    pub fn new() -> Self {\n        Pair(0, 0)\n    }\n}\n",
            ),
            (
                "Python",
                "import os\nfrom sys import path\n\n\nclass Reader:\n    def read(self):\n        return os.getcwd()\n",
            ),
            (
                "TypeScript",
                "import { a } from './a';\n\nexport interface Row {\n  id: number;\n}\n\nexport function read(row: Row): number {\n  return row.id;\n}\n",
            ),
            (
                "JavaScript",
                "const fs = require('fs');\n\nfunction read(path) {\n  return fs.readFileSync(path);\n}\n\nmodule.exports = { read };\n",
            ),
            ("Go", "package main\n\nimport (\n\t\"fmt\"\n)\n\nfunc main() {\n\tfmt.Println(\"x\")\n}\n"),
            (
                "Java",
                "package a.b;\n\nimport java.util.List;\n\npublic class Reader {\n    private int at;\n\n    public int read() {\n        return at;\n    }\n}\n",
            ),
            ("C", "#include <stdio.h>\n\nstatic int count;\n\nint main(void)\n{\n    return count;\n}\n"),
            ("Shell", "#!/bin/bash\nset -e\nfor f in *; do\n  echo \"$f\"\ndone\n"),
            (
                "SQL",
                "CREATE TABLE users (\n  id INTEGER PRIMARY KEY,\n  name TEXT\n);\n\nINSERT INTO users VALUES (1, 'a');\nSELECT name\nFROM users\nWHERE id = 1;\n",
            ),
        ] {
            let language = Language::of(&Sample::of(text.as_bytes()));
            assert_eq!(language.map(|language| language.name), Some(name));
        }
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            "",
            "Dear all,\n\nuse the new room from Monday on. Import duties are gone.\n",
            "2026-01-01 00:00:01 started\n2026-01-01 00:00:02 stopped\n2026-01-01 00:00:03 started\n",
            "a.rs\nb.rs\nsrc/c.rs\n",
            "# Title\n\nSome text.\n\n- one\n- two\n",
            "total 8\n-rw-r--r-- 1 root root 12 Jan  1 00:00 a\n-rw-r--r-- 1 root root 12 Jan  1 00:00 b\n",
        ] {
            assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn what_c_declares_is_named_however_it_is_set() {
        let text = "#include <stdio.h>\n#define LIMIT 5\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n\ntypedef struct {\n    int x;\n} point_t;\n\nstatic const struct row *\nget_row(struct bar *b)\n{\n    return b->f;\n}\n\nextern int\nnew_row(struct row **to, const char *name,\n        int *error)\n{\n    if (error)\n    {\n    }\n}\n\nunsigned long big(void) { return 1; }\nint small(int a) {\n}\nint put(struct row *r, int n);\nTABLE(row)\nenum color { RED };\nstruct row {\n    int x;\n} all[] = {\n};\ndo {\n} while (0);\n";
        assert_eq!(
            outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE),
            r##"{"kind": "C source: 35 lines", "symbols": {"3": "#define MAX(a, b)", "7": "} point_t;", "10": "get_row(struct bar *b)", "16": "new_row(struct row **to, const char *name,", "24": "unsigned long big(void)", "25": "int small(int a)", "29": "enum color { RED };", "30": "struct row"}}"##
        );
    }

    #[test]
    fn declarations_are_named_by_line() {
        let text = "     1\t//! Reads.\n     2\t\n     3\tuse std::fs;\n     4\t\n     5\tpub struct Reader;\n     6\t\n     7\timpl Reader {\n     8\t    pub fn read(&self) -> u8 {\n     9\t        let f = |x| x;\n    10\t        0\n    11\t    }\n    12\t}\n";
        assert_eq!(
            outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE),
            r#"{"kind": "Rust source: 12 lines, with line numbers", "symbols": {"5": "pub struct Reader;", "7": "impl Reader", "8": "pub fn read(&self) -> u8"}}"#
        );
    }
}
