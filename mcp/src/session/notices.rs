//! Requests and notifications of servers, and the client's subscriptions.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, ProgressToken};
use rmcp::service::Peer;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::inputs::send_request;
use super::{Context, Session};
use crate::upstream::{Events, State, send_to_client};
use crate::wire::{Call, Params};

/// The member of `_meta` that names a subscription.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
const MESSAGE: &str = "notifications/message";
/// The log levels at which a client does not want errors.
const ABOVE_ERROR: [&str; 3] = ["critical", "alert", "emergency"];
/// How long a server may take to accept the log level.
const LEVEL_PATIENCE: Duration = Duration::from_secs(10);

/// The lists that may change: the capability, the notification, and the member of a
/// subscription that requests it.
const LISTS: [(&str, &str, &str); 3] = [
    ("tools", "notifications/tools/list_changed", "toolsListChanged"),
    ("prompts", "notifications/prompts/list_changed", "promptsListChanged"),
    ("resources", "notifications/resources/list_changed", "resourcesListChanged"),
];
const UPDATED: &str = "notifications/resources/updated";
const RESOURCES: &str = "resourceSubscriptions";

/// The recipients of notifications.
#[derive(Default)]
pub struct Notices {
    /// A client that introduced itself with `initialize`.
    client: OnceLock<Peer<RoleServer>>,
    /// The subscriptions of a client of revision 2026-07-28.
    listeners: Mutex<HashMap<u64, Listener>>,
    next: Mutex<u64>,
    /// The log level that the client has set.
    level: Mutex<Option<Params>>,
    /// The requests of servers to the client: for our progress token, the server and its own
    /// token.
    progress: Mutex<HashMap<ProgressToken, (usize, Value)>>,
    /// The servers that have run before.
    known: Mutex<HashSet<usize>>,
    /// Whether the client has said that it is initialized: it may be sent log messages.
    is_ready: AtomicBool,
    /// The servers that could not be started, if the client already knows.
    failed: Mutex<HashSet<usize>>,
}

struct Listener {
    peer: Peer<RoleServer>,
    id: Value,
    filter: Params,
}

