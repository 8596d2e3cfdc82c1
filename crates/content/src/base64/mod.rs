//! Bytes that are written as text: base64, alone, in lines, or as a data URL, and PEM.
//!
//! ```text
//! text ─► Form (its notation) ─► content: its head, decoded ─► note
//! ```
//!
//! Nobody reads base64, so it is replaced by one line that describes its content. A key in
//! a PEM block is not shown at all.

mod content;
mod data_url;
mod form;

pub use content::{decoded_len, describe, note_of, pem_labels};
pub use data_url::without_data;
pub use form::Form;

use crate::nested::Nested;

/// Returns the line that replaces base64; none for anything else.
pub fn note(text: &[u8], nested: &dyn Nested) -> Option<String> {
    Form::of(text).map(|form| note_of(&form, nested))
}
