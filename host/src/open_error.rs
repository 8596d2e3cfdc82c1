//! The error of opening the component or a store.

use std::error::Error;
use std::fmt;

/// Why the component or a store could not be opened: what failed, and its causes. The alternate
/// form (`{:#}`) has the causes, too.
#[derive(Debug)]
pub struct OpenError(anyhow::Error);

impl From<anyhow::Error> for OpenError {
    fn from(error: anyhow::Error) -> Self {
        OpenError(error)
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
