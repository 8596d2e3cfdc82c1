//! The messages that each side of a connection receives, in rmcp's types.

use rmcp::model::{
    ClientNotification, ClientRequest, ClientResult, CustomNotification, CustomRequest, CustomResult,
    JsonRpcMessage, NotificationMetaObject, RequestId, ServerNotification, ServerRequest, ServerResult,
};
use rmcp::service::{ServiceRole, TxJsonRpcMessage};
use rmcp::{RoleClient, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::frame::Call;

/// A role whose messages can be made from JSON as it is on the wire.
pub trait WireRole: ServiceRole {
    /// Makes a request of the peer.
    fn request(call: Call) -> Self::PeerReq;
    /// Makes a notification of the peer.
    fn notification(call: Call) -> Self::PeerNot;
    /// Makes the result of our request with this method.
    fn result(method: &str, result: Value) -> Self::PeerResp;
    /// Returns the method of our request.
    fn method_of(request: &Self::Req) -> &str;
    /// Returns whether a message introduces us: its capabilities may be incomplete.
    fn is_introduction(message: &TxJsonRpcMessage<Self>) -> bool;
    /// Returns the request that our notification cancels.
    fn cancels(notification: &Self::Not) -> Option<&RequestId>;
}

/// The member of an introduction's `_meta` for the capabilities as they are on the wire: rmcp's
/// type has no field for capabilities of other revisions, such as the tasks of 2025-11-25.
pub const CAPABILITIES: &str = "tuckaway/capabilities";

/// Copies the capabilities of an introduction into its `_meta`.
pub fn keep_capabilities(introduction: &mut Value) {
    let Some(introduction) = introduction.as_object_mut() else { return };
    let Some(capabilities) = introduction.get("capabilities").cloned() else { return };
    let meta = introduction.entry("_meta").or_insert_with(|| json!({}));
    if let Some(meta) = meta.as_object_mut() {
        meta.insert(CAPABILITIES.to_owned(), capabilities);
    }
}

/// Restores the capabilities that were copied into `_meta`.
pub fn restore_capabilities(message: &mut Value) {
    let place = if message.get("method").is_some() { "params" } else { "result" };
    let Some(introduction) = message.get_mut(place).and_then(Value::as_object_mut) else { return };
    let Some(meta) = introduction.get_mut("_meta").and_then(Value::as_object_mut) else { return };
    let kept = meta.remove(CAPABILITIES);
    if meta.is_empty() {
        introduction.remove("_meta");
    }
    if let Some(capabilities) = kept {
        introduction.insert("capabilities".to_owned(), capabilities);
    }
}

/// The prefix of methods that rmcp must not decode into its own types.
pub const UNKNOWN: &str = "tuckaway/";

/// Returns whether rmcp has to understand messages of a client with this method.
pub fn is_of_lifecycle(method: &str) -> bool {
    let methods =
        ["initialize", "server/discover", "ping", "notifications/cancelled", "notifications/initialized"];
    methods.contains(&method)
}

/// Returns whether rmcp has to understand messages of a server with this method.
pub fn is_known_of_server(method: &str) -> bool {
    matches!(
        method,
        "ping"
            | "notifications/cancelled"
            | "notifications/subscriptions/acknowledged"
            | "notifications/tools/list_changed"
            | "notifications/prompts/list_changed"
            | "notifications/resources/list_changed"
            | "notifications/resources/updated"
    )
}

/// Decodes a call into rmcp's own type.
fn typed<T: DeserializeOwned>(call: &Call) -> Option<T> {
    serde_json::from_value(json!({ "method": call.method, "params": call.params })).ok()
}

fn custom_request(mut call: Call) -> CustomRequest {
    let meta = call.take_meta();
    let method = std::mem::take(&mut call.method);
    let mut request = CustomRequest::new(method, call.into_params());
    if let Some(meta) = meta {
        request.extensions.insert(meta);
    }
    request
}

fn custom_notification(mut call: Call) -> CustomNotification {
    let meta: Option<NotificationMetaObject> =
        call.params.remove("_meta").and_then(|meta| serde_json::from_value(meta).ok());
    let method = std::mem::take(&mut call.method);
    let mut notification = CustomNotification::new(method, call.into_params());
    if let Some(meta) = meta {
        notification.extensions.insert(meta);
    }
    notification
}

impl WireRole for RoleServer {
    fn request(mut call: Call) -> ClientRequest {
        let is_lifecycle = is_of_lifecycle(&call.method);
        if call.method == "initialize" {
            let mut params = Value::Object(std::mem::take(&mut call.params));
            keep_capabilities(&mut params);
            call.params = params.as_object().cloned().unwrap_or_default();
        }
        let known = is_lifecycle.then(|| typed(&call)).flatten();
        known.unwrap_or_else(|| ClientRequest::CustomRequest(custom_request(call)))
    }

    fn notification(call: Call) -> ClientNotification {
        let is_lifecycle = is_of_lifecycle(&call.method);
        let known = is_lifecycle.then(|| typed(&call)).flatten();
        known.unwrap_or_else(|| ClientNotification::CustomNotification(custom_notification(call)))
    }

    fn result(_: &str, result: Value) -> ClientResult {
        ClientResult::CustomResult(CustomResult(result))
    }

    fn method_of(request: &Self::Req) -> &str {
        match request {
            ServerRequest::CustomRequest(request) => &request.method,
            _ => "",
        }
    }

    fn is_introduction(message: &TxJsonRpcMessage<Self>) -> bool {
        matches!(message, JsonRpcMessage::Response(response)
            if matches!(response.result, ServerResult::InitializeResult(_) | ServerResult::DiscoverResult(_)))
    }

    fn cancels(notification: &ServerNotification) -> Option<&RequestId> {
        match notification {
            ServerNotification::CancelledNotification(cancelled) => cancelled.params.request_id.as_ref(),
            _ => None,
        }
    }
}

impl WireRole for RoleClient {
    fn request(call: Call) -> ServerRequest {
        let known = (call.method == "ping").then(|| typed(&call)).flatten();
        known.unwrap_or_else(|| ServerRequest::CustomRequest(custom_request(call)))
    }

    fn notification(call: Call) -> ServerNotification {
        let is_lifecycle = call.method != "ping" && is_known_of_server(&call.method);
        let known = is_lifecycle.then(|| typed(&call)).flatten();
        known.unwrap_or_else(|| ServerNotification::CustomNotification(custom_notification(call)))
    }

    fn result(method: &str, mut result: Value) -> ServerResult {
        if matches!(method, "initialize" | "server/discover") {
            keep_capabilities(&mut result);
        }
        let is_lifecycle = matches!(method, "initialize" | "server/discover" | "subscriptions/listen");
        let known = is_lifecycle.then(|| serde_json::from_value(result.clone()).ok()).flatten();
        known.unwrap_or_else(|| ServerResult::CustomResult(CustomResult(result)))
    }

    fn method_of(request: &ClientRequest) -> &str {
        request.method()
    }

    fn is_introduction(message: &TxJsonRpcMessage<Self>) -> bool {
        matches!(message, JsonRpcMessage::Request(request)
            if matches!(request.request, ClientRequest::InitializeRequest(_)))
    }

    fn cancels(notification: &ClientNotification) -> Option<&RequestId> {
        match notification {
            ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.as_ref(),
            _ => None,
        }
    }
}
