//! The proxy over Streamable HTTP: who may connect, and both lifecycles.

use std::net::SocketAddr;

use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt, service::RunningService};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tuckaway_mcp::config::{Reach, ServerConfig, ServerTools};
use tuckaway_mcp::{Listening, Proxy, ProxyError};

use super::support::{OLD, Proxied, engines, runs, server, settings, until};

/// A proxy that listens.
struct Served {
    address: SocketAddr,
    stop: CancellationToken,
    served: JoinHandle<Result<(), ProxyError>>,
}

impl Served {
    async fn start(token: Option<&str>, origins: &[&str]) -> Self {
        let listening = Listening {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            token: token.map(str::to_owned),
            origins: origins.iter().map(|&origin| origin.to_owned()).collect(),
            max_request_bytes: 1 << 20,
        };
        let proxy = Proxy::new(settings(vec![server("scripted", &[])]), engines()).unwrap();
        let (sender, address) = oneshot::channel();
        let stop = CancellationToken::new();
        let ready = |address| sender.send(address).unwrap();
        let served = tokio::spawn(proxy.listen(listening, ready, stop.clone()));
        Served { address: address.await.unwrap(), stop, served }
    }

    fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Sends a request with these headers. Returns the status and the raw answer.
    async fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let mut request = format!(
            "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.address);
        }
        headers.iter().for_each(|(name, value)| request += &format!("{name}: {value}\r\n"));
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // A server that refuses a body may close before it has read it.
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("no status: {answer}")), answer)
    }

    async fn end(self) {
        self.stop.cancel();
        let served = tokio::time::timeout(std::time::Duration::from_secs(20), self.served).await;
        served.expect("the proxy stops").unwrap().unwrap();
    }
}

fn introduction() -> String {
    let params = json!({
        "protocolVersion": OLD, "capabilities": {}, "clientInfo": { "name": "raw", "version": "1" }
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }).to_string()
}

async fn use_it(client: &RunningService<RoleClient, ()>) {
    let tools = client.list_all_tools().await.unwrap();
    assert!(tools.iter().any(|tool| tool.name == "artifact_read"));
    let call = |name: &'static str, arguments: Value| {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments))
    };
    let echo = call("echo", json!({ "text": "over HTTP" })).await.unwrap();
    assert!(serde_json::to_string(&echo).unwrap().contains("over HTTP"));
    let big = serde_json::to_string(&call("big", json!({})).await.unwrap()).unwrap();
    assert!(big.len() < 60_000 && big.contains("tuckaway://art_"), "{big}");
}

#[tokio::test]
async fn clients_of_both_lifecycles_are_served() {
    let served = Served::start(None, &[]).await;
    let client = ().serve(StreamableHttpClientTransport::from_uri(served.url())).await.unwrap();
    use_it(&client).await;
    client.cancel().await.unwrap();
    let modern = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let transport = StreamableHttpClientTransport::from_uri(served.url());
    let client = ().serve_with_lifecycle(transport, modern).await.unwrap();
    use_it(&client).await;
    client.cancel().await.unwrap();
    served.end().await;
}

#[tokio::test]
async fn requests_that_introduce_their_client_need_no_session() {
    let served = Served::start(None, &[]).await;
    let body = json!({
        "jsonrpc": "2.0", "id": 5, "method": "tools/call",
        "params": {
            "name": "echo", "arguments": { "text": "stateless" },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {}
            }
        }
    });
    let headers =
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "echo")];
    let (status, answer) = served.post(&headers, &body.to_string()).await;
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains("stateless") && answer.contains("complete"), "{answer}");
    assert!(!answer.to_ascii_lowercase().contains("mcp-session-id"), "{answer}");
    served.end().await;
}

#[tokio::test]
async fn pages_of_other_origins_are_refused() {
    let served = Served::start(None, &[]).await;
    assert_eq!(served.post(&[], &introduction()).await.0, 200);
    for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example"] {
        assert_eq!(served.post(&[("Origin", origin)], &introduction()).await.0, 403, "{origin}");
    }
    // A name that leads here, but is not ours: rebinding.
    assert_eq!(served.post(&[("Host", "evil.example")], &introduction()).await.0, 403);
    served.end().await;
    let served = Served::start(None, &["https://app.example"]).await;
    assert_eq!(served.post(&[("Origin", "https://app.example")], &introduction()).await.0, 200);
    assert_eq!(served.post(&[("Origin", "https://evil.example")], &introduction()).await.0, 403);
    served.end().await;
}

