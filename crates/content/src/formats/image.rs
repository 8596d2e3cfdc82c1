//! Describes images and videos by their headers.

use tuckaway_search::find;

use super::bytes::{at, be16, be32, find_within, le16, le32};

/// Bytes of the head that are searched for the size.
const REACH: usize = 64 << 10;

fn size(width: u32, height: u32) -> String {
    format!("{width} x {height}")
}

/// Describes a PNG image.
pub fn png(bytes: &[u8]) -> Option<String> {
    let (width, height) = (be32(bytes, 16)?, be32(bytes, 20)?);
    let [depth, colour] = at(bytes, 24)?;
    let colour = match colour {
        _ if at(bytes, 12)? != *b"IHDR" => return None,
        0 => "grey",
        2 => "RGB",
        3 => "palette",
        4 => "grey with alpha",
        _ => "RGBA",
    };
    Some(format!("{}, {depth}-bit {colour}", size(width, height)))
}

/// Describes a JPEG image. Its frame header is after any number of segments.
pub fn jpeg(bytes: &[u8]) -> Option<String> {
    let mut offset = 2;
    loop {
        let [mark, marker] = at(bytes, offset)?;
        match (mark, marker) {
            (0xFF, 0xFF) => offset += 1,
            (0xFF, 0xC0..=0xCF) if ![0xC4, 0xC8, 0xCC].contains(&marker) => {
                let colour = if at::<1>(bytes, offset + 9)? == [1] { ", grey" } else { "" };
                return Some(size(be16(bytes, offset + 7)?, be16(bytes, offset + 5)?) + colour);
            }
            (0xFF, _) => offset = offset.checked_add(2 + be16(bytes, offset + 2)? as usize)?,
            _ => return None,
        }
    }
}

/// Describes a GIF image.
pub fn gif(bytes: &[u8]) -> Option<String> {
    Some(size(le16(bytes, 6)?, le16(bytes, 8)?))
}

/// Describes a WebP image.
pub fn webp(bytes: &[u8]) -> Option<String> {
    let (width, height) = match &at::<4>(bytes, 12)? {
        b"VP8 " => (le16(bytes, 26)? & 0x3FFF, le16(bytes, 28)? & 0x3FFF),
        b"VP8L" => {
            let bits = le32(bytes, 21)?;
            ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        b"VP8X" => ((le32(bytes, 24)? & 0xFF_FFFF) + 1, (le32(bytes, 26)? >> 8) + 1),
        _ => return None,
    };
    Some(size(width, height))
}

/// Describes a BMP image.
pub fn bmp(bytes: &[u8]) -> Option<String> {
    let height = (le32(bytes, 22)? as i32).unsigned_abs();
    Some(format!("{}, {} bits a pixel", size(le32(bytes, 18)?, height), le16(bytes, 28)?))
}

/// Describes a TIFF image by the tags of its first directory.
pub fn tiff(bytes: &[u8]) -> Option<String> {
    type Number = fn(&[u8], usize) -> Option<u32>;
    let (short, long): (Number, Number) =
        if bytes.first() == Some(&b'I') { (le16, le32) } else { (be16, be32) };
    let directory = long(bytes, 4)? as usize;
    let (mut width, mut height) = (None, None);
    for index in 0..short(bytes, directory)? as usize {
        let entry = directory.checked_add(2 + 12 * index)?;
        let number = if short(bytes, entry.checked_add(2)?)? == 3 { short } else { long };
        let value = entry.checked_add(8)?;
        match short(bytes, entry)? {
            256 => width = number(bytes, value),
            257 => height = number(bytes, value),
            _ => {}
        }
    }
    Some(size(width?, height?))
}

/// Describes an AVIF or HEIC image by the largest size in it, as parts have sizes too.
pub fn heif(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(REACH)];
    find::texts(b"ispe", head)
        .filter_map(|offset| Some((be32(head, offset + 8)?, be32(head, offset + 12)?)))
        .max_by_key(|&(width, height)| u64::from(width) * u64::from(height))
        .map(|(width, height)| size(width, height))
}

/// Describes an icon by its first image.
pub fn icon(bytes: &[u8]) -> Option<String> {
    let [width, height] = at(bytes, 6)?;
    let pixels = |byte: u8| if byte == 0 { 256 } else { u32::from(byte) };
    let count = le16(bytes, 4)?;
    let of = if count > 1 { format!(", the first of {count}") } else { String::new() };
    Some(size(pixels(width), pixels(height)) + &of)
}

/// Describes a Photoshop image.
pub fn photoshop(bytes: &[u8]) -> Option<String> {
    Some(size(be32(bytes, 18)?, be32(bytes, 14)?))
}

/// Describes an AVI video by its main header, whose numbers are after its name.
pub fn avi(bytes: &[u8]) -> Option<String> {
    let header = find_within(bytes, b"avih", REACH)?;
    let number = |offset: usize| le32(bytes, header + offset);
    let millis = u64::from(number(8)?) * u64::from(number(24)?) / 1_000;
    Some(format!("{}, {}", size(number(40)?, number(44)?), super::sound::duration(millis)))
}

/// Describes an MP4 or QuickTime video by the size and duration in its index.
pub fn mp4(bytes: &[u8]) -> Option<String> {
    let index = super::sound::mp4_index(bytes)?;
    let track = find::texts(b"tkhd", index).find_map(|offset| {
        let width = offset + if at::<1>(index, offset + 4)? == [1] { 92 } else { 80 };
        // A fixed-point number. This is its integer part.
        Some((be16(index, width)?, be16(index, width + 4)?)).filter(|&(width, _)| width > 0)
    });
    let duration = super::sound::mp4_duration(index);
    let parts = [track.map(|(width, height)| size(width, height)), duration];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
}
