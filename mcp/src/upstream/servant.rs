//! Requests and notifications that a server sends, as rmcp passes them to us.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock, Weak};

use rmcp::RoleClient;
use rmcp::model::{
    ClientConfig, ClientResult, CustomResult, ErrorData, ProtocolVersion, ServerNotification, ServerRequest,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Connection, Events};
use crate::wire::{Call, Params, UNKNOWN};

/// Receives the requests and notifications of a server.
pub struct Servant {
    /// The index of the server.
    pub index: usize,
    /// The receiver.
    pub events: Weak<dyn Events>,
    /// The introduction that the client sent.
    pub introduction: ClientConfig,
    /// The connection, once there is one.
    pub connection: Arc<OnceLock<Arc<Connection>>>,
}

impl Service<RoleClient> for Servant {
    async fn handle_request(
        &self,
        request: ServerRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        let mut call = call_of(&request);
        if call.method == "ping" {
            return Ok(ClientResult::CustomResult(CustomResult(json!({}))));
        }
        set_meta(&mut call, &context.meta);
        let gone = || ErrorData::internal_error("The client has disconnected.", None);
        let events = self.events.upgrade().ok_or_else(gone)?;
        let answer = events.request(self.index, call, context.ct).await?;
        Ok(ClientResult::CustomResult(CustomResult(answer)))
    }

    async fn handle_notification(
        &self,
        notification: ServerNotification,
        context: NotificationContext<RoleClient>,
    ) -> Result<(), ErrorData> {
        let mut call = call_of(&notification);
        set_meta(&mut call, &context.meta);
        let Some(connection) = self.connection.get() else { return Ok(()) };
        let (Some(call), Some(events)) = (connection.pass_progress(call).await, self.events.upgrade()) else {
            return Ok(());
        };
        events.notification(self.index, call).await;
        Ok(())
    }

    fn get_info(&self) -> ClientConfig {
        self.introduction.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }
}

/// Gives a message its `_meta`, which rmcp keeps separately and leaves empty in the message.
fn set_meta(call: &mut Call, meta: &impl Serialize) {
    call.params.remove("_meta");
    let meta = serde_json::to_value(meta).unwrap_or_default();
    if meta.as_object().is_some_and(|meta| !meta.is_empty()) {
        call.params.insert("_meta".to_owned(), meta);
    }
}

/// Returns a message as on the wire.
pub fn call_of(message: &impl Serialize) -> Call {
    let mut message = serde_json::to_value(message).unwrap_or_default();
    let method = message["method"].as_str().unwrap_or_default();
    let method = method.strip_prefix(UNKNOWN).unwrap_or(method).to_owned();
    let mut params = match message.get_mut("params").map(Value::take) {
        Some(Value::Object(params)) => params,
        _ => Params::new(),
    };
    // rmcp adds an empty one if it is missing.
    if params.get("_meta").and_then(Value::as_object).is_some_and(Params::is_empty) {
        params.remove("_meta");
    }
    Call::new(method, params)
}
