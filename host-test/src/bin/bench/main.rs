//! Measures what the performance budget of ARCHITECTURE.md promises, each beside
//! a peer in the same run: `cargo xtask bench`, `cargo xtask bench queries` for
//! questions about large artifacts, `cargo xtask bench kinds` for each kind of
//! content, and `cargo xtask bench hostile` for filters that are made to take
//! forever. Machines are noisy: read the ratios, not the figures. `cargo xtask
//! bench views` shows what is left of real outputs.

mod hostile;
mod input;
mod kinds;
mod made;
mod offload;
mod queries;
mod report;
mod start;
mod views;

use report::Report;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let is_asked = |what: &str| arguments.iter().any(|argument| argument == what);
    let known = ["--json", "queries", "kinds", "hostile", "views"];
    if let Some(unknown) = arguments.iter().find(|argument| !known.contains(&argument.as_str())) {
        eprintln!(
            "bench: unknown argument {unknown}; there are `queries`, `kinds`, `hostile`, `views` and --json"
        );
        std::process::exit(2);
    }
    if is_asked("views") {
        if let Err(error) = views::print().await {
            eprintln!("bench: {error:#}");
            std::process::exit(1);
        }
        return;
    }
    let mut report = Report::default();
    let measured = if is_asked("queries") {
        queries::measure(&mut report).await
    } else if is_asked("kinds") {
        kinds::measure(&mut report).await
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
