//! The side of the client: rmcp speaks the client's revision of the protocol, and the session
//! answers.

mod first;
mod http;
mod stdio;
mod verbatim;

use std::sync::{Arc, OnceLock};

use rmcp::model::{
    CustomNotification, CustomRequest, CustomResult, DiscoverResult, ErrorData, InitializeRequestParams,
    InitializeResult, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use crate::client::Client;
use crate::session::{Context, Session, unknown};
use crate::wire::{Call, Params, UNKNOWN};

pub use http::{Listening, MakeSession, listen};
pub use stdio::serve_stdio;

/// The source of sessions for clients.
pub trait Sessions: Send + Sync + 'static {
    /// Returns a session for a client that sent `initialize`.
    fn of_connection(&self) -> Result<Arc<Session>, ErrorData>;
    /// Returns the session for a client that introduces itself in each request.
    fn of_requests(&self, client: &Client) -> Result<Arc<Session>, ErrorData>;
}

/// One connection of a client.
pub struct Downstream {
    sessions: Arc<dyn Sessions>,
    /// The session of a client that sent `initialize`.
    session: OnceLock<Arc<Session>>,
}

impl Downstream {
    /// Creates a connection.
    pub fn new(sessions: Arc<dyn Sessions>) -> Self {
        Downstream { sessions, session: OnceLock::new() }
    }

    fn initialized(&self) -> Result<Arc<Session>, ErrorData> {
        if let Some(session) = self.session.get() {
            return Ok(Arc::clone(session));
        }
        let session = self.sessions.of_connection()?;
        Ok(Arc::clone(self.session.get_or_init(|| session)))
    }

    /// Returns the session of a request, which may contain the introduction of its client.
    fn session_of(&self, context: &RequestContext<RoleServer>) -> Result<Arc<Session>, ErrorData> {
        if let Some(session) = self.session.get() {
            return Ok(Arc::clone(session));
        }
        if context.meta.protocol_version().is_none() {
            return Err(ErrorData::invalid_request("Send initialize first.", None));
        }
        let client = Client::inline(&context.meta);
        let session = self.sessions.of_requests(&client)?;
        session.begin(client);
        Ok(session)
    }
}

impl ServerHandler for Downstream {
    async fn initialize(
        &self,
        mut introduction: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        if context.meta.protocol_version().is_some_and(|version| !version.has_initialize()) {
            // A client of such a revision introduces itself in each request.
            return Err(unknown("initialize"));
        }
        context.peer.set_peer_info(introduction.clone());
        // rmcp keeps `_meta` separately; it has the capabilities as they were on the wire.
        introduction.meta = (!context.meta.is_empty()).then(|| context.meta.clone());
        introduction.protocol_version = self.negotiate_initialize(&introduction)?.protocol_version;
        let session = self.initialized()?;
        session.begin(Client::initialized(introduction));
        session.reach(context.peer);
        session.initialize_result().await
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        self.session_of(&context)?.discover_result().await
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {
        if let Some(session) = self.session.get() {
            session.client_is_ready().await;
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let session = self.session_of(&context)?;
        let method = request.method.strip_prefix(UNKNOWN).unwrap_or(&request.method);
        let mut call = Call::new(method, object(request.params)?);
        if !context.meta.is_empty() {
            call.params.insert("_meta".to_owned(), serde_json::to_value(&context.meta).unwrap_or_default());
        }
        let context =
            Context { peer: context.peer, id: context.id, meta: context.meta, cancelled: context.ct };
        session.handle(call, context).await.map(CustomResult)
    }

    async fn on_custom_notification(
        &self,
        notification: CustomNotification,
        _: NotificationContext<RoleServer>,
    ) {
        let Some(session) = self.session.get() else { return };
        let method = notification.method.strip_prefix(UNKNOWN).unwrap_or(&notification.method);
        match object(notification.params) {
            Ok(params) => session.take_notification(Call::new(method, params)).await,
            Err(error) => tracing::debug!("a notification from the client was ignored: {}", error.message),
        }
    }

    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::default())
    }
}

fn object(params: Option<Value>) -> Result<Params, ErrorData> {
    match params {
        None | Some(Value::Null) => Ok(Params::new()),
        Some(Value::Object(params)) => Ok(params),
        Some(_) => Err(ErrorData::invalid_params("params is not an object.", None)),
    }
}
