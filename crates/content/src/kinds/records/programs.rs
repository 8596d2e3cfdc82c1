//! The programs that print a record on each line, and the forms of their lines. A new program is a row.

use crate::forms::{Form, LINES, Noun, Part};

/// The names for records on lines.
pub const NOUN: Noun =
    Noun { kind: "records", entry: "record", entries: "records", group: "", groups: "", by_directory: false };

/// The forms of lines.
pub const FORMS: &[Form] = &[
    Form {
        program: "apt list",
        parts: &[
            (Part::Word, "package", "/"),
            (Part::Word, "suites", " "),
            (Part::Word, "version", " "),
            (Part::Word, "architecture", " "),
            (Part::Note, "state", ""),
        ],
        comments: &["Listing..."],
        ..LINES
    },
    Form {
        program: "git log --oneline",
        parts: &[(Part::Commit, "commit", " "), (Part::Text, "subject", "")],
        least: 3,
        ..LINES
    },
    Form {
        program: "git status --porcelain=v2",
        parts: &[(Part::Word, "kind", " "), (Part::Text, "entry", "")],
        comments: &["# branch.", "# "],
        ..LINES
    },
    Form {
        program: "git status --porcelain",
        parts: &[(Part::State, "state", " "), (Part::Path, "path", "")],
        least: 3,
        ..LINES
    },
    Form {
        program: "/etc/passwd",
        parts: &[
            (Part::Word, "name", ":"),
            (Part::Word, "password", ":"),
            (Part::Number, "uid", ":"),
            (Part::Number, "gid", ":"),
            (Part::Field, "comment", ":"),
            (Part::Word, "home", ":"),
            (Part::Path, "shell", ""),
        ],
        ..LINES
    },
    Form {
        program: "mountinfo",
        parts: &[
            (Part::Number, "id", " "),
            (Part::Number, "parent", " "),
            (Part::Word, "device", " "),
            (Part::Word, "root", " "),
            (Part::Word, "target", " "),
            (Part::Word, "options", " "),
            (Part::Field, "fields", "- "),
            (Part::Word, "type", " "),
            (Part::Word, "source", " "),
            (Part::Text, "filesystem_options", ""),
        ],
        ..LINES
    },
    Form {
        program: "mount",
        parts: &[
            (Part::Word, "source", " on "),
            (Part::Word, "target", " type "),
            (Part::Word, "type", " ("),
            (Part::Field, "options", ")"),
        ],
        ..LINES
    },
    Form {
        program: "Prometheus",
        parts: &[
            (Part::Metric, "metric", ""),
            (Part::Braces, "labels", " "),
            (Part::Value, "value", " "),
            (Part::Timestamp, "timestamp", ""),
        ],
        comments: &["# TYPE ", "# "],
        ..LINES
    },
    Form {
        program: "pytest --collect-only",
        parts: &[(Part::File, "file", "::"), (Part::Text, "test", "")],
        least: 3,
        ..LINES
    },
    Form {
        program: "java -XX:+PrintFlagsFinal",
        parts: &[
            (Part::Word, "type", " "),
            (Part::Word, "name", " = "),
            (Part::Field, "value", "{"),
            (Part::Field, "kind", "} {"),
            (Part::Field, "origin", "}"),
        ],
        ..LINES
    },
    Form {
        program: "openssl ciphers",
        parts: &[
            (Part::Word, "cipher", " "),
            (Part::Word, "protocol", " Kx="),
            (Part::Word, "key_exchange", " Au="),
            (Part::Word, "authentication", " Enc="),
            (Part::Word, "encryption", " Mac="),
            (Part::Word, "mac", ""),
        ],
        ..LINES
    },
    Form { program: "UUIDs", parts: &[(Part::Hash, "uuid", "")], least: 5, ..LINES },
    Form {
        program: "URLs",
        parts: &[(Part::Scheme, "scheme", "://"), (Part::Word, "address", "")],
        least: 5,
        ..LINES
    },
];
