//! Ends a login.

use rmcp::transport::auth::StoredCredentials;
use url::form_urlencoded::Serializer;

use super::discover::{client, innermost};
use super::{Login, LoginError, Logins, ServerUrl};

/// What became of the tokens of a login that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revoked {
    /// The authorization server has revoked them (RFC 7009).
    Yes,
    /// The authorization server cannot revoke them: they are valid until they expire.
    NotOffered,
    /// They were not revoked, for this reason.
    No(String),
}

impl Logins {
    /// Removes a login, and revokes its tokens if the authorization server can do that. Returns `None`
    /// if there is no login.
    ///
    /// Errors: the file cannot be removed.
    pub async fn log_out(&self, url: &ServerUrl) -> Result<Option<Revoked>, LoginError> {
        // Without a login there is nothing to lock.
        if let Ok(None) = self.load(url) {
            return Ok(None);
        }
        let lock = self.lock(url).await?;
        let login = self.load(url);
        self.delete(url, &lock)?;
        Ok(match login {
            Ok(Some(login)) => Some(revoke(url, &login).await),
            Ok(None) => None,
            Err(error) => Some(Revoked::No(error.to_string())),
        })
    }
}

async fn revoke(server: &ServerUrl, login: &Login) -> Revoked {
    let Some(endpoint) = &login.revocation_endpoint else { return Revoked::NotOffered };
    if let Err(error) = server.check("the end of a login", endpoint) {
        return Revoked::No(error.to_string());
    }
    let tokens = [("refresh_token", login.refresh_token()), ("access_token", login.access_token())];
    for (kind, token) in tokens {
        let Some(token) = token else { continue };
        if let Err(why) = request(endpoint, login, kind, token).await {
            return Revoked::No(LoginError::foreign(why));
        }
    }
    Revoked::Yes
}

async fn request(endpoint: &str, login: &Login, kind: &str, token: &str) -> Result<(), String> {
    let StoredCredentials { client_id, .. } = &login.credentials;
    let mut form = Serializer::new(String::new());
    form.append_pair("token", token).append_pair("token_type_hint", kind);
    let mut request = client().map_err(|error| error.to_string())?.post(endpoint);
    match &login.client_secret {
        Some(secret) => request = request.basic_auth(client_id, Some(secret)),
        None => {
            form.append_pair("client_id", client_id);
        }
    }
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(form.finish());
    let answer = request.send().await.map_err(|error| innermost(&error))?;
    match answer.status().is_success() {
        true => Ok(()),
        false => Err(format!("the authorization server answered with HTTP {}", answer.status().as_u16())),
    }
}
