//! Why a server cannot be reached, without the names of rmcp's types.

use std::error::Error;

use rmcp::service::ClientInitializeError;
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

type Failure = StreamableHttpError<reqwest::Error>;

const UNAUTHORIZED: &str =
    "it refused the credentials (HTTP 401); give a valid token in `headers` or with --header";
const FORBIDDEN: &str = "it does not allow this with the given token (HTTP 403); give one with more rights in `headers` or with --header";

/// Returns why a server could not be introduced to the client.
pub fn why_not_introduced(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::TransportError { error, .. } => why(&*error.error),
        ClientInitializeError::ExpectedInitResponse(_) | ClientInitializeError::ExpectedInitResult(_) => {
            "its answer to initialize has another form than MCP specifies".to_owned()
        }
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            "it supports no revision of MCP that the client supports".to_owned()
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => why_not_introduced(fallback),
        other => other.to_string(),
    }
}

/// Returns why a message could not be sent.
pub fn why(error: &(dyn Error + 'static)) -> String {
    match error.downcast_ref::<Failure>() {
        Some(Failure::Auth(AuthError::AuthorizationFailed(why) | AuthError::TokenRefreshFailed(why))) => {
            why.clone()
        }
        Some(Failure::AuthRequired(_)) => UNAUTHORIZED.to_owned(),
        Some(Failure::InsufficientScope(_)) => FORBIDDEN.to_owned(),
        Some(Failure::UnexpectedServerResponse(what)) if what.starts_with("HTTP 401") => {
            UNAUTHORIZED.to_owned()
        }
        Some(Failure::UnexpectedServerResponse(what)) if what.starts_with("HTTP 403") => FORBIDDEN.to_owned(),
        Some(Failure::UnexpectedContentType(named)) => {
            let named = named.as_deref().unwrap_or("none");
            format!("its answer has the content type {named}, not JSON or a stream of events")
        }
        // The outer errors only say that a request failed.
        Some(Failure::Client(error)) => innermost(error).to_string(),
        _ => error.to_string(),
    }
}

fn innermost(mut error: &dyn Error) -> &dyn Error {
    while let Some(source) = error.source() {
        error = source;
    }
    error
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::http::{StatusCode, header};
    use axum::response::IntoResponse;
    use rmcp::model::ProtocolVersion;
    use tokio::net::TcpListener;

    use super::super::testing::{start, why_not_running};

    #[tokio::test]
    async fn a_refused_token_is_named() {
        for (status, challenge, expected) in [
            (StatusCode::UNAUTHORIZED, true, "http 401"),
            (StatusCode::UNAUTHORIZED, false, "http 401"),
            (StatusCode::FORBIDDEN, true, "http 403"),
            (StatusCode::FORBIDDEN, false, "http 403"),
            (StatusCode::NOT_FOUND, false, "404"),
            (StatusCode::INTERNAL_SERVER_ERROR, false, "500"),
            (StatusCode::OK, false, "content type"),
        ] {
            let answer = move || async move {
                let challenge = challenge.then_some([(header::WWW_AUTHENTICATE, "Bearer realm=\"a\"")]);
                (status, challenge, "no").into_response()
            };
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}/mcp", listener.local_addr().unwrap());
            let serving = tokio::spawn(async move {
                axum::serve(listener, Router::new().fallback(answer)).await.unwrap();
            });
            for revision in [ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2026_07_28] {
                let why = why_not_running(start(&url, &[], None, revision)).await;
                assert!(why.to_lowercase().contains(expected), "{why}");
                for name in ["rmcp", "Transport", "::", "<", "reqwest", "Some("] {
                    assert!(!why.contains(name), "{status}: {why}");
                }
            }
            serving.abort();
        }
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_named() {
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let server = start(&format!("http://{free}/mcp"), &[], None, ProtocolVersion::V_2025_06_18);
        let why = why_not_running(server).await;
        assert!(why.contains("refused") && !why.contains("::"), "{why}");
    }
}
