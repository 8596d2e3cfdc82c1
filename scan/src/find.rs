//! Where a byte or a short text is.
//!
//! These are [`memchr`]'s searches, which it leaves to be compiled with whoever
//! calls them: for speed only if they are called from here.

/// The first place of a byte.
pub fn byte(byte: u8, bytes: &[u8]) -> Option<usize> {
    memchr::memchr(byte, bytes)
}

/// The last place of a byte.
pub fn last_byte(byte: u8, bytes: &[u8]) -> Option<usize> {
    memchr::memrchr(byte, bytes)
}

/// The first place of any of three bytes; one may be given twice.
pub fn any_byte([one, two, three]: [u8; 3], bytes: &[u8]) -> Option<usize> {
    memchr::memchr3(one, two, three, bytes)
}

/// How often a byte is there.
pub fn count(byte: u8, bytes: &[u8]) -> usize {
    memchr::memchr_iter(byte, bytes).count()
}

/// The first place of a text in a line or less: without what a search of a long
/// text is prepared with, and slow only where its first byte is all there is.
pub fn text(text: &[u8], bytes: &[u8]) -> Option<usize> {
    let Some((&first, behind)) = text.split_first() else { return Some(0) };
    let mut from = 0;
    loop {
        from += memchr::memchr(first, bytes.get(from..)?)? + 1;
        if bytes[from..].starts_with(behind) {
            return Some(from - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn everything_is_found_where_it_is(bytes in "[ab\\-é]{0,50}", wanted in "[ab\\-é]{0,3}") {
            prop_assert_eq!(text(wanted.as_bytes(), bytes.as_bytes()), bytes.find(&wanted));
            prop_assert_eq!(byte(b'a', bytes.as_bytes()), bytes.find('a'));
            prop_assert_eq!(last_byte(b'a', bytes.as_bytes()), bytes.rfind('a'));
            prop_assert_eq!(any_byte([b'a', b'-', b'-'], bytes.as_bytes()), bytes.find(['a', '-']));
            prop_assert_eq!(count(b'a', bytes.as_bytes()), bytes.matches('a').count());
        }
    }
}
