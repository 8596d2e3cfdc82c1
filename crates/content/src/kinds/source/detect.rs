//! Detects source code.

use super::languages::Language;
use crate::sample::Sample;

/// Returns whether enough lines are those of one language.
pub fn detect(sample: &Sample) -> bool {
    Language::of(sample).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_detected() {
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
            (
                "GraphQL",
                "type Query {\n  user(id: ID!): User\n}\n\ntype User {\n  id: ID!\n  name: String\n}\n\nenum Role {\n  ADMIN\n}\n",
            ),
            (
                "configuration",
                "version = 4\n\n[[package]]\nname = \"a\"\nsource = \"registry\"\n\n[[package]]\nname = \"b\"\nsource = \"registry\"\n\n[[package]]\nname = \"c\"\nsource = \"registry\"\n",
            ),
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
    fn comments_and_shared_words_do_not_name_a_language() {
        let name = |text: &str| Language::of(&Sample::of(text.as_bytes())).map(|language| language.name);
        let comment = "// Some words about the code.\n";
        let rust = "#![forbid(unsafe_code)]\n\nuse std::fmt;\n\nfn a() {\n    let x = 1;\n    let y = 2;\n    let z = 3;\n}\n";
        assert_eq!(name(rust), Some("Rust"));
        assert_eq!(name(&[&comment.repeat(90), rust].concat()), Some("Rust"));
        assert_eq!(name("#!/usr/bin/perl\nprint 1;\n"), Some("Perl"));
        for text in [
            // Two lines of Go.
            "\t\treturn nil\n\treturn call.Args[0]",
            "import _imp # builtin\nimport '_io' # <class 'a'>\nimport 'posix' # <class 'a'>\n",
            "server {\n    include a.conf;\n    include b.conf;\n    include c.conf;\n    listen 80;\n}\n",
            "if(A)\n  set(B 1)\nendif()\nif(C)\n  set(D 1)\nendif()\nif(E)\n  set(F 1)\nendif()\n",
            "struct K { int a; };\n^\nstruct N { int a; };\n^\nstruct N { int b; };\n^\n",
            "package errors // import \"errors\"\n\nfunc As(err error) bool\nfunc Is(err error) bool\nfunc New(text string) error\nfunc Unwrap(err error) error\nvar Err = New(\"a\")\n",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn marks_that_languages_share_decide_nothing() {
        let name = |text: &str| Language::of(&Sample::of(text.as_bytes())).map(|language| language.name);
        let script = "  if (a) {\n    return b(a);\n  }\n  else:\n  return c;\n  return d;\n";
        assert_ne!(name(script), Some("Python"));
        // WebAssembly interface types.
        let wit = "/// A store.\nrecord store {\n    /// Its name.\n    name: string,\n    /// Its size.\n    size: u64,\n}\n";
        assert_eq!(name(wit), None);
    }

    #[test]
    fn minified_code_is_a_script() {
        let line = "function n(n,t){return n(t)}var e=function(n){return function(t){return n[t]}},i=function(){},o=function(n){}";
        let name = |text: &str| Language::of(&Sample::of(text.as_bytes())).map(|language| language.name);
        assert_eq!(
            name(&[&line.repeat(5), "\nreturn e}", &line.repeat(5), "\nend=1;"].concat()),
            Some("JavaScript")
        );
        // A few short lines before the code are those of its licence.
        assert_eq!(
            name(&["//! version : 1\n//! authors : A\n//! license : MIT\n", &line.repeat(500)].concat()),
            Some("JavaScript")
        );
        assert_eq!(name(&"a long line of words, return and end; ".repeat(40)), None);
    }

    #[test]
    fn other_texts_are_not_source() {
        for text in [
            "",
            "Dear all,\n\nuse the new room from Monday on. Import duties are gone.\n",
            "2026-01-01 00:00:01 started\n2026-01-01 00:00:02 stopped\n2026-01-01 00:00:03 started\n",
            "a.rs\nb.rs\nsrc/c.rs\n",
            "# Title\n\nSome text.\n\n- one\n- two\n",
            // A specification of an API in YAML.
            "      schema:\n        $ref: \"#/a\"\n    b:\n      schema:\n        $ref: \"#/b\"\n    c:\n      schema:\n        $ref: \"#/c\"\n",
            // Protocol Buffers.
            "package a.v1;\nimport \"b.proto\";\n\nmessage A {\n  string id = 1;\n  int32 n = 2;\n}\n",
            "total 8\n-rw-r--r-- 1 root root 12 Jan  1 00:00 a\n-rw-r--r-- 1 root root 12 Jan  1 00:00 b\n",
        ] {
            assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }
}
