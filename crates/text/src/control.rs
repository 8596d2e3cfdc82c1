//! Searches for control characters in UTF-8.

use tuckaway_search::lanes::{LANES, Lanes};

/// Bytes compared together.
const BLOCK: usize = 4 * LANES;

/// Returns the offset of the next control character from `from` on: C0 except tabs, line
/// feeds and the carriage returns before these; DEL; or the first byte of a C1 control,
/// U+0080 to U+009F.
pub fn next_control(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
        let (lanes, _) = block.as_chunks::<LANES>();
        let marks: [Lanes; BLOCK / LANES] = std::array::from_fn(|n| marks(Lanes::load(&lanes[n])));
        if marks[0].or(marks[1]).or(marks[2].or(marks[3])).any() {
            let mut candidates =
                marks.iter().rev().fold(0, |bits: u64, marks| bits << LANES | u64::from(marks.bits()));
            while candidates != 0 {
                let candidate = at + candidates.trailing_zeros() as usize;
                if is_control(bytes, candidate) {
                    return Some(candidate);
                }
                candidates &= candidates - 1;
            }
        }
        at += BLOCK;
    }
    // The rest of a long text, or a whole line. The last lanes begin before it.
    while let Some(last) = bytes.len().checked_sub(LANES).filter(|_| at < bytes.len()) {
        let start = at.min(last);
        let lanes = bytes[start..].first_chunk()?;
        let mut candidates = marks(Lanes::load(lanes)).bits() & u16::MAX << (at - start);
        while candidates != 0 {
            let candidate = start + candidates.trailing_zeros() as usize;
            if is_control(bytes, candidate) {
                return Some(candidate);
            }
            candidates &= candidates - 1;
        }
        at = start + LANES;
    }
    (at..bytes.len()).find(|&at| is_control(bytes, at))
}

/// Sets all bits of the bytes that may begin a control character, and clears the others.
#[inline(always)]
fn marks(block: Lanes) -> Lanes {
    let is = |byte: u8| block.equal(Lanes::splat(byte));
    let low = block.at_most(Lanes::splat(0x1F)).and_not(is(b'\t').or(is(b'\n')));
    low.or(is(0x7F)).or(is(0xC2))
}

fn is_control(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b'\t' | b'\n' => false,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        0..0x20 | 0x7F => true,
        0xC2 => matches!(bytes.get(at + 1), Some(0x80..0xA0)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_controls_are_found(text in "\\PC{0,90}[\0-\u{FF}]?\r?\n?\\PC{0,90}[\0-\u{FF}]?", from in 0usize..40) {
            let wanted = (from..text.len()).find(|&at| is_control(text.as_bytes(), at));
            prop_assert_eq!(next_control(text.as_bytes(), from), wanted);
        }
    }
}
