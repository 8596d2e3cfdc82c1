//! The outline of base64: that of its content.

use crate::base64::{Form, decoded_len, describe, pem_labels};
use crate::nested::Nested;
use crate::outline::{Entry, Outline};

/// Returns the content of base64, and its size.
pub fn outline(bytes: &[u8], nested: &dyn Nested) -> Outline {
    let mut outline = Outline::default();
    let (data, claimed) = match Form::by_start(bytes) {
        Some(Form::Pem(text)) => {
            outline.push("kind", Entry::Text(format!("PEM: {}", pem_labels(text))));
            outline.push("lines", Entry::Number(tuckaway_text::count_lines(bytes)));
            return outline;
        }
        Some(Form::DataUrl { media_type, data }) => (data, Some(media_type)),
        Some(Form::Bare(data)) => (data, None),
        None => (bytes, None),
    };
    let (what, head) = describe(data, nested);
    outline.push("kind", Entry::Text(format!("base64 of {what}")));
    outline.push("decoded_bytes", Entry::Number(decoded_len(data)));
    if let Some(claimed) = claimed {
        outline.push("data_url_of", Entry::Text(crate::line::excerpt(claimed)));
    }
    if let Some(head) = head {
        outline.push("decoded_head", Entry::Text(head));
    }
    outline
}
