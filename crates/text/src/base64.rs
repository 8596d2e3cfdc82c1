//! Bytes that were written as text.

/// The bytes that base64 stands for: the standard alphabet, four characters for
/// three bytes, filled up with `=` or not; white space does not count. None if
/// it is anything else.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut sextets, mut fill) = (0u32, 0u32, 0u32);
    for &byte in text {
        let sextet = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                fill += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => return None,
        };
        if fill > 0 {
            return None;
        }
        bits = bits << 6 | u32::from(sextet);
        sextets += 1;
        if sextets == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, sextets) = (0, 0);
        }
    }
    // What is left over of the last group, of which all bits have to be used.
    match sextets {
        0 => {}
        2 if bits & 0xF == 0 => bytes.push((bits >> 4) as u8),
        3 if bits & 0x3 == 0 => bytes.extend_from_slice(&((bits >> 2) as u16).to_be_bytes()),
        _ => return None,
    }
    let wanted = (4 - sextets) % 4;
    (fill == 0 || fill == wanted).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_comes_back() {
        for (text, bytes) in [
            ("", Some(&b""[..])),
            ("Zg==", Some(b"f")),
            ("Zg", Some(b"f")),
            ("Zm8=", Some(b"fo")),
            ("Zm9v", Some(b"foo")),
            ("Zm9v\r\nYmFy", Some(b"foobar")),
            ("/+8A", Some(b"\xFF\xEF\0")),
            ("Z", None),
            ("Zg=", None),
            ("Zh==", None),
            ("Zm9=", None),
            ("Zm9v====", None),
            ("Zg==Zg==", None),
            ("Zm9v-_", None),
            ("Zm9v!", None),
        ] {
            assert_eq!(decode(text.as_bytes()).as_deref(), bytes, "{text:?}");
        }
    }
}
