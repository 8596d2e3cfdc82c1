//! Runs commands many times, in turn, and measures their time and their memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// The number of runs, whose median counts.
const TIMES: usize = 41;

const DOCUMENT: &str = "{\"a\": 1, \"b\": [true, null]}\n";

/// Prints the peak memory in KiB of the program that its arguments name.
const PEAK: &str = "import resource, subprocess, sys; \
     subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); \
     print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";

/// A command that reads the document.
pub struct Command {
    what: String,
    program: String,
    arguments: Vec<String>,
    is_ours: bool,
    has_empty_home: bool,
}

/// The cost of a command.
pub struct Cost {
    pub what: String,
    pub is_ours: bool,
    /// From the start to the end of the process.
    pub milliseconds: f64,
    /// The peak memory in KiB; `None` if there is no Python to ask the system.
    pub peak: Option<u64>,
}

impl Command {
    pub fn ours(what: &str, program: &str) -> Self {
        Command {
            what: what.to_owned(),
            program: program.to_owned(),
            arguments: Vec::new(),
            is_ours: true,
            has_empty_home: false,
        }
    }

    pub fn peer(program: &str) -> Self {
        Command { is_ours: false, ..Command::ours(program, program) }
    }

    /// Adds an argument.
    pub fn with(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Gives each run a home without any file.
    pub fn in_empty_home(mut self) -> Self {
        self.has_empty_home = true;
        self
    }

    fn is_installed(&self) -> bool {
        Process::new(&self.program).arg("--version").output().is_ok()
    }

    /// Runs the command once, and returns its milliseconds.
    fn run(&self, place: &Place) -> Result<f64> {
        let home = if self.has_empty_home { place.empty_home()? } else { place.home.clone() };
        let mut process = Process::new(&self.program);
        process.args(&self.arguments).arg(&place.document).env("HOME", home).stdout(Stdio::null());
        let started = Instant::now();
        let status = process.status().with_context(|| format!("running {}", self.what))?;
        let took = started.elapsed();
        ensure!(status.success(), "{} ended with {status}", self.what);
        Ok(took.as_secs_f64() * 1e3)
    }

    fn peak(&self, place: &Place) -> Option<u64> {
        let mut python = Process::new("python3");
        python.args(["-c", PEAK, &self.program]).args(&self.arguments).arg(&place.document);
        let printed = python.env("HOME", &place.home).output().ok()?.stdout;
        String::from_utf8(printed).ok()?.trim().parse().ok()
    }
}

/// The document and the homes.
struct Place {
    directory: PathBuf,
    document: PathBuf,
    home: PathBuf,
}

impl Place {
    fn new() -> Result<Self> {
        let directory = std::env::temp_dir().join(format!("tuckaway-bench-start-{}", std::process::id()));
        let (document, home) = (directory.join("small.json"), directory.join("home"));
        fs::create_dir_all(&home)?;
        fs::write(&document, DOCUMENT)?;
        Ok(Place { directory, document, home })
    }

    fn empty_home(&self) -> Result<PathBuf> {
        let home = self.directory.join("empty");
        remove(&home)?;
        fs::create_dir(&home)?;
        Ok(home)
    }
}

fn remove(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    Ok(())
}

/// Measures the commands that are installed. They run in turn, so that a busy moment of the machine
/// slows all of them.
pub fn measure(commands: &[Command]) -> Result<Vec<Cost>> {
    let place = Place::new()?;
    let installed: Vec<&Command> = commands.iter().filter(|command| command.is_installed()).collect();
    let mut times = vec![Vec::new(); installed.len()];
    for _ in 0..TIMES {
        for (command, times) in installed.iter().zip(&mut times) {
            times.push(command.run(&place)?);
        }
    }
    let costs = installed.iter().zip(times).map(|(command, mut times)| {
        times.sort_by(f64::total_cmp);
        Cost {
            what: command.what.clone(),
            is_ours: command.is_ours,
            milliseconds: times[TIMES / 2],
            peak: command.peak(&place),
        }
    });
    let costs = costs.collect();
    remove(&place.directory)?;
    Ok(costs)
}
