//! Measures what the performance budget of ARCHITECTURE.md promises, each beside
//! a peer in the same run: `cargo xtask bench`, and `cargo xtask bench queries`
//! for questions about large artifacts. Machines are noisy: read the ratios, not
//! the figures.

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
    let queries = arguments.iter().any(|argument| argument == "queries");
    if let Some(unknown) =
        arguments.iter().find(|argument| !["--json", "queries"].contains(&argument.as_str()))
    {
        eprintln!("bench: unknown argument {unknown}; there are `queries` and --json");
        std::process::exit(2);
    }
    let mut report = Report::default();
    if queries {
        if let Err(error) = queries::measure(&mut report).await {
            eprintln!("bench: {error:#}");
            std::process::exit(1);
        }
    } else {
        offload::measure(&mut report).await;
        start::measure(&mut report).await;
    }
    print!("{}", if json { report.to_json() } else { report.to_table() });
    if !report.meets_budget() {
        eprintln!("bench: a budget was missed, see the table");
        std::process::exit(1);
    }
}
