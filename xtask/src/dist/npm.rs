//! The npm packages: the library `tuckaway`, whose `bin` is the launcher of the command, and for each
//! platform a package with the command, which is an optional dependency of the library.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::platform::{PLATFORMS, Platform};
use super::release::Release;
use super::{component, files, licences, manifest};
use crate::{javascript, shell, workspace};

/// The folder of the packages in a release.
pub const FOLDER: &str = "npm";

/// The members of the library's manifest that only its development needs.
const DEVELOPMENT: [&str; 3] = ["devDependencies", "overrides", "scripts"];

/// Packs the library, with the licences of what is compiled into its component.
pub fn library(release: &Release, component: &component::Paths, notices: &str) -> Result<()> {
    // The script of the package reads the component from here.
    let expected = workspace().join("target/tuckaway.wasm");
    if component.sealed != expected {
        files::copy(&component.sealed, &expected)?;
    }
    javascript::build_anew()?;
    let (from, to) = (workspace().join("js"), release.work.join("npm/library"));
    files::empty_directory(&to)?;
    let manifest = manifest::library()?;
    for name in packed(&manifest) {
        let path = from.join(&name);
        match path.is_dir() {
            true => copy_folder(&path, &to.join(&name))?,
            false => files::copy(&path, &to.join(&name))?,
        }
    }
    files::write(&to.join(licences::FILE), notices)?;
    files::write(&to.join("package.json"), pretty(&published(manifest, &release.version))?)?;
    pack(release, &to)
}

/// Packs the command for the platform.
pub fn command(release: &Release, command: &Path, notices: &str) -> Result<()> {
    let platform = release.target.platform;
    let folder = release.work.join("npm/command");
    files::empty_directory(&folder)?;
    files::write(&folder.join("package.json"), command_manifest(platform, &release.version)?)?;
    files::copy(command, &folder.join("bin").join(platform.program("tuckaway")))?;
    files::write(&folder.join(licences::FILE), notices)?;
    let readme = format!(
        "# {}\n\nThe command of [tuckaway](https://www.npmjs.com/package/tuckaway) for {}. Install `tuckaway` instead: \
         it depends on the package for your platform.\n",
        platform.npm_package(),
        platform.target
    );
    files::write(&folder.join("README.md"), readme)?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        files::copy(&workspace().join(name), &folder.join(name))?;
    }
    pack(release, &folder)
}

/// Returns the manifest of the package with the command for a platform.
pub fn command_manifest(platform: &Platform, version: &str) -> Result<String> {
    let library = manifest::library()?;
    let mut manifest = json!({
        "name": platform.npm_package(),
        "version": version,
        "description": format!("The command tuckaway for {}", platform.target),
        "license": library["license"],
        "repository": library["repository"],
        "os": [platform.npm_os],
        "cpu": [platform.npm_cpu],
        "files": ["bin", licences::FILE],
        // The program cannot run inside of a zip archive, in which Yarn keeps packages.
        "preferUnplugged": true,
    });
    if let Some(libc) = platform.npm_libc {
        manifest["libc"] = json!([libc]);
    }
    pretty(&manifest)
}

/// Returns the files and folders of the library that are packed, without excluded ones.
fn packed(manifest: &Value) -> Vec<String> {
    let listed = manifest["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let included = listed.filter(|name| !name.starts_with('!'));
    included.chain(["README.md"]).map(str::to_owned).collect()
}

/// Returns the published manifest of the library: with the commands of all platforms as optional
/// dependencies, so that npm installs the matching one, and with the file of licences.
fn published(mut manifest: Value, version: &str) -> Value {
    if let Some(members) = manifest.as_object_mut() {
        members.retain(|name, _| !DEVELOPMENT.contains(&name.as_str()));
        let commands: Map<String, Value> =
            PLATFORMS.iter().map(|platform| (platform.npm_package(), json!(version))).collect();
        members.insert("optionalDependencies".to_owned(), Value::Object(commands));
        if let Some(files) = members.get_mut("files").and_then(Value::as_array_mut) {
            files.push(json!(licences::FILE));
        }
    }
    manifest
}

fn pretty(manifest: &Value) -> Result<String> {
    Ok(serde_json::to_string_pretty(manifest)? + "\n")
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for path in files::below(from)? {
        let inner: PathBuf = path.strip_prefix(from).context("a file outside of its folder")?.to_owned();
        files::copy(&path, &to.join(inner))?;
    }
    Ok(())
}

fn pack(release: &Release, folder: &Path) -> Result<()> {
    let destination = release.directory.join(FOLDER);
    files::make_directory(&destination)?;
    let mut npm = shell::npm();
    npm.args(["pack", "--silent", "--ignore-scripts", "--pack-destination"]).arg(&destination);
    shell::succeed(npm.current_dir(folder)).context("packing an npm package")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_manifest_has_the_commands() {
        let manifest = published(manifest::library().unwrap(), "0.1.0");
        assert_eq!(manifest["optionalDependencies"]["@tuckaway/command-darwin-arm64"], "0.1.0");
        assert_eq!(manifest["optionalDependencies"].as_object().unwrap().len(), PLATFORMS.len());
        assert_eq!(manifest["bin"]["tuckaway"], "dist/command.js");
        assert!(manifest["files"].as_array().unwrap().contains(&json!(licences::FILE)));
        assert!(manifest.get("devDependencies").is_none() && manifest.get("scripts").is_none());
        assert!(manifest["exports"].is_object());
    }

    #[test]
    fn excluded_files_are_not_packed() {
        let manifest = json!({"files": ["dist", "!dist/x"]});
        assert_eq!(packed(&manifest), ["dist", "README.md"]);
    }
}
