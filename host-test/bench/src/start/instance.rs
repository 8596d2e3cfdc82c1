//! The cost of a fresh instance.

use std::time::{Duration, Instant};

use tuckaway_host::{DefinitionOptions, Tuckaway};

use crate::report::{Report, Row};

const TIMES: usize = 200;
const BUDGET: Duration = Duration::from_millis(1);

/// Measures the first call on a fresh instance, and the same call on a warm one.
pub async fn measure(report: &mut Report) {
    // Work that is done once per process is done before the measurement.
    let warm = fresh();
    call(&warm).await;
    let mut first = Vec::new();
    let mut again = Vec::new();
    for _ in 0..TIMES {
        let tuckaway = fresh();
        first.push(call(&tuckaway).await);
        again.push(call(&tuckaway).await);
    }
    let (first, again) = (median(first), median(again));
    let instantiate = first.saturating_sub(again);
    report.add(Row {
        what: "instantiate (first call minus second)".to_owned(),
        measured: format!("{:.3} ms", instantiate.as_secs_f64() * 1e3),
        budget: "≤ 1 ms".to_owned(),
        met: Some(instantiate <= BUDGET),
        ratio: format!(
            "{:.1} x a call on a warm instance ({:.1} µs)",
            first.as_secs_f64() / again.as_secs_f64(),
            again.as_secs_f64() * 1e6
        ),
    });
}

fn fresh() -> Tuckaway {
    Tuckaway::builder().build().expect("the component starts")
}

/// Measures a call that does almost nothing.
async fn call(tuckaway: &Tuckaway) -> Duration {
    let started = Instant::now();
    tuckaway.tool_definitions(&[], &DefinitionOptions::default()).await.expect("it answers");
    started.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
