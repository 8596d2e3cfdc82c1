//! Renews a token, once for all that need it.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use rmcp::transport::auth::{AuthError, CredentialStore, OAuthClientConfig, StoredCredentials};

use super::discover::{Discovered, discover};
use super::{Login, LoginError, Logins, ServerUrl};

const ENDED: &str = "its login has expired";
/// The login is kept: the server may be wrong for a while, and its token may still be valid.
const MOVED: &str = "the server now uses another authorization server than the one of its login";

/// A login with a token that can be sent, if there is one.
#[derive(Debug, Default)]
pub struct Found {
    /// The login.
    pub login: Option<Login>,
    /// Why it was not renewed, although it expires soon.
    pub failure: Option<String>,
}

impl From<Login> for Found {
    fn from(login: Login) -> Self {
        Found { login: Some(login), failure: None }
    }
}

/// Returns a login with a token that does not expire soon and is not the one that the server has
/// refused; `None` if there is no login.
///
/// Authorization servers replace the refresh token with each use, and may end a login if an old one is
/// used again. So only one process renews it at a time, and the others read the result.
pub async fn renew(logins: &Logins, url: &ServerUrl, refused: Option<&str>) -> Result<Found, LoginError> {
    let lock = logins.lock(url).await?;
    let Some(login) = logins.load(url)? else { return Ok(Found::default()) };
    if is_usable(&login, refused) {
        return Ok(login.into());
    }
    let is_refused = login.access_token().is_none_or(|token| Some(token) == refused);
    let is_over = is_refused || login.is_expired();
    if login.refresh_token().is_none() {
        return if is_over { Err(LoginError::LoginNeeded(ENDED)) } else { Ok(login.into()) };
    }
    match renewed(url, login.clone()).await {
        Ok(renewed) => {
            logins.save(url, &renewed, &lock)?;
            tracing::debug!("renewed the login to {url}");
            Ok(renewed.into())
        }
        Err(LoginError::LoginNeeded(why)) => {
            // The refresh token is of no more use, and must not be tried at each start.
            logins.save(url, &login.without_tokens(), &lock)?;
            Err(LoginError::LoginNeeded(why))
        }
        Err(LoginError::NotRenewed(why)) if !is_over => {
            let error = LoginError::NotRenewed(why.clone());
            tracing::warn!("{url}: {error}; its token is still valid");
            Ok(Found { login: Some(login), failure: Some(why) })
        }
        Err(error) => Err(error),
    }
}

/// Returns whether a login has a token that can be sent.
pub fn is_usable(login: &Login, refused: Option<&str>) -> bool {
    login.access_token().is_some_and(|token| Some(token) != refused) && !login.is_due()
}

async fn renewed(url: &ServerUrl, mut login: Login) -> Result<Login, LoginError> {
    let not_renewed = |error: AuthError| LoginError::NotRenewed(LoginError::unanswered(error));
    let Discovered { mut manager, metadata, issuer } =
        discover(url).await.map_err(|error| LoginError::NotRenewed(error.to_string()))?;
    if Some(issuer) != login.credentials.issuer || metadata.token_endpoint != login.token_endpoint {
        return Err(LoginError::NotRenewed(MOVED.to_owned()));
    }
    let client = OAuthClientConfig::new(&login.credentials.client_id, &login.redirect_uri);
    let client = match &login.client_secret {
        Some(secret) => client.with_client_secret(secret),
        None => client,
    };
    manager.configure_client(client).map_err(not_renewed)?;
    let slot = Slot::of(login.credentials.clone());
    manager.set_credential_store(slot.clone());
    match manager.refresh_token().await {
        Ok(_) => {}
        Err(AuthError::TokenRefreshRejected(_) | AuthError::AuthorizationRequired) => {
            return Err(LoginError::LoginNeeded(ENDED));
        }
        Err(error) => return Err(not_renewed(error)),
    }
    login.credentials =
        slot.take().ok_or_else(|| LoginError::NotRenewed("it was not returned".to_owned()))?;
    Ok(login)
}

/// Passes tokens to rmcp and takes them from it. Files are written here, under a lock.
#[derive(Clone, Default)]
pub struct Slot(Arc<Mutex<Option<StoredCredentials>>>);

impl Slot {
    fn of(credentials: StoredCredentials) -> Self {
        Slot(Arc::new(Mutex::new(Some(credentials))))
    }

    /// Takes the tokens, if there are any.
    pub fn take(&self) -> Option<StoredCredentials> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, credentials: Option<StoredCredentials>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = credentials;
    }
}

#[async_trait]
impl CredentialStore for Slot {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.set(Some(credentials));
        Ok(())
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.set(None);
        Ok(())
    }
}
