//! Data URLs in a text.

use std::borrow::Cow;

use tuckaway_search::Needles;
use tuckaway_text::base64::is_digit;

use super::form::MARK;
use crate::wording;

/// Removes the long data of data URLs from a text, such as pictures in a page. They would
/// leave no space for readable text.
pub fn without_data(text: Cow<'_, str>) -> Cow<'_, str> {
    const MIN_DATA_BYTES: usize = 256;
    let mut shorter = String::new();
    let mut kept = 0;
    let mut from = 0;
    let Some(needle) = Needles::of(MARK) else { return text };
    while let Some(mark) = needle.find(text.as_bytes(), from) {
        let start = mark + MARK.len();
        let data =
            text.as_bytes()[start..].iter().take_while(|&&byte| is_digit(byte) || byte == b'=').count();
        from = start + data;
        if data >= MIN_DATA_BYTES {
            shorter.push_str(&text[kept..start]);
            shorter.push_str(&wording::truncated_inside(data));
            kept = from;
        }
    }
    match kept {
        0 => text,
        kept => Cow::Owned(shorter + &text[kept..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::base64::prelude::*;

    #[test]
    fn pictures_in_a_page_are_removed() {
        let picture = BASE64_STANDARD.encode([7; 300]);
        let page = format!(
            "<img src=\"data:image/png;base64,{picture}\"> and ;base64,Zm9v <b>words</b> ;base64,{picture}"
        );
        assert_eq!(
            without_data(page.into()),
            "<img src=\"data:image/png;base64,... [truncated 400 bytes] ...\"> and ;base64,Zm9v <b>words</b> ;base64,... [truncated 400 bytes] ..."
        );
    }
}
