//! Measures what the performance budget of ARCHITECTURE.md promises, each beside
//! a peer in the same run: `cargo xtask bench`, `cargo xtask bench queries` for
//! questions about large artifacts, and `cargo xtask bench hostile` for filters
//! that are made to take forever. Machines are noisy: read the ratios, not
//! the figures.

mod hostile;
mod input;
mod offload;
mod queries;
mod report;
mod start;

use report::Report;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let is_asked = |what: &str| arguments.iter().any(|argument| argument == what);
    let known = ["--json", "queries", "hostile"];
    if let Some(unknown) = arguments.iter().find(|argument| !known.contains(&argument.as_str())) {
        eprintln!("bench: unknown argument {unknown}; there are `queries`, `hostile` and --json");
        std::process::exit(2);
    }
    let mut report = Report::default();
    let measured = if is_asked("queries") {
        queries::measure(&mut report).await
    } else if is_asked("hostile") {
        hostile::measure(&mut report).await
    } else {
        offload::measure(&mut report).await;
        start::measure(&mut report).await;
        Ok(())
    };
    if let Err(error) = measured {
        eprintln!("bench: {error:#}");
        std::process::exit(1);
    }
    print!("{}", if json { report.to_json() } else { report.to_table() });
    if !report.meets_budget() {
        eprintln!("bench: a budget was missed, see the table");
        std::process::exit(1);
    }
}