impl Listener {
    fn wants(&self, call: &Call) -> bool {
        match LISTS.iter().find(|(_, method, _)| *method == call.method) {
            Some((.., member)) => self.filter.get(*member).is_some_and(|wanted| wanted == true),
            None => {
                let resources = self.filter.get(RESOURCES).and_then(Value::as_array);
                call.method == UPDATED
                    && resources.is_some_and(|all| all.iter().any(|uri| Some(uri) == call.params.get("uri")))
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Notices {
    /// Remembers a client that can be sent notifications at any time.
    pub fn reach(&self, peer: Peer<RoleServer>) {
        // A client introduces itself only once.
        let _ = self.client.set(peer);
    }

    /// Remembers the log level for servers that start later.
    pub fn remember_level(&self, params: &Params) {
        *lock(&self.level) = Some(params.clone());
    }

    /// Returns whether the client may be sent errors.
    fn wants_errors(&self) -> bool {
        let level = lock(&self.level);
        let level = level.as_ref().and_then(|params| params.get("level")).and_then(Value::as_str);
        self.is_ready.load(Ordering::Relaxed) && level.is_none_or(|level| !ABOVE_ERROR.contains(&level))
    }

    /// Sends a notification to all recipients that want it.
    pub async fn send(&self, call: Call) {
        if let Some(peer) = self.client.get() {
            send_to_client(peer, call).await;
            return;
        }
        let wanted: Vec<(Peer<RoleServer>, Value)> = lock(&self.listeners)
            .values()
            .filter(|listener| listener.wants(&call))
            .map(|listener| (listener.peer.clone(), listener.id.clone()))
            .collect();
        for (peer, id) in wanted {
            let mut call = call.clone();
            let meta = call.params.entry("_meta").or_insert_with(|| json!({}));
            meta[SUBSCRIPTION] = id;
            send_to_client(&peer, call).await;
        }
    }
}

#[async_trait]
impl Events for Session {
    async fn request(
        &self,
        server: usize,
        mut call: Call,
        cancelled: CancellationToken,
    ) -> Result<Value, ErrorData> {
        let name = &self.settings.servers[server].name;
        if self.is_modern() {
            return self.ask_through_open(name, call).await;
        }
        let gone = || ErrorData::internal_error("The client has disconnected.", None);
        let peer = self.notices.client.get().ok_or_else(gone)?;
        let mut meta = call.take_meta().unwrap_or_default();
        let token = meta.remove("progressToken");
        let mut ours = None;
        let answer = send_request(peer, call, meta, &cancelled, |sent| {
            if let Some(token) = token {
                lock(&self.notices.progress).insert(sent.clone(), (server, token));
                ours = Some(sent.clone());
            }
        })
        .await;
        if let Some(ours) = ours {
            lock(&self.notices.progress).remove(&ours);
        }
        answer
    }

    async fn notification(&self, server: usize, mut call: Call) {
        match call.method.as_str() {
            "notifications/subscriptions/acknowledged" => return,
            MESSAGE if self.settings.prefix_names => {
                let name = &self.settings.servers[server].name;
                let logger = call.params.get("logger").and_then(Value::as_str);
                let logger = logger.map_or_else(|| name.clone(), |logger| format!("{name}/{logger}"));
                call.params.insert("logger".to_owned(), logger.into());
            }
            _ => {}
        }
        if let Some(meta) = call.params.get_mut("_meta").and_then(Value::as_object_mut) {
            // The member names our subscription, not the client's.
            meta.remove(SUBSCRIPTION);
            if meta.is_empty() {
                call.params.remove("_meta");
            }
        }
        self.notices.send(call).await;
    }

    async fn changed(&self, server: usize) {
        let State::Running(connection) = self.servers()[server].state() else {
            if lock(&self.notices.known).contains(&server) {
                self.send_list_changes(None).await;
            }
            self.send_failures().await;
            return;
        };
        lock(&self.notices.known).insert(server);
        let never = CancellationToken::new();
        let level = lock(&self.notices.level).clone();
        if let Some(params) = level.filter(|_| connection.has("logging")) {
            let call = Call::new("logging/setLevel", params);
            let _ = tokio::time::timeout(LEVEL_PATIENCE, connection.request(call, None, &never)).await;
        }
        if connection.is_modern() {
            let filter: Params =
                LISTS.iter().map(|(.., member)| ((*member).to_owned(), json!(true))).collect();
            self.listen_to(&connection, filter, never);
        }
        if self.is_introduced.load(Ordering::Relaxed) {
            self.send_list_changes(Some(&connection)).await;
        }
    }
}

impl Session {
    /// Notifies the client that the lists of a server were added or removed.
    async fn send_list_changes(&self, of: Option<&crate::upstream::Connection>) {
        for (capability, method, _) in LISTS {
            if of.is_none_or(|connection| connection.has(capability)) {
                self.notices.send(Call::new(method, Params::new())).await;
            }
        }
    }

    /// Sends a log message for each server that could not be started, because few clients show the
    /// instructions to the user. A server that has run before has its errors in its calls.
    async fn send_failures(&self) {
        if !self.notices.wants_errors() {
            return;
        }
        for (index, server) in self.servers().iter().enumerate() {
            let State::Pausing(why) = server.state() else { continue };
            if lock(&self.notices.known).contains(&index) || !lock(&self.notices.failed).insert(index) {
                continue;
            }
            let why = format!("The server {} is not running: {why}.", server.name);
            let params = [("level", "error"), ("logger", &server.name), ("data", &why)];
            let params = params.into_iter().map(|(name, value)| (name.to_owned(), json!(value)));
            self.notices.send(Call::new(MESSAGE, params.collect::<Params>())).await;
        }
    }

    /// Handles the notification that the client is initialized.
    pub async fn client_is_ready(&self) {
        self.notices.is_ready.store(true, Ordering::Relaxed);
        self.send_failures().await;
    }

    /// Subscribes to the notifications of a modern server.
    fn listen_to(
        &self,
        connection: &std::sync::Arc<crate::upstream::Connection>,
        filter: Params,
        until: CancellationToken,
    ) {
        let connection = std::sync::Arc::clone(connection);
        let params: Params = [("notifications".to_owned(), Value::Object(filter))].into_iter().collect();
        tokio::spawn(async move {
            let call = Call::new("subscriptions/listen", params);
            if let Err(error) = connection.request(call, None, &until).await {
                tracing::debug!("{}: subscriptions/listen: {}", connection.name, error.message);
            }
        });
    }

    /// Serves a subscription of a client of 2026-07-28, until it is cancelled.
    pub(super) async fn listen(&self, params: Params, context: &Context) -> Result<Value, ErrorData> {
        let filter = params.get("notifications").and_then(Value::as_object).cloned().unwrap_or_default();
        let id = serde_json::to_value(&context.id).unwrap_or_default();
        let acknowledged: Params = [
            ("_meta".to_owned(), json!({ SUBSCRIPTION: id })),
            ("notifications".to_owned(), Value::Object(filter.clone())),
        ]
        .into_iter()
        .collect();
        send_to_client(&context.peer, Call::new("notifications/subscriptions/acknowledged", acknowledged))
            .await;
        let number = {
            let mut next = lock(&self.notices.next);
            *next += 1;
            *next
        };
        let listener = Listener { peer: context.peer.clone(), id: id.clone(), filter: filter.clone() };
        lock(&self.notices.listeners).insert(number, listener);
        let until = context.cancelled.child_token();
        let uris: Vec<String> = filter
            .get(RESOURCES)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|uri| uri.as_str().map(str::to_owned))
            .collect();
        self.subscribe_all("resources/subscribe", &uris, context, &until).await;
        context.cancelled.cancelled().await;
        lock(&self.notices.listeners).remove(&number);
        until.cancel();
        self.subscribe_all("resources/unsubscribe", &uris, context, &until).await;
        Ok(json!({ "_meta": { SUBSCRIPTION: id } }))
    }

    /// Subscribes to resources at their servers, or unsubscribes from them.
    async fn subscribe_all(
        &self,
        method: &str,
        uris: &[String],
        context: &Context,
        until: &CancellationToken,
    ) {
        for uri in uris {
            for connection in self.running().into_iter().filter(|connection| connection.has("resources")) {
                if connection.is_modern() {
                    if method == "resources/subscribe" {
                        let filter = [(RESOURCES.to_owned(), json!([uri]))].into_iter().collect();
                        self.listen_to(&connection, filter, until.clone());
                    }
                    continue;
                }
                let params = [("uri".to_owned(), json!(uri))].into_iter().collect();
                // The client's request may have ended.
                let open = Context { cancelled: CancellationToken::new(), ..context.clone() };
                if let Err(error) = self.ask(&connection, Call::new(method, params), &open).await {
                    tracing::debug!("{}: {method} {uri}: {}", connection.name, error.message);
                }
            }
        }
    }

    /// Passes on a notification of the client.
    pub async fn take_notification(&self, mut call: Call) {
        if call.method == "notifications/progress" {
            let token = call.params.get("progressToken").cloned().unwrap_or_default();
            let to = serde_json::from_value(token)
                .ok()
                .and_then(|token| lock(&self.notices.progress).get(&token).cloned());
            let Some((server, token)) = to else { return };
            call.params.insert("progressToken".to_owned(), token);
            if let State::Running(connection) = self.servers()[server].state() {
                connection.notify(call).await;
            }
            return;
        }
        for connection in self.running() {
            connection.notify(call.clone()).await;
        }
    }

    /// Remembers a client that can be sent notifications at any time.
    pub fn reach(&self, peer: Peer<RoleServer>) {
        self.notices.reach(peer);
    }
}
