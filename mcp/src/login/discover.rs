//! Finds the authorization server of a server.

use std::error::Error;
use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE, WWW_AUTHENTICATE};
use rmcp::transport::auth::{AuthError, AuthorizationManager, AuthorizationMetadata};

use super::{LoginError, ServerUrl, address};
use crate::tls;

/// The time that a request may take.
pub const REQUEST_PATIENCE: Duration = Duration::from_secs(30);

/// A message that every server understands, and that starts nothing.
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// The authorization server of a server.
pub struct Discovered {
    /// Speaks to it.
    pub manager: AuthorizationManager,
    /// What it publishes about itself.
    pub metadata: AuthorizationMetadata,
}

/// Asks a server where to log in.
///
/// Errors: it cannot be reached, it does not say where, or an address is not safe.
pub async fn discover(url: &ServerUrl) -> Result<Discovered, LoginError> {
    let (is_protected, challenge) = challenge(url).await?;
    // Servers of a company and their authorization server have private addresses.
    let manager = AuthorizationManager::new_allowing_private_addresses(url.as_str()).await;
    let mut manager = manager.map_err(unusable)?;
    let resolution = manager.resolve_metadata_from_challenge(challenge.as_deref()).await.map_err(unusable)?;
    if !resolution.source.is_discovered() {
        return Err(LoginError::NoLogin { is_protected });
    }
    let metadata = resolution.metadata;
    address::check("the page to log in", &metadata.authorization_endpoint)?;
    address::check("the source of tokens", &metadata.token_endpoint)?;
    if let Some(endpoint) = &metadata.registration_endpoint {
        address::check("the registration of clients", endpoint)?;
    }
    manager.set_metadata(metadata.clone());
    Ok(Discovered { manager, metadata })
}

/// Returns a client for requests that carry a secret, or whose answer decides where one is sent: it
/// follows no redirects.
pub fn client() -> Result<reqwest::Client, LoginError> {
    tls::use_ring();
    let client = reqwest::Client::builder()
        .timeout(REQUEST_PATIENCE)
        .redirect(reqwest::redirect::Policy::none())
        .build();
    client.map_err(|error| LoginError::Unreachable(innermost(&error)))
}

/// Returns whether a server refuses a message without a token, and its challenge. Many servers
/// answer only to `POST`.
async fn challenge(url: &ServerUrl) -> Result<(bool, Option<String>), LoginError> {
    let request = client()?.post(url.as_str()).body(PING);
    let request = request.header(CONTENT_TYPE, "application/json");
    let answer = request.header(ACCEPT, "application/json, text/event-stream").send().await;
    let answer = answer.map_err(|error| LoginError::Unreachable(innermost(&error)))?;
    let texts: Vec<&str> =
        answer.headers().get_all(WWW_AUTHENTICATE).iter().filter_map(|value| value.to_str().ok()).collect();
    let names = |text: &&&str| text.contains("resource_metadata");
    let challenge = texts.iter().find(names).or(texts.first()).map(|&text| text.to_owned());
    Ok((answer.status() == reqwest::StatusCode::UNAUTHORIZED, challenge))
}

fn unusable(error: AuthError) -> LoginError {
    match error {
        AuthError::DiscoveryRequestFailed { url, source } => {
            LoginError::Metadata(LoginError::foreign(format!("{url}: {}", innermost(&*source))))
        }
        error => LoginError::Metadata(LoginError::foreign(error)),
    }
}

/// Returns the cause of an error: the outer ones only say that a request failed.
pub fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
