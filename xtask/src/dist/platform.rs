//! The platforms of the command in a release.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// A platform.
#[derive(Debug, PartialEq, Eq)]
pub struct Platform {
    /// Rust's name.
    pub target: &'static str,
    /// npm's name of the operating system.
    pub npm_os: &'static str,
    /// npm's name of the processor.
    pub npm_cpu: &'static str,
    /// npm's name of the C library, on Linux.
    pub npm_libc: Option<&'static str>,
}

/// All platforms, one row each.
pub const PLATFORMS: [Platform; 7] = [
    linux("x86_64-unknown-linux-gnu", "x64", "glibc"),
    linux("x86_64-unknown-linux-musl", "x64", "musl"),
    linux("aarch64-unknown-linux-gnu", "arm64", "glibc"),
    linux("aarch64-unknown-linux-musl", "arm64", "musl"),
    Platform { target: "x86_64-apple-darwin", npm_os: "darwin", npm_cpu: "x64", npm_libc: None },
    Platform { target: "aarch64-apple-darwin", npm_os: "darwin", npm_cpu: "arm64", npm_libc: None },
    Platform { target: "x86_64-pc-windows-msvc", npm_os: "win32", npm_cpu: "x64", npm_libc: None },
];

const fn linux(target: &'static str, npm_cpu: &'static str, npm_libc: &'static str) -> Platform {
    Platform { target, npm_os: "linux", npm_cpu, npm_libc: Some(npm_libc) }
}

impl Platform {
    /// Returns the name of the npm package with the command, such as `@tuckaway/command-linux-x64`. The
    /// launcher, `js/src/command.ts`, forms the same name.
    pub fn npm_package(&self) -> String {
        let libc = self.npm_libc.filter(|libc| *libc == "musl").map_or("", |_| "-musl");
        format!("@tuckaway/command-{}-{}{libc}", self.npm_os, self.npm_cpu)
    }

    /// Returns whether the platform's programs need no library, so that it has an image.
    pub fn is_static(&self) -> bool {
        self.npm_libc == Some("musl")
    }

    /// Returns the name of the processor in an image.
    pub fn image_cpu(&self) -> &'static str {
        if self.npm_cpu == "x64" { "amd64" } else { self.npm_cpu }
    }

    /// Returns the file name of a program.
    pub fn program(&self, name: &str) -> String {
        match self.npm_os {
            "win32" => format!("{name}.exe"),
            _ => name.to_owned(),
        }
    }
}

/// The target of a build.
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    /// The platform.
    pub platform: &'static Platform,
    /// The oldest glibc on which programs run, such as `2.17`, if it is not this machine's.
    pub glibc: Option<String>,
    /// Whether the programs differ from the ones that rustc makes for this machine.
    pub is_cross: bool,
    /// Whether this machine has another processor.
    pub is_foreign: bool,
    /// Whether the package managers of this machine choose the packages of the platform.
    pub is_installable: bool,
}

impl Target {
    /// Parses a name as cargo-zigbuild takes it, for a compiler that runs on `host`.
    pub fn parse(name: &str, host: &str) -> Result<Self> {
        let (target, glibc) = match name.split_once('.') {
            Some((target, glibc)) => (target, Some(glibc.to_owned())),
            None => (name, None),
        };
        let platform = PLATFORMS.iter().find(|platform| platform.target == target).with_context(|| {
            let known: Vec<&str> = PLATFORMS.iter().map(|platform| platform.target).collect();
            format!("no release is made for {target}; choose one of {}", known.join(", "))
        })?;
        if glibc.is_some() && platform.npm_libc != Some("glibc") {
            bail!("{target} has no glibc; omit the version in {name}");
        }
        let is_installable = target == host;
        Ok(Target {
            platform,
            is_cross: glibc.is_some() || !is_installable,
            is_foreign: processor(target) != processor(host),
            is_installable,
            glibc,
        })
    }

    /// Returns the variable whose program cargo starts to run programs of the target, such as
    /// `CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER`.
    pub fn runner_variable(&self) -> String {
        let target = self.platform.target.to_uppercase().replace('-', "_");
        format!("CARGO_TARGET_{target}_RUNNER")
    }

    /// Returns the words that start a program of the target: those of an emulator, if there is one, and the
    /// program.
    pub fn words_of(&self, program: &Path) -> Vec<OsString> {
        let emulator = env::var(self.runner_variable()).unwrap_or_default();
        let mut words: Vec<OsString> = emulator.split_whitespace().map(Into::into).collect();
        words.push(program.into());
        words
    }

    /// Returns the name as cargo-zigbuild takes it.
    pub fn zig_name(&self) -> String {
        match &self.glibc {
            Some(glibc) => format!("{}.{glibc}", self.platform.target),
            None => self.platform.target.to_owned(),
        }
    }
}

/// Returns the processor in Rust's name of a target.
fn processor(target: &str) -> &str {
    target.split('-').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: &str = "x86_64-unknown-linux-gnu";

    #[test]
    fn targets_are_parsed() {
        for (name, glibc, is_cross, is_foreign, is_installable) in [
            (HOST, None, false, false, true),
            ("x86_64-unknown-linux-gnu.2.17", Some("2.17"), true, false, true),
            ("x86_64-unknown-linux-musl", None, true, false, false),
            ("aarch64-unknown-linux-gnu.2.17", Some("2.17"), true, true, false),
            ("aarch64-apple-darwin", None, true, true, false),
        ] {
            let target = Target::parse(name, HOST).unwrap();
            assert_eq!((target.glibc.as_deref(), target.is_cross), (glibc, is_cross), "{name}");
            assert_eq!((target.is_foreign, target.is_installable), (is_foreign, is_installable), "{name}");
            assert_eq!(target.zig_name(), name);
        }
        let target = Target::parse("aarch64-unknown-linux-musl", HOST).unwrap();
        assert_eq!(target.runner_variable(), "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER");
        let error = Target::parse("riscv64gc-unknown-linux-gnu", HOST).unwrap_err().to_string();
        assert!(error.contains("choose one of x86_64-unknown-linux-gnu, "), "{error}");
        let error = Target::parse("x86_64-unknown-linux-musl.2.17", HOST).unwrap_err().to_string();
        assert!(error.contains("has no glibc"), "{error}");
    }

    #[test]
    fn static_programs_have_images() {
        let processors: Vec<&str> =
            PLATFORMS.iter().filter(|platform| platform.is_static()).map(Platform::image_cpu).collect();
        assert_eq!(processors, ["amd64", "arm64"]);
    }

    #[test]
    fn npm_packages_have_distinct_names() {
        let mut names: Vec<String> = PLATFORMS.iter().map(Platform::npm_package).collect();
        assert_eq!(names[..2], ["@tuckaway/command-linux-x64", "@tuckaway/command-linux-x64-musl"]);
        names.sort();
        names.dedup();
        assert_eq!(names.len(), PLATFORMS.len());
    }
}
