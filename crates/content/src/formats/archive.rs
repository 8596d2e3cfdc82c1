//! Lists the files of an archive, from its directory or headers.

use tuckaway_search::find;

use super::bytes::{at, be16, le16, le32};
use crate::line::excerpt;
use tuckaway_text::{counted, human_bytes};

/// Files whose names are kept. The rest is counted.
const MAX_NAMES: usize = 100;
/// Bytes that are searched for the end of the directory. A comment may follow it.
const ZIP_END_REACH: usize = (64 << 10) + 22;
/// Bytes of a tar header. Contents are padded to a multiple of it.
const TAR_BLOCK: usize = 512;

/// The files of an archive.
#[derive(Default)]
pub struct Listing {
    /// The number of files.
    pub count: u64,
    /// The first names, with their sizes.
    pub names: Vec<(String, String)>,
}

impl Listing {
    fn push(&mut self, name: &[u8], size: u64) {
        // A folder says less than what is in it.
        if name.ends_with(b"/") {
            return;
        }
        self.count += 1;
        if self.names.len() < MAX_NAMES {
            self.names.push((excerpt(name), human_bytes(size)));
        }
    }

    /// Returns the number of files, in words.
    pub fn words(&self) -> String {
        counted(self.count, "file")
    }
}

/// Reads the central directory at the end of a ZIP file. None if the end is missing.
pub fn zip(bytes: &[u8]) -> Option<Listing> {
    let tail = bytes.len().saturating_sub(ZIP_END_REACH);
    let end = tail + find::last_text(b"PK\x05\x06", &bytes[tail..])?;
    let end_of_files = le32(bytes, end + 16)? as usize;
    let mut offset = end_of_files;
    let mut listing = Listing::default();
    while at::<4>(bytes, offset) == Some(*b"PK\x01\x02") {
        let length = |field| le16(bytes, offset + field).map(|length| length as usize);
        let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
        listing.push(bytes.get(offset + 46..offset + 46 + name)?, u64::from(le32(bytes, offset + 24)?));
        offset += 46 + name + extra + comment;
    }
    // A directory that is elsewhere (ZIP64) was not read.
    (offset > end_of_files || le16(bytes, end + 10)? == 0).then_some(listing)
}

/// Returns the name and the media type of a ZIP file, by the names of its files.
pub fn zip_kind(listing: &Listing) -> Option<(&'static str, &'static str)> {
    let has = |start: &str| listing.names.iter().any(|(name, _)| name.starts_with(start));
    Some(if has("word/") {
        ("Word document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
    } else if has("xl/") {
        ("Excel workbook", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    } else if has("ppt/") {
        (
            "PowerPoint presentation",
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        )
    } else if has("AndroidManifest.xml") {
        ("Android package", "application/vnd.android.package-archive")
    } else if has("META-INF/MANIFEST.MF") {
        ("Java archive", "application/java-archive")
    } else if has("META-INF/container.xml") {
        ("EPUB book", "application/epub+zip")
    } else {
        return None;
    })
}

/// Reads the headers of a tar file, each before its contents.
pub fn tar(bytes: &[u8]) -> Listing {
    let mut listing = Listing::default();
    let mut offset = 0usize;
    while let Some(header) = bytes.get(offset..).filter(|header| header.len() >= TAR_BLOCK && header[0] != 0)
    {
        let digits = header[124..136].iter().filter(|digit| (b'0'..=b'7').contains(digit));
        let size = digits.fold(0u64, |size, digit| size << 3 | u64::from(digit - b'0'));
        let name = header[..100].split(|&byte| byte == 0).next().unwrap_or_default();
        // Files, folders and links, but not headers that only extend the next one.
        if matches!(header[156], 0 | b'0'..=b'7') {
            listing.push(name, size);
        }
        let blocks = usize::try_from(size).ok().and_then(|size| size.checked_next_multiple_of(TAR_BLOCK));
        let Some(next) = blocks.and_then(|blocks| offset.checked_add(TAR_BLOCK)?.checked_add(blocks)) else {
            break;
        };
        offset = next;
    }
    listing
}

/// Returns the name of the file that was compressed, if it is there.
pub fn gzip(bytes: &[u8]) -> Option<String> {
    const HAS_EXTRA: u8 = 4;
    const HAS_NAME: u8 = 8;
    let [flags] = at(bytes, 3)?;
    if flags & HAS_NAME == 0 {
        return None;
    }
    let extra = if flags & HAS_EXTRA == 0 { 0 } else { 2 + le16(bytes, 10)? as usize };
    let rest = bytes.get(10 + extra..)?;
    let name = &rest[..find::byte(0, &rest[..rest.len().min(256)])?];
    Some(format!("of {}", excerpt(name)))
}

/// Returns the version of Java for which a class was compiled.
pub fn class(bytes: &[u8]) -> Option<String> {
    Some(format!("for Java {}", be16(bytes, 6)?.checked_sub(44)?))
}
