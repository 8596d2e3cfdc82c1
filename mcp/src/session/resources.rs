//! The servers of resources. Servers choose URIs, so two of them may choose the same one: the
//! first that lists a URI keeps it, and the resources of the others get
//! `tuckaway+SERVER:URI`, which names the server.

use rmcp::model::{ErrorCode, ErrorData};
use serde_json::Value;

use super::{Context, Session, text_of};
use crate::upstream::Upstream;
use crate::wire::{Call, Params};

/// The prefix of the server's name in the URI of a resource whose URI another server also has.
const SHARED: &str = "tuckaway+";
/// A longer URI is not compared with templates.
const MAX_TEMPLATE_BYTES: usize = 4 << 10;
/// The scheme of artifacts.
const ARTIFACT: &str = "tuckaway://";

impl Session {
    /// Remembers the server of a resource. Returns the URI that the client sees.
    pub(super) fn own_resource(&self, uri: &str, server: usize) -> String {
        match self.resources.get(uri) {
            Some(owner) if owner != server => format!("{SHARED}{}:{uri}", self.servers()[server].name),
            Some(_) => uri.to_owned(),
            None => {
                self.resources.remember(uri, server);
                uri.to_owned()
            }
        }
    }

    /// Remembers the server of a template, by the text before its first variable.
    pub(super) fn own_template(&self, template: &str, server: usize) {
        let prefix = template.split('{').next().unwrap_or_default();
        if !prefix.is_empty() && self.resources.get(prefix).is_none() {
            self.resources.remember(prefix, server);
        }
    }

    /// Returns the servers that may have a resource, the most likely one first, and the URI that
    /// they know.
    fn owners_of<'a>(&self, uri: &'a str) -> (Vec<&Upstream>, &'a str) {
        let servers = self.servers();
        if let Some((name, rest)) = uri.strip_prefix(SHARED).and_then(|rest| rest.split_once(':'))
            && let Some(server) = servers.iter().find(|server| server.name == name)
        {
            return (vec![server], rest);
        }
        let known = self.resources.get(uri).or_else(|| {
            if uri.len() > MAX_TEMPLATE_BYTES {
                return None;
            }
            let mut ends = uri.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
            ends.find_map(|end| self.resources.get(&uri[..end]))
        });
        match known {
            Some(owner) => {
                let others = servers.iter().enumerate().filter(|(index, _)| *index != owner);
                (servers.get(owner).into_iter().chain(others.map(|(_, server)| server)).collect(), uri)
            }
            None => (servers.iter().collect(), uri),
        }
    }

    /// Asks the servers that may have a resource, until one has it.
    async fn ask_owner(
        &self,
        uri: &str,
        method: &str,
        mut with: impl FnMut(&str) -> Params,
        context: &Context,
    ) -> Result<Value, ErrorData> {
        let (servers, uri) = self.owners_of(uri);
        let mut refusal = ErrorData::resource_not_found(format!("There is no resource {uri}."), None);
        for (index, server) in servers.into_iter().enumerate() {
            let answer = match server.connection().await {
                Ok(connection) if index > 0 && !connection.has("resources") => continue,
                Ok(connection) => {
                    let call = Call::new(method, with(uri));
                    self.with_inputs(&connection, call, context).await
                }
                Err(error) => Err(error),
            };
            match answer {
                Ok(answer) => return Ok(answer),
                Err(error) if index == 0 => refusal = error,
                Err(_) => {}
            }
            let is_elsewhere =
                [ErrorCode::RESOURCE_NOT_FOUND, ErrorCode::INVALID_PARAMS, ErrorCode::METHOD_NOT_FOUND];
            if !is_elsewhere.contains(&refusal.code) {
                break;
            }
        }
        Err(refusal)
    }

    /// Reads a resource: an artifact, or a resource of a server.
    pub(super) async fn read_resource(&self, params: Params, context: &Context) -> Result<Value, ErrorData> {
        let uri = text_of(&params, "uri")?.to_owned();
        if uri.starts_with(ARTIFACT) {
            return self.reducer.read_artifact(&uri).await;
        }
        let with = |own: &str| {
            let mut params = params.clone();
            params.insert("uri".to_owned(), own.into());
            params
        };
        let result = self.ask_owner(&uri, "resources/read", with, context).await?;
        if inputs_are_required(&result) {
            return Ok(result);
        }
        let mut result = self.reducer.resource_result(&uri, result, self.abilities()).await;
        if self.is_modern()
            && let Some(members) = result.as_object_mut()
        {
            members.entry("ttlMs").or_insert_with(|| 0.into());
            members.entry("cacheScope").or_insert_with(|| "private".into());
        }
        Ok(result)
    }

    /// Subscribes to a resource of a server, or unsubscribes from it.
    pub(super) async fn subscribe(&self, call: Call, context: &Context) -> Result<Value, ErrorData> {
        let uri = text_of(&call.params, "uri")?.to_owned();
        if uri.starts_with(ARTIFACT) {
            // An artifact never changes.
            return Ok(Value::Object(Params::new()));
        }
        let with = |own: &str| {
            let mut params = call.params.clone();
            params.insert("uri".to_owned(), own.into());
            params
        };
        self.ask_owner(&uri, &call.method, with, context).await
    }

    /// Completes an argument of a prompt or of a template.
    pub(super) async fn complete(&self, mut params: Params, context: &Context) -> Result<Value, ErrorData> {
        let reference = params.get("ref").cloned().unwrap_or_default();
        if let Some(name) = reference["name"].as_str() {
            let (server, own) = self.resolve_prompt(name, context).await?;
            params["ref"]["name"] = own.into();
            let connection = self.servers()[server].connection().await?;
            return self.ask(&connection, Call::new("completion/complete", params), context).await;
        }
        let uri = reference["uri"].as_str().unwrap_or_default().to_owned();
        // The server of a template is found by the text before its first variable.
        let place = uri.split('{').next().unwrap_or_default().to_owned();
        let with = |_: &str| params.clone();
        self.ask_owner(&place, "completion/complete", with, context).await
    }
}

/// Returns whether a result asks the client for inputs.
pub(super) fn inputs_are_required(result: &Value) -> bool {
    result.get("resultType").is_some_and(|kind| kind == "input_required")
}
