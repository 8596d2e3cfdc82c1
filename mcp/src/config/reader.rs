//! Typed members of a configuration, with errors that name the line and the key.

use std::path::Path;

use tuckaway_text::units;

use super::ConfigError;
use crate::document::{Member, Node, Value, line_of};
use crate::nearest::nearest;

/// The file that is being read.
pub struct Reader<'a> {
    pub text: &'a str,
    pub path: &'a Path,
}

impl Reader<'_> {
    /// Creates an error about a position in the file.
    pub fn error(&self, at: usize, message: impl Into<String>) -> ConfigError {
        ConfigError {
            path: Some(self.path.to_owned()),
            line: Some(line_of(self.text, at)),
            message: message.into(),
        }
    }

    /// Creates an error about a member.
    pub fn wrong(&self, member: &Member, message: impl Into<String>) -> ConfigError {
        self.error(member.key_span.start, message)
    }

    /// Creates an error about an unknown member. `place` contains it, such as `server "git"`.
    pub fn unknown(&self, member: &Member, place: &str, known: &[&str]) -> ConfigError {
        let hint = match nearest(&member.key, known.iter().copied()) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("known keys are {}", known.join(", ")),
        };
        self.wrong(member, format!("{place} has an unknown key {:?}; {hint}", member.key))
    }

    fn expected<T>(&self, member: &Member, what: &str, value: Option<T>) -> Result<T, ConfigError> {
        value.ok_or_else(|| {
            self.wrong(member, format!("{:?} is {}; it should be {what}", member.key, member.node.kind()))
        })
    }

    pub fn table<'n>(&self, member: &'n Member) -> Result<&'n [Member], ConfigError> {
        self.expected(member, "a table", member.node.table())
    }

    pub fn list<'n>(&self, member: &'n Member) -> Result<&'n [Node], ConfigError> {
        self.expected(member, "a list", member.node.list())
    }

    pub fn text(&self, member: &Member) -> Result<String, ConfigError> {
        self.expected(member, "a string", member.node.text().map(str::to_owned))
    }

    pub fn bool(&self, member: &Member) -> Result<bool, ConfigError> {
        let bool = match member.node.value {
            Value::Bool(bool) => Some(bool),
            _ => None,
        };
        self.expected(member, "true or false", bool)
    }

    /// Reads a whole number that is at least 1, such as a number of tokens.
    pub fn count(&self, member: &Member) -> Result<u64, ConfigError> {
        let count = match &member.node.value {
            Value::Number(number) => number.parse().ok().filter(|&count| count > 0),
            _ => None,
        };
        count.ok_or_else(|| {
            self.wrong(member, format!("{:?} should be a whole number that is at least 1", member.key))
        })
    }

    /// Reads a number of bytes, or a size such as `256M`.
    pub fn size(&self, member: &Member) -> Result<u64, ConfigError> {
        match &member.node.value {
            Value::Number(number) => self.parsed(member, number, units::size),
            _ => self.parsed(member, &self.text(member)?, units::size),
        }
    }

    /// Reads a value with the given parser.
    pub fn parsed<T>(
        &self,
        member: &Member,
        text: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, ConfigError> {
        parse(text).map_err(|why| self.wrong(member, format!("{:?}: {why}", member.key)))
    }

    /// Reads a list of strings.
    pub fn texts(&self, member: &Member) -> Result<Vec<String>, ConfigError> {
        let texts = self.list(member)?.iter().map(|node| node.text().map(str::to_owned));
        self.expected(member, "a list of strings", texts.collect::<Option<_>>())
    }
}
