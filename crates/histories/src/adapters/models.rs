//! The models of Anthropic, OpenAI and Google, by their names.

use tuckaway_contract::HistoryFormat;

use super::ImageTokens;
use super::images::{CLAUDE_LARGE, GPT, patches, tiles};

/// A model that a request names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Its provider.
    pub(super) provider: Provider,
    /// How it counts the tokens of an image.
    pub(super) images: ImageTokens,
    /// Whether its name is one of Amazon Bedrock (`anthropic.claude-…`), whatever the format of the request.
    pub(super) is_on_bedrock: bool,
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
    ("codex-mini", Openai, patches(1_536.0, 1.72)),
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
        let is_on_bedrock = name.contains("anthropic-claude");
        Some(Model { provider: row.1, images: row.2, is_on_bedrock })
    }

    /// Returns how a model counts the tokens of an image; if it is unknown, as most models of the
    /// format's provider do.
    pub(crate) fn images_of(model: Option<Model>, format: HistoryFormat) -> ImageTokens {
        model.map(|model| model.images).unwrap_or(match format {
            HistoryFormat::OpenaiChat | HistoryFormat::OpenaiResponses => GPT,
            HistoryFormat::Gemini => ImageTokens::Crops,
            _ => ImageTokens::CLAUDE,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(format: HistoryFormat, model: &str, width: f64, height: f64) -> u64 {
        Model::images_of(Model::named(model), format).count(width, height)
    }

    #[test]
    fn the_examples_of_the_providers_are_met() {
        let claude = |width, height| count(HistoryFormat::Anthropic, "", width, height);
        assert_eq!(claude(1_000.0, 1_000.0), 1_296);
        assert_eq!(claude(1_092.0, 1_092.0), 1_521);
        assert_eq!(claude(4_000.0, 4_000.0), 1_568);
        let gpt = |model, width, height| count(HistoryFormat::OpenaiChat, model, width, height);
        assert_eq!(gpt("gpt-4o", 1_024.0, 1_024.0), 765);
        assert_eq!(gpt("gpt-4o", 2_048.0, 4_096.0), 1_105);
        assert_eq!(gpt("gpt-4.1-mini", 1_024.0, 1_024.0), 1_659);
        assert_eq!(gpt("gpt-5-chat-latest", 1_024.0, 1_024.0), 630);
        assert_eq!(gpt("gpt-5-2025-08-07", 2_048.0, 4_096.0), 910);
        assert_eq!(gpt("gpt-5.4", 1_024.0, 1_024.0), 1_024);
        assert_eq!(gpt("gpt-5.5", 4_000.0, 4_000.0), 10_000);
        assert_eq!((gpt("o3", 1_024.0, 1_024.0), gpt("openai/o1-pro", 512.0, 512.0)), (675, 225));
        assert_eq!(gpt("computer-use-preview", 512.0, 512.0), 194);
        let gemini = |width, height| count(HistoryFormat::Gemini, "", width, height);
        assert_eq!((gemini(384.0, 384.0), gemini(385.0, 100.0), gemini(1_536.0, 769.0)), (258, 258, 1_032));
    }

    #[test]
    fn the_model_counts_before_the_format() {
        let sides = (2_576.0, 1_400.0);
        let chat = |model| count(HistoryFormat::OpenaiChat, model, sides.0, sides.1);
        assert_eq!(chat("anthropic/claude-opus-4.7"), 4_600);
        assert_eq!(chat("anthropic/claude-sonnet-4.5"), 1_568);
        assert_eq!(chat("google/gemini-3-pro"), 1_120);
        assert_eq!(chat("unknown"), 1_105);
        assert_eq!(chat("some-pro3"), 1_105);
    }

    #[test]
    fn no_size_overflows() {
        for model in ["claude", "gemini-2.5", "gpt-4o-mini", "o4-mini", "gemini-3"] {
            for (width, height) in [(f64::MAX, f64::MIN_POSITIVE), (1.0, f64::MAX), (f64::MAX, f64::MAX)] {
                assert!(count(HistoryFormat::Neutral, model, width, height) > 0, "{model}");
            }
        }
    }
}
