//! `cargo xtask contract`: writes the code that follows from `wit/` by rule.
//!
//! ```text
//! wit/ ─► wit.rs ─┬─► rust.rs ────► crates/contract/src/records/
//!                 ├─► guest.rs ───► src/component/bindings.rs
//!                 ├─► exports.rs ─► host/src/exports.rs
//!                 ├─► python.rs ──► python/tuckaway/_records.py
//!                 ├─► python_queries.rs ► python/tuckaway/_queries.py
//!                 └─► typescript/ ► js/src/contract/
//! ```
//!
//! The files are committed and begin with [`MARK`]; a test fails if they differ from this
//! output.

mod exports;
mod flow;
mod guest;
mod names;
mod prose;
mod python;
mod python_queries;
mod rust;
mod typescript;
mod wit;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use wit::Contract;

/// The first line of the files that are written here, after the comment sign.
const MARK: &str = "Written by `cargo xtask contract` from wit/; do not edit.";

/// Writes all files, and removes files of interfaces that no longer exist.
pub fn run(workspace: &Path) -> Result<()> {
    let files = files(workspace)?;
    for (path, text) in &files {
        let has_changed = fs::read_to_string(path).ok().as_deref() != Some(text);
        if has_changed {
            fs::create_dir_all(path.parent().context("a file has a directory")?)?;
            fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
            println!("wrote {}", path.strip_prefix(workspace).unwrap_or(path).display());
        }
    }
    println!("{} files follow from wit/", files.len());
    Ok(())
}

/// Returns the files and their texts.
pub fn files(workspace: &Path) -> Result<Vec<(PathBuf, String)>> {
    let contract = Contract::read(&workspace.join("wit"))?;
    let mut files = Vec::new();
    for (name, text) in rust::modules(&contract) {
        files.push((workspace.join("crates/contract/src/records").join(name), formatted(workspace, &text)?));
    }
    for (path, text) in [
        ("src/component/bindings.rs", guest::module(&contract)),
        ("host/src/exports.rs", exports::module(&contract)),
    ] {
        files.push((workspace.join(path), formatted(workspace, &text)?));
    }
    for (name, text) in
        [("_records.py", python::module(&contract)), ("_queries.py", python_queries::module(&contract))]
    {
        files.push((workspace.join("python/tuckaway").join(name), format!("# {MARK}\n\n{text}")));
    }
    for (name, text) in typescript::modules(&contract) {
        files.push((workspace.join("js/src/contract").join(name), format!("// {MARK}\n\n{text}")));
    }
    Ok(files)
}

/// Marks a Rust file and formats it as `cargo fmt` does.
fn formatted(workspace: &Path, text: &str) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(workspace.join("rustfmt.toml"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("starting rustfmt; `rustup component add rustfmt` installs it")?;
    let mut input = rustfmt.stdin.take().context("rustfmt has an input")?;
    let text = format!("// {MARK}\n\n{text}");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = rustfmt.wait_with_output().context("waiting for rustfmt")?;
    writer.join().map_err(|_| anyhow::anyhow!("writing to rustfmt"))?.context("writing to rustfmt")?;
    match output.status.success() {
        true => String::from_utf8(output.stdout).context("rustfmt writes UTF-8"),
        false => bail!("rustfmt rejects a generated file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_files_are_those_that_the_generator_writes() {
        for (path, text) in files(&crate::workspace()).unwrap() {
            let committed = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                committed == text,
                "{} does not follow from wit/; run `cargo xtask contract`",
                path.display()
            );
        }
    }
}
