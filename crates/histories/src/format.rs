//! The formats of histories.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::HistoryError;

/// The format of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Messages of OpenAI's Chat Completions, and of everything that is compatible with it.
    OpenaiChat,
    /// Input items of OpenAI's Responses.
    OpenaiResponses,
    /// Messages of Anthropic.
    Anthropic,
    /// `ModelMessage`s of the AI SDK.
    AiSdk,
    /// `UIMessage`s of the AI SDK.
    AiSdkUi,
    /// `contents` of Gemini.
    Gemini,
    /// Messages of Amazon Bedrock's Converse.
    Bedrock,
    /// LangChain's messages, as `messages_to_dict` writes them.
    Langchain,
    /// A [`Conversation`](tuckaway_conversation::Conversation) in snake case, or its messages.
    Neutral,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 9] = [
        Format::OpenaiChat,
        Format::OpenaiResponses,
        Format::Anthropic,
        Format::AiSdk,
        Format::AiSdkUi,
        Format::Gemini,
        Format::Bedrock,
        Format::Langchain,
        Format::Neutral,
    ];

    /// Returns its name, such as `openai-chat`.
    pub fn name(self) -> &'static str {
        match self {
            Format::OpenaiChat => "openai-chat",
            Format::OpenaiResponses => "openai-responses",
            Format::Anthropic => "anthropic",
            Format::AiSdk => "ai-sdk",
            Format::AiSdkUi => "ai-sdk-ui",
            Format::Gemini => "gemini",
            Format::Bedrock => "bedrock",
            Format::Langchain => "langchain",
            Format::Neutral => "neutral",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = HistoryError;

    fn from_str(name: &str) -> Result<Self, HistoryError> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = Format::ALL.map(Format::name).join(", ");
            HistoryError::new(format!("{name:?} is not a format; use one of {names}."))
        })
    }
}
