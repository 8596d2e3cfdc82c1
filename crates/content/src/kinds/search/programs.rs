//! The programs that search files, and the forms of their results, those with more parts first. A new
//! program is a row.

use crate::forms::{Form, LINES, Part};

/// The forms of lines.
pub const FORMS: &[Form] = &[
    Form {
        program: "rg --vimgrep",
        parts: &[
            (Part::Numbered, "file", ":"),
            (Part::Number, "line", ":"),
            (Part::Number, "column", ":"),
            (Part::Text, "text", ""),
        ],
        ..LINES
    },
    Form {
        program: "grep -n",
        parts: &[(Part::Numbered, "file", ":"), (Part::Number, "line", ":"), (Part::Text, "text", "")],
        ..LINES
    },
    Form {
        program: "rg --heading",
        heading: Some(("file", "")),
        parts: &[(Part::Number, "line", ":"), (Part::Text, "text", "")],
        ..LINES
    },
    Form {
        program: "grep -r",
        parts: &[(Part::Path, "file", ":"), (Part::Text, "text", "")],
        least: 3,
        ..LINES
    },
];
