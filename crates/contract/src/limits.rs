//! The limits of pages, views and files.

/// The default limit of a page in bytes.
pub const DEFAULT_PAGE_BYTES: usize = 16_384;

/// The minimum limit of a page in bytes.
pub const MIN_PAGE_BYTES: usize = 256;

/// The minimum limit of a view in bytes.
pub const MIN_VIEW_BYTES: usize = 512;

/// The maximum size of a [`StoredMedia`](crate::StoredMedia): 5 MiB as base64, the limit for an image in a
/// request to [Anthropic](https://platform.claude.com/docs/en/build-with-claude/vision). A result that the
/// provider refuses would end the conversation.
pub const MAX_MEDIA_BYTES: u64 = (5 << 20) / 4 * 3;
