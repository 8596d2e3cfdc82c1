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

/// The first place of a short text. Without what a search is prepared with that is
/// fast in long texts ([`crate::Needles`] is): it is for lines, and for what begins
/// with a rare byte.
pub fn text(text: &[u8], bytes: &[u8]) -> Option<usize> {
    Texts { text, bytes, from: 0 }.next()
}

/// All places of a short text, one behind the other.
pub fn texts<'a>(text: &'a [u8], bytes: &'a [u8]) -> Texts<'a> {
    Texts { text, bytes, from: 0 }
}

/// The last place of a short text.
pub fn last_text(text: &[u8], bytes: &[u8]) -> Option<usize> {
    let (&first, behind) = text.split_first()?;
    let mut to = bytes.len();
    loop {
        to = memchr::memrchr(first, &bytes[..to])?;
        if begins(&bytes[to + 1..], behind) {
            return Some(to);
        }
    }
}

/// Whether bytes begin with a text. A byte at a time: most texts that are looked for
/// are told apart by the first, and what compares memory takes no more at once.
#[inline(always)]
pub fn begins(bytes: &[u8], text: &[u8]) -> bool {
    text.len() <= bytes.len() && text.iter().zip(bytes).all(|(want, byte)| want == byte)
}

/// See [`texts`].
#[derive(Clone, Debug)]
pub struct Texts<'a> {
    text: &'a [u8],
    bytes: &'a [u8],
    from: usize,
}

impl Iterator for Texts<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let (&first, behind) = self.text.split_first()?;
        loop {
            let at = self.from + memchr::memchr(first, self.bytes.get(self.from..)?)?;
            self.from = at + 1;
            if begins(&self.bytes[at + 1..], behind) {
                self.from += behind.len();
                return Some(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn everything_is_found_where_it_is(bytes in "[ab\\-é]{0,50}", wanted in "[ab\\-é]{1,3}") {
            prop_assert_eq!(text(wanted.as_bytes(), bytes.as_bytes()), bytes.find(&wanted));
            prop_assert_eq!(last_text(wanted.as_bytes(), bytes.as_bytes()), bytes.rfind(&wanted));
            let places: Vec<usize> = bytes.match_indices(&wanted).map(|(at, _)| at).collect();
            prop_assert_eq!(texts(wanted.as_bytes(), bytes.as_bytes()).collect::<Vec<_>>(), places);
            prop_assert_eq!(byte(b'a', bytes.as_bytes()), bytes.find('a'));
            prop_assert_eq!(last_byte(b'a', bytes.as_bytes()), bytes.rfind('a'));
            prop_assert_eq!(any_byte([b'a', b'-', b'-'], bytes.as_bytes()), bytes.find(['a', '-']));
            prop_assert_eq!(count(b'a', bytes.as_bytes()), bytes.matches('a').count());
        }
    }
}
