//! What is stored about a login.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use oauth2::TokenResponse;
use rmcp::transport::auth::StoredCredentials;
use serde::{Deserialize, Serialize};

/// A token is renewed when it is valid for less than this, or than half of its time.
const MARGIN_SECONDS: u64 = 30;

/// A login, as it is stored. `Debug` does not show its tokens.
#[derive(Clone, Serialize, Deserialize)]
pub struct Login {
    /// The normalized URL of the server, to which alone the token is sent.
    pub url: String,
    /// The name under which the user logged in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When the user logged in, in seconds since 1970.
    pub logged_in_at: u64,
    /// The secret of a client that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) client_secret: Option<String>,
    /// The address that the authorization server received when the user logged in.
    pub(super) redirect_uri: String,
    /// Where tokens come from. Refresh tokens and the secret are sent to no other address.
    #[serde(default)]
    pub(super) token_endpoint: String,
    /// Where tokens are revoked, if the authorization server can do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) revocation_endpoint: Option<String>,
    /// The client, its tokens, and the authorization server that issued them.
    pub(super) credentials: StoredCredentials,
}

/// How long a login is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// The proxy renews its token.
    Automatic,
    /// Its token is not renewed, and expires at this time, in seconds since 1970, if that is known.
    Never(Option<u64>),
    /// There is no token that is still valid: the user has to log in again.
    Ended,
}

impl Login {
    /// Returns the authorization server, if it has named itself.
    pub fn issuer(&self) -> Option<&str> {
        self.credentials.issuer.as_deref()
    }

    /// Returns the scopes that were granted.
    pub fn scopes(&self) -> &[String] {
        &self.credentials.granted_scopes
    }

    /// Returns how long the login is valid.
    pub fn renewal(&self) -> Renewal {
        match (self.refresh_token(), self.expires_at()) {
            _ if self.access_token().is_none() => Renewal::Ended,
            (Some(_), _) => Renewal::Automatic,
            (None, Some(at)) if at <= now() => Renewal::Ended,
            (None, at) => Renewal::Never(at),
        }
    }

    pub(super) fn access_token(&self) -> Option<&str> {
        Some(self.credentials.token_response.as_ref()?.access_token().secret())
    }

    pub(super) fn refresh_token(&self) -> Option<&str> {
        Some(self.credentials.token_response.as_ref()?.refresh_token()?.secret())
    }

    /// Returns when the access token expires, in seconds since 1970, if that is known.
    fn expires_at(&self) -> Option<u64> {
        let valid = self.credentials.token_response.as_ref()?.expires_in()?.as_secs();
        Some(self.credentials.token_received_at?.saturating_add(valid))
    }

    /// Returns whether the access token has expired.
    pub(super) fn is_expired(&self) -> bool {
        self.expires_at().is_some_and(|at| at <= now())
    }

    /// Returns whether the access token expires soon.
    pub(super) fn is_due(&self) -> bool {
        let valid = self.credentials.token_response.as_ref().and_then(TokenResponse::expires_in);
        let margin = valid.map_or(0, |valid| MARGIN_SECONDS.min(valid.as_secs() / 2));
        self.expires_at().is_some_and(|at| at <= now().saturating_add(margin))
    }

    /// Forgets the tokens, which the authorization server has refused.
    pub(super) fn without_tokens(mut self) -> Self {
        self.credentials.token_response = None;
        self
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login")
            .field("url", &self.url)
            .field("issuer", &self.issuer())
            .finish_non_exhaustive()
    }
}

/// Returns the time in seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
