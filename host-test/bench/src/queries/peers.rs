//! Programs that query a file.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The programs, with how to install them on Debian.
const PROGRAMS: [(&str, &str); 6] = [
    ("jq", "apt-get install jq"),
    ("jaq", "cargo install jaq"),
    ("gojq", "apt-get install gojq"),
    ("rg", "apt-get install ripgrep"),
    ("grep", "apt-get install grep"),
    ("tail", "apt-get install coreutils"),
];

/// Returns a message for each program that is not installed, with how to install it.
pub fn missing() -> Vec<String> {
    let missing = PROGRAMS.iter().filter(|(name, _)| !is_installed(name));
    missing.map(|(name, how)| format!("{name} is not installed ({how})")).collect()
}

fn is_installed(name: &str) -> bool {
    Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A program with its arguments, which are followed by the file.
pub struct Peer {
    /// The name in the table.
    pub name: &'static str,
    program: &'static str,
    args: Vec<String>,
}

impl Peer {
    fn new(program: &'static str, args: &[&str]) -> Self {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Peer { name: program, program, args }
    }

    /// Returns the shortest time that the program takes for a file in several runs; `None` if it is not
    /// installed.
    pub fn fastest(&self, file: &Path, runs: usize) -> Option<Duration> {
        (0..runs).map(|_| self.run(file)).min().flatten()
    }

    fn run(&self, file: &Path) -> Option<Duration> {
        let mut command = Command::new(self.program);
        // The engine ignores locales; with one, grep would be slower by half.
        command.args(&self.args).arg(file).env("LC_ALL", "C").stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        // The status of grep only says whether there was a match.
        command.status().ok()?;
        Some(started.elapsed())
    }
}

pub fn json(filter: &str) -> Vec<Peer> {
    ["jq", "jaq", "gojq"].into_iter().map(|name| Peer::new(name, &[filter])).collect()
}

pub fn text(pattern: &str, ignore_case: bool) -> Vec<Peer> {
    let mut rg = vec!["--no-config", "--line-number", "-e", pattern];
    let mut grep = vec!["-n", "-P", "-e", pattern];
    if ignore_case {
        rg.insert(0, "-i");
        grep.insert(0, "-i");
    }
    // A program that maps the file into memory copies nothing; a store reads it.
    let reading = Peer { name: "rg --no-mmap", ..Peer::new("rg", &[&rg[..], &["--no-mmap"]].concat()) };
    vec![Peer::new("rg", &rg), reading, Peer::new("grep", &grep)]
}

pub fn tail(lines: u64) -> Vec<Peer> {
    vec![Peer::new("tail", &["-n", &lines.to_string()])]
}
