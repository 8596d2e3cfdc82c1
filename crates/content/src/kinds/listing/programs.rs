//! The programs that list files, and the forms of their lines, those with more parts first. A new program
//! is a row.

use crate::forms::{Form, LINES, Part};

/// The forms of lines.
pub const FORMS: &[Form] = &[
    Form {
        program: "ls -l",
        heading: Some(("directory", ":")),
        parts: &[
            (Part::Mode, "mode", " "),
            (Part::Number, "links", " "),
            (Part::Word, "owner", " "),
            (Part::Word, "group", " "),
            (Part::Size, "size", " "),
            (Part::Date, "modified", " "),
            (Part::Path, "path", ""),
        ],
        ..LINES
    },
    Form {
        program: "find -ls",
        parts: &[
            (Part::Number, "inode", " "),
            (Part::Number, "blocks", " "),
            (Part::Mode, "mode", " "),
            (Part::Number, "links", " "),
            (Part::Word, "owner", " "),
            (Part::Word, "group", " "),
            (Part::Size, "size", " "),
            (Part::Date, "modified", " "),
            (Part::Path, "path", ""),
        ],
        ..LINES
    },
    Form {
        program: "tar -tv",
        parts: &[
            (Part::Mode, "mode", " "),
            (Part::Word, "owner", " "),
            (Part::Size, "size", " "),
            (Part::Date, "modified", " "),
            (Part::Path, "path", ""),
        ],
        ..LINES
    },
    Form {
        program: "git ls-tree -l",
        parts: &[
            (Part::Number, "mode", " "),
            (Part::Word, "type", " "),
            (Part::Hash, "object", " "),
            (Part::Size, "size", " "),
            (Part::Path, "path", ""),
        ],
        ..LINES
    },
    Form {
        program: "git ls-tree",
        parts: &[
            (Part::Number, "mode", " "),
            (Part::Word, "type", " "),
            (Part::Hash, "object", " "),
            (Part::Path, "path", ""),
        ],
        ..LINES
    },
    Form {
        program: "git ls-files -s",
        parts: &[
            (Part::Number, "mode", " "),
            (Part::Hash, "object", " "),
            (Part::Number, "stage", " "),
            (Part::Path, "path", ""),
        ],
        ..LINES
    },
    Form { program: "sha256sum", parts: &[(Part::Hash, "checksum", " "), (Part::Path, "path", "")], ..LINES },
    Form {
        program: "du",
        parts: &[(Part::Size, "usage", "\t"), (Part::Path, "path", "")],
        least: 3,
        ..LINES
    },
    Form {
        program: "wc -l",
        parts: &[(Part::Size, "lines", " "), (Part::Path, "path", "")],
        least: 3,
        ..LINES
    },
    Form { program: "paths", parts: &[(Part::Path, "path", "")], least: 5, ..LINES },
];
