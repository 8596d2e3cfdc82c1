//! Files of a store's directory: private, never opened through a symbolic link. Errors
//! do not name paths, because a model may read them.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tuckaway::{Artifact, StoreError};

/// The most bytes of a metadata file, which is one small object.
const MAX_META_BYTES: u64 = 16 << 20;

/// Opens a symbolic link itself, which is not a regular file.
#[cfg(windows)]
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

/// The content of `<id>.json`. Unlike [`Artifact`] it ignores unknown keys, so that
/// later versions can add some.
#[derive(Serialize, Deserialize)]
pub(super) struct Meta {
    id: String,
    tool: String,
    media_type: String,
    size_bytes: u64,
    line_count: u64,
    created_at: u64,
}

impl Meta {
    /// Returns the content of an artifact's metadata file.
    pub(super) fn to_json(artifact: &Artifact) -> Vec<u8> {
        let artifact = artifact.clone();
        let meta = Meta {
            id: artifact.id,
            tool: artifact.tool,
            media_type: artifact.media_type,
            size_bytes: artifact.size_bytes,
            line_count: artifact.line_count,
            created_at: artifact.created_at,
        };
        let mut json = serde_json::to_vec(&meta).expect("strings and numbers are JSON");
        json.push(b'\n');
        json
    }

    /// Reads the artifact that a metadata file describes, which must be the requested one:
    /// file systems that ignore case find others too.
    pub(super) fn read(path: &Path, id: &str) -> Result<Artifact, StoreError> {
        let mut json = Vec::new();
        match open(path).and_then(|file| file.take(MAX_META_BYTES).read_to_end(&mut json)) {
            Ok(_) => {}
            Err(error) if is_missing(&error) => return Err(StoreError::NotFound),
            Err(error) => return Err(failed("reading metadata", &error)),
        }
        let meta: Meta = serde_json::from_slice(&json)
            .map_err(|error| StoreError::Other(format!("its metadata is damaged: {error}")))?;
        match meta.id == id {
            true => Ok(Artifact {
                id: meta.id,
                tool: meta.tool,
                media_type: meta.media_type,
                size_bytes: meta.size_bytes,
                line_count: meta.line_count,
                created_at: meta.created_at,
            }),
            false => Err(StoreError::NotFound),
        }
    }
}

/// Creates a directory and its parents for this user alone. Returns a path under which
/// files of any name can be reached.
pub(super) fn make_directory(path: &Path) -> io::Result<PathBuf> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    match cfg!(windows) {
        // A verbatim path, `\\?\C:\…`: otherwise an id such as `con` or `nul` would name
        // a device, and long paths would fail.
        true => path.canonicalize(),
        false => Ok(path.to_owned()),
    }
}

/// Creates a file that must not exist yet, for this user alone.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens a regular file for reading, not through a symbolic link.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Without NONBLOCK, opening a FIFO in the file's place would block.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits() as i32,
    );
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, FILE_FLAG_OPEN_REPARSE_POINT);
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Reads bytes of a file: all that were requested, or an error.
pub(super) fn read_at(path: &Path, offset: u64, length: u64) -> Result<Vec<u8>, StoreError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length as usize);
        if length > 0 {
            let mut file = open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            file.take(length).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    };
    match read() {
        Ok(bytes) if bytes.len() as u64 == length => Ok(bytes),
        Ok(_) => Err(StoreError::Other("its file is shorter than it was".to_owned())),
        Err(error) if is_missing(&error) => Err(StoreError::NotFound),
        Err(error) => Err(failed("reading a file", &error)),
    }
}

/// Returns the names in a directory that are valid Unicode, as those of artifacts are.
pub(super) fn names(path: &Path) -> Result<Vec<String>, StoreError> {
    let read = || -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(path)? {
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    };
    match read() {
        Err(error) if is_missing(&error) => Ok(Vec::new()),
        names => names.map_err(|error| failed("reading the directory", &error)),
    }
}

/// Makes renames survive a power failure, if the system supports it: some file systems
/// refuse to flush a directory, and Windows offers no way to do so.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    match File::open(path)?.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => {
            Ok(())
        }
        synced => synced,
    }
}

/// Returns whether an error means that there is no such file. A symbolic link, a name
/// that is too long and a path through a non-directory count as missing.
pub(super) fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    #[cfg(unix)]
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return true;
    }
    matches!(error.kind(), NotFound | NotADirectory | InvalidFilename)
}

/// Creates a store's failure for people: the operation and the system's error.
pub(super) fn failed(doing: &str, error: &io::Error) -> StoreError {
    StoreError::Other(format!("{doing}: {error}"))
}
