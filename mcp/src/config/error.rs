//! The error of a configuration that is refused.

use std::fmt;
use std::path::{Path, PathBuf};

/// The reason why a configuration is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file; `None` for flags.
    pub path: Option<PathBuf>,
    /// The line, from 1, if it is known.
    pub line: Option<usize>,
    /// The mistake, and how to correct it.
    pub message: String,
}

impl ConfigError {
    /// Creates an error without a file and a line.
    pub fn new(message: impl Into<String>) -> Self {
        ConfigError { path: None, line: None, message: message.into() }
    }

    /// Adds the file, unless the error already has one.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        ConfigError { path: self.path.or_else(|| Some(path.to_owned())), ..self }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}", path.display())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConfigError {}