#[tokio::test]
async fn a_token_is_required_and_compared() {
    let served = Served::start(Some("secret-token"), &[]).await;
    for given in ["", "Bearer", "Bearer ", "Bearer secret-toke", "Bearer secret-tokens", "Basic secret-token"]
    {
        let (status, answer) = served.post(&[("Authorization", given)], &introduction()).await;
        assert_eq!(status, 401, "{given}");
        assert!(answer.to_ascii_lowercase().contains("www-authenticate: bearer"), "{answer}");
    }
    assert_eq!(served.post(&[], &introduction()).await.0, 401);
    for given in ["Bearer secret-token", "bearer secret-token"] {
        assert_eq!(served.post(&[("Authorization", given)], &introduction()).await.0, 200);
    }
    served.end().await;
}

#[tokio::test]
async fn other_machines_need_a_token() {
    let listening = Listening {
        address: SocketAddr::from(([0, 0, 0, 0], 0)),
        token: None,
        origins: Vec::new(),
        max_request_bytes: 1 << 20,
    };
    let proxy = Proxy::new(settings(vec![server("scripted", &[])]), engines()).unwrap();
    let refused = proxy.listen(listening, |_| panic!("it listens"), CancellationToken::new()).await;
    assert!(refused.unwrap_err().to_string().contains("token"));
}

#[tokio::test]
async fn bodies_that_are_wrong_are_refused() {
    let served = Served::start(None, &[]).await;
    for body in ["", "{", "[]", "null", "{\"jsonrpc\":\"2.0\",\"id\":1}", "\"\\ud83d\""] {
        let (status, _) = served.post(&[], body).await;
        assert!((400..500).contains(&status), "{body}: {status}");
    }
    let (status, _) = served.post(&[], &format!("{{\"x\":\"{}\"}}", "x".repeat(2 << 20))).await;
    assert_eq!(status, 413);
    let unknown = [("Mcp-Session-Id", "no-such-session")];
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    assert_eq!(served.post(&unknown, &ping).await.0, 404);
    served.end().await;
}

#[tokio::test]
async fn servers_end_with_their_sessions() {
    let served = Served::start(None, &[]).await;
    let client = ().serve(StreamableHttpClientTransport::from_uri(served.url())).await.unwrap();
    let pid = client.call_tool(CallToolRequestParams::new("pid")).await.unwrap();
    let pid = serde_json::to_value(pid).unwrap()["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(runs(&pid));
    client.cancel().await.unwrap();
    until("the server ends with its session", || !runs(&pid)).await;
    served.end().await;
}

#[tokio::test]
async fn a_server_with_a_url_is_wrapped() {
    let served = Served::start(Some("secret"), &[]).await;
    let headers = vec![("Authorization".to_owned(), "Bearer secret".to_owned())];
    let reach = Reach::Url { url: served.url(), headers };
    let proxied = Proxied::with(settings(vec![ServerConfig {
        name: "remote".to_owned(),
        reach,
        tools: ServerTools::default(),
    }]));
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    let names = proxied.names().await;
    assert!(names.contains(&"echo".to_owned()) && names.contains(&"artifact_read".to_owned()));
    // Its own artifact tools are another server's: they have other names.
    assert_eq!(names.iter().filter(|name| name.starts_with("artifact_read")).count(), 2, "{names:?}");
    proxied.still_works().await;
    served.end().await;
}

#[tokio::test]
async fn a_url_that_is_wrong_is_named() {
    let served = Served::start(Some("secret"), &[]).await;
    for (url, headers) in [(served.url(), Vec::new()), ("http://127.0.0.1:9/mcp".to_owned(), Vec::new())] {
        let reach = Reach::Url { url, headers };
        let proxied = Proxied::with(settings(vec![ServerConfig {
            name: "remote".to_owned(),
            reach,
            tools: ServerTools::default(),
        }]));
        let answer = proxied.client.initialize(OLD, json!({})).await.unwrap();
        let why = answer["error"]["message"].as_str().unwrap();
        assert!(why.contains("The server remote is not running"), "{why}");
        proxied.refused().await;
    }
    served.end().await;
}
