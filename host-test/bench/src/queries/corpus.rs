//! The artifacts that are queried: data repeated to size, in a directory store whose
//! files other programs can read too.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tuckaway_host::{DirStore, Store};

use crate::generated;
use crate::input::{Input, large_json, many_documents};

/// Bytes of the large artifacts.
const GIB: u64 = 1 << 30;

/// An artifact and its file.
#[derive(Clone)]
pub struct Stored {
    pub id: String,
    /// Its name in the report.
    pub name: String,
    pub bytes: u64,
    pub file: PathBuf,
}

/// The artifacts, in a directory that is removed on drop.
pub struct Corpus {
    directory: PathBuf,
    /// Records on one line.
    pub json: Stored,
    /// An array of documents that have such records.
    pub documents: Stored,
    /// More than a million records on one line.
    pub large_json: Stored,
    pub log: Stored,
}

impl Corpus {
    /// Writes about 2.4 GB to the system's temporary directory.
    pub async fn make() -> Result<Corpus> {
        let directory = std::env::temp_dir().join(format!("tuckaway-bench-{}", std::process::id()));
        let store = DirStore::open(&directory).context("making the bench's directory")?;
        eprintln!("bench: writing 2.4 GB to {}", directory.display());
        let json = written(&store, &directory, large_json()).await?;
        let documents = written(&store, &directory, many_documents()).await?;
        let large_json = rows(&store, &directory).await?;
        let log = log(&store, &directory).await?;
        Ok(Corpus { directory, json, documents, large_json, log })
    }

    pub fn path(&self) -> &Path {
        &self.directory
    }
}

impl Drop for Corpus {
    fn drop(&mut self) {
        // If removal fails, the system cleans its temporary directory.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Writes a document.
async fn written(store: &DirStore, directory: &Path, input: Input) -> Result<Stored> {
    let mut writing = Writing::begin(store, "json").await?;
    writing.write(input.bytes).await?;
    writing.seal(directory, input.name).await
}

/// Writes 1 GiB of `{"rows": [{"id": 0, "name": "row 0", …}, …]}`.
async fn rows(store: &DirStore, directory: &Path) -> Result<Stored> {
    let mut writing = Writing::begin(store, "rows").await?;
    writing.write(b"{\"source\":\"made\",\"rows\":[".to_vec()).await?;
    let mut id = 0u64;
    while writing.bytes < GIB {
        let mut chunk = String::with_capacity(1 << 20);
        while chunk.len() < (1 << 20) - 1024 {
            let comma = if id == 0 { "" } else { "," };
            chunk += &format!(
                "{comma}{{\"id\":{id},\"name\":\"row {id}\",\"tags\":[\"a\",\"b\\n\",{}],\"score\":{}.5,\"note\":\"{}\",\"deleted\":null}}",
                id % 7,
                id % 1000,
                "some words of a note, ".repeat(1 + (id % 40) as usize),
            );
            id += 1;
        }
        writing.write(chunk.into_bytes()).await?;
    }
    writing.write(b"]}".to_vec()).await?;
    writing.seal(directory, "generated rows, 1 GiB".to_owned()).await
}

/// Writes 1 GiB of the generated logs, repeated in turn.
async fn log(store: &DirStore, directory: &Path) -> Result<Stored> {
    let logs: String = generated::LOGS.iter().map(|log| log.text()).collect();
    let mut writing = Writing::begin(store, "log").await?;
    while writing.bytes < GIB {
        for chunk in logs.as_bytes().chunks(1 << 20) {
            writing.write(chunk.to_vec()).await?;
        }
    }
    writing.seal(directory, format!("{} generated logs, repeated, 1 GiB", generated::LOGS.len())).await
}

/// An artifact that is being written.
struct Writing<'a> {
    store: &'a DirStore,
    id: String,
    bytes: u64,
    lines: u64,
}

impl<'a> Writing<'a> {
    async fn begin(store: &'a DirStore, tool: &str) -> Result<Self> {
        let id = store.create(tool, "").await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
        Ok(Writing { store, id, bytes: 0, lines: 0 })
    }

    async fn write(&mut self, bytes: Vec<u8>) -> Result<()> {
        self.bytes += bytes.len() as u64;
        self.lines += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.store.append(&self.id, bytes).await.map_err(|error| anyhow::anyhow!("{error:?}"))
    }

    async fn seal(self, directory: &Path, name: String) -> Result<Stored> {
        self.store.seal(&self.id, self.lines).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let file = directory.join(&self.id);
        Ok(Stored { id: self.id, name, bytes: self.bytes, file })
    }
}
