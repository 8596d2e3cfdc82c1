//! Why a login failed, or why a token cannot be had.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use rmcp::transport::auth::AuthError;
use tuckaway_text::{clean, cut};

/// The maximum length of a text that another server wrote.
const MAX_FOREIGN_BYTES: usize = 300;

/// How the errors of oauth2 and rmcp begin that repeat no part of an answer with tokens.
const DESCRIBED: [&str; 3] = ["Server returned error response", "Request failed", "HTTP "];

/// Why a login failed, or why a stored one cannot be used. No text contains a token or a code.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoginError {
    /// A server is named by something that is not a URL.
    NotAUrl(String),
    /// Others could read what is sent to an address.
    Insecure {
        /// The subject, such as "the server".
        what: &'static str,
        /// The address.
        url: String,
    },
    /// An address has a user name or a password.
    Password {
        /// The subject, such as "the server".
        what: &'static str,
    },
    /// The server cannot be reached.
    Unreachable(String),
    /// The server does not say how to log in.
    NoLogin {
        /// Whether it refuses requests without a token.
        is_protected: bool,
    },
    /// The metadata of the server or of its authorization server cannot be used.
    Metadata(String),
    /// The authorization server does not register clients.
    NoRegistration,
    /// The authorization server refused to register a client.
    RegistrationRefused(String),
    /// No address of this machine can receive the answer.
    Listen(io::Error),
    /// The user or the authorization server refused.
    Denied(String),
    /// The browser did not bring an answer in time.
    TimedOut(Duration),
    /// The only answers belonged to another login.
    WrongState,
    /// The code was not exchanged for a token.
    Exchange(String),
    /// The file of a login cannot be read or written.
    File(io::Error),
    /// Another process renews the same token, and does not end.
    Locked,
    /// There is no token that can be used, and none can be had without the user.
    LoginNeeded(&'static str),
    /// The token could not be renewed this time.
    NotRenewed(String),
}

impl LoginError {
    /// Returns a text of another server for a message: one line, without control characters.
    pub(super) fn foreign(text: impl fmt::Display) -> String {
        let text = text.to_string();
        let text = clean::clean(&text).split_whitespace().collect::<Vec<_>>().join(" ");
        cut::with_ellipsis(text, MAX_FOREIGN_BYTES)
    }

    /// Returns why a request for a token or a client failed. A parser's error may quote a token, so that
    /// only errors that the server has described, and those of the connection, are repeated.
    pub(super) fn unanswered(error: AuthError) -> String {
        let (AuthError::TokenExchangeFailed(why)
        | AuthError::TokenRefreshFailed(why)
        | AuthError::RegistrationFailed(why)) = &error
        else {
            return LoginError::foreign(error);
        };
        match DESCRIBED.iter().any(|begin| why.starts_with(begin)) {
            true => LoginError::foreign(why),
            false => "its answer cannot be read".to_owned(),
        }
    }
}

impl fmt::Display for LoginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoginError::NotAUrl(text) => {
                write!(f, "{text:?} is not a URL; write one that begins with https://")
            }
            LoginError::Insecure { what, url } => write!(
                f,
                "{what} has the address {}, to which no token is sent; it must begin with https://, or with http:// \
                 if the server is on this machine",
                LoginError::foreign(url)
            ),
            LoginError::Password { what } => {
                write!(f, "{what} has an address with a user name or a password, to which no token is sent")
            }
            LoginError::Unreachable(why) => write!(f, "the server cannot be reached: {why}"),
            LoginError::NoLogin { is_protected: true } => f.write_str(
                "the server refuses requests without a token, but does not say where to log in; give a token in \
                 `headers` or with --header",
            ),
            LoginError::NoLogin { is_protected: false } => {
                f.write_str("the server does not ask for a login; use it without one")
            }
            LoginError::Metadata(why) => write!(f, "the server's description of its login cannot be used: {why}"),
            LoginError::NoRegistration => f.write_str(
                "the authorization server does not register clients by itself; register one there, and pass its id \
                 with --client-id",
            ),
            LoginError::RegistrationRefused(why) => write!(
                f,
                "the authorization server refused to register this client: {why}; register one there, and pass its \
                 id with --client-id"
            ),
            LoginError::Listen(error) => write!(
                f,
                "cannot receive the answer of the browser on 127.0.0.1: {error}; choose another port with --port"
            ),
            LoginError::Denied(why) => write!(f, "the login was refused: {why}"),
            LoginError::TimedOut(time) => {
                write!(f, "the browser brought no answer within {} s; run this again", time.as_secs())
            }
            LoginError::WrongState => f.write_str(
                "the browser brought only answers with the wrong state, which belong to another login; run this \
                 again, and use the page that it opens",
            ),
            LoginError::Exchange(why) => write!(f, "the authorization server gave no token: {why}"),
            LoginError::File(error) => write!(f, "the file of the login cannot be used: {error}"),
            LoginError::Locked => f.write_str("another process has been renewing the login for too long"),
            LoginError::LoginNeeded(why) => f.write_str(why),
            LoginError::NotRenewed(why) => write!(f, "the login could not be renewed: {why}"),
        }
    }
}

impl Error for LoginError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            LoginError::Listen(error) | LoginError::File(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for LoginError {
    fn from(error: io::Error) -> Self {
        LoginError::File(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_cannot_be_read_are_not_quoted() {
        let quoted = "invalid type: string \"access-1\", expected a map".to_owned();
        for error in [
            AuthError::TokenExchangeFailed(quoted.clone()),
            AuthError::TokenRefreshFailed(quoted.clone()),
            AuthError::RegistrationFailed(format!("analyze response error: {quoted}")),
        ] {
            assert_eq!(LoginError::unanswered(error), "its answer cannot be read");
        }
        let described = "Server returned error response: invalid_client";
        assert_eq!(LoginError::unanswered(AuthError::TokenExchangeFailed(described.to_owned())), described);
    }
}
