//! Receives the answers of a browser on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use url::form_urlencoded;

use super::LoginError;

/// Answers that wait.
const MAX_WAITING: usize = 16;
/// How long the browser may take to receive the last page.
const CLOSE_PATIENCE: Duration = Duration::from_secs(2);

/// Listens for the answers of a browser.
pub struct Callbacks {
    /// The address to which the browser is sent.
    pub redirect_uri: String,
    answers: mpsc::Receiver<Callback>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

/// An answer of a browser. Its members were chosen by whoever sent the browser here.
pub struct Callback {
    /// The login that the answer belongs to.
    pub state: Option<String>,
    /// The code to exchange for a token.
    pub code: Option<String>,
    /// The authorization server.
    pub issuer: Option<String>,
    /// Why there is no code.
    pub error: Option<String>,
    reply: oneshot::Sender<Page>,
}

/// What the browser shows.
#[derive(Clone, Copy)]
pub enum Page {
    /// The login has succeeded.
    LoggedIn,
    /// The login has failed.
    Failed,
    /// The answer belongs to another login.
    OfAnother,
}

impl Callbacks {
    /// Listens on a port, or on any free one if it is 0.
    pub async fn listen(port: u16) -> Result<Self, LoginError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).await.map_err(LoginError::Listen)?;
        let address = listener.local_addr().map_err(LoginError::Listen)?;
        let (sender, answers) = mpsc::channel(MAX_WAITING);
        let (stop, stopped) = oneshot::channel::<()>();
        let router = Router::new().route("/callback", get(move |uri: Uri| receive(sender.clone(), uri)));
        let served = tokio::spawn(async move {
            let until = async {
                // It is also over if nobody waits any more.
                let _ = stopped.await;
            };
            // It does not fail: connections are accepted again after an error.
            let _ = axum::serve(listener, router).with_graceful_shutdown(until).await;
        });
        Ok(Callbacks { redirect_uri: format!("http://{address}/callback"), answers, stop, served })
    }

    /// Waits for the next answer.
    pub async fn next(&mut self) -> Option<Callback> {
        self.answers.recv().await
    }

    /// Stops listening, once the browser has its page.
    pub async fn close(self) {
        drop(self.answers);
        let _ = self.stop.send(());
        // A browser may keep a connection open.
        let _ = tokio::time::timeout(CLOSE_PATIENCE, self.served).await;
    }
}

impl Callback {
    /// Answers the browser.
    pub fn reply(self, page: Page) {
        // The browser may have gone.
        let _ = self.reply.send(page);
    }
}

async fn receive(sender: mpsc::Sender<Callback>, uri: Uri) -> Response {
    let (reply, page) = oneshot::channel();
    let mut callback = Callback { state: None, code: None, issuer: None, error: None, reply };
    let mut description = None;
    for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
        let member = match &*name {
            "state" => &mut callback.state,
            "code" => &mut callback.code,
            "iss" => &mut callback.issuer,
            "error" => &mut callback.error,
            "error_description" => &mut description,
            _ => continue,
        };
        *member = Some(value.into_owned());
    }
    if let (Some(error), Some(description)) = (&mut callback.error, description) {
        *error = format!("{error} ({description})");
    }
    let page = match sender.send(callback).await {
        Ok(()) => page.await.unwrap_or(Page::Failed),
        Err(_) => Page::OfAnother,
    };
    page.into_response()
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Page::LoggedIn => (StatusCode::OK, "You are logged in. You can close this page."),
            Page::Failed => (StatusCode::BAD_REQUEST, "The login has failed. The terminal says why."),
            Page::OfAnother => {
                (StatusCode::BAD_REQUEST, "This page does not belong to the login that is running.")
            }
        };
        // Other pages must not learn the code from the address of this one.
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-store"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
        ];
        let body = format!("<!doctype html><title>tuckaway</title><p>{text}</p>\n");
        (status, headers, body).into_response()
    }
}
