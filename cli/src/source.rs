//! The source of a query: an artifact of the store, a file in place, or standard input.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use tuckaway_host::{Artifact, ReadAhead, Store, StoreError, Tuckaway, is_artifact_id};

use crate::args::Cli;
use crate::exit::{Failure, NO_INPUT};
use crate::setup;

/// An artifact and the store that holds it.
pub struct Source {
    pub id: String,
    pub size: u64,
    pub store: Arc<dyn Store>,
    /// The store itself, if the source is not an artifact.
    in_place: Option<Arc<Single>>,
}

impl Source {
    /// Opens the source that a name on the command line refers to: `-` is standard input;
    /// a name in the form of an id is an artifact, or a file if there is no such
    /// artifact; any other name is a path.
    pub async fn open(cli: &Cli, name: &Path) -> Result<Source, Failure> {
        if name.as_os_str() == "-" {
            return Ok(Source::of(Single::of_stdin()?));
        }
        let Some(id) = name.to_str().filter(|id| is_artifact_id(id)) else {
            return Ok(Source::of(Single::of_file(name)?));
        };
        // This program's stores mint ids in one form: others are looked up only if there
        // is no such file.
        if !id.starts_with("art_") && name.is_file() {
            return Ok(Source::of(Single::of_file(name)?));
        }
        let store = setup::store(cli).await?;
        match store.stat(id).await {
            Ok(artifact) => Ok(Source::stored(&artifact, store)),
            Err(StoreError::NotFound) if name.exists() => Ok(Source::of(Single::of_file(name)?)),
            Err(StoreError::NotFound) => Err(Failure::new(format!(
                "there is no artifact or file named {id:?}; run `tuckaway list` to see the artifacts"
            ))
            .with_status(NO_INPUT)),
            Err(error) => Err(error.into_error("looking up an artifact", id).into()),
        }
    }

    /// Creates a source from bytes.
    pub fn in_memory(name: &str, media_type: &str, bytes: Vec<u8>) -> Source {
        Source::of(Single::new(name, media_type, bytes.len() as u64, Content::Bytes(bytes)))
    }

    /// Opens an artifact of a store.
    pub fn stored(artifact: &Artifact, store: Arc<dyn Store>) -> Source {
        Source { id: artifact.id.clone(), size: artifact.size_bytes, store, in_place: None }
    }

    /// Joins sources of JSON into one, with a line feed after each.
    pub fn joined(sources: Vec<Source>) -> Source {
        let size = sources.iter().map(|source| source.size + 1).sum();
        let name = sources.first().map_or_else(String::new, |first| first.id.clone());
        Source::of(Single::new(&name, "application/x-ndjson", size, Content::Joined(sources)))
    }

    fn of(single: Single) -> Source {
        let single = Arc::new(single);
        let (id, size) = (single.artifact.id.clone(), single.artifact.size_bytes);
        Source { id, size, store: Arc::clone(&single) as Arc<dyn Store>, in_place: Some(single) }
    }

    /// Counts the lines of a file in place, for calls that depend on their number. Reads the
    /// file once.
    pub async fn count_lines(&self) -> Result<(), Failure> {
        let Some(single) = &self.in_place else { return Ok(()) };
        let (mut lines, mut at, mut last) = (0, 0, b'\n');
        while at < self.size {
            let bytes = self.bytes(at, 1 << 20).await?;
            let Some(&end) = bytes.last() else { break };
            lines += memchr::memchr_iter(b'\n', &bytes).count() as u64;
            (at, last) = (at + bytes.len() as u64, end);
        }
        single.lines.get_or_init(|| lines + u64::from(last != b'\n'));
        Ok(())
    }

    /// Builds the engine over this source's store.
    pub fn engine(&self, cli: &Cli) -> Result<Tuckaway, Failure> {
        setup::engine(cli, Arc::clone(&self.store), None)
    }

    /// Reads all bytes.
    pub async fn all(&self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < self.size {
            let more = self.bytes(bytes.len() as u64, 1 << 20).await?;
            if more.is_empty() {
                break;
            }
            bytes.extend(more);
        }
        Ok(bytes)
    }

