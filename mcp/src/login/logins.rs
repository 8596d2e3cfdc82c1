//! The stored logins: one file for each server, which only the user can read.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tokio::time::{Instant, sleep};

use super::{Login, LoginError, ServerUrl};

/// How long another process may renew the same token. The discovery takes at most 25 s, and the
/// request for a token 30 s.
const LOCK_PATIENCE: Duration = Duration::from_secs(60);
const LOCK_PAUSE: Duration = Duration::from_millis(50);
/// The maximum size of a file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The directory with the stored logins.
#[derive(Clone, Debug)]
pub struct Logins {
    directory: PathBuf,
}

/// The time and the size of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
}

/// The right to change one login. No other process has it at the same time.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the lock ends when the file is closed")] File);

impl Logins {
    /// Uses a directory, which is created when the first login is stored.
    pub fn new(directory: PathBuf) -> Self {
        Logins { directory }
    }

    /// Returns all logins, by their URLs. Files that cannot be read are left out; the errors name them.
    ///
    /// Errors: the directory cannot be read.
    pub fn list(&self) -> Result<(Vec<Login>, Vec<LoginError>), LoginError> {
        let (mut logins, mut unreadable) = (Vec::new(), Vec::new());
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((logins, unreadable)),
            Err(error) => return Err(error.into()),
        };
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                match read(&path) {
                    Ok(login) => logins.extend(login),
                    Err(error) => unreadable.push(named(&path, error)),
                }
            }
        }
        logins.sort_by(|a: &Login, b| a.url.cmp(&b.url));
        Ok((logins, unreadable))
    }

    /// Returns the login to a server, if there is one.
    ///
    /// Errors: the file cannot be read.
    pub fn load(&self, url: &ServerUrl) -> Result<Option<Login>, LoginError> {
        // Another URL may have the same hash.
        Ok(read(&self.file(url, "json"))?.filter(|login| login.url == url.as_str()))
    }

    /// Returns what changes when a login is stored or removed; `None` if there is none.
    pub(super) fn stamp(&self, url: &ServerUrl) -> Option<Stamp> {
        let file = fs::metadata(self.file(url, "json")).ok()?;
        Some(Stamp { modified: file.modified().ok(), bytes: file.len() })
    }

    /// Stores a login in place of an older one.
    pub(super) fn save(&self, url: &ServerUrl, login: &Login, _: &Lock) -> Result<(), LoginError> {
        let path = self.file(url, "json");
        let part = self.file(url, "part");
        let text = serde_json::to_vec_pretty(login).map_err(io::Error::from)?;
        // A process may have ended while it wrote.
        let _ = fs::remove_file(&part);
        let written = private().create_new(true).open(&part).and_then(|mut file| {
            file.write_all(&text)?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&part, &path)).map_err(|error| {
            let _ = fs::remove_file(&part);
            LoginError::File(error)
        })
    }

    /// Removes a login, if it exists, and what a process has left that ended while it wrote.
    pub(super) fn delete(&self, url: &ServerUrl, _: &Lock) -> Result<(), LoginError> {
        for extension in ["part", "json"] {
            match fs::remove_file(self.file(url, extension)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Waits for the right to change a login. The file of the lock stays: a process that waits may
    /// have opened it.
    pub(super) async fn lock(&self, url: &ServerUrl) -> Result<Lock, LoginError> {
        self.create()?;
        let file = private().create(true).truncate(false).open(self.file(url, "lock"))?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock(file)),
                Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_PATIENCE => sleep(LOCK_PAUSE).await,
                Err(TryLockError::WouldBlock) => return Err(LoginError::Locked),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
    }

    fn create(&self) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.directory)
    }

    fn file(&self, url: &ServerUrl, extension: &str) -> PathBuf {
        self.directory.join(format!("{}.{extension}", url.file_stem()))
    }
}

/// Returns options to write a file that only the user can read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Reads a login, if its file exists.
fn read(path: &Path) -> Result<Option<Login>, LoginError> {
    match fs::metadata(path) {
        Ok(file) if file.len() > MAX_BYTES => return Err(malformed()),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    // The error of the parser would quote what it found.
    serde_json::from_slice(&fs::read(path)?).map(Some).map_err(|_| malformed())
}

fn named(path: &Path, error: LoginError) -> LoginError {
    match error {
        LoginError::File(error) => {
            LoginError::File(io::Error::new(error.kind(), format!("{}: {error}", path.display())))
        }
        error => error,
    }
}

/// A model may read this error, so that it does not name the path.
fn malformed() -> LoginError {
    LoginError::File(io::Error::new(ErrorKind::InvalidData, "it is malformed; log in again"))
}
