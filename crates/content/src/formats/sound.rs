//! Describes audio files by their headers: the format, and the duration.

use tuckaway_search::find;

use super::bytes::{at, be16, be32, le16, le32};

/// Returns a duration for people: `0.35 s`, `12.4 s`, `3 min 7 s`.
pub fn duration(millis: u64) -> String {
    match millis {
        0..1_000 => format!("0.{:02} s", millis / 10),
        1_000..60_000 => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
        _ => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1_000),
    }
}

fn channels(count: u32) -> String {
    match count {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        _ => format!("{count} channels"),
    }
}

fn millis(count: u64, a_second: u64) -> Option<u64> {
    count.checked_mul(1_000)?.checked_div(a_second)
}

/// Describes a WAV file by its chunks: the format of samples, and their number.
pub fn wav(bytes: &[u8]) -> Option<String> {
    let (mut offset, mut format) = (12, None);
    loop {
        let name = at::<4>(bytes, offset)?;
        let length = le32(bytes, offset + 4)?;
        match &name {
            b"fmt " => {
                let number = |field| le32(bytes, offset + field);
                format =
                    Some((le16(bytes, offset + 10)?, number(12)?, number(16)?, le16(bytes, offset + 22)?));
            }
            b"data" => {
                let (count, rate, a_second, bits) = format?;
                let length = u64::from(length).min((bytes.len() - offset) as u64);
                let duration = duration(millis(length, u64::from(a_second))?);
                return Some(format!("{duration}, {rate} Hz, {bits} bits, {}", channels(count)));
            }
            _ => {}
        }
        // Chunks begin at even offsets.
        offset = offset.checked_add(8)?.checked_add(length as usize)?.checked_next_multiple_of(2)?;
    }
}

/// Describes a FLAC file.
pub fn flac(bytes: &[u8]) -> Option<String> {
    let (high, low) = (be32(bytes, 18)?, be32(bytes, 22)?);
    let rate = high >> 12;
    let samples = u64::from(high & 0xF) << 32 | u64::from(low);
    let duration = duration(millis(samples, u64::from(rate))?);
    Some(format!("{duration}, {rate} Hz, {}", channels((high >> 9 & 7) + 1)))
}

/// Describes an Ogg file. The header of the codec is in its first page, and the count of
/// samples in its last.
pub fn ogg(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(512)];
    let opus = find::text(b"OpusHead", head).map(|offset| ("Opus", offset + 9, Some(48_000)));
    let vorbis =
        || find::text(b"\x01vorbis", head).map(|offset| ("Vorbis", offset + 11, le32(head, offset + 12)));
    let (codec, count, rate) = opus.or_else(vorbis)?;
    let [count] = at(head, count)?;
    let rate = u64::from(rate?);
    let last = find::last_text(b"OggS", bytes)?;
    let samples = u64::from_le_bytes(at(bytes, last + 6)?);
    let duration = duration(millis(samples, rate)?);
    Some(format!("{codec}, {duration}, {rate} Hz, {}", channels(u32::from(count))))
}

/// A frame of MP3.
struct Frame {
    /// Kilobits a second.
    kilobits: u32,
    /// Samples a second.
    rate: u32,
    /// Bytes of the frame.
    length: usize,
    is_mono: bool,
}

/// Returns the frame of MPEG layer 3 that begins at an offset.
fn mp3_frame(bytes: &[u8], offset: usize) -> Option<Frame> {
    const FIRST: [u32; 14] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    const SECOND: [u32; 14] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    let [sync, version, rates, channels] = at(bytes, offset)?;
    // Layer 3, with or without a checksum.
    if sync != 0xFF || version & 0xE6 != 0xE2 {
        return None;
    }
    let (kilobits, divisor, samples) = match version >> 3 & 3 {
        3 => (FIRST, 1, 144_000),
        2 => (SECOND, 2, 72_000),
        0 => (SECOND, 4, 72_000),
        _ => return None,
    };
    let kilobits = *kilobits.get(usize::from(rates >> 4).checked_sub(1)?)?;
    let rate = [44_100, 48_000, 32_000].get(usize::from(rates >> 2 & 3))? / divisor;
    let length = (samples * kilobits / rate + u32::from(rates >> 1 & 1)) as usize;
    Some(Frame { kilobits, rate, length, is_mono: channels >> 6 == 3 })
}

/// Returns whether there is a frame with another after it. Two bytes alone would be a poor
/// signature.
pub fn is_mp3(bytes: &[u8]) -> bool {
    mp3_frame(bytes, 0).is_some_and(|frame| mp3_frame(bytes, frame.length).is_some())
}

/// Returns the end of an ID3 tag, whose length has seven bits per byte.
fn behind_tag(bytes: &[u8]) -> Option<usize> {
    if !bytes.starts_with(b"ID3") {
        return Some(0);
    }
    let length =
        at::<4>(bytes, 6)?.iter().fold(0usize, |length, &byte| length << 7 | usize::from(byte & 0x7F));
    Some(length + 10)
}

/// Describes an MP3 file by its first frame.
pub fn mp3(bytes: &[u8]) -> Option<String> {
    let frame = mp3_frame(bytes, behind_tag(bytes)?)?;
    let channels = channels(if frame.is_mono { 1 } else { 2 });
    Some(format!("{} kbit/s, {} Hz, {channels}", frame.kilobits, frame.rate))
}

/// Returns the box of an MP4 file that describes its content.
pub fn mp4_index(bytes: &[u8]) -> Option<&[u8]> {
    let mut offset = 0usize;
    loop {
        let length = match be32(bytes, offset)? {
            1 => usize::try_from(u64::from_be_bytes(at(bytes, offset + 8)?)).ok()?,
            length => length as usize,
        };
        let end = offset.checked_add(length)?;
        if &at::<4>(bytes, offset + 4)? == b"moov" {
            return bytes.get(offset..end.min(bytes.len()));
        }
        if length < 8 {
            return None;
        }
        offset = end;
    }
}

/// Returns the duration in that box.
pub fn mp4_duration(index: &[u8]) -> Option<String> {
    let header = find::text(b"mvhd", index)?;
    let (scale, length) = match at::<1>(index, header + 4)? {
        [1] => (be32(index, header + 24)?, u64::from_be_bytes(at(index, header + 28)?)),
        _ => (be32(index, header + 16)?, u64::from(be32(index, header + 20)?)),
    };
    Some(duration(millis(length, u64::from(scale))?))
}

/// Describes an M4A file.
pub fn m4a(bytes: &[u8]) -> Option<String> {
    mp4_duration(mp4_index(bytes)?)
}

/// Describes a MIDI file.
pub fn midi(bytes: &[u8]) -> Option<String> {
    Some(format!("{} tracks", be16(bytes, 10)?))
}
