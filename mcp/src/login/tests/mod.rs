//! Logins against an authorization server in this process. The browser is an HTTP client.

mod flow;
mod renewal;
mod server;

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::upstream::Upstream;
use crate::wire::{Call, Params};
use server::{Behaviour, Servers};

const PATIENCE: Duration = Duration::from_secs(20);

/// An authorization server, a protected server, and stored logins.
struct World {
    servers: Servers,
    directory: TempDir,
    logins: Logins,
    url: ServerUrl,
}

impl World {
    async fn new(behaviour: Behaviour) -> Self {
        let servers = Servers::start(behaviour).await;
        let directory = tempfile::tempdir().unwrap();
        let logins = Logins::new(directory.path().join("logins"));
        let url = ServerUrl::parse(&servers.url()).unwrap();
        World { servers, directory, logins, url }
    }

    fn request(&self) -> LoginRequest {
        LoginRequest {
            url: self.url.clone(),
            name: None,
            scopes: Vec::new(),
            client_id: None,
            client_secret: None,
            port: 0,
        }
    }

    /// Logs in, with a browser that goes where it is sent.
    async fn log_in(&self) -> Result<Login, LoginError> {
        self.log_in_by(self.request()).await
    }

    async fn log_in_by(&self, request: LoginRequest) -> Result<Login, LoginError> {
        let pending = request.begin().await?;
        let page = pending.page().to_owned();
        let browser = tokio::spawn(async move { browse(&page).await });
        let login = pending.finish(&self.logins, PATIENCE).await;
        let shown = browser.await.unwrap();
        assert_eq!(shown.contains("You are logged in"), login.is_ok(), "{shown}");
        login
    }

    fn tokens(&self) -> Tokens {
        Tokens::new(&self.logins, self.url.as_str()).unwrap()
    }

    /// Changes the stored login as time would.
    fn age(&self, seconds: u64) {
        let path = self.directory.path().join("logins").join(format!("{}.json", self.url.file_stem()));
        let mut login: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let received = &mut login["credentials"]["token_received_at"];
        *received = json!(received.as_u64().unwrap() - seconds);
        std::fs::write(&path, login.to_string()).unwrap();
    }

    /// Checks that no request was malformed.
    fn check(&self) {
        assert_eq!(self.servers.state().violations, Vec::<String>::new());
    }
}

/// Follows a page and its redirects. Returns the text of the last page.
async fn browse(page: &str) -> String {
    let client = discover::client().unwrap();
    let mut url = page.to_owned();
    loop {
        let answer = client.get(&url).send().await.unwrap();
        match answer.headers().get("location") {
            Some(location) => url = location.to_str().unwrap().to_owned(),
            None => return answer.text().await.unwrap(),
        }
    }
}

/// Calls a tool of a server.
async fn call(server: &Upstream) -> Result<String, String> {
    let connection = server.connection().await.map_err(|error| error.message.into_owned())?;
    let mut params = Params::new();
    params.insert("name".to_owned(), json!("note"));
    let call = Call::new("tools/call".to_owned(), params);
    let answer = connection.request(call, None, &CancellationToken::new()).await;
    answer.map(|answer| answer.to_string()).map_err(|error| error.message.into_owned())
}
