//! The processor time of a step. Unlike the duration, it does not depend on other running steps.
//! The step's process writes it as the last line of its log.

use std::fs;

/// How the line begins.
const LABEL: &str = "processor time: ";

/// The ticks of a second in `/proc/*/stat`, which are the same on all machines with Linux.
const TICKS: f64 = 100.0;

/// Prints the processor time of this process and of all processes that it has waited for. Systems
/// other than Linux do not report it, so nothing is printed there.
pub fn print() {
    let seconds = fs::read_to_string("/proc/self/stat").ok().and_then(|stat| of_stat(&stat));
    if let Some(seconds) = seconds {
        println!("{LABEL}{seconds:.1} s");
    }
}

/// Returns the seconds in a log.
pub fn of_log(log: &str) -> Option<f64> {
    log.lines().rev().find_map(|line| line.strip_prefix(LABEL)?.strip_suffix(" s")?.parse().ok())
}

/// Adds up the times of a process and of its children: fields 14 to 17. Field 2, the name of the
/// program in parentheses, may contain anything.
fn of_stat(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let times = fields.split(' ').skip(11).take(4);
    let ticks: Option<u64> = times.map(|field| field.parse::<u64>().ok()).sum();
    Some(ticks? as f64 / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_behind_any_name() {
        let stat = "12 (a ) b) S 1 12 12 0 -1 4194560 100 200 0 0 150 50 1000 300 20 0 1 0 9 0 0";
        assert_eq!(of_stat(stat), Some(15.0));
        assert_eq!(of_stat("12 (x) S 1"), Some(0.0));
        assert_eq!(of_stat(""), None);
        assert_eq!(of_log("ok\nprocessor time: 15.0 s\n"), Some(15.0));
        assert_eq!(of_log("ok\n"), None);
    }
}