    /// Reads the stored bytes from `offset`; fewer than requested only at the end.
    pub async fn bytes(&self, offset: u64, length: u32) -> Result<Vec<u8>, Failure> {
        let read = self.store.read(&self.id, offset, length).await;
        read.map_err(|error| error.into_error("reading an artifact", &self.id).into())
    }
}

/// The sources of one query, as one store: artifacts of the session, and files in place.
#[derive(Default)]
pub struct Sources {
    /// The sources with their ids in this store.
    sources: Vec<(String, Source)>,
    /// The store of new artifacts.
    session: Option<Arc<dyn Store>>,
}

impl Sources {
    /// Adds a source, and returns its id: its own, unless another source has the same.
    pub fn add(&mut self, source: Source) -> String {
        let is_used = |id: &String| self.sources.iter().any(|(used, _)| used == id);
        let numbered = (2..).map(|number| format!("{}_{number}", &source.id[..source.id.len().min(56)]));
        let id = std::iter::once(source.id.clone()).chain(numbered).find(|id| !is_used(id));
        let id = id.unwrap_or_default();
        self.sources.push((id.clone(), source));
        id
    }

    /// Stores new artifacts in a store.
    pub fn save_in(&mut self, store: Arc<dyn Store>) {
        self.session = Some(store);
    }

    /// Builds the engine over the sources.
    pub fn engine(self, cli: &Cli) -> Result<Tuckaway, Failure> {
        setup::engine(cli, Arc::new(self), None)
    }

    fn get(&self, id: &str) -> Result<&Source, StoreError> {
        self.sources.iter().find(|(own, _)| own == id).map(|(_, source)| source).ok_or(StoreError::NotFound)
    }

    fn session(&self) -> Result<&Arc<dyn Store>, StoreError> {
        self.session.as_ref().map_or_else(read_only, Ok)
    }
}

#[async_trait]
impl Store for Sources {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.session()?.create(tool, media_type).await
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.session()?.append(id, bytes).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        self.session()?.seal(id, line_count).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        let source = self.get(id)?;
        let artifact = source.store.stat(&source.id).await?;
        Ok(Artifact { id: id.to_owned(), ..artifact })
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let source = self.get(id)?;
        source.store.read(&source.id, offset, length).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(Vec::new())
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.session()?.delete(id).await
    }
}

/// Reads all of a file, or of standard input for `-`.
pub fn slurp(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().lock().read_to_end(&mut bytes),
        false => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map(|_| bytes).map_err(|error| cannot_read(path, &error))
}

/// Creates the failure of a directory in place of a file.
pub fn is_directory(path: &Path) -> Failure {
    Failure::new(format!("{} is a directory; name a file or an artifact", path.display()))
        .with_status(NO_INPUT)
}

/// Creates the failure of a file, or standard input, that cannot be read.
pub fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    let name = match path.as_os_str() == "-" {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    };
    Failure::new(format!("cannot read {name}: {error}")).with_status(NO_INPUT)
}

/// A read-only store of one artifact.
struct Single {
    artifact: Artifact,
    content: Content,
    /// The number of lines, if they were counted: most queries do not need it, and counting
    /// reads the whole file.
    lines: OnceLock<u64>,
}

enum Content {
    File(Arc<Mutex<File>>, ReadAhead),
    Bytes(Vec<u8>),
    /// The sources one after the other, with a line feed after each.
    Joined(Vec<Source>),
}

/// Reads a part of a file. A file that has grown is read only up to its size when it was opened.
fn read_file(file: &Mutex<File>, size: u64, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
    let length = u64::from(length).min(size.saturating_sub(offset));
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    let mut bytes = Vec::with_capacity(length as usize);
    file.seek(SeekFrom::Start(offset))
        .and_then(|_| (&mut *file).take(length).read_to_end(&mut bytes))
        .map_err(|error| StoreError::Other(error.to_string()))?;
    Ok(bytes)
}

