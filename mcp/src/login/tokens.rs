//! The token of one server, for each of the proxy's requests.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::logins::Stamp;
use super::renew::{Found, is_usable, renew};
use super::{Login, LoginError, Logins, ServerUrl};

/// How long a login that could not be renewed is not renewed again: the requests that wait would
/// repeat it one after the other.
const PAUSE: Duration = Duration::from_secs(5);

/// Gives the requests to one server their token, and renews it. Clones share it.
#[derive(Clone, Debug)]
pub struct Tokens(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    logins: Logins,
    url: ServerUrl,
    /// Locked while the token is renewed, so that other requests wait for it.
    current: Mutex<Current>,
}

/// What is known about the login.
#[derive(Debug, Default)]
struct Current {
    login: Option<Login>,
    /// The file from which it comes: another process may log in or out.
    stamp: Option<Stamp>,
    /// When the login could not be renewed, and why.
    failure: Option<(Instant, String)>,
}

impl Current {
    fn token(&self) -> Option<String> {
        self.login.as_ref().and_then(Login::access_token).map(str::to_owned)
    }
}

impl Tokens {
    /// Returns the tokens for a URL; `None` if no token may be sent to it.
    pub fn new(logins: &Logins, url: &str) -> Option<Self> {
        let url = ServerUrl::parse(url).ok()?;
        Some(Tokens(Arc::new(Shared { logins: logins.clone(), url, current: Mutex::default() })))
    }

    /// Returns the command that logs in with further scopes, or with the same ones.
    pub fn login_command(&self, further: &str) -> String {
        let stored = match further {
            "" => None,
            _ => self.0.logins.load(&self.0.url).ok().flatten(),
        };
        let mut scopes: Vec<&str> = stored.iter().flat_map(Login::scopes).map(String::as_str).collect();
        scopes.extend(further.split_whitespace().filter(|scope| !scopes.contains(scope)).collect::<Vec<_>>());
        // Servers choose the scopes, and users paste the command into a shell.
        let is_plain = |scope: &&str| {
            !scope.starts_with('-')
                && scope.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:/".contains(&byte))
        };
        let scopes = scopes.into_iter().filter(is_plain).map(|scope| format!(" --scope {scope}"));
        self.0.url.login_command() + &scopes.collect::<String>()
    }

    /// Returns the token for a request, which does not expire soon; `None` if there is no login.
    ///
    /// Errors: the login has expired, or could not be renewed.
    pub async fn token(&self) -> Result<Option<String>, LoginError> {
        self.other_than(None).await
    }

    /// Returns a token in place of one that the server has refused; `None` if there is no login.
    ///
    /// Errors: the login has expired, or could not be renewed.
    pub async fn instead_of(&self, refused: &str) -> Result<Option<String>, LoginError> {
        self.other_than(Some(refused)).await
    }

    async fn other_than(&self, refused: Option<&str>) -> Result<Option<String>, LoginError> {
        let mut current = self.0.current.lock().await;
        let stamp = self.0.logins.stamp(&self.0.url);
        if current.stamp != stamp {
            *current = Current { stamp, ..Current::default() };
        }
        if current.login.as_ref().is_some_and(|login| is_usable(login, refused)) {
            return Ok(current.token());
        }
        current.failure.take_if(|(at, _)| at.elapsed() >= PAUSE);
        if let Some((_, why)) = &current.failure {
            let is_valid = |login: &Login| !login.is_expired() && login.access_token() != refused;
            return match current.login.as_ref().is_some_and(is_valid) {
                true => Ok(current.token()),
                false => Err(LoginError::NotRenewed(why.clone())),
            };
        }
        current.login = None;
        match self.stored(refused).await {
            Ok(Found { login, failure }) => {
                current.login = login;
                current.failure = failure.map(|why| (Instant::now(), why));
                Ok(current.token())
            }
            Err(error) => {
                if let LoginError::NotRenewed(why) = &error {
                    current.failure = Some((Instant::now(), why.clone()));
                }
                Err(error)
            }
        }
    }

    async fn stored(&self, refused: Option<&str>) -> Result<Found, LoginError> {
        let Some(login) = self.0.logins.load(&self.0.url)? else { return Ok(Found::default()) };
        if is_usable(&login, refused) {
            return Ok(Found::from(login));
        }
        let (shared, refused) = (Arc::clone(&self.0), refused.map(str::to_owned));
        // If the request is cancelled, the new refresh token must still be stored.
        let renewed =
            tokio::spawn(async move { renew(&shared.logins, &shared.url, refused.as_deref()).await });
        renewed.await.map_err(|_| LoginError::NotRenewed("it was interrupted".to_owned()))?
    }
}
