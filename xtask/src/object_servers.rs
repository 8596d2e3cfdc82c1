//! `cargo xtask object-servers`: servers for tests of stores. Two independent ones have the
//! API of S3: s3s-fs, which keeps objects as files, and moto, which keeps them in memory.
//! Azurite has the API of Azure Blob Storage.
//!
//! ```text
//! cargo install s3s-fs, pip install moto, npm ci azurite ─► target/object-servers/ ─► paths
//! ```
//!
//! Tests call this too, at the same time and in several processes: one installs, the others
//! wait for it.

use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::component::run::{cargo, outer_env_removed};
use crate::{install, shell, workspace};

const S3S_FS_VERSION: &str = "0.14.1";

/// The packages of moto and of Azurite, with their versions.
const PACKAGES: &str = "host-test/object_servers";

/// The programs of the servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectServers {
    /// The program `s3s-fs`.
    pub s3s_fs: PathBuf,
    /// The program `moto_server`.
    pub moto: PathBuf,
    /// The script of `azurite-blob`, for Node.
    pub azurite: PathBuf,
}

impl ObjectServers {
    /// Returns an object with the paths as JSON: `s3s_fs`, `moto` and `azurite`.
    pub fn to_json(&self) -> String {
        let quoted = |path: &Path| {
            let text = path.display().to_string();
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        };
        let [s3s_fs, moto, azurite] = [&self.s3s_fs, &self.moto, &self.azurite].map(|path| quoted(path));
        format!("{{\"s3s_fs\":{s3s_fs},\"moto\":{moto},\"azurite\":{azurite}}}")
    }
}

/// Installs the servers that are missing into the directory `object-servers` of cargo's
/// target directory. All progress goes to stderr. Fails if one cannot be installed: a test
/// that needs it must not pass.
pub fn ensure(target_dir: &Path) -> Result<ObjectServers> {
    let home = target_dir.join("object-servers");
    fs::create_dir_all(&home).with_context(|| format!("making {}", home.display()))?;
    let lock = File::create(home.join(".lock")).context("making a lock file")?;
    lock.lock().context("waiting for another process that installs the servers")?;
    let servers = ObjectServers { s3s_fs: s3s_fs(&home)?, moto: moto(&home)?, azurite: azurite(&home)? };
    lock.unlock().context("releasing the lock file")?;
    Ok(servers)
}

fn s3s_fs(home: &Path) -> Result<PathBuf> {
    let root = home.join("s3s-fs");
    install::once(&root.join(".installed-from"), &[], S3S_FS_VERSION, || {
        let build = home.join("build");
        eprintln!("Installing s3s-fs {S3S_FS_VERSION}, which takes minutes the first time.");
        let mut command = outer_env_removed(cargo());
        command.args(["install", "--quiet", "--locked", "--force", "--features", "binary"]);
        command.arg("--root").arg(&root).arg("--target-dir").arg(&build);
        command.arg(format!("s3s-fs@{S3S_FS_VERSION}"));
        quick_build(&mut command);
        shell::succeed(&mut command).context(
            "the server s3s-fs could not be installed; this needs access to the registry of crates",
        )?;
        fs::remove_dir_all(&build).with_context(|| format!("removing {}", build.display()))
    })?;
    Ok(root.join("bin").join(format!("s3s-fs{EXE_SUFFIX}")))
}

/// Makes a release build compile faster: it only serves tests.
fn quick_build(command: &mut Command) {
    let profile =
        [("OPT_LEVEL", "1"), ("LTO", "off"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0"), ("STRIP", "symbols")];
    for (key, value) in profile {
        command.env(format!("CARGO_PROFILE_RELEASE_{key}"), value);
    }
}

fn moto(home: &Path) -> Result<PathBuf> {
    let environment = home.join("moto");
    install::python(&environment, &workspace().join(PACKAGES).join("requirements.txt"))
        .context("the server moto could not be installed; this needs access to the registry of Python")?;
    Ok(install::python_program(&environment, "moto_server"))
}

fn azurite(home: &Path) -> Result<PathBuf> {
    let directory = home.join("azurite");
    install::node(&directory, &workspace().join(PACKAGES))
        .context("the server Azurite could not be installed; this needs access to the registry of npm")?;
    Ok(directory.join("node_modules/azurite/dist/src/blob/main.js"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_json() {
        let servers = ObjectServers {
            s3s_fs: r"C:\a\s3s-fs.exe".into(),
            moto: "/b/\"moto\"".into(),
            azurite: "/c".into(),
        };
        let json = r#"{"s3s_fs":"C:\\a\\s3s-fs.exe","moto":"/b/\"moto\"","azurite":"/c"}"#;
        assert_eq!(servers.to_json(), json);
    }
}
