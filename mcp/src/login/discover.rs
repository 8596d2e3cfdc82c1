//! Finds the authorization server of a server.

use std::error::Error;
use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE, WWW_AUTHENTICATE};
use rmcp::transport::auth::{AuthError, AuthorizationManager, AuthorizationMetadata};
use url::Url;

use super::{LoginError, ServerUrl};
use crate::tls;

/// The time that a request may take.
pub const REQUEST_PATIENCE: Duration = Duration::from_secs(30);

/// The time that the discovery may take. With one request for a token, it ends before other
/// processes give up waiting for it.
const DISCOVERY_PATIENCE: Duration = Duration::from_secs(25);
/// The length at which a document is no longer read.
const MAX_DOCUMENT_BYTES: usize = 1 << 20;

/// A message that every server understands, and that starts nothing.
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// The authorization server of a server.
pub struct Discovered {
    /// Speaks to it.
    pub manager: AuthorizationManager,
    /// What it publishes about itself.
    pub metadata: AuthorizationMetadata,
    /// Its name, which was checked.
    pub issuer: String,
}

/// Asks a server where to log in.
///
/// Errors: it cannot be reached, it does not say where, or an address is not safe.
pub async fn discover(url: &ServerUrl) -> Result<Discovered, LoginError> {
    within(DISCOVERY_PATIENCE, discovered(url)).await
}

async fn within<T>(
    patience: Duration,
    work: impl Future<Output = Result<T, LoginError>>,
) -> Result<T, LoginError> {
    let too_slow = || LoginError::Metadata(format!("it took longer than {} s", patience.as_secs()));
    tokio::time::timeout(patience, work).await.unwrap_or_else(|_| Err(too_slow()))
}

async fn discovered(url: &ServerUrl) -> Result<Discovered, LoginError> {
    let (is_protected, challenge) = challenge(url).await?;
    // Servers of a company and their authorization server have private addresses.
    let manager = AuthorizationManager::new_allowing_private_addresses(url.as_str()).await;
    let mut manager = manager.map_err(unusable)?;
    let resolution = manager.resolve_metadata_from_challenge(challenge.as_deref()).await.map_err(unusable)?;
    if !resolution.source.is_discovered() {
        return Err(LoginError::NoLogin { is_protected });
    }
    let metadata = resolution.metadata;
    url.check("the page to log in", &metadata.authorization_endpoint)?;
    url.check("the source of tokens", &metadata.token_endpoint)?;
    if let Some(endpoint) = &metadata.registration_endpoint {
        url.check("the registration of clients", endpoint)?;
    }
    let issuer = issuer(url, &metadata).await?;
    manager.set_metadata(metadata.clone());
    // From now on, only addresses that were checked are used: also a registration is not redirected.
    manager.with_client(client()?).map_err(unusable)?;
    Ok(Discovered { manager, metadata, issuer })
}

/// Returns the name of an authorization server. rmcp compares it with the address of the metadata,
/// but not for every address that a server may choose (`/.well-known/x`). The user trusts that name,
/// and the endpoints get codes, tokens and secrets. So they must be at that name, or the metadata at
/// that name must have them.
async fn issuer(server: &ServerUrl, metadata: &AuthorizationMetadata) -> Result<String, LoginError> {
    let refused = |why: &str| LoginError::Metadata(why.to_owned());
    let Some(issuer) = &metadata.issuer else { return Err(refused("it has no issuer")) };
    let url = server.check("the authorization server", issuer)?;
    let is_there =
        |endpoint: &str| Url::parse(endpoint).is_ok_and(|endpoint| endpoint.origin() == url.origin());
    if !endpoints(metadata).into_iter().flatten().all(is_there) && !publishes(&url, metadata).await? {
        return Err(refused("it has addresses at another server than its issuer, which does not name them"));
    }
    Ok(issuer.clone())
}

/// Returns the addresses that the user or a secret is sent to.
fn endpoints(metadata: &AuthorizationMetadata) -> [Option<&str>; 3] {
    [
        Some(&metadata.authorization_endpoint),
        Some(&metadata.token_endpoint),
        metadata.additional_fields.get("revocation_endpoint").and_then(|endpoint| endpoint.as_str()),
    ]
}

/// Returns whether an issuer itself publishes the same endpoints (RFC 8414, OpenID Connect).
async fn publishes(issuer: &Url, metadata: &AuthorizationMetadata) -> Result<bool, LoginError> {
    let client = client()?;
    let path = issuer.path().trim_end_matches('/');
    for path in [
        format!("/.well-known/oauth-authorization-server{path}"),
        format!("/.well-known/openid-configuration{path}"),
        format!("{path}/.well-known/openid-configuration"),
    ] {
        let mut url = issuer.clone();
        url.set_path(&path);
        url.set_query(None);
        let text = document(&client, url).await.map_err(|error| LoginError::Metadata(innermost(&error)))?;
        if let Ok(published) = serde_json::from_slice::<AuthorizationMetadata>(&text) {
            return Ok(published.issuer == metadata.issuer && endpoints(&published) == endpoints(metadata));
        }
    }
    Ok(false)
}

/// Returns the start of a document, or nothing if there is none.
async fn document(client: &reqwest::Client, url: Url) -> reqwest::Result<Vec<u8>> {
    let mut answer = client.get(url).send().await?;
    let mut text = Vec::new();
    while answer.status().is_success()
        && text.len() < MAX_DOCUMENT_BYTES
        && let Some(chunk) = answer.chunk().await?
    {
        text.extend_from_slice(&chunk);
    }
    Ok(text)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_server_that_does_not_answer_is_not_awaited_for_long() {
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = ServerUrl::parse(&format!("http://{}/", silent.local_addr().unwrap())).unwrap();
        let Err(error) = within(Duration::from_millis(50), discovered(&url)).await else {
            panic!("it was discovered")
        };
        assert!(error.to_string().contains("it took longer than"), "{error}");
    }
}
