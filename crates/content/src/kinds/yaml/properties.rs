//! The properties of a value, which are written before it: an anchor, a tag.

/// The properties of a value: `&name !tag`.
#[derive(Clone, Copy, Default)]
pub(super) struct Properties<'a> {
    /// The name of the anchor.
    pub(super) anchor: Option<&'a [u8]>,
    /// There is a tag.
    pub(super) is_tagged: bool,
    /// It is a string, whatever it looks like: the tag says so, or it is a key.
    pub(super) is_string: bool,
}
