//! The archive, unpacked.

use std::fs::File;

use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;
use tar::Archive;

use super::super::release::Release;
use super::checks;
use super::home::Home;
use super::launcher::Launcher;

/// Unpacks the archive of this platform and runs its command.
pub fn verify(release: &Release) -> Result<()> {
    let platform = release.target.platform;
    let folder = format!("tuckaway-{}-{}", release.version, platform.target);
    let path = release.directory.join(format!("{folder}.tar.gz"));
    let home = Home::new(release, "archive", &[])?;
    let file = File::open(&path)
        .with_context(|| format!("opening {}; `cargo xtask dist` makes it", path.display()))?;
    Archive::new(GzDecoder::new(file))
        .unpack(&home.directory)
        .with_context(|| format!("unpacking {}", path.display()))?;
    let unpacked = home.directory.join(folder);
    for file in ["LICENSE-MIT", "THIRD-PARTY-LICENSES.txt", "completions/_tuckaway", "man/man1/tuckaway.1"] {
        ensure!(unpacked.join(file).is_file(), "{file} is missing");
    }
    let words = release.target.words_of(&unpacked.join(platform.program("tuckaway")));
    checks::run(&Launcher { home: &home, words }, &release.version)
}