/// Reads a range of joined sources.
async fn read_joined(sources: &[Source], mut offset: u64, length: u64) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::with_capacity(length as usize);
    for source in sources {
        while offset < source.size && (bytes.len() as u64) < length {
            let wanted = (length - bytes.len() as u64).min(source.size - offset) as u32;
            let part = source.store.read(&source.id, offset, wanted).await?;
            if part.is_empty() {
                return Err(StoreError::Other("a file has become shorter while it was read".to_owned()));
            }
            offset += part.len() as u64;
            bytes.extend(part);
        }
        if offset == source.size && (bytes.len() as u64) < length {
            bytes.push(b'\n');
            offset += 1;
        }
        offset = offset.saturating_sub(source.size + 1);
    }
    Ok(bytes)
}

impl Single {
    /// Opens a file in place, or reads its content if it has no length (a pipe).
    fn of_file(path: &Path) -> Result<Single, Failure> {
        let metadata = path.metadata().map_err(|error| cannot_read(path, &error))?;
        if metadata.is_dir() {
            return Err(is_directory(path));
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let media_type = match extension.to_ascii_lowercase().as_str() {
            "json" => "application/json",
            "ndjson" | "jsonl" => "application/x-ndjson",
            _ => "text/plain",
        };
        let name = path.file_stem().map(|name| name.to_string_lossy()).unwrap_or_default();
        Ok(match metadata.is_file() {
            true => {
                let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
                let (length, file) = opened.map_err(|error| cannot_read(path, &error))?;
                Single::new(
                    &name,
                    media_type,
                    length,
                    Content::File(Arc::new(Mutex::new(file)), ReadAhead::default()),
                )
            }
            false => Single::of_bytes(&name, slurp(path)?),
        })
    }

    fn of_stdin() -> Result<Single, Failure> {
        Ok(Single::of_bytes("stdin", slurp(Path::new("-"))?))
    }

    fn of_bytes(name: &str, bytes: Vec<u8>) -> Single {
        Single::new(name, "text/plain", bytes.len() as u64, Content::Bytes(bytes))
    }

    /// Creates a store. The id appears in messages, so it resembles the name.
    fn new(name: &str, media_type: &str, size_bytes: u64, content: Content) -> Single {
        let id: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
            .take(64)
            .collect();
        let artifact = Artifact {
            id: if id.is_empty() { "file".to_owned() } else { id },
            tool: name.to_owned(),
            media_type: media_type.to_owned(),
            size_bytes,
            line_count: 0,
            created_at: 0,
        };
        Single { artifact, content, lines: OnceLock::new() }
    }

    fn check(&self, id: &str) -> Result<(), StoreError> {
        match id == self.artifact.id {
            true => Ok(()),
            false => Err(StoreError::NotFound),
        }
    }
}

fn read_only<T>() -> Result<T, StoreError> {
    Err(StoreError::Other("the source is read-only".to_owned()))
}

#[async_trait]
impl Store for Single {
    async fn create(&self, _tool: &str, _media_type: &str) -> Result<String, StoreError> {
        read_only()
    }

    async fn append(&self, _id: &str, _bytes: Vec<u8>) -> Result<(), StoreError> {
        read_only()
    }

    async fn seal(&self, _id: &str, _line_count: u64) -> Result<Artifact, StoreError> {
        read_only()
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        self.check(id)?;
        let line_count = self.lines.get().copied().unwrap_or_default();
        Ok(Artifact { line_count, ..self.artifact.clone() })
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        self.check(id)?;
        let wanted = u64::from(length).min(self.artifact.size_bytes.saturating_sub(offset));
        match &self.content {
            Content::Bytes(bytes) => {
                let start = offset.min(bytes.len() as u64) as usize;
                Ok(bytes[start..start + wanted as usize].to_vec())
            }
            Content::Joined(sources) => read_joined(sources, offset, wanted).await,
            Content::File(file, ahead) => {
                let (file, size) = (Arc::clone(file), self.artifact.size_bytes);
                let read = move |_: &str, offset, length| read_file(&file, size, offset, length);
                ahead.read(id, offset, length, read).await
            }
        }
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(vec![self.artifact.clone()])
    }

    async fn delete(&self, _id: &str) -> Result<(), StoreError> {
        read_only()
    }
}
