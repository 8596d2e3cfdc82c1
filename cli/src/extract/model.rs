//! The choice of the model, and its key.

use std::env;

use async_trait::async_trait;
use tuckaway_host::{
    AnthropicModel, Endpoint, ExtractionMode, Model, ModelError, ModelReply, ModelRequest, OpenAiModel,
};

use crate::args::{Extract, Provider};
use crate::exit::Failure;

/// The variable for the key of any provider.
const KEY: &str = "TUCKAWAY_API_KEY";

/// Prepares the model that the options name.
pub fn choose(args: &Extract, mode: ExtractionMode) -> Result<Box<dyn Model>, Failure> {
    if mode == ExtractionMode::Truncate {
        return Ok(Box::new(NoModel));
    }
    let usage = |message: String| Failure::new(message).with_status(2);
    let name = args.model.clone().ok_or_else(|| {
        usage(
            "no model is named; set --model or TUCKAWAY_MODEL, or use --dry-run to see the plan without a model"
                .to_owned(),
        )
    })?;
    let by_name = if name.starts_with("claude-") { Provider::Anthropic } else { Provider::Openai };
    let provider = args.provider.unwrap_or(by_name);
    let (variable, default_url) = match provider {
        Provider::Openai => ("OPENAI_API_KEY", OpenAiModel::BASE_URL),
        Provider::Anthropic => ("ANTHROPIC_API_KEY", AnthropicModel::BASE_URL),
    };
    let set = |name: &str| env::var(name).ok().filter(|key| !key.trim().is_empty());
    let key = set(KEY).or_else(|| set(variable));
    // A server that the user runs may need no key.
    if key.is_none() && args.base_url.is_none() {
        return Err(usage(format!("there is no API key; set {variable} or {KEY} in the environment")));
    }
    let base_url = args.base_url.clone().unwrap_or_else(|| default_url.to_owned());
    let endpoint = Endpoint { timeout: args.timeout, ..Endpoint::new(base_url, name, key) };
    let model = match provider {
        Provider::Openai => OpenAiModel::new(endpoint).map(|model| Box::new(model) as Box<dyn Model>),
        Provider::Anthropic => AnthropicModel::new(endpoint).map(|model| Box::new(model) as Box<dyn Model>),
    };
    model.map_err(|error| usage(error.message))
}

/// Takes the place of a model that is never asked.
struct NoModel;

#[async_trait]
impl Model for NoModel {
    async fn complete(&self, _request: &ModelRequest) -> Result<ModelReply, ModelError> {
        Err(ModelError::permanent("No model was named."))
    }
}
