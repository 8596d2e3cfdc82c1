//! Calls of the two tools that stand for compressed ones.

use rmcp::model::ErrorData;
use serde_json::{Value, json};

use super::{Context, Session, lists};
use crate::profile;
use crate::reduce::failed_result;
use crate::surface::{CALL, Request, SCHEMA, definition};
use crate::wire::Params;

/// The meaning of a tool call.
pub(super) enum Meaning {
    /// A call of another tool, or of the tool itself, with these parameters.
    Call(Params),
    /// An answer without another call.
    Answer(Value),
}

impl Session {
    /// Returns the meaning of a tool call.
    pub(super) async fn meaning(&self, params: Params, context: &Context) -> Result<Meaning, ErrorData> {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        if !self.surface.is_on() || (name != CALL && name != SCHEMA) {
            return Ok(Meaning::Call(params));
        }
        let is_call = name == CALL;
        let given = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
        let refused = |why: String| Meaning::Answer(failed_result(&why));
        if is_call {
            let call = self.meant_call(given, context).await?;
            return Ok(call.map_or_else(refused, |meant| {
                let mut params = params;
                params.extend(meant);
                Meaning::Call(params)
            }));
        }
        match self.described(&given, context).await? {
            Ok(text) => {
                let result = json!({ "content": [{ "type": "text", "text": text }] });
                Ok(Meaning::Answer(self.reducer.tool_result(SCHEMA, result, self.abilities()).await))
            }
            Err(why) => Ok(refused(why)),
        }
    }

    /// Returns the name and the arguments of the call that the arguments of [`CALL`] ask for. The inner
    /// error is for the model.
    async fn meant_call(
        &self,
        given: Value,
        context: &Context,
    ) -> Result<Result<[(String, Value); 2], String>, ErrorData> {
        let request = match Request::read(given) {
            Ok(request) => request,
            Err(why) => return Ok(Err(why)),
        };
        let tool = request.tool.clone();
        let arguments = if self.local.names().contains(&tool) {
            Ok(request.unchecked())
        } else {
            self.learn(&tool, context).await?;
            self.surface.arguments(request, self.reducer.takes_filter(&tool))
        };
        Ok(arguments.map(|arguments| [("name".to_owned(), tool.into()), ("arguments".to_owned(), arguments)]))
    }

    /// Returns the definition of a tool, or the list of all tools. The inner error is for the model.
    async fn described(&self, given: &Value, context: &Context) -> Result<Result<String, String>, ErrorData> {
        let name = match given.get("tool_name") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) if name.is_empty() => None,
            Some(Value::String(name)) => Some(name),
            Some(_) => return Ok(Err("tool_name is not a string: pass the name of one tool.".to_owned())),
        };
        let Some(name) = name else {
            self.list(lists::TOOLS, context).await?;
            return Ok(Ok(self.surface.all()));
        };
        if self.local.names().contains(name) {
            let own = self.local.definitions(&self.reducer).await?;
            let found = own.iter().find(|tool| tool["name"] == name.as_str());
            return Ok(found.map(definition).ok_or_else(|| format!("There is no tool named {name:?}.")));
        }
        self.learn(name, context).await?;
        Ok(self.surface.definition(name))
    }

    /// Lists the tools if this one is not known: the client may have listed them in an earlier
    /// connection, or before its server had started.
    async fn learn(&self, tool: &str, context: &Context) -> Result<(), ErrorData> {
        if !self.surface.knows(tool) {
            self.list(lists::TOOLS, context).await?;
        }
        Ok(())
    }

    /// Returns the maximum size of a tool's description.
    pub(super) fn max_description(&self) -> usize {
        let name = self.client().map_or("", |client| client.introduction.client_info.name.as_str());
        profile::of(name).shows.description_chars.unwrap_or(usize::MAX)
    }
}
