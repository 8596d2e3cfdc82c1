//! Files of a store's directory: private, never opened through a symbolic link. Errors
//! do not name paths, because a model may read them.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tuckaway_contract::StoreError;

use crate::meta::{self, Described, Meta};

/// The maximum size of a metadata file, which is one small object.
const MAX_META_BYTES: u64 = 16 << 20;

/// Opens a symbolic link itself, which is then refused because it is not a regular file.
#[cfg(windows)]
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

/// Reads the artifact that a metadata file describes, which must be the requested one: a file
/// system that ignores case also finds others.
pub(super) fn read_meta(path: &Path, id: &str) -> Result<Described, StoreError> {
    let mut json = Vec::new();
    match open(path).and_then(|file| file.take(MAX_META_BYTES).read_to_end(&mut json)) {
        Ok(_) => meta::parse::<Meta>(&json)?.of(id),
        Err(error) if is_missing(&error) => Err(StoreError::NotFound),
        Err(error) => Err(failed("reading metadata", &error)),
    }
}

/// Writes a new metadata file, under the name `part` until it is complete.
pub(super) fn write_meta(part: &Path, path: &Path, meta: &Meta) -> io::Result<()> {
    let mut file = create_new(part)?;
    let written = file.write_all(&meta::to_json(meta)).and_then(|()| file.sync_all());
    written.and_then(|()| std::fs::rename(part, path)).inspect_err(|_| {
        let _ = std::fs::remove_file(part);
    })
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
    // WASI has no such flag.
    #[cfg(target_os = "wasi")]
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Reads bytes of a file: fails unless all requested bytes can be read.
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

/// Returns the names in a directory that are valid Unicode, as the names of artifacts are.
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

/// Creates a store's error from the operation and the system's error.
pub(super) fn failed(doing: &str, error: &io::Error) -> StoreError {
    StoreError::Other(format!("{doing}: {error}"))
}
