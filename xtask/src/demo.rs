//! `cargo xtask demo`: a real output, the model's view of it, and a model's queries on it.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, process};

use anyhow::{Context, Result, bail};
use xtask::component::{self, Variant};

use crate::budget::{self, grouped};
use crate::shell;

/// A tool that every user has, whose output is one line of a megabyte.
const TOOL: [&str; 4] = ["cargo", "metadata", "--format-version", "1"];
/// The packages and features that the demo builds. With `tuckaway-features`, dependencies have the
/// features that `cargo test` gives them, and are not compiled again. The proxy and stores in buckets
/// are neither shown nor built: that would take minutes.
const BUILT: [&str; 9] = [
    "--package",
    "tuckaway-cli",
    "--package",
    "tuckaway-features",
    "--package",
    "xtask",
    "--no-default-features",
    "--features",
    "tuckaway-cli/tiktoken,tuckaway-features/compiler,tuckaway-features/http",
];
/// The characters that are shown of the output.
const EXCERPT_CHARS: usize = 320;

/// Builds the command line and runs it on a real output, with its own store.
pub fn run() -> Result<()> {
    heading("Building the component and the command: about 8 minutes the first time, on two cores");
    // The build includes the component, but cargo installs nothing for it.
    component::prepare(&budget::installing(Variant::Sealed))?;
    shell::cargo([&["build"], &BUILT[..]].concat())?;
    let demo = Demo { program: shell::command_line()?, store: Store::new()? };

    heading("What a tool returns");
    let before = demo.tool_output()?;
    println!("{}…", before.chars().take(EXCERPT_CHARS).collect::<String>());
    println!("\n{} bytes in {} line(s).", grouped(before.len() as u64), before.lines().count());

    heading("What a model gets instead");
    let mut exec = vec!["exec", "--"];
    exec.extend(TOOL);
    let envelope = demo.tuckaway(&exec)?;
    let id = artifact_id(&envelope).context("what the model gets has no artifact_id")?;
    println!(
        "\nBefore: {} bytes. After: {} bytes, {:.2} %.",
        grouped(before.len() as u64),
        grouped(envelope.len() as u64),
        100.0 * envelope.len() as f64 / before.len() as f64
    );

    heading("How it queries the output: a part");
    demo.tuckaway(&["read", id, "--bytes", "0:200"])?;
    heading("How it queries the output: a search, although it is all one line");
    demo.tuckaway(&["grep", id, r#""name":"jaq-\w+""#, "--max-bytes", "1K"])?;
    heading("How it queries the output: jq filters");
    demo.tuckaway(&[
        "jq",
        r#".packages[] | select(.name | startswith("jaq-")) | "\(.name) \(.version)""#,
        id,
        "-r",
    ])?;
    demo.tuckaway(&[
        "jq",
        "[.packages[].license] | group_by(.) | map({(.[0] // \"none\"): length}) | add",
        id,
        "-c",
    ])?;
    Ok(())
}

struct Demo {
    program: PathBuf,
    store: Store,
}

impl Demo {
    fn tool_output(&self) -> Result<String> {
        let mut command = shell::cargo_command();
        let output = echoed(command.args(&TOOL[1..])).output()?;
        if !output.status.success() {
            bail!("{} failed: {}", shell::line(&command), String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Prints and runs a command of the command line, and returns its output.
    fn tuckaway(&self, args: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(crate::workspace()).env("TUCKAWAY_STORE", self.store.argument());
        let output = echoed(&mut command).stderr(process::Stdio::inherit()).output()?;
        let text = String::from_utf8(output.stdout)?;
        println!("{}", text.trim_end());
        if !output.status.success() {
            bail!("{} failed ({})", shell::line(&command), output.status);
        }
        Ok(text)
    }
}

/// A store that is removed after the demonstration.
struct Store(PathBuf);

impl Store {
    fn new() -> Result<Self> {
        let path = env::temp_dir().join(format!("tuckaway-demo-{}", process::id()));
        fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Store(path))
    }

    fn argument(&self) -> String {
        format!("dir:{}", self.0.display())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // If removal fails, the system cleans its temporary directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn heading(text: &str) {
    println!("\n== {text}\n");
}

fn echoed(command: &mut Command) -> &mut Command {
    println!("$ {}", shell::line(command));
    command
}

/// Returns the value of `artifact_id` in an envelope.
fn artifact_id(envelope: &str) -> Option<&str> {
    let (_, after) = envelope.split_once("\"artifact_id\"")?;
    after.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn the_id_is_found_in_an_envelope() {
        assert_eq!(artifact_id(r#"{"artifact_id":"art_sql_1","size_bytes":2}"#), Some("art_sql_1"));
        assert_eq!(artifact_id("{\n  \"artifact_id\": \"art_sql_1\",\n}"), Some("art_sql_1"));
        assert_eq!(artifact_id("head … tail"), None);
    }

    /// Returns the dependencies of a build, each with its features.
    fn dependencies(args: &[&str]) -> BTreeSet<String> {
        let mut cargo = shell::cargo_command();
        cargo.args(["tree", "--prefix", "none", "--format", "{p}|{f}"]).args(args);
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        // Packages of the workspace have a path.
        let lines = text.lines().map(|line| line.trim_end_matches(" (*)").trim_end());
        lines.filter(|line| !line.contains(" (/") && !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn the_tests_compile_no_dependency_of_the_demo_again() {
        let demo = dependencies(&[&BUILT[..], &["--edges", "normal,build"]].concat());
        let tests = dependencies(&["--workspace", "--edges", "normal,build,dev"]);
        let other: Vec<&String> = demo.difference(&tests).collect();
        assert!(
            other.is_empty(),
            "add the features that the tests give these to features/Cargo.toml: {other:#?}"
        );
        assert!(demo.len() > 100);
    }

    /// A dependency that programs and build scripts share is compiled twice, with all that needs it, if
    /// they give it different features.
    #[test]
    fn programs_and_build_scripts_share_the_dependencies_of_the_demo() {
        let mut features = BTreeMap::<String, Vec<String>>::new();
        for line in dependencies(&[&BUILT[..], &["--edges", "normal,build"]].concat()) {
            let (package, of_package) = line.split_once('|').expect("the format has it");
            features.entry(package.to_owned()).or_default().push(of_package.to_owned());
        }
        features.retain(|_, variants| variants.len() > 1);
        assert!(features.is_empty(), "give these equal features in features/Cargo.toml: {features:#?}");
    }
}
