//! Measures what the performance budget of ARCHITECTURE.md promises, each beside
//! a peer in the same run: `cargo xtask bench`. Machines are noisy: read the
//! ratios, not the figures.

mod input;
mod offload;
mod report;
mod start;

use report::Report;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--json") {
        eprintln!("bench: unknown argument {unknown}; the only one is --json");
        std::process::exit(2);
    }
    let mut report = Report::default();
    offload::measure(&mut report).await;
    start::measure(&mut report).await;
    print!("{}", if json { report.to_json() } else { report.to_table() });
    if !report.meets_budget() {
        eprintln!("bench: a budget was missed, see the table");
        std::process::exit(1);
    }
}
