//! Detects source code.

use super::language::Language;
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
    fn other_texts_are_not_source() {
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
}
