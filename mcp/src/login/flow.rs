//! A login: the user agrees in a browser, which brings the answer to this machine.

use std::collections::HashMap;
use std::time::Duration;

use rmcp::transport::auth::{AuthError, AuthorizationManager, OAuthClientConfig};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::callback::{Callback, Callbacks, Page};
use super::discover::{Discovered, discover};
use super::record::now;
use super::renew::Slot;
use super::{Login, LoginError, Logins, ServerUrl};

/// The name under which authorization servers know this client.
const CLIENT_NAME: &str = "tuckaway";

/// The longest time to wait for the browser: a longer one may not fit into a clock.
const MAX_PATIENCE: Duration = Duration::from_hours(24 * 365);

/// What the user wants to log in to, and how.
#[derive(Clone, Debug)]
pub struct LoginRequest {
    /// The server.
    pub url: ServerUrl,
    /// The server's name in a configuration.
    pub name: Option<String>,
    /// The scopes to ask for; if there are none, those that the server names.
    pub scopes: Vec<String>,
    /// A client that was registered before; otherwise one is registered.
    pub client_id: Option<String>,
    /// The secret of this client, if it has one.
    pub client_secret: Option<String>,
    /// The port on which the browser's answer arrives, or 0 for any.
    pub port: u16,
}

/// A login that waits for the user.
pub struct PendingLogin {
    request: LoginRequest,
    manager: AuthorizationManager,
    client_secret: Option<String>,
    revocation_endpoint: Option<String>,
    token_endpoint: String,
    issuer: String,
    page: String,
    state: String,
    callbacks: Callbacks,
}

impl LoginRequest {
    /// Finds the authorization server, registers a client there, and listens for the browser's answer.
    ///
    /// Errors: the server does not ask for a login, or no client can be registered.
    pub async fn begin(self) -> Result<PendingLogin, LoginError> {
        let Discovered { mut manager, metadata, issuer } = discover(&self.url).await?;
        let callbacks = Callbacks::listen(self.port).await?;
        let scopes = match self.scopes.is_empty() {
            true => manager.select_initial_scopes(&[]).await,
            false => self.scopes.clone(),
        };
        let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let client = match &self.client_id {
            Some(id) => {
                let client = OAuthClientConfig::new(id, &callbacks.redirect_uri);
                let client = match &self.client_secret {
                    Some(secret) => client.with_client_secret(secret),
                    None => client,
                };
                manager.configure_client(client.clone()).map_err(refused)?;
                client
            }
            None if metadata.registration_endpoint.is_none() => return Err(LoginError::NoRegistration),
            None => {
                let registered = manager.register_client(CLIENT_NAME, &callbacks.redirect_uri, &scopes).await;
                registered.map_err(refused)?
            }
        };
        let page = manager.get_authorization_url(&scopes).await.map_err(refused)?;
        let state = self.url.check("the page to log in", &page)?;
        let state =
            state.query_pairs().find(|(name, _)| name == "state").map(|(_, value)| value.into_owned());
        Ok(PendingLogin {
            manager,
            client_secret: client.client_secret,
            revocation_endpoint: revocation_endpoint(&self.url, &metadata.additional_fields),
            token_endpoint: metadata.token_endpoint,
            issuer,
            page,
            state: state.unwrap_or_default(),
            callbacks,
            request: self,
        })
    }
}

impl PendingLogin {
    /// Returns the page on which the user agrees. It is safe to open in a browser.
    pub fn page(&self) -> &str {
        &self.page
    }

    /// Returns the authorization server.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Waits for the browser's answer, exchanges it for tokens, and stores them.
    ///
    /// Errors: the user refuses or does not answer in time, the authorization server gives no token,
    /// or it cannot be stored.
    pub async fn finish(mut self, logins: &Logins, patience: Duration) -> Result<Login, LoginError> {
        let patience = patience.min(MAX_PATIENCE);
        let answered = self.answered(logins, Instant::now() + patience, patience).await;
        self.callbacks.close().await;
        answered
    }

    async fn answered(
        &mut self,
        logins: &Logins,
        deadline: Instant,
        patience: Duration,
    ) -> Result<Login, LoginError> {
        let mut had_wrong_state = false;
        loop {
            let Ok(Some(callback)) = timeout_at(deadline, self.callbacks.next()).await else {
                return Err(match had_wrong_state {
                    true => LoginError::WrongState,
                    false => LoginError::TimedOut(patience),
                });
            };
            // Any page in a browser can call this address. If one could end the login by that, it
            // could prevent it.
            if self.state.is_empty() || callback.state.as_ref() != Some(&self.state) {
                had_wrong_state = true;
                callback.reply(Page::OfAnother);
                continue;
            }
            let login = self.complete(&callback, logins).await;
            callback.reply(if login.is_ok() { Page::LoggedIn } else { Page::Failed });
            return login;
        }
    }

    async fn complete(&mut self, callback: &Callback, logins: &Logins) -> Result<Login, LoginError> {
        if let Some(error) = &callback.error {
            return Err(LoginError::Denied(LoginError::foreign(error)));
        }
        let Some(code) = &callback.code else {
            return Err(LoginError::Denied("the answer has no code".to_owned()));
        };
        let slot = Slot::default();
        self.manager.set_credential_store(slot.clone());
        let issuer = callback.issuer.as_deref();
        let exchanged = self.manager.exchange_code_for_token_with_issuer(code, &self.state, issuer).await;
        exchanged.map_err(|error| LoginError::Exchange(LoginError::unanswered(error)))?;
        let credentials =
            slot.take().ok_or_else(|| LoginError::Exchange("it was not returned".to_owned()))?;
        let url = &self.request.url;
        let login = Login {
            url: url.as_str().to_owned(),
            name: self.request.name.clone(),
            logged_in_at: now(),
            client_secret: self.client_secret.clone(),
            redirect_uri: self.callbacks.redirect_uri.clone(),
            token_endpoint: self.token_endpoint.clone(),
            revocation_endpoint: self.revocation_endpoint.clone(),
            credentials,
        };
        let lock = logins.lock(url).await?;
        logins.save(url, &login, &lock)?;
        Ok(login)
    }
}

fn refused(error: AuthError) -> LoginError {
    match error {
        AuthError::RegistrationFailed(_) => LoginError::RegistrationRefused(LoginError::unanswered(error)),
        error => LoginError::Metadata(LoginError::foreign(error)),
    }
}

/// Returns where tokens are revoked. An address that is not safe is not used.
fn revocation_endpoint(server: &ServerUrl, fields: &HashMap<String, Value>) -> Option<String> {
    let endpoint = fields.get("revocation_endpoint")?.as_str()?;
    server.check("the end of a login", endpoint).ok().map(|url| url.to_string())
}
