//! `cargo xtask dist`: everything that a release consists of, in `target/dist/`.
//!
//! ```text
//!             ┌─► component ─► WIT package ─► licences ─► bill of materials ─► crates ─► sdist, npm library
//! component ──┤                                                                          (shared)
//!             └─► command ─► its pages ─┬─► archive
//!                 (platform)            ├─► image, if the command is static
//!                                       ├─► wheel
//!                                       └─► npm package of the platform ──► SHA256SUMS over all files
//! ```
//!
//! The shared part is the same on every machine. The other part is built for one platform, so that several
//! machines can each add theirs to one directory.

mod archive;
mod bill;
mod command;
mod component;
mod crates;
mod files;
mod graph;
mod image;
mod licences;
mod manifest;
mod npm;
mod platform;
mod python;
mod release;
mod sums;
mod tools;
mod verify;

use std::fs;

use anyhow::{Context, Result};

use release::Release;

/// The parts of a release to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All parts, in an empty directory.
    #[default]
    All,
    /// Files that are the same on every platform. Other files in the directory are kept.
    Shared,
    /// Files for one platform. Other files in the directory are kept.
    Platform,
}

/// The options of `cargo xtask dist`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The platform by Rust's name, and perhaps the oldest glibc: `x86_64-unknown-linux-gnu.2.17`. By
    /// default, the platform of this machine.
    pub target: Option<String>,
    /// Cargo's profile for the command and the native module of Python.
    pub profile: String,
    /// The parts to make.
    pub part: Part,
    /// Whether to install and run the packages in the directory instead of making them.
    pub verify: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { target: None, profile: "distribution".to_owned(), part: Part::All, verify: false }
    }
}

/// Makes a release, or verifies an existing one.
pub fn run(options: &Options) -> Result<()> {
    let release = Release::new(options)?;
    if options.verify {
        return verify::run(&release);
    }
    if options.part == Part::All && release.directory.exists() {
        fs::remove_dir_all(&release.directory)
            .with_context(|| format!("removing {}", release.directory.display()))?;
    }
    files::make_directory(&release.directory)?;
    let component = component::build()?;
    if options.part != Part::Platform {
        shared(&release, &component)?;
    }
    if options.part != Part::Shared {
        platform(&release, &component)?;
    }
    sums::write(&release.directory)
}

/// Makes a release with a profile of cargo for this machine, then installs and runs it.
pub fn run_and_verify(profile: &str) -> Result<()> {
    let making = Options { profile: profile.to_owned(), ..Options::default() };
    run(&making)?;
    run(&Options { verify: true, ..making })
}

fn shared(release: &Release, component: &component::Paths) -> Result<()> {
    component::write(release, component)?;
    licences::write(release)?;
    bill::write(release)?;
    crates::write(release, &component.sealed)?;
    python::sdist(release)?;
    npm::library(release, component, &licences::text(release)?)
}

fn platform(release: &Release, component: &component::Paths) -> Result<()> {
    let command = command::build(release, component)?;
    let notices = licences::text(release)?;
    let pages = command::pages(release, &command)?;
    archive::write(release, &command, &pages, &notices)?;
    image::write(release, &command, &notices)?;
    python::wheel(release, component, &command, &pages, &notices)?;
    npm::command(release, &command, &notices)
}
