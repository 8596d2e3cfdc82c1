//! Runs other programs in an environment without the variables of an outer cargo, clippy
//! or build script, and with their output on stderr.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::stderr;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Creates a command without the variables of an outer build.
pub fn outer_env_removed(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    for (name, _) in env::vars_os().filter(|(name, _)| is_from_outer_build(name)) {
        command.env_remove(name);
    }
    command
}

/// Returns the cargo that runs this program, or the one in `PATH`.
pub fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

/// Runs a command until it ends, or stops it after the limit.
pub fn run(command: &mut Command, limit: Duration) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.stdout(stderr()).spawn().with_context(|| format!("running {name}"))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            if status.success() {
                return Ok(());
            }
            bail!("{name} failed ({status}).");
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("{name} was stopped after {} seconds.", limit.as_secs());
        }
        sleep(Duration::from_millis(50));
    }
}

/// Runs a command and returns its stdout, if it succeeds.
pub fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("running {name}"))?;
    if !output.status.success() {
        bail!("{name} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("the output of {name} is not UTF-8"))
}

/// Returns whether a variable was set for, or by, an outer build: it would name that
/// build's compiler, flags, profile or directories.
fn is_from_outer_build(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let exact = ["RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTC_BOOTSTRAP", "RUSTFLAGS"];
    let prefixes = [
        "CARGO_BUILD_",
        "CARGO_ENCODED_",
        "CARGO_MANIFEST_",
        "CARGO_PKG_",
        "CARGO_PROFILE_",
        "CARGO_TARGET_",
        "CARGO_UNSTABLE_",
        "__CARGO_",
    ];
    exact.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_an_outer_cargo_or_clippy_are_removed() {
        for name in [
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_MANIFEST_DIR",
            "CARGO_TARGET_DIR",
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTFLAGS",
        ] {
            assert!(is_from_outer_build(OsStr::new(name)), "{name}");
        }
        for name in
            ["CARGO", "CARGO_HOME", "CARGO_NET_OFFLINE", "CARGO_MAKEFLAGS", "PATH", "RUSTUP_TOOLCHAIN"]
        {
            assert!(!is_from_outer_build(OsStr::new(name)), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_takes_too_long_is_stopped() {
        let start = Instant::now();
        let error = run(Command::new("sleep").arg("60"), Duration::from_millis(100)).unwrap_err();
        assert!(error.to_string().contains("was stopped"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
