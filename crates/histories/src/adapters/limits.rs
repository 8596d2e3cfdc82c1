//! The limits of providers for a request, as far as they document them. docs/conversation.md has the
//! sources.

use tuckaway_contract::{HistoryFormat, ImageLimits, Task};

use super::models::{Model, Provider};

/// The limits of a provider for a request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RequestLimits {
    /// Maximum bytes.
    bytes: Option<u64>,
    /// Maximum number of images and files.
    media: Option<u32>,
    /// The sides of images.
    images: Option<ImageLimits>,
}

/// The maximum bytes of a request for a model of Anthropic on Bedrock.
const BEDROCK_BYTES: u64 = 20_000_000;
/// The sides of images in Converse.
const BEDROCK_IMAGES: ImageLimits = ImageLimits { side: 8_000, many: u32::MAX, side_of_many: 8_000 };

impl RequestLimits {
    /// Returns the limits for the model that a request names; if its provider is unknown, the limits of
    /// the format's provider.
    pub(crate) fn of(format: HistoryFormat, model: Option<Model>) -> RequestLimits {
        let of_format = || match format {
            HistoryFormat::Anthropic => Some(Provider::Anthropic),
            HistoryFormat::OpenaiChat | HistoryFormat::OpenaiResponses => Some(Provider::Openai),
            HistoryFormat::Gemini => Some(Provider::Google),
            _ => None,
        };
        let provider = model.map(|model| model.provider).or_else(of_format);
        // Bedrock's own limits are known only for the models of Anthropic.
        let is_known =
            |provider: &Provider| format != HistoryFormat::Bedrock || *provider == Provider::Anthropic;
        let limits = provider.filter(is_known).map(RequestLimits::of_provider).unwrap_or_default();
        if format != HistoryFormat::Bedrock && !model.is_some_and(|model| model.is_on_bedrock) {
            return limits;
        }
        RequestLimits {
            bytes: limits.bytes.map(|bytes| bytes.min(BEDROCK_BYTES)),
            images: limits.images.or(Some(BEDROCK_IMAGES)),
            ..limits
        }
    }

    fn of_provider(provider: Provider) -> RequestLimits {
        let (bytes, media, images) = match provider {
            Provider::Anthropic => {
                (32_000_000, 100, Some(ImageLimits { side: 8_000, many: 20, side_of_many: 2_000 }))
            }
            Provider::Openai => (50_000_000, 500, None),
            Provider::Google => (20_000_000, 3_000, None),
        };
        RequestLimits { bytes: Some(bytes), media: Some(media), images }
    }

    /// Returns a task with these limits, unless it has its own.
    pub(crate) fn within(&self, task: &Task) -> Task {
        let mut task = task.clone();
        let cache = match &mut task {
            Task::Trim(trim) => &mut trim.config,
            Task::Manage(manage) => &mut manage.cache,
            Task::Account | Task::Compact(_) | Task::Budget(_) => return task,
        };
        cache.max_request_bytes = cache.max_request_bytes.or(self.bytes);
        cache.max_media = cache.max_media.or(self.media);
        cache.image_limits = cache.image_limits.or(self.images);
        task
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(format: HistoryFormat, model: &str) -> (Option<u64>, Option<u32>, Option<u32>) {
        let limits = RequestLimits::of(format, Model::named(model));
        (limits.bytes, limits.media, limits.images.map(|images| images.side))
    }

    #[test]
    fn the_model_decides_before_the_format() {
        let claude = (Some(32_000_000), Some(100), Some(8_000));
        let gpt = (Some(50_000_000), Some(500), None);
        let gemini = (Some(20_000_000), Some(3_000), None);
        for format in
            [HistoryFormat::AiSdk, HistoryFormat::AiSdkUi, HistoryFormat::Langchain, HistoryFormat::Neutral]
        {
            assert_eq!(limits(format, "anthropic/claude-sonnet-4.5"), claude);
            assert_eq!(limits(format, "o3"), gpt);
            assert_eq!(limits(format, "google/gemini-2.5-pro"), gemini);
            assert_eq!(limits(format, "mistral-large"), (None, None, None));
        }
        assert_eq!(limits(HistoryFormat::OpenaiChat, "anthropic/claude-sonnet-4.5"), claude);
        assert_eq!(limits(HistoryFormat::OpenaiChat, "mistral-large"), gpt);
        assert_eq!(limits(HistoryFormat::OpenaiResponses, ""), gpt);
        assert_eq!(limits(HistoryFormat::Gemini, ""), gemini);
        assert_eq!(limits(HistoryFormat::Anthropic, ""), claude);
    }

    #[test]
    fn bedrock_accepts_smaller_requests() {
        let of_claude = (Some(20_000_000), Some(100), Some(8_000));
        for format in [HistoryFormat::Bedrock, HistoryFormat::AiSdk, HistoryFormat::Langchain] {
            assert_eq!(limits(format, "eu.anthropic.claude-sonnet-4-5-v1:0"), of_claude);
        }
        assert_eq!(limits(HistoryFormat::Bedrock, "amazon.nova-pro-v1:0"), (None, None, Some(8_000)));
    }
}
