//! The licences of all code from registries that a release contains.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::Package;

use super::files;
use super::release::Release;

/// The name of the file.
pub const FILE: &str = "THIRD-PARTY-LICENSES.txt";

/// How the names of files with licences begin, in capitals.
const STARTS: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// Writes the licences.
pub fn write(release: &Release) -> Result<()> {
    files::write(&release.directory.join(FILE), text(release)?)
}

/// Returns a list of the packages with their licences, then the texts in the packages. A text that
/// several packages have appears once.
pub fn text(release: &Release) -> Result<String> {
    let mut list = String::from(
        "tuckaway contains code of the packages below, compiled. Each line has the name, the version, the\n\
         licence and the source. The texts of the licences follow, as the packages contain them.\n\n",
    );
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in release.graph.shipped()? {
        let name = format!("{} {}", package.name, package.version);
        let source = format!("https://crates.io/crates/{}/{}", package.name, package.version);
        writeln!(list, "{name}  {}  {source}", licence(package)?)?;
        let directory = package.manifest_path.parent().context("a package has no directory")?;
        for text in licence_files(directory.as_std_path())? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|(_, a), (_, b)| a.cmp(b));
    for (text, packages) in texts {
        write!(list, "\n{}\n{}\n\n{text}\n", "=".repeat(100), packages.join(", "))?;
    }
    Ok(list)
}

/// Returns the licence of a package as an expression.
fn licence(package: &Package) -> Result<&str> {
    let named = package.license.as_deref().or(package.license_file.as_ref().map(|file| file.as_str()));
    named.with_context(|| {
        format!("{} names no licence in its manifest; find it out before you release", package.name)
    })
}

/// Returns the texts of the licences in a package, with line feeds only.
fn licence_files(directory: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(directory).with_context(|| format!("reading {}", directory.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if path.is_file() && STARTS.iter().any(|start| name.starts_with(start)) {
            let text = String::from_utf8_lossy(&files::read(&path)?).replace('\r', "");
            texts.push(text.trim_end().trim_start_matches('\n').to_owned());
        }
    }
    texts.sort();
    texts.dedup();
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_found_by_the_names_of_files() {
        let directory = std::env::temp_dir().join(format!("tuckaway-licences-{}", std::process::id()));
        for (name, text) in [
            ("LICENSE-MIT", "MIT\r\ntext\r\n"),
            ("license.md", "MIT\ntext"),
            ("COPYING", "a"),
            ("README", "b"),
        ] {
            files::write(&directory.join(name), text).unwrap();
        }
        assert_eq!(licence_files(&directory).unwrap(), ["MIT\ntext", "a"]);
        fs::remove_dir_all(directory).unwrap();
    }
}
