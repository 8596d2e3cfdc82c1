//! Calls of tools and requests for prompts: they are sent to the server, and their results
//! are reduced.

use rmcp::model::ErrorData;
use serde_json::{Value, json};

use super::resources::inputs_are_required;
use super::surface::Meaning;
use super::{Context, Session, lists, text_of};
use crate::client::Client;
use crate::reduce::{ClientAbilities, failed_result, has_filter};
use crate::wire::{Call, LOST, Params};

impl Session {
    /// Returns the kinds of content that the client can read in a result, and how much it shows.
    pub(super) fn abilities(&self) -> ClientAbilities {
        let known = self.client().map_or(ClientAbilities::NONE, Client::abilities);
        match self.settings.reduce.client_limit_bytes {
            Some(limit) => known.with_limit(limit),
            None => known,
        }
    }

    /// Calls a tool.
    pub(super) async fn call_tool(&self, params: Params, context: &Context) -> Result<Value, ErrorData> {
        let mut params = match self.meaning(params, context).await? {
            Meaning::Call(params) => params,
            Meaning::Answer(answer) => return Ok(answer),
        };
        let name = text_of(&params, "name")?.to_owned();
        let mut arguments = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
        if let Some(result) = self.local.call(&self.reducer, &name, &arguments, self.abilities()).await {
            return Ok(result);
        }
        let (server, own) = self.resolve_tool(&name, context).await?;
        if has_filter(&arguments) && self.reducer.may_take_filter(&name) && !self.reducer.takes_filter(&name)
        {
            // Only the list says whether the argument is the tool's own.
            self.list(lists::TOOLS, context).await?;
        }
        let filter = match self.reducer.take_filter(&name, &mut arguments).await {
            Ok(filter) => filter,
            Err(why) => return Ok(failed_result(&why)),
        };
        match self.reducer.resolve_arguments(&name, arguments).await {
            Ok(Value::Null) => {}
            Ok(arguments) if params.contains_key("arguments") => {
                params.insert("arguments".to_owned(), arguments);
            }
            Ok(_) => {}
            Err(why) => return Ok(failed_result(&why)),
        }
        params.insert("name".to_owned(), own.into());
        let answer = async {
            let connection = self.servers()[server].connection().await?;
            self.with_inputs(&connection, Call::new("tools/call", params), context).await
        };
        match answer.await {
            Ok(result) if inputs_are_required(&result) => Ok(result),
            Ok(result) => match task_id(&result) {
                Some(task) => {
                    self.tasks.remember(task, (server, name, filter));
                    Ok(result)
                }
                None => Ok(self.reducer.filtered_result(&name, filter, result, self.abilities()).await),
            },
            // The model should see that the call got no answer.
            Err(error) if error.code == LOST && !context.cancelled.is_cancelled() => {
                Ok(failed_result(&format!("Tool {name}: {}", error.message)))
            }
            Err(error) => Err(error),
        }
    }

    async fn resolve_tool(&self, name: &str, context: &Context) -> Result<(usize, String), ErrorData> {
        let mut found = self.tools.resolve(name);
        if found.is_none() {
            // A name with a suffix is known only after it was listed.
            self.list(lists::TOOLS, context).await?;
            found = self.tools.resolve(name);
        }
        found.filter(|(server, own)| self.settings.servers[*server].tools.offers(own)).ok_or_else(|| {
            let why = format!("There is no tool named {name}. List the tools again.");
            ErrorData::invalid_params(why, None)
        })
    }

    /// Returns the server of a prompt, and its name there.
    pub(super) async fn resolve_prompt(
        &self,
        name: &str,
        context: &Context,
    ) -> Result<(usize, String), ErrorData> {
        if let Some(found) = self.prompts.resolve(name) {
            return Ok(found);
        }
        self.list(lists::PROMPTS, context).await?;
        let unknown = || ErrorData::invalid_params(format!("There is no prompt named {name}."), None);
        self.prompts.resolve(name).ok_or_else(unknown)
    }

    /// Gets a prompt.
    pub(super) async fn get_prompt(&self, mut params: Params, context: &Context) -> Result<Value, ErrorData> {
        let name = text_of(&params, "name")?.to_owned();
        let (server, own) = self.resolve_prompt(&name, context).await?;
        params.insert("name".to_owned(), own.into());
        let connection = self.servers()[server].connection().await?;
        let result = self.with_inputs(&connection, Call::new("prompts/get", params), context).await?;
        match inputs_are_required(&result) {
            true => Ok(result),
            false => Ok(self.reducer.prompt_result(&name, result, self.abilities()).await),
        }
    }

    /// Requests the state or the result of a task. The result is reduced like the result of a
    /// call.
    pub(super) async fn of_task(&self, call: Call, context: &Context) -> Result<Value, ErrorData> {
        let id = text_of(&call.params, "taskId")?;
        let known = self.tasks.get(id);
        let (server, tool, filter) = match (known, self.servers()) {
            (Some(known), _) => known,
            (None, [_]) => (0, String::new(), None),
            (None, _) => return Err(ErrorData::invalid_params(format!("There is no task {id}."), None)),
        };
        let method = call.method.clone();
        let connection = self.servers()[server].connection().await?;
        let mut result = self.ask(&connection, call, context).await?;
        match method.as_str() {
            // Revision 2025-11-25: the answer is the result of the call.
            "tasks/result" => Ok(self.reducer.filtered_result(&tool, filter, result, self.abilities()).await),
            // Revision 2026-07-28: the result of the call is a member of the answer.
            "tasks/get" => {
                if let Some(of_call) = result.get_mut("result").map(Value::take) {
                    result["result"] =
                        self.reducer.filtered_result(&tool, filter, of_call, self.abilities()).await;
                }
                Ok(result)
            }
            _ => Ok(result),
        }
    }
}

/// Returns the id of the task that was created instead of a result: in a member of the answer
/// (2025-11-25), or in the answer itself (2026-07-28).
fn task_id(result: &Value) -> Option<&str> {
    let is_task = result.get("resultType").is_some_and(|kind| kind == "task");
    let task = if is_task { Some(result) } else { result.get("task") };
    task?.get("taskId")?.as_str()
}
