//! Runs a filter on a file, page by page, without loading the file into memory.
//!
//! ```text
//! cargo run -p tuckaway-jq --example filter -- '.rows[].name' file.json
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use tuckaway_jq::{ByteSource, Filter, Options, SourceError};

/// Bytes of a page.
const PAGE_BYTES: usize = 64 << 10;

/// A file that is read in parts.
struct FileSource {
    file: File,
    size: u64,
}

impl FileSource {
    fn open(path: &str) -> io::Result<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        Ok(FileSource { file, size })
    }
}

impl ByteSource for FileSource {
    type Error = SourceError;

    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))?;
        file.take(length as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [filter, path] = &arguments[..] else {
        return Err("usage: filter FILTER FILE".into());
    };
    let filter = Filter::compile(filter)?;
    let source = FileSource::open(path)?;
    let mut cursor = None;
    loop {
        let page = filter.run(&source, &Options::default(), cursor, PAGE_BYTES)?;
        io::stdout().write_all(page.text.as_bytes())?;
        if let Some(hint) = page.hint {
            eprintln!("{hint}");
        }
        if let Some(failure) = page.failure {
            return Err(failure.into());
        }
        cursor = page.next;
        if cursor.is_none() {
            return Ok(());
        }
    }
}
