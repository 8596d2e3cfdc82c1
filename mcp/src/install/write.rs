//! Writes a configuration file: a copy of the old one is kept, and the file is never half
//! written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The files that were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The configuration file; if it is a link, the file that the link points to.
    pub path: PathBuf,
    /// The copy of the old configuration.
    pub copy: PathBuf,
}

/// Replaces the text of a configuration file. A copy of the old file is kept in the same directory,
/// with the time in its name. Permissions are preserved.
///
/// Fails and changes nothing if the file has changed since it was read: its client may have
/// written it.
pub fn write(path: &Path, read: &str, changed: &str) -> io::Result<Written> {
    let path = fs::canonicalize(path)?;
    if fs::read(&path)? != read.as_bytes() {
        return Err(io::Error::other("it has changed since it was read; close the client and try again"));
    }
    let permissions = fs::metadata(&path)?.permissions();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (copy, file) = create(&path, |attempt| match attempt {
        0 => format!("{name}.{}.bak", timestamp(SystemTime::now())),
        attempt => format!("{name}.{}-{attempt}.bak", timestamp(SystemTime::now())),
    })?;
    fill(file, read, &permissions)?;
    let (part, file) = create(&path, |attempt| format!(".{name}.{}-{attempt}.part", std::process::id()))?;
    let replaced = fill(file, changed, &permissions).and_then(|()| fs::rename(&part, &path));
    if let Err(error) = replaced {
        let _ = fs::remove_file(&part);
        return Err(error);
    }
    Ok(Written { path, copy })
}

/// Writes a file that only its owner can read. A copy of an old one is kept.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    match fs::read_to_string(path) {
        Ok(old) if old == text => Ok(()),
        Ok(old) => write(path, &old, text).map(|_| ()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (part, file) =
                create(path, |attempt| format!(".{name}.{}-{attempt}.part", std::process::id()))?;
            let permissions = file.metadata()?.permissions();
            fill(file, text, &permissions).and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
                let _ = fs::remove_file(&part);
            })
        }
        Err(error) => Err(error),
    }
}

/// Removes a file, if it exists.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Creates a file next to another one, under the first name that is free. Only its owner can
/// read it.
fn create(path: &Path, name: impl Fn(u32) -> String) -> io::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut attempt = 0;
    loop {
        let at = path.with_file_name(name(attempt));
        match options.open(&at) {
            Ok(file) => return Ok((at, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1_000 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

fn fill(mut file: File, text: &str, permissions: &fs::Permissions) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.set_permissions(permissions.clone())?;
    file.sync_all()
}

/// Returns a time as `20260131T235959Z`.
fn timestamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days from the first of March of the year 0, in eras of 400 years: a leap day is then the
    // last day of its year.
    let day = days + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{:04}{month:02}{date:02}T{hour:02}{minute:02}{:02}Z", era * 400 + year + later, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_dates() {
        for (seconds, date) in [
            (0, "19700101T000000Z"),
            (951_782_399, "20000228T235959Z"),
            (951_782_400, "20000229T000000Z"),
            (951_868_800, "20000301T000000Z"),
            (1_735_689_599, "20241231T235959Z"),
            (4_107_542_400, "21000301T000000Z"),
        ] {
            assert_eq!(timestamp(UNIX_EPOCH + Duration::from_secs(seconds)), date);
        }
    }

    #[test]
    fn copies_are_never_overwritten_and_nothing_else_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mcp.json");
        fs::write(&path, "one").unwrap();
        let first = write(&path, "one", "two").unwrap();
        let second = write(&path, "two", "three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(fs::read_to_string(&first.copy).unwrap(), "one");
        assert_eq!(fs::read_to_string(&second.copy).unwrap(), "two");
        assert!(first.copy.to_str().unwrap().ends_with(".bak") && first.copy != second.copy);
        let error = write(&path, "two", "four").unwrap_err();
        assert!(error.to_string().contains("has changed since"), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_preserved() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("real.json"), dir.path().join("mcp.json"));
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        let written = write(&link, "one", "two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        for file in [&path, &written.copy] {
            assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o640);
        }
    }
}
