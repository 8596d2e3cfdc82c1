//! One client, its servers, and the messages between them.

mod artifacts;
mod calls;
mod hello;
mod inputs;
mod lists;
mod names;
mod notices;
mod owners;
mod resources;
mod surface;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, Weak};

use futures_util::future::join_all;
use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, ProgressToken, RequestId, RequestMetaObject};
use rmcp::service::Peer;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::client::Client;
use crate::config::Settings;
use crate::local::LocalTools;
use crate::login::Logins;
use crate::reduce::{Filter, Reducer};
use crate::stores::Stores;
use crate::surface::Surface;
use crate::upstream::{Connection, Events, ProgressTo, Upstream};
use crate::wire::{Call, LOST, Params, lost};

use inputs::Inputs;
use names::Names;
use notices::Notices;
use owners::Owners;

/// Methods that revision 2026-07-28 does not have. `initialize` is another: see `downstream`.
const REMOVED: [&str; 3] = ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

/// The maximum length of an error's message.
const MAX_MESSAGE_BYTES: usize = 16 << 10;

/// The context of a client's request.
#[derive(Clone)]
pub struct Context {
    /// The client, for messages that are sent while the request runs.
    pub peer: Peer<RoleServer>,
    /// The id of the request.
    pub id: RequestId,
    /// The `_meta` of the request.
    pub meta: RequestMetaObject,
    /// Cancelled when the client cancels the request.
    pub cancelled: CancellationToken,
}

impl Context {
    /// Returns the recipient of the request's progress, if the client asked for it.
    fn progress(&self) -> Option<ProgressTo> {
        let ProgressToken(token) = self.meta.get_progress_token()?;
        let token = serde_json::to_value(token).ok()?;
        Some(ProgressTo { token, peer: self.peer.clone() })
    }
}

/// One client and its servers.
pub struct Session {
    settings: Arc<Settings>,
    reducer: Reducer,
    local: LocalTools,
    /// Learn the name of the client.
    stores: Option<Stores>,
    logins: Option<Logins>,
    tools: Names,
    prompts: Names,
    surface: Surface,
    client: OnceLock<Client>,
    servers: OnceLock<Vec<Upstream>>,
    /// The server of each resource.
    resources: Owners<usize>,
    /// The server of each task, the tool that the task runs, and the filter for its result.
    tasks: Owners<(usize, String, Option<Filter>)>,
    inputs: Inputs,
    notices: Notices,
    /// Whether the session is initialized: later changes are notified.
    is_introduced: AtomicBool,
    /// Whether the client has listed the artifact tools, or was notified of them.
    are_listed: AtomicBool,
    /// Cancelled when nobody waits for calls any more.
    abandoned: CancellationToken,
    this: Weak<Session>,
}

impl Session {
    /// Creates a session, whose servers are started when the client introduces itself.
    pub fn new(
        settings: Arc<Settings>,
        reducer: Reducer,
        local: LocalTools,
        stores: Option<Stores>,
        logins: Option<Logins>,
    ) -> Arc<Self> {
        let prefixes: Vec<String> = match settings.prefix_names {
            true => settings.servers.iter().map(|server| server.name.clone()).collect(),
            false => Vec::new(),
        };
        let surface =
            Surface::new(settings.servers.iter().map(|server| settings.compression(server)).collect());
        let reserved = [local.names(), surface.names()].concat();
        Arc::new_cyclic(|this| Session {
            tools: Names::new(prefixes.clone(), reserved),
            prompts: Names::new(prefixes, Vec::new()),
            surface,
            settings,
            reducer,
            local,
            stores,
            logins,
            client: OnceLock::new(),
            servers: OnceLock::new(),
            resources: Owners::default(),
            tasks: Owners::default(),
            inputs: Inputs::default(),
            notices: Notices::default(),
            is_introduced: AtomicBool::new(false),
            are_listed: AtomicBool::new(false),
            abandoned: CancellationToken::new(),
            this: Weak::clone(this),
        })
    }

    /// Receives the client's introduction, and starts the servers.
    pub fn begin(&self, client: Client) {
        let client = self.client.get_or_init(|| client).clone();
        if let Some(stores) = &self.stores {
            stores.introduce(&client.introduction.client_info.name);
        }
        self.servers.get_or_init(|| {
            let events: Weak<dyn Events> = self.this.clone();
            let start = |(index, server): (usize, &crate::config::ServerConfig)| {
                let (most, logins) = (self.settings.max_result_bytes, self.logins.clone());
                Upstream::start(index, server.clone(), most, logins, client.clone(), Weak::clone(&events))
            };
            self.settings.servers.iter().enumerate().map(start).collect()
        });
    }

