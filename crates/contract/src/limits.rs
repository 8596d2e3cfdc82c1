//! The limits of pages and views.

/// The default limit of a page in bytes.
pub const DEFAULT_PAGE_BYTES: usize = 16_384;

/// The minimum limit of a page in bytes.
pub const MIN_PAGE_BYTES: usize = 256;

/// The minimum limit of a view in bytes.
pub const MIN_VIEW_BYTES: usize = 512;
