//! The programs that print records of fields, and how records begin. A new program is a row, known
//! programs first.

/// The start of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A field with this name and separator.
    Field(&'static str),
    /// A line with this text, which is no field.
    Rule(&'static str),
    /// A line with this text, whose rest is the value of a field with this name.
    Named(&'static str, &'static str),
    /// A line that is less indented than fields, whose text is the value of a field `name`.
    Heading,
    /// An empty line.
    Blank,
    /// There is one record.
    Only,
}

/// The form of records.
pub struct Stanza {
    /// The program that prints it, as people type it; empty if many do.
    pub program: &'static str,
    /// The start of a record.
    pub start: Start,
    /// Text that the first line of a record also has, if it needs more evidence.
    pub with: &'static str,
    /// The text between a field's name and its value. A space at its end stands for spaces, a tab, or the
    /// end of the line.
    pub separator: &'static str,
    /// The content of a record after an empty line.
    pub after_blank: AfterBlank,
}

/// The content of a record after an empty line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterBlank {
    /// More fields.
    Fields,
    /// The message of a commit, which is indented, and then its changes.
    Message,
    /// Something else.
    Other,
}

const FIELDS: Stanza =
    Stanza { program: "", start: Start::Blank, with: "", separator: ": ", after_blank: AfterBlank::Fields };

/// The forms of records.
pub const STANZAS: &[Stanza] = &[
    Stanza {
        program: "git log",
        start: Start::Named("commit ", "commit"),
        after_blank: AfterBlank::Message,
        ..FIELDS
    },
    Stanza { program: "psql -x", start: Start::Rule("-[ RECORD "), separator: "|", ..FIELDS },
    Stanza { program: "mysql \\G", start: Start::Rule("*************************** "), ..FIELDS },
    Stanza {
        program: "HTTP headers",
        start: Start::Named("HTTP/", "HTTP"),
        after_blank: AfterBlank::Other,
        ..FIELDS
    },
    Stanza { program: "jstack", start: Start::Named("\"", "thread"), with: "prio=", ..FIELDS },
    Stanza { program: "lcov", start: Start::Field("SF:"), separator: ":", ..FIELDS },
    Stanza { program: "vCard", start: Start::Field("BEGIN:"), separator: ":", ..FIELDS },
    Stanza { program: "LDIF", start: Start::Field("dn:"), ..FIELDS },
    Stanza { program: "dpkg -s", start: Start::Field("Package: "), ..FIELDS },
    Stanza { program: "/proc/cpuinfo", start: Start::Field("processor\t: "), ..FIELDS },
    Stanza { start: Start::Heading, ..FIELDS },
    Stanza { ..FIELDS },
    Stanza { separator: " = ", ..FIELDS },
    Stanza { start: Start::Only, separator: " = ", ..FIELDS },
    Stanza { start: Start::Only, separator: "=", ..FIELDS },
    ONE,
];

const ONE: Stanza = Stanza { start: Start::Only, ..FIELDS };

/// Returns the form of a single record.
pub fn one() -> &'static Stanza {
    &ONE
}
