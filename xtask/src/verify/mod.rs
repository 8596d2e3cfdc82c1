//! `cargo xtask test` and `cargo xtask check`: run steps in parallel, each after the steps that
//! it needs.
//!
//! ```text
//! row of steps.rs ─► schedule ─► process `cargo xtask step NAME` ─► log in target/test-logs ─► line, summary
//! ```

mod counts;
mod processor;
mod programs;
mod schedule;
mod steps;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};
use std::{env, io};

use anyhow::{Context, Result, bail};
use schedule::Schedule;
use steps::{CHECK, Lock, STEPS, Step};

use crate::shell;

/// Which steps to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Names of steps or groups; if empty, all steps.
    pub only: Vec<String>,
    /// Names of steps to omit.
    pub without: Vec<String>,
}

/// A step that has ended.
struct Ended {
    step: &'static Step,
    time: Duration,
    /// Its processor time in seconds, if it is known.
    processor: Option<f64>,
    /// How many tests passed in it.
    tests: u64,
    has_passed: bool,
}

/// Prints the steps.
pub fn list() {
    for Step { name, group, about, .. } in &STEPS {
        println!("{name:<18} {group:<7} {about}");
    }
}

/// Runs one step in this process.
pub fn step(name: &str) -> Result<()> {
    let step = steps::named(name).with_context(|| format!("unknown step {name:?}"))?;
    let result = (step.run)();
    processor::print();
    result
}

/// Runs the steps of `cargo xtask check`.
pub fn check() -> Result<()> {
    let only = CHECK.iter().map(|name| (*name).to_owned()).collect();
    run(&Selection { only, without: Vec::new() })
}

/// Runs the selected steps and the steps they need, and prints a line for each and a summary. After
/// the first failure no other step starts.
pub fn run(selection: &Selection) -> Result<()> {
    let steps = selection.steps()?;
    let places = available_parallelism().map_or(2, usize::from) + 1;
    let mut schedule = Schedule::new(&steps, places);
    // Asked once: a step rebuilds this program, which then has no path any more.
    let program = env::current_exe().context("finding this program")?;
    let (start, mut running, mut ended) = (Instant::now(), 0, Vec::new());
    let (sender, ends) = mpsc::channel();
    loop {
        while let Some(step) = schedule.start() {
            println!("{}  {:<18} started: {}", clock(start), step.name, step.about);
            Running::start(step, &program)?.send_end(sender.clone());
            running += 1;
        }
        if running == 0 {
            break;
        }
        let end: Ended = ends.recv().context("waiting for a step")??;
        running -= 1;
        schedule.end(end.step.name, end.has_passed);
        report(&end, start)?;
        ended.push(end);
    }
    summarize(&ended, &schedule, start)
}

impl Selection {
    /// Returns the selected steps with all that they need, in the order of the table.
    fn steps(&self) -> Result<Vec<&'static Step>> {
        for name in &self.without {
            match steps::named(name) {
                Some(step) if step.can_be_omitted => {}
                Some(_) => bail!("the step {name} cannot be omitted"),
                None => bail!("unknown step {name}; `cargo xtask test --list` shows the steps"),
            }
        }
        let mut wanted: Vec<&Step> = Vec::new();
        for name in &self.only {
            let of_name: Vec<&Step> =
                STEPS.iter().filter(|step| step.name == name || step.group == name).collect();
            if of_name.is_empty() {
                bail!("unknown step {name}; `cargo xtask test --list` shows the steps and their groups");
            }
            wanted.extend(of_name);
        }
        if self.only.is_empty() {
            wanted.extend(&STEPS);
        }
        let mut next = 0;
        while let Some(step) = wanted.get(next) {
            let needs: Vec<&Step> = step.needs.iter().filter_map(|need| steps::named(need)).collect();
            wanted.extend(needs);
            next += 1;
        }
        let is_wanted = |step: &&Step| {
            wanted.iter().any(|wanted| wanted.name == step.name)
                && !self.without.iter().any(|name| name == step.name)
        };
        Ok(STEPS.iter().filter(is_wanted).collect())
    }
}

/// A step in its process.
struct Running {
    step: &'static Step,
    child: Child,
    start: Instant,
}

impl Running {
    fn start(step: &'static Step, program: &Path) -> Result<Self> {
        let log = File::create(log(step)?).with_context(|| format!("making the log of {}", step.name))?;
        let mut command = match step.lock {
            Lock::Clock => Command::new(program),
            _ => yielding(program),
        };
        command.args(["step", step.name]).stdin(Stdio::null());
        command.stdout(log.try_clone().context("sharing a log")?).stderr(log);
        let child = command.spawn().with_context(|| format!("starting {}", step.name))?;
        Ok(Running { step, child, start: Instant::now() })
    }

    /// Waits for its end in a thread, and sends it.
    fn send_end(self, ends: Sender<Result<Ended>>) {
        // The receiver is gone after an error, which is reported then.
        thread::spawn(move || drop(ends.send(self.end())));
    }

