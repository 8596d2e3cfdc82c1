//! Joins the lists of several servers.
//!
//! All servers are asked in parallel, page by page. The answer is one page, in the order of
//! the configuration and, for each server, in its own order. A server that fails or does not
//! start in time is missing from the list and named in the log. When it has started, the
//! client is notified that the list has changed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use rmcp::model::{ErrorCode, ErrorData};
use serde_json::{Value, json};

use super::{Context, Session};
use crate::upstream::{Connection, Upstream};
use crate::wire::{Call, Params};

/// How long a list waits for a server to start, and then for its answer, if there are other
/// servers.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of pages in the list of one server.
const MAX_PAGES: usize = 1_000;
/// The maximum number of items in the list of one server.
const MAX_ITEMS: usize = 100_000;

/// A list.
#[derive(Clone, Copy)]
pub struct Kind {
    method: &'static str,
    /// The member of the result that contains the items.
    items: &'static str,
    /// The capability of servers that have such a list.
    capability: &'static str,
}

pub const TOOLS: Kind = Kind { method: "tools/list", items: "tools", capability: "tools" };
pub const PROMPTS: Kind = Kind { method: "prompts/list", items: "prompts", capability: "prompts" };
pub const RESOURCES: Kind = Kind { method: "resources/list", items: "resources", capability: "resources" };
pub const TEMPLATES: Kind =
    Kind { method: "resources/templates/list", items: "resourceTemplates", capability: "resources" };
pub const TASKS: Kind = Kind { method: "tasks/list", items: "tasks", capability: "tasks" };

impl Session {
    /// Returns the joined list of all servers.
    pub(super) async fn list(&self, kind: Kind, context: &Context) -> Result<Value, ErrorData> {
        let servers = self.servers();
        let is_only = servers.len() == 1;
        let pages = join_all(servers.iter().map(|server| self.list_of(server, is_only, kind, context))).await;
        let mut result = Params::new();
        let (mut items, mut tools) = (Vec::new(), Vec::new());
        for (index, page) in pages.into_iter().enumerate() {
            let (members, own) = match page {
                Ok(page) => page,
                // Only an error can tell the client about the failure of the only server.
                Err(error) if is_only && kind.method != TOOLS.method => return Err(error),
                Err(error) => {
                    tracing::warn!("{}: {}: {}", servers[index].name, kind.method, error.message);
                    continue;
                }
            };
            if is_only {
                result = members;
            }
            if kind.method == TOOLS.method {
                tools.extend(
                    own.into_iter().filter_map(|tool| Some((index, self.exposed_tool(index, tool)?))),
                );
            } else {
                items.extend(own.into_iter().map(|item| self.exposed(kind, index, item)));
            }
        }
        if kind.method == TOOLS.method {
            items = self.surface.list(tools, &self.reducer, self.max_description());
            if self.lists_artifact_tools().await {
                items.extend(self.local.definitions(&self.reducer).await?);
            }
        }
        result.remove("nextCursor");
        result.insert(kind.items.to_owned(), Value::Array(items));
        if self.is_modern() {
            result.entry("ttlMs").or_insert(json!(0));
            result.entry("cacheScope").or_insert(json!("private"));
        }
        Ok(Value::Object(result))
    }

    /// Returns the items of a server, and the other members of its first page.
    async fn list_of(
        &self,
        server: &Upstream,
        is_only: bool,
        kind: Kind,
        context: &Context,
    ) -> Result<(Params, Vec<Value>), ErrorData> {
        let connection = match is_only {
            true => server.connection().await?,
            false => tokio::time::timeout(PATIENCE, server.connection())
                .await
                .map_err(|_| ErrorData::internal_error("it is still starting", None))??,
        };
        match connection.has(kind.capability) {
            true if is_only => self.pages(&connection, kind, context).await,
            true => self.pages_in_time(&connection, kind, context).await,
            false => Ok((Params::new(), Vec::new())),
        }
    }

    /// Returns the result of [`Session::pages`] if it arrives in time; otherwise cancels the
    /// request.
    async fn pages_in_time(
        &self,
        connection: &Arc<Connection>,
        kind: Kind,
        context: &Context,
    ) -> Result<(Params, Vec<Value>), ErrorData> {
        let mut context = context.clone();
        context.cancelled = context.cancelled.child_token();
        let pages = self.pages(connection, kind, &context);
        tokio::pin!(pages);
        tokio::select! {
            pages = &mut pages => pages,
            () = tokio::time::sleep(PATIENCE) => {
                context.cancelled.cancel();
                pages.await
            }
        }
    }

    async fn pages(
        &self,
        connection: &Arc<Connection>,
        kind: Kind,
        context: &Context,
    ) -> Result<(Params, Vec<Value>), ErrorData> {
        let (mut first, mut items, mut seen) = (Params::new(), Vec::new(), HashSet::new());
        let mut cursor: Option<String> = None;
        for page in 0..MAX_PAGES {
            let mut params = Params::new();
            if let Some(cursor) = &cursor {
                params.insert("cursor".to_owned(), json!(cursor));
            }
            let mut members = match self.ask(connection, Call::new(kind.method, params), context).await {
                Ok(Value::Object(members)) => members,
                Ok(_) => return Err(ErrorData::internal_error("the list is not an object", None)),
                Err(error) if error.code == ErrorCode::METHOD_NOT_FOUND => break,
                Err(error) => return Err(error),
            };
            if let Some(Value::Array(own)) = members.remove(kind.items) {
                items.extend(own);
            }
            let next = members.remove("nextCursor");
            if page == 0 {
                first = members;
            }
            cursor = match next {
                Some(Value::String(next)) if items.len() < MAX_ITEMS && seen.insert(next.clone()) => {
                    Some(next)
                }
                _ => break,
            };
        }
        items.truncate(MAX_ITEMS);
        Ok((first, items))
    }

    /// Returns a tool with the name that the client knows; `None` if the client may not use it.
    fn exposed_tool(&self, server: usize, mut tool: Value) -> Option<Value> {
        if let Some(name) = tool.get("name").and_then(Value::as_str) {
            if !self.settings.servers[server].tools.offers(name) {
                return None;
            }
            tool["name"] = self.tools.expose(server, name).into();
        }
        Some(tool)
    }

    /// Returns an item as the client sees it.
    fn exposed(&self, kind: Kind, server: usize, mut item: Value) -> Value {
        match kind.items {
            "prompts" => {
                if let Some(name) = item.get("name").and_then(Value::as_str) {
                    item["name"] = self.prompts.expose(server, name).into();
                }
            }
            "resources" => {
                if let Some(uri) = item.get("uri").and_then(Value::as_str) {
                    item["uri"] = self.own_resource(uri, server).into();
                }
            }
            "resourceTemplates" => {
                if let Some(template) = item.get("uriTemplate").and_then(Value::as_str) {
                    self.own_template(template, server);
                }
            }
            _ => {
                if let Some(id) = item.get("taskId").and_then(Value::as_str)
                    && self.tasks.get(id).is_none()
                {
                    self.tasks.remember(id, (server, String::new(), None));
                }
            }
        }
        item
    }
}
