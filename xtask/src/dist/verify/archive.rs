//! The archive, unpacked.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;
use tar::Archive;

use super::super::release::Release;
use super::checks;
use super::home::Home;
use super::launcher::Launcher;

/// The name of its home.
const HOME: &str = "archive";

/// Unpacks the archive of this platform and runs its command.
pub fn verify(release: &Release) -> Result<()> {
    let platform = release.target.platform;
    let path = release.directory.join(format!("{}.tar.gz", folder(release)));
    let home = Home::new(release, HOME, &[])?;
    let file = File::open(&path)
        .with_context(|| format!("opening {}; `cargo xtask dist` makes it", path.display()))?;
    Archive::new(GzDecoder::new(file))
        .unpack(&home.directory)
        .with_context(|| format!("unpacking {}", path.display()))?;
    let unpacked = unpacked(release);
    for file in ["LICENSE-MIT", "THIRD-PARTY-LICENSES.txt", "completions/_tuckaway", "man/man1/tuckaway.1"] {
        ensure!(unpacked.join(file).is_file(), "{file} is missing");
    }
    let words = release.target.words_of(&unpacked.join(platform.program("tuckaway")));
    checks::run(&Launcher { home: &home, words }, &release.version)
}

/// Returns the directory with the files of the unpacked archive.
pub fn unpacked(release: &Release) -> PathBuf {
    Home::directory(release, HOME).join(folder(release))
}

fn folder(release: &Release) -> String {
    format!("tuckaway-{}-{}", release.version, release.target.platform.target)
}
