//! Head and tail of what is too long, with a notice of what was dropped. Text
//! is cut between lines where lines fit, JSON stays JSON.

pub mod error_lines;
mod json;
pub mod select;
pub mod text;

pub use json::fair_share;
pub use select::Middle;

use std::borrow::Cow;

use crate::kind::{self, Kind};
use crate::wording;
use tuckaway_text::clean::clean;

/// A truncated view is never cut below this many bytes.
pub const MIN_MAX_BYTES: usize = 512;

/// The size that takes the most room in a notice: `999 bytes`.
pub const WIDEST_SIZE: usize = 999;

/// A text of which the kind is known as it is shown in part: without control
/// characters and escape sequences, and without the data of data URLs. JSON sees to
/// the like itself. Of nothing but control characters a note is left.
pub fn cleaned(text: &str, kind: Kind) -> Cow<'_, str> {
    match kind {
        Kind::Json | Kind::JsonSequence | Kind::Base64 => Cow::Borrowed(text),
        _ => match clean(text) {
            left if left.is_empty() && !text.is_empty() => {
                wording::not_shown("control characters", text.len() as u64).into()
            }
            left => kind::base64::without_data(left),
        },
    }
}

/// A text of which the kind is known within `max_bytes`, as it is if it fits.
/// With fewer than [`MIN_MAX_BYTES`], which only a preview has, less of
/// everything: still within the bound, and not empty where one character fits.
pub fn cut(text: &str, kind: Kind, max_bytes: usize) -> String {
    cut_again(text, kind, max_bytes, &mut Middle::default())
}

/// As [`cut`], for who cuts one text more than once.
pub fn cut_again(text: &str, kind: Kind, max_bytes: usize, middle: &mut Middle) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    match kind {
        Kind::Json | Kind::JsonSequence => json::cut(text, max_bytes),
        Kind::Csv | Kind::Tsv => kind::csv::cut(text, max_bytes),
        Kind::Yaml => kind::yaml::cut(text, max_bytes),
        Kind::Xml => kind::markup::cut_xml(text, max_bytes),
        Kind::Html => kind::markup::cut_html(text, max_bytes),
        Kind::Markdown => kind::markdown::cut(text, max_bytes),
        Kind::Diff => kind::diff::cut(text, max_bytes),
        Kind::Trace => kind::trace::cut(text, max_bytes, middle),
        Kind::Build => kind::build::cut(text, max_bytes, middle),
        Kind::Log => kind::log::cut(text, max_bytes, middle),
        Kind::Source => kind::source::cut(text, max_bytes),
        Kind::Prose => kind::prose::cut(text, max_bytes),
        Kind::Base64 => kind::base64::cut(text, max_bytes),
        _ => text::cut(text, max_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_bounded_and_not_empty(
            line in "\\PC{1,60}",
            times in 1usize..200,
            max in 8usize..2_000,
            kind in prop_oneof![Just(Kind::Text), Just(Kind::Binary), Just(Kind::Trace), Just(Kind::Build), Just(Kind::Log)],
        ) {
            let text = format!("{line}\n").repeat(times);
            let view = cut(&text, kind, max);
            prop_assert!(view.len() <= max);
            prop_assert!(!view.is_empty());
        }
    }
}
