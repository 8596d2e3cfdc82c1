//! Facts for all parts of a release: its version, its time, its directory.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::component::output;

use super::Options;
use super::graph::Graph;
use super::platform::Target;
use crate::{shell, workspace};

/// A release in the making.
pub struct Release {
    /// The directory with the files.
    pub directory: PathBuf,
    /// The directory for tools and for packages that are being put together.
    pub work: PathBuf,
    /// The version of all packages.
    pub version: String,
    /// The time of the commit in seconds since 1970, which all files in archives have.
    pub time: u64,
    /// Cargo's profile.
    pub profile: String,
    /// The target of the build.
    pub target: Target,
    /// The packages of the workspace and their dependencies on the target.
    pub graph: Graph,
}

impl Release {
    /// Returns the release of the checkout. Fails if its packages have different versions.
    pub fn new(options: &Options) -> Result<Self> {
        let host = host()?;
        let target = Target::parse(options.target.as_deref().unwrap_or(&host), &host)?;
        let graph = Graph::read(target.platform.target)?;
        let version = graph.version("tuckaway-cli")?;
        let npm = super::manifest::library()?;
        if npm["version"].as_str() != Some(&version) {
            bail!(
                "js/package.json has version {}, but the crates have {version}; change one",
                npm["version"]
            );
        }
        let target_dir = shell::target_dir()?;
        Ok(Release {
            directory: target_dir.join("dist"),
            work: target_dir.join("dist-work"),
            version,
            time: commit_time()?,
            profile: options.profile.clone(),
            target,
            graph,
        })
    }
}

/// Returns the target that rustc compiles for by default.
fn host() -> Result<String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` does not name its host")?.to_owned())
}

fn commit_time() -> Result<u64> {
    let mut git = Command::new("git");
    let time = output(git.args(["log", "-1", "--format=%ct"]).current_dir(workspace()))
        .context("this needs git and a checkout")?;
    time.trim().parse().context("git did not print the time of the commit")
}
