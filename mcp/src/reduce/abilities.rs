//! The content that a client understands, and how much of a result it shows the model.

use serde::de::IgnoredAny;

/// The kinds of content that a client understands, and how much of a result it shows the model.
#[derive(Clone, Copy, Debug)]
pub struct ClientAbilities {
    /// Items of the type `resource_link`: revisions from 2025-06-18 on.
    pub resource_links: bool,
    /// `structuredContent` of results: the same revisions.
    pub structured_content: bool,
    /// Items of the type `audio`: revisions from 2025-03-26 on.
    pub audio: bool,
    /// The bytes of a result up to which the model sees all of it; `None` if nothing is known.
    pub result_bytes: Option<u64>,
    /// The same for a page of an artifact.
    pub page_bytes: Option<u64>,
    /// Whether the model sees the text and the structured content: a view is then sent as text
    /// only.
    pub shows_both: bool,
    /// Whether the client refuses a text that is JSON but not an object.
    pub refuses_bare_json: bool,
    /// Whether a tool can raise the limit for its results.
    pub limit_is_declared: bool,
}

impl ClientAbilities {
    /// The abilities that every client has.
    pub const NONE: Self = ClientAbilities {
        resource_links: false,
        structured_content: false,
        audio: false,
        result_bytes: None,
        page_bytes: None,
        shows_both: false,
        refuses_bare_json: false,
        limit_is_declared: false,
    };

    /// Returns the same client with another limit for results and pages; `u64::MAX` is no limit.
    #[must_use]
    pub fn with_limit(self, bytes: u64) -> Self {
        let limit = Some(bytes).filter(|&bytes| bytes < u64::MAX);
        ClientAbilities { result_bytes: limit, page_bytes: limit, limit_is_declared: false, ..self }
    }

    /// Returns the same client for the results of a tool that declares how much the client should
    /// show.
    pub(super) fn with_declared(self, chars: Option<u64>) -> Self {
        let chars = chars.filter(|_| self.limit_is_declared);
        ClientAbilities { result_bytes: self.result_bytes.map(|known| known.max(chars.unwrap_or(0))), ..self }
    }

    /// Returns the maximum size of a page of an artifact; `None` for the default.
    pub(super) fn page_size(self) -> Option<u32> {
        let bytes = self.page_bytes.filter(|&bytes| bytes < MAX_PAGE_BYTES)?;
        Some(u32::try_from(bytes).unwrap_or(u32::MAX).max(MIN_CLIENT_BYTES as u32))
    }

    /// Returns a text in a form that the client accepts: JSON that is not an object is followed by a
    /// line that is not JSON.
    pub(super) fn accepted(self, mut text: String) -> String {
        let is_bare = |text: &str| {
            !text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
        };
        if self.refuses_bare_json && is_bare(&text) {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str("[1 output]");
        }
        text
    }
}

/// The default size of a page of an artifact.
pub(super) const MAX_PAGE_BYTES: u64 = 16 << 10;

/// The smallest limit of a client.
pub const MIN_CLIENT_BYTES: u64 = 4 << 10;
