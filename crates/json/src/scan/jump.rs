//! The end of a container in a text that is known to be well-formed: only quotes,
//! backslashes and brackets are read, a block of bytes at a time.

use tuckaway_search::lanes::{LANES, Lanes};

/// Bytes that are read together, one for each bit.
const BLOCK: usize = 4 * LANES;

/// Returns the offset after the end of the container in which `at` is, outside a string.
pub fn container_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut reader = Reader::default();
    let mut depth = 1;
    for (index, chunk) in bytes.get(at..)?.chunks(BLOCK).enumerate() {
        let (opens, closes) = match chunk.first_chunk() {
            Some(block) => reader.brackets(block),
            None => {
                let mut block = [b' '; BLOCK];
                block[..chunk.len()].copy_from_slice(chunk);
                reader.brackets(&block)
            }
        };
        if closes.count_ones() >= depth
            && let Some(close) = last_close(opens, closes, depth)
        {
            return Some(at + index * BLOCK + close as usize + 1);
        }
        depth = depth + opens.count_ones() - closes.count_ones();
    }
    None
}

/// Returns which bit closes the last of `depth` containers, if one does.
fn last_close(opens: u64, closes: u64, depth: u32) -> Option<u32> {
    let (mut left, mut closed) = (closes, 0);
    while left != 0 {
        let close = left.trailing_zeros();
        let opened = (opens & ((1 << close) - 1)).count_ones();
        closed += 1;
        if depth + opened == closed {
            return Some(close);
        }
        left &= left - 1;
    }
    None
}

/// Reads blocks in order.
#[derive(Default)]
struct Reader {
    /// All bits are set if the next block begins in a string.
    in_string: u64,
    /// Whether its first byte is escaped.
    is_escaped: bool,
}

impl Reader {
    /// Sets a bit for each bracket of a block that opens a container, and for each that closes one.
    fn brackets(&mut self, block: &[u8; BLOCK]) -> (u64, u64) {
        let [mut quotes, mut backslashes, mut opens, mut closes] = [0; 4];
        for lanes in block.as_chunks::<LANES>().0.iter().rev() {
            let bytes = Lanes::load(lanes);
            // `[` and `]` differ from `{` and `}` in this bit.
            let brackets = bytes.or(Lanes::splat(0x20));
            for (bits, lanes, wanted) in [
                (&mut quotes, bytes, b'"'),
                (&mut backslashes, bytes, b'\\'),
                (&mut opens, brackets, b'{'),
                (&mut closes, brackets, b'}'),
            ] {
                *bits = *bits << LANES | u64::from(lanes.equal(Lanes::splat(wanted)).bits());
            }
        }
        quotes &= !self.escaped(backslashes);
        // Each bit becomes the sum of all bits up to it, so it is set from one quote to the next.
        let mut strings = quotes;
        for by in [1, 2, 4, 8, 16, 32] {
            strings ^= strings << by;
        }
        strings ^= self.in_string;
        self.in_string = if strings >> 63 == 1 { u64::MAX } else { 0 };
        (opens & !strings, closes & !strings)
    }

    /// Sets a bit for each byte that a backslash escapes.
    fn escaped(&mut self, backslashes: u64) -> u64 {
        let mut escaped = u64::from(self.is_escaped);
        let mut left = backslashes & !escaped;
        self.is_escaped = false;
        while left != 0 {
            let at = left.trailing_zeros();
            self.is_escaped = at == u64::BITS - 1;
            let next = 2 << at;
            escaped |= next;
            left &= !(next | 1 << at);
        }
        escaped
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scan::Scanner;

    fn json() -> impl Strategy<Value = String> {
        let string =
            "([a-z\\[\\]{}:, ]|\\\\\\\\|\\\\\"|\\\\u005b){0,40}".prop_map(|text| format!("\"{text}\""));
        string.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(|all| format!("[{}]", all.join(","))),
                proptest::collection::vec(inner, 0..6).prop_map(|all| format!(
                    "{{{}}}",
                    all.iter().map(|v| format!("\"k]\":{v}")).collect::<Vec<_>>().join(", ")
                )),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_jump_ends_where_a_skip_does(values in proptest::collection::vec(json(), 0..4), behind in "[ \\]}]{0,70}") {
            let text = format!("[{}]{behind}", values.join(", "));
            let mut scanner = Scanner::new(text.as_bytes());
            scanner.next_token().unwrap();
            let end = scanner.skip_container().unwrap().end;
            prop_assert_eq!(container_end(text.as_bytes(), 1), Some(end as usize));
        }
    }

    #[test]
    fn an_open_container_has_no_end() {
        assert_eq!(container_end(b"[[]\"]\"", 1), None);
        assert_eq!(container_end(b"[", 1), None);
    }
}
