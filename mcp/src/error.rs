//! The error of opening the stores of a proxy, and of serving its clients.

use std::error::Error;
use std::fmt;

use tuckaway_host::OpenError;

/// Why a proxy could not open its stores or make its engine, or why it stopped serving: what failed, and
/// its causes. The alternate form (`{:#}`) has the causes, too.
#[derive(Debug)]
pub struct ProxyError(anyhow::Error);

impl From<anyhow::Error> for ProxyError {
    fn from(error: anyhow::Error) -> Self {
        ProxyError(error)
    }
}

impl From<OpenError> for ProxyError {
    fn from(error: OpenError) -> Self {
        ProxyError(error.into())
    }
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for ProxyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