    /// Ends all calls of tools, because nobody waits for their results.
    pub fn abandon_calls(&self) {
        self.abandoned.cancel();
    }

    /// Stops the servers, and waits until they have ended.
    pub async fn close(&self) {
        join_all(self.servers().iter().map(Upstream::close)).await;
    }

    fn servers(&self) -> &[Upstream] {
        self.servers.get().map_or(&[], Vec::as_slice)
    }

    fn client(&self) -> Option<&Client> {
        self.client.get()
    }

    fn is_modern(&self) -> bool {
        self.client().is_some_and(Client::is_modern)
    }

    /// Answers a request of the client.
    pub async fn handle(&self, call: Call, context: Context) -> Result<Value, ErrorData> {
        let answer = match call.method.as_str() {
            "ping" => Ok(Value::Object(Params::new())),
            method if self.is_modern() && REMOVED.contains(&method) => Err(unknown(method)),
            "tools/list" => self.list(lists::TOOLS, &context).await,
            "prompts/list" => self.list(lists::PROMPTS, &context).await,
            "resources/list" => self.list(lists::RESOURCES, &context).await,
            "resources/templates/list" => self.list(lists::TEMPLATES, &context).await,
            "tasks/list" => self.list(lists::TASKS, &context).await,
            "tools/call" => tokio::select! {
                answer = self.call_tool(call.params, &context) => answer,
                () = self.abandoned.cancelled() => Err(lost("The client has disconnected.")),
            },
            "prompts/get" => self.get_prompt(call.params, &context).await,
            "resources/read" => self.read_resource(call.params, &context).await,
            "resources/subscribe" | "resources/unsubscribe" => self.subscribe(call, &context).await,
            "subscriptions/listen" => self.listen(call.params, &context).await,
            "completion/complete" => self.complete(call.params, &context).await,
            "logging/setLevel" => self.set_level(call, &context).await,
            method if method.starts_with("tasks/") => self.of_task(call, &context).await,
            _ => self.of_the_only_server(call, &context).await,
        };
        self.announce_artifact_tools().await;
        answer.map(|result| self.in_the_clients_revision(result)).map_err(bounded)
    }

    /// Adds the members that the client's revision requires in a result, and removes members that
    /// the revision does not have.
    fn in_the_clients_revision(&self, mut result: Value) -> Value {
        let is_modern = self.is_modern();
        let Some(members) = result.as_object_mut() else { return result };
        match is_modern {
            true => {
                members.entry("resultType").or_insert_with(|| "complete".into());
            }
            false if members.get("resultType").is_some_and(|kind| kind == "complete") => {
                members.remove("resultType");
            }
            false => {}
        }
        result
    }

    /// Sends a request to a server.
    async fn ask(&self, connection: &Connection, call: Call, context: &Context) -> Result<Value, ErrorData> {
        connection.request(call, context.progress(), &context.cancelled).await
    }

    async fn of_the_only_server(&self, call: Call, context: &Context) -> Result<Value, ErrorData> {
        let [only] = self.servers() else { return Err(unknown(&call.method)) };
        let connection = only.connection().await?;
        self.ask(&connection, call, context).await
    }

    async fn set_level(&self, call: Call, context: &Context) -> Result<Value, ErrorData> {
        self.notices.remember_level(&call.params);
        for connection in self.running() {
            if connection.has("logging")
                && let Err(error) = self.ask(&connection, call.clone(), context).await
            {
                tracing::warn!("{}: logging/setLevel: {}", connection.name, error.message);
            }
        }
        Ok(Value::Object(Params::new()))
    }

    /// Returns the servers that are running.
    fn running(&self) -> Vec<Arc<Connection>> {
        let running = self.servers().iter().filter_map(|server| match server.state() {
            crate::upstream::State::Running(connection) => Some(connection),
            _ => None,
        });
        running.collect()
    }
}

/// Returns the error of a method that nobody knows.
pub fn unknown(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None)
}

/// Truncates the message of an error, because models read it.
fn bounded(error: ErrorData) -> ErrorData {
    let message = tuckaway_text::cut::with_ellipsis(error.message.into_owned(), MAX_MESSAGE_BYTES);
    let code = if error.code == LOST { ErrorCode::INTERNAL_ERROR } else { error.code };
    let data = error.data.filter(|data| data.to_string().len() <= MAX_MESSAGE_BYTES);
    ErrorData::new(code, message, data)
}

/// Returns the text of a required member.
fn text_of<'a>(params: &'a Params, member: &str) -> Result<&'a str, ErrorData> {
    let missing = || ErrorData::invalid_params(format!("params.{member} is missing or not a string."), None);
    params.get(member).and_then(Value::as_str).ok_or_else(missing)
}
