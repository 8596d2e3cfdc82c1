//! Where requests to a server may go, and with which token.

use std::future::Future;

use reqwest::redirect::{Attempt, Policy};
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::login::{LoginError, Tokens};

type Failure = StreamableHttpError<reqwest::Error>;

/// The maximum number of redirects for one request.
const MAX_REDIRECTS: usize = 10;

/// Sends requests with the token of a login, if there is one. `None` sends them as they are.
#[derive(Clone)]
pub struct Access(pub Option<Tokens>);

impl Access {
    /// Returns a client that sends no header, session or message to another origin than the server's.
    pub fn client() -> reqwest::Result<reqwest::Client> {
        reqwest::Client::builder().redirect(Policy::custom(redirect)).build()
    }

    /// Sends a request. If the server refuses the token, it is renewed, and the request is sent once
    /// more. The error says which command to run.
    pub async fn send<T, F>(
        &self,
        given: Option<String>,
        send: impl Fn(Option<String>) -> F,
    ) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let Some(tokens) = &self.0 else { return send(given).await };
        self.send_silently(given, send).await.map_err(|error| explained(tokens, error))
    }

    /// Sends a request in the same way. If the server refuses it, rmcp gets that error: it then does
    /// not try to open a stream again.
    pub async fn send_silently<T, F>(
        &self,
        given: Option<String>,
        send: impl Fn(Option<String>) -> F,
    ) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let Some(tokens) = &self.0 else { return send(given).await };
        let token = tokens.token().await.map_err(|error| failure(tokens, &error))?;
        match (send(token.clone()).await, token) {
            (Err(error), Some(refused)) if is_unauthorized(&error) => {
                match tokens.instead_of(&refused).await.map_err(|error| failure(tokens, &error))? {
                    Some(token) => send(Some(token)).await,
                    None => Err(error),
                }
            }
            (sent, _) => sent,
        }
    }
}

/// Follows redirects within the server that keep the message. Others would send the message, its
/// headers and its session to a place that the user has not named.
fn redirect(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let is_same = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
    let keeps_message = matches!(attempt.status().as_u16(), 307 | 308);
    if !is_same || !keeps_message {
        // The query may contain a key.
        let to = format!("{}{}", attempt.url().origin().ascii_serialization(), attempt.url().path());
        return attempt
            .error(format!("it redirects to {to}, which is not followed; write the new address as its URL"));
    }
    match attempt.previous().len() > MAX_REDIRECTS {
        true => attempt.error("it redirects too often"),
        false => attempt.follow(),
    }
}

fn is_unauthorized(error: &Failure) -> bool {
    match error {
        Failure::AuthRequired(_) => true,
        Failure::UnexpectedServerResponse(what) => what.starts_with("HTTP 401"),
        _ => false,
    }
}

fn failure(tokens: &Tokens, error: &LoginError) -> Failure {
    let command = tokens.login_command("");
    Failure::Auth(match error {
        LoginError::LoginNeeded(why) => AuthError::AuthorizationFailed(format!("{why}; run `{command}`")),
        error => AuthError::TokenRefreshFailed(format!("{error}; if this happens again, run `{command}`")),
    })
}

/// Says which command to run if a login is missing.
fn explained(tokens: &Tokens, error: Failure) -> Failure {
    let why = match &error {
        error if is_unauthorized(error) => format!(
            "it asks for a login (HTTP 401); run `{}`, or give a token in `headers` or with --header",
            tokens.login_command("")
        ),
        Failure::InsufficientScope(missing) => match missing.get_required_scope() {
            Some(scopes) => format!(
                "it needs a login that allows more (HTTP 403); run `{}`",
                tokens.login_command(scopes)
            ),
            None => return error,
        },
        _ => return error,
    };
    Failure::Auth(AuthError::AuthorizationFailed(why))
}
