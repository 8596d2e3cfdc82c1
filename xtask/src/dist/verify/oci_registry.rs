//! A registry of container images on loopback, and copies to and from it without a container runtime.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use xtask::component::output;

use super::super::files;
use super::server::Server;
use crate::shell;

/// The programs, and Debian's packages with them.
const PROGRAMS: [&str; 2] = ["docker-registry", "skopeo"];

const ADVICE: &str = "this needs skopeo and docker-registry, Debian's packages with these names";

/// A running registry.
pub struct Registry {
    server: Server,
    /// The directory of its files.
    home: PathBuf,
}

impl Registry {
    /// Starts an empty registry with its files in this directory.
    pub fn start(home: PathBuf) -> Result<Self> {
        ensure_programs().context(ADVICE)?;
        files::empty_directory(&home)?;
        let config = home.join("config.yml");
        let server = Server::start(&home.join("log"), |port| {
            files::write(&config, settings(&home, port))?;
            let mut command = Command::new("docker-registry");
            command.arg("serve").arg(&config);
            Ok(command)
        })
        .context(ADVICE)?;
        Ok(Registry { server, home })
    }

    /// Pushes an image in a file, pulls it, and returns the file that was pulled.
    pub fn round_trip(&self, image: &Path, version: &str) -> Result<PathBuf> {
        let pulled = self.home.join("pulled.oci.tar");
        let remote: OsString = format!("docker://{}/tuckaway:{version}", self.server.address()).into();
        skopeo("--dest-tls-verify=false", &archive(image, version), &remote).context("pushing the image")?;
        skopeo("--src-tls-verify=false", &remote, &archive(&pulled, version)).context("pulling the image")?;
        Ok(pulled)
    }
}

/// Installs Debian's packages of the programs if one of them is missing, and that is possible.
fn ensure_programs() -> Result<()> {
    let runs = |program: &&str| Command::new(program).arg("--version").output().is_ok();
    match PROGRAMS.iter().all(runs) {
        true => Ok(()),
        false => shell::install_debian_packages(&PROGRAMS),
    }
}

/// Returns the settings of a registry without encryption.
fn settings(home: &Path, port: u16) -> String {
    let storage = home.join("storage");
    format!(
        "version: 0.1\nlog: {{level: warn}}\nstorage: {{filesystem: {{rootdirectory: {:?}}}}}\n\
         http: {{addr: \"127.0.0.1:{port}\"}}\n",
        storage.display().to_string()
    )
}

/// Returns the name of an image in a file.
fn archive(file: &Path, version: &str) -> OsString {
    let mut name = OsString::from("oci-archive:");
    name.push(file);
    name.push(format!(":{version}"));
    name
}

fn skopeo(without_encryption: &str, from: &OsString, to: &OsString) -> Result<()> {
    // The policy says which signatures an image must have; a machine may have none.
    let mut skopeo = Command::new("skopeo");
    skopeo.args(["--insecure-policy", "copy", "--quiet", without_encryption]);
    output(skopeo.arg(from).arg(to)).context(ADVICE).map(drop)
}
