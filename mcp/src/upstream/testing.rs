//! Starts servers with a URL in tests, for a client that receives nothing.

use std::sync::{Arc, Weak};

use async_trait::async_trait;
use rmcp::model::{ClientCapabilities, ErrorData, Implementation, InitializeRequestParams, ProtocolVersion};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Events, Upstream};
use crate::client::Client;
use crate::config::{Reach, ServerConfig};
use crate::login::Logins;
use crate::wire::Call;

/// Receives nothing.
struct Nobody;

#[async_trait]
impl Events for Nobody {
    async fn request(&self, _: usize, _: Call, _: CancellationToken) -> Result<Value, ErrorData> {
        Ok(Value::Null)
    }

    async fn notification(&self, _: usize, _: Call) {}

    async fn changed(&self, _: usize) {}
}

/// Starts a server.
pub fn start(
    url: &str,
    headers: &[(&str, &str)],
    logins: Option<Logins>,
    revision: ProtocolVersion,
) -> Upstream {
    let introduction =
        InitializeRequestParams::new(ClientCapabilities::default(), Implementation::new("test", "1"));
    let client = Client::initialized(introduction.with_protocol_version(revision));
    let headers = headers.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let reach = Reach::url(url.to_owned(), headers).unwrap();
    let config = ServerConfig { name: "web".to_owned(), reach, tools: Default::default() };
    let events: Weak<dyn Events> = Arc::downgrade(&(Arc::new(Nobody) as Arc<dyn Events>));
    crate::tls::use_ring();
    Upstream::start(0, config, 1 << 20, logins, client, events)
}

/// Returns why a server is not running, and stops it.
pub async fn why_not_running(server: Upstream) -> String {
    let Err(error) = server.connection().await else { panic!("it is running") };
    server.close().await;
    error.message.into_owned()
}
