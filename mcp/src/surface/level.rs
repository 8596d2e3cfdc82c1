//! How far the definitions of servers' tools are compressed.

use std::fmt;
use std::str::FromStr;

/// How far the definitions of servers' tools are compressed. Each level lists less than the one
/// before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compression {
    /// Every tool is listed as its server defines it.
    #[default]
    Off,
    /// Every tool is listed with the first sentence of its description, and a schema without
    /// descriptions.
    Low,
    /// Tools are called through `call_tool`. Its description has a line for each tool: its name, the
    /// names of its arguments, and the first sentence of its description.
    Medium,
    /// The same without the sentences.
    High,
    /// The same with nothing but names.
    Max,
}

impl Compression {
    /// All levels.
    pub const ALL: [Compression; 5] =
        [Compression::Off, Compression::Low, Compression::Medium, Compression::High, Compression::Max];

    /// Returns the name, as options and configurations have it.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Off => "off",
            Compression::Low => "low",
            Compression::Medium => "medium",
            Compression::High => "high",
            Compression::Max => "max",
        }
    }

    /// Returns whether the tools themselves are listed.
    pub fn lists_tools(self) -> bool {
        self <= Compression::Low
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Compression {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Compression::ALL.into_iter().find(|level| level.name() == text);
        named.ok_or_else(|| format!("{text:?} is not a level; write off, low, medium, high or max"))
    }
}
