//! The archive with the command, the same bytes from the same files.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use super::command::Pages;
use super::files;
use super::release::Release;
use crate::workspace;

/// The files of the repository that each archive has.
const DOCUMENTS: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// A file in an archive.
pub struct Entry {
    /// Its path, with `/` on every platform.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it can be run.
    pub is_program: bool,
}

/// Writes `tuckaway-VERSION-TARGET.tar.gz`. All its files are in one folder of the same name.
pub fn write(release: &Release, command: &Path, pages: &Pages, notices: &str) -> Result<()> {
    let platform = release.target.platform;
    let folder = format!("tuckaway-{}-{}", release.version, platform.target);
    let file = |name: &str, bytes| Entry { name: format!("{folder}/{name}"), bytes, is_program: false };
    let program = platform.program("tuckaway");
    let mut entries = vec![Entry { is_program: true, ..file(&program, files::read(command)?) }];
    for name in DOCUMENTS {
        entries.push(file(name, files::read(&workspace().join(name))?));
    }
    entries.push(file(super::licences::FILE, notices.as_bytes().to_vec()));
    for (inner, directory) in [("man/man1", &pages.man), ("completions", &pages.completions)] {
        for path in files::below(directory)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entries.push(file(&format!("{inner}/{name}"), files::read(&path)?));
        }
    }
    let path = release.directory.join(format!("{folder}.tar.gz"));
    let output = File::create(&path).with_context(|| format!("making {}", path.display()))?;
    pack(output, entries, release.time).with_context(|| format!("writing {}", path.display()))
}

/// Writes a compressed archive of files.
fn pack(output: impl Write, entries: Vec<Entry>, time: u64) -> Result<()> {
    let mut archive = Builder::new(gzip(output));
    append(&mut archive, entries, time)?;
    archive.into_inner()?.finish()?.flush()?;
    Ok(())
}

/// Compresses bytes, the same way at any time.
pub fn gzip<W: Write>(output: W) -> GzEncoder<W> {
    GzBuilder::new().mtime(0).write(output, Compression::best())
}

/// Writes files in the order of their names, with a fixed owner, fixed permissions and a given time.
pub fn append(archive: &mut Builder<impl Write>, mut entries: Vec<Entry>, time: u64) -> Result<()> {
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let mut header = header(EntryType::Regular, if entry.is_program { 0o755 } else { 0o644 }, time);
        header.set_size(entry.bytes.len() as u64);
        archive.append_data(&mut header, &entry.name, entry.bytes.as_slice())?;
    }
    Ok(())
}

/// Returns the description of an empty entry that belongs to the system.
pub fn header(kind: EntryType, mode: u32, time: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(0);
    header.set_mode(mode);
    header.set_mtime(time);
    header.set_uid(0);
    header.set_gid(0);
    header
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn packed(names: &[&str], time: u64) -> Vec<u8> {
        let entry = |name: &&str| Entry {
            name: (*name).to_owned(),
            bytes: name.as_bytes().to_vec(),
            is_program: *name == "a/run",
        };
        let mut bytes = Vec::new();
        pack(&mut bytes, names.iter().map(entry).collect(), time).unwrap();
        bytes
    }

    #[test]
    fn archives_do_not_depend_on_the_order_of_files() {
        let one = packed(&["a/run", "a/text"], 1_700_000_000);
        assert_eq!(one, packed(&["a/text", "a/run"], 1_700_000_000));
        assert_ne!(one, packed(&["a/run", "a/text"], 1_700_000_001));

        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(one.as_slice()));
        let mut read = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            let header = entry.header();
            read.push((text, header.mode().unwrap(), header.uid().unwrap(), header.mtime().unwrap()));
        }
        let expected = [("a/run", 0o755), ("a/text", 0o644)];
        assert_eq!(read, expected.map(|(name, mode)| (name.to_owned(), mode, 0, 1_700_000_000)));
    }
}