    fn end(mut self) -> Result<Ended> {
        let status = self.child.wait().with_context(|| format!("waiting for {}", self.step.name))?;
        let has_passed = status.success();
        let text = read_log(self.step)?;
        let (step, time) = (self.step, self.start.elapsed());
        Ok(Ended {
            step,
            time,
            processor: processor::of_log(&text),
            tests: counts::passed(&text),
            has_passed,
        })
    }
}

/// Creates a command for a program that yields to steps with time limits.
fn yielding(program: &Path) -> Command {
    if !cfg!(unix) {
        return Command::new(program);
    }
    let mut command = Command::new("nice");
    command.args(["-n", "10"]).arg(program);
    command
}

/// Prints the line of a step that has ended; before it the log of one that has failed.
fn report(end: &Ended, start: Instant) -> Result<()> {
    let name = end.step.name;
    if !end.has_passed {
        let log = log(end.step)?;
        println!(
            "\n== log of {name}, also in {}\n{}\n== end of the log of {name}\n",
            log.display(),
            read_log(end.step)?
        );
    }
    let word = if end.has_passed { "passed" } else { "FAILED" };
    println!("{}  {name:<18} {word} in {}{}", clock(start), seconds(end.time), tests(end.tests));
    Ok(())
}

fn summarize(ended: &[Ended], schedule: &Schedule, start: Instant) -> Result<()> {
    println!("\n== summary: time, processor time, step");
    for end in ended {
        let word = if end.has_passed { "passed" } else { "FAILED" };
        let processor = end.processor.map_or_else(|| "-".to_owned(), |time| format!("{time:.1} s"));
        println!(
            "{:>8}  {processor:>8}  {:<18} {word}{}",
            seconds(end.time),
            end.step.name,
            tests(end.tests)
        );
    }
    let (not_run, total): (Vec<&str>, u64) =
        (schedule.waiting().iter().map(|step| step.name).collect(), ended.iter().map(|end| end.tests).sum());
    println!(
        "{:>8}  {:>8}  in all{}; the logs are in {}",
        seconds(start.elapsed()),
        format!("{:.1} s", ended.iter().filter_map(|end| end.processor).sum::<f64>()),
        tests(total),
        logs()?.display()
    );
    let failed: Vec<&Step> = ended.iter().filter(|end| !end.has_passed).map(|end| end.step).collect();
    println!("steps: {} passed, {} failed", ended.len() - failed.len(), failed.len());
    match failed.first() {
        None => Ok(()),
        Some(step) => bail!(
            "{} failed: {}.{} `cargo xtask test --only {}` repeats it.",
            failed.iter().map(|step| step.name).collect::<Vec<_>>().join(" and "),
            step.advice,
            if not_run.is_empty() { String::new() } else { format!(" Not run: {}.", not_run.join(", ")) },
            step.name
        ),
    }
}

/// Returns the directory of the logs, which is made if it is missing.
fn logs() -> Result<PathBuf> {
    let directory = shell::target_dir()?.join("test-logs");
    fs::create_dir_all(&directory).with_context(|| format!("making {}", directory.display()))?;
    Ok(directory)
}

fn log(step: &Step) -> Result<PathBuf> {
    Ok(logs()?.join(format!("{}.log", step.name)))
}

/// Returns the log of a step, which may contain any bytes.
fn read_log(step: &Step) -> io::Result<String> {
    let path = log(step).map_err(io::Error::other)?;
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// Returns the time since the start, such as `12:05`.
fn clock(start: Instant) -> String {
    let seconds = start.elapsed().as_secs();
    format!("{:>2}:{:02}", seconds / 60, seconds % 60)
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn tests(count: u64) -> String {
    if count == 0 { String::new() } else { format!(", {count} tests") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: &[&str], without: &[&str]) -> Result<Vec<&'static str>> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let steps = Selection { only: owned(only), without: owned(without) }.steps()?;
        Ok(steps.into_iter().map(|step| step.name).collect())
    }

    #[test]
    fn a_selection_includes_what_it_needs() {
        assert_eq!(names(&["format"], &[]).unwrap(), ["format"]);
        assert_eq!(names(&["proxy"], &[]).unwrap(), ["component", "build", "proxy"]);
        let node = names(&["node"], &[]).unwrap();
        assert_eq!(node, ["component", "build", "npm-install", "object-servers", "npm-package", "node"]);
        assert_eq!(names(&[], &[]).unwrap().len(), STEPS.len());
        assert!(!names(&[], &["wasi"]).unwrap().contains(&"wasi"));
        assert!(names(&["mcp"], &[]).unwrap().contains(&"interop"));
    }

    #[test]
    fn unknown_steps_and_needed_ones_are_refused() {
        assert!(names(&["nodes"], &[]).is_err());
        assert!(names(&[], &["corpus"]).is_err());
        assert!(names(&[], &["nothing"]).is_err());
    }
}
