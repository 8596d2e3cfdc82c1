//! Content in JSON: text, or bytes in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, de};
use tuckaway::{Block, Content, ToolOutput};

/// The output of a tool, whose bytes are in base64.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    tool: String,
    #[serde(default)]
    is_error: bool,
    blocks: Vec<EncodedBlock>,
    structured: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EncodedBlock {
    content: EncodedContent,
    media_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum EncodedContent {
    Text(String),
    #[serde(deserialize_with = "base64")]
    Bytes(Vec<u8>),
    Stored(String),
}

/// The content of a text or of bytes that are not a block.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whole {
    Text(String),
    #[serde(deserialize_with = "base64")]
    Bytes(Vec<u8>),
}

impl From<Output> for ToolOutput {
    fn from(output: Output) -> Self {
        let Output { tool, is_error, blocks, structured } = output;
        ToolOutput { tool, is_error, blocks: blocks.into_iter().map(Block::from).collect(), structured }
    }
}

impl From<EncodedBlock> for Block {
    fn from(block: EncodedBlock) -> Self {
        let content = match block.content {
            EncodedContent::Text(text) => Content::Text(text),
            EncodedContent::Bytes(bytes) => Content::Bytes(bytes),
            EncodedContent::Stored(id) => Content::Stored(id),
        };
        Block { content, media_type: block.media_type }
    }
}

impl AsRef<[u8]> for Whole {
    fn as_ref(&self) -> &[u8] {
        match self {
            Whole::Text(text) => text.as_bytes(),
            Whole::Bytes(bytes) => bytes,
        }
    }
}

fn base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let encoded = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    STANDARD
        .decode(encoded.as_bytes())
        .map_err(|error| de::Error::custom(format!("bytes: not base64: {error}")))
}
