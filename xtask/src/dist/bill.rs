//! The software bills of materials, in CycloneDX's form.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::release::Release;
use super::{files, tools};
use crate::{shell, workspace};

/// The packages that have a bill in a release: the command and the component. The bill of the command
/// does not have the packages inside of the component, which it embeds as bytes.
const SUBJECTS: [&str; 2] = ["tuckaway-cli", "tuckaway"];

/// The extension of the files that cargo-cyclonedx writes, next to the manifest of each package.
const ENDING: &str = ".cdx.json";

/// The name of the bill inside of the wheel.
pub const PYTHON: &str = "tuckaway-python.cdx.json";

/// Writes `tuckaway-cli.cdx.json` and `tuckaway.cdx.json`.
pub fn write(release: &Release) -> Result<()> {
    let bills = make(release)?;
    for package in SUBJECTS {
        let file = format!("{package}{ENDING}");
        let bill = bills.get(&file).with_context(|| format!("cargo-cyclonedx wrote no {file}"))?;
        files::write(&release.directory.join(&file), bill)?;
    }
    Ok(())
}

/// Returns the bill of the wheel.
pub fn python(release: &Release) -> Result<String> {
    make(release)?.remove(PYTHON).with_context(|| format!("cargo-cyclonedx wrote no {PYTHON}"))
}

/// Returns the bills of all packages of the workspace by their file names, and leaves no files.
fn make(release: &Release) -> Result<BTreeMap<String, String>> {
    let mut cyclonedx = Command::new(tools::cyclonedx()?);
    cyclonedx.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--no-build-deps"]);
    cyclonedx.args(["--target", release.target.platform.target]).current_dir(workspace());
    // Replaces the time, and omits the random serial number.
    cyclonedx.env("SOURCE_DATE_EPOCH", release.time.to_string());
    shell::without_package(&mut cyclonedx);
    let made = shell::succeed(&mut cyclonedx).context("writing bills of materials");
    let mut bills = BTreeMap::new();
    for package in release.graph.members() {
        let file = format!("{}{ENDING}", package.name);
        let path = package.manifest_path.with_file_name(&file);
        if let Ok(bytes) = fs::read(&path) {
            bills.insert(file, bytes);
        }
        // The file may be missing.
        let _ = fs::remove_file(path);
    }
    made?;
    let without_paths = |(file, bytes): (String, Vec<u8>)| {
        let text = without_paths(&bytes).with_context(|| file.clone())?;
        Ok((file, text))
    };
    bills.into_iter().map(without_paths).collect()
}

/// Replaces the path of the workspace in the addresses of its packages, which would differ between
/// machines.
fn without_paths(bill: &[u8]) -> Result<String> {
    let mut bill: Value = serde_json::from_slice(bill)?;
    replace(&mut bill, &workspace().display().to_string());
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

fn replace(value: &mut Value, path: &str) {
    match value {
        Value::String(text) => *text = text.replace(path, "/tuckaway"),
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, path)),
        Value::Object(members) => members.values_mut().for_each(|value| replace(value, path)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_has_no_paths_of_this_machine() {
        let path = workspace().display().to_string();
        let bill =
            serde_json::json!({"components": [{"bom-ref": format!("path+file://{path}/cli#0.1.0")}], "n": 1});
        let text = without_paths(bill.to_string().as_bytes()).unwrap();
        assert!(text.contains("path+file:///tuckaway/cli#0.1.0") && !text.contains(&path), "{text}");
    }
}
