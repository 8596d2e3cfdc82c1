//! The models of Anthropic, OpenAI and Google, by their names.

use super::ImageTokens;
use super::images::{CLAUDE_LARGE, GPT, patches, tiles};

/// A model that a request names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Its provider.
    pub(super) provider: Provider,
    /// How it counts the tokens of an image.
    pub(super) images: ImageTokens,
}

/// A provider whose models and limits are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provider {
    Anthropic,
    Openai,
    Google,
}

use Provider::{Anthropic, Google, Openai};

/// The models, by a part of their names in lower case, with a slash before them and hyphens for
/// periods. The first match applies.
const MODELS: [(&str, Provider, ImageTokens); 25] = [
    ("opus-4-7", Anthropic, CLAUDE_LARGE),
    ("opus-4-8", Anthropic, CLAUDE_LARGE),
    ("fable-5", Anthropic, CLAUDE_LARGE),
    ("claude", Anthropic, ImageTokens::CLAUDE),
    ("gemini-3", Google, ImageTokens::Flat(1_120)),
    ("gemini", Google, ImageTokens::Crops),
    ("gpt-4o-mini", Openai, tiles(2_833, 5_667)),
    ("gpt-4-1-mini", Openai, patches(1_536.0, 1.62)),
    ("gpt-4-1-nano", Openai, patches(1_536.0, 2.46)),
    ("gpt-5-mini", Openai, patches(1_536.0, 1.62)),
    ("gpt-5-nano", Openai, patches(1_536.0, 2.46)),
    ("gpt-5-4-mini", Openai, patches(1_536.0, 1.62)),
    ("gpt-5-4-nano", Openai, patches(1_536.0, 2.46)),
    ("gpt-5-4", Openai, patches(2_500.0, 1.0)),
    ("gpt-5-5", Openai, patches(10_000.0, 1.0)),
    ("gpt-5-6", Openai, patches(f64::INFINITY, 1.0)),
    // A date of GPT-5, and not GPT-5.2.
    ("gpt-5-20", Openai, tiles(70, 140)),
    ("gpt-5-2", Openai, patches(1_536.0, 1.0)),
    ("gpt-5", Openai, tiles(70, 140)),
    ("o4-mini", Openai, patches(1_536.0, 1.72)),
    ("codex-mini", Openai, patches(1_536.0, 1.72)),
    ("/o1", Openai, tiles(75, 150)),
    ("/o3", Openai, tiles(75, 150)),
    ("computer-use-preview", Openai, tiles(65, 129)),
    ("gpt", Openai, GPT),
];

impl Model {
    /// Returns the model with a name; none if it is of another provider.
    pub(crate) fn named(name: &str) -> Option<Model> {
        let name = format!("/{}", name.to_ascii_lowercase().replace('.', "-"));
        let row = MODELS.iter().find(|(part, ..)| name.contains(part))?;
        Some(Model { provider: row.1, images: row.2 })
    }
}
