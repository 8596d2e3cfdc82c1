// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `tools`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// A tool, in the form that model providers expect.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolDefinition {
    /// The name; each name belongs to one dialect only.
    pub name: String,
    /// A description for the model.
    pub description: String,
    /// The JSON Schema, of type object, of its arguments.
    #[cfg_attr(feature = "component", component(name = "input-schema"))]
    pub input_schema: String,
}

/// A kind of stored file that a model may be able to see or hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum MediaKind {
    /// PNG, JPEG, GIF or WebP, which all providers accept.
    #[cfg_attr(feature = "component", component(name = "image"))]
    Image,
    /// A PDF document.
    #[cfg_attr(feature = "component", component(name = "pdf"))]
    Pdf,
    /// WAV, MP3, Ogg or FLAC.
    #[cfg_attr(feature = "component", component(name = "audio"))]
    Audio,
}

impl MediaKind {
    /// All cases, in the order of the contract.
    pub const ALL: [MediaKind; 3] = [MediaKind::Image, MediaKind::Pdf, MediaKind::Audio];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            MediaKind::Image => "image",
            MediaKind::Pdf => "pdf",
            MediaKind::Audio => "audio",
        }
    }

    /// Returns the case with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// Returns the case with this index, as wit-bindgen asks for it; the first one if there is none.
    #[cfg(feature = "guest")]
    #[doc(hidden)]
    pub fn _lift(index: u8) -> Self {
        Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::ALL[0])
    }
}

/// A stored file that a model may be able to see or hear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct StoredMedia {
    /// The artifact's id.
    #[cfg_attr(feature = "component", component(name = "artifact-id"))]
    pub artifact_id: String,
    /// The kind of file.
    pub kind: MediaKind,
    /// The media type, detected from the bytes: providers refuse a file of another type than its
    /// declared one.
    #[cfg_attr(feature = "component", component(name = "media-type"))]
    pub media_type: String,
    /// The size of the file: at most 3932160 bytes, which are 5 MiB as base64.
    #[cfg_attr(feature = "component", component(name = "size-bytes"))]
    pub size_bytes: u64,
}

/// The reply of a tool to the model.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolReply {
    /// The result, or an explanation of how to correct the call.
    pub text: String,
    /// Whether `text` reports a mistake that the model can correct.
    #[cfg_attr(feature = "component", component(name = "is-error"))]
    pub is_error: bool,
    /// The image, PDF document or recording that the call reads; `text` describes it. A host whose
    /// results may contain files reads the bytes from its store and adds them to the result.
    ///
    /// None for a call that asks for some of the bytes or characters only. A line range asks for
    /// the whole file, because an image has no lines. None, too, for a larger file than a reply may
    /// have, as `text` then says, and for an artifact whose media type does not claim such a file.
    pub media: Option<StoredMedia>,
}
