//! How fast queries on a stored artifact are, compared with programs that query a file,
//! and how much guest memory each query needs.

mod corpus;
mod memory;
mod peers;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tuckaway_host::{DirStore, GrepQuery, JqQuery, Range, ReadOptions, Tuckaway};

use crate::report::{Report, Row};
use corpus::{Corpus, Stored};
use peers::Peer;

/// The number of measurements, of which the fastest counts.
const TIMES: usize = 3;

/// A query on an artifact, of which the first page is measured, as a model would get it.
enum Question {
    /// A filter on JSON.
    Jq(&'static str),
    /// A pattern to find in a log, and whether case is ignored.
    Grep(&'static str, bool),
    /// This number of last lines of a log.
    Tail(u64),
}

/// The rate that a query must reach.
enum Budget {
    None,
    /// Megabytes per second.
    Rate(f64),
    /// A multiple of the rate of native jaq.
    Jaq(f64),
}

const QUESTIONS: [(&str, Question, Budget); 17] = [
    ("jq, the whole document", Question::Jq("[.statuses[]] | map(tojson | length) | add"), Budget::Jaq(1.0)),
    (
        "jq, an update of all rows",
        Question::Jq(".statuses[].retweet_count |= . + 1 | .statuses | length"),
        Budget::Jaq(1.0),
    ),
    ("jq, all paths", Question::Jq("[paths] | length"), Budget::Jaq(1.0)),
    (
        "jq, reduce over all rows",
        Question::Jq("reduce .statuses[] as $s ({}; .[$s.lang] += 1)"),
        Budget::Jaq(3.0),
    ),
    (
        "jq, groups of all rows",
        Question::Jq(
            ".statuses | group_by(.user.screen_name) | map({name: .[0].user.screen_name, n: length}) | length",
        ),
        Budget::Jaq(3.0),
    ),
    (
        "jq, the last rows by a number",
        Question::Jq(".statuses | sort_by(.retweet_count) | .[-3:] | map({id, retweet_count})"),
        Budget::Jaq(3.0),
    ),
    (
        "jq, an update of each element",
        Question::Jq(".statuses | map(.retweet_count += 1) | map(.retweet_count) | add"),
        Budget::Jaq(3.0),
    ),
    (
        "jq, rows in rows",
        Question::Jq("[.statuses[].entities.user_mentions[].screen_name] | unique | length"),
        Budget::Jaq(3.0),
    ),
    (
        "jq, a sum over all rows",
        Question::Jq("[.statuses[] | .user.followers_count] | add"),
        Budget::Jaq(3.0),
    ),
    ("jq, a path", Question::Jq(".statuses[19000].user.name"), Budget::Jaq(3.0)),
    (
        "jq, iteration with select",
        Question::Jq(".statuses[] | select(.retweet_count > 1000000) | .id"),
        Budget::Jaq(3.0),
    ),
    ("grep, a literal", Question::Grep("no such thing here", false), Budget::Rate(1000.0)),
    (
        "grep, a literal in a pattern",
        Question::Grep(r"zookeeper\d+ unreachable$", false),
        Budget::Rate(1000.0),
    ),
    (
        "grep, an alternation",
        Question::Grep("segfault|out of memory|kernel panic", false),
        Budget::Rate(1000.0),
    ),
    ("grep, a literal in any case", Question::Grep("kernel panic", true), Budget::None),
    ("grep, no literal", Question::Grep(r"\b\d{7}\.\d{4}\b", false), Budget::Rate(100.0)),
    ("read, the last 100 lines", Question::Tail(100), Budget::None),
];

/// Runs all queries. Returns an error if the artifacts cannot be written or a query fails.
pub async fn measure(report: &mut Report) -> Result<()> {
    for missing in peers::missing() {
        eprintln!("bench: {missing}; its figures are omitted");
    }
    let corpus = Corpus::make().await?;
    for (what, question, budget) in QUESTIONS {
        let of = match question {
            Question::Jq(_) => &corpus.json,
            Question::Grep(..) | Question::Tail(_) => &corpus.log,
        };
        measure_one(report, &corpus, of, what, &question, &budget).await?;
    }
    let row = Question::Jq(".rows[] | select(.id == 999999) | .name");
    measure_one(report, &corpus, &corpus.large_json, "jq, one row of very many", &row, &Budget::None).await
}

async fn measure_one(
    report: &mut Report,
    corpus: &Corpus,
    of: &Stored,
    what: &str,
    question: &Question,
    budget: &Budget,
) -> Result<()> {
    let tuckaway = corpus.tuckaway(4096)?;
    let mut fastest = Duration::MAX;
    for _ in 0..TIMES {
        let started = Instant::now();
        ask(&tuckaway, of, question).await?;
        fastest = fastest.min(started.elapsed());
    }
    let rate = of.bytes as f64 / 1e6 / fastest.as_secs_f64();
    let times: Vec<(&str, f64)> = peers_of(of, corpus, question)
        .iter()
        .filter_map(|peer| Some((peer.name, peer.run(&of.file)?.as_secs_f64() / fastest.as_secs_f64())))
        .collect();
    let jaq = times.iter().find(|(name, _)| *name == "jaq").map(|(_, times)| *times);
    let (budget, met) = match *budget {
        Budget::None => (String::new(), None),
        Budget::Rate(wanted) => (format!("≥ {wanted} MB/s"), Some(rate >= wanted)),
        Budget::Jaq(wanted) => (format!("≥ {wanted} x jaq"), jaq.map(|times| times >= wanted)),
    };
    let needed = memory::needed(corpus, of, question).await?;
    report.add(Row {
        what: format!("{what}; {}", of.name),
        measured: format!("{} ms, {rate:.0} MB/s, {needed}", fastest.as_millis()),
        budget,
        met,
        ratio: times
            .iter()
            .map(|(name, times)| format!("{times:.1} x {name}"))
            .collect::<Vec<_>>()
            .join(", "),
    });
    Ok(())
}

/// Returns the programs that run the same query. There are none for the large document:
/// they would need ten times its size in memory.
fn peers_of(of: &Stored, corpus: &Corpus, question: &Question) -> Vec<Peer> {
    match *question {
        Question::Jq(_) if of.id == corpus.large_json.id => Vec::new(),
        Question::Jq(filter) => peers::json(filter),
        Question::Grep(pattern, ignore_case) => peers::text(pattern, ignore_case),
        Question::Tail(lines) => peers::tail(lines),
    }
}

async fn ask(tuckaway: &Tuckaway, of: &Stored, question: &Question) -> Result<()> {
    match *question {
        Question::Grep(pattern, ignore_case) => {
            let query = GrepQuery { pattern: pattern.to_owned(), ignore_case, ..GrepQuery::default() };
            tuckaway.grep(&of.id, &query, None).await?;
        }
        Question::Jq(filter) => {
            let query = JqQuery { filter: filter.to_owned(), ..JqQuery::default() };
            if let Some(failure) = tuckaway.jq(&of.id, &query, None).await?.failure {
                bail!("{filter}: {failure}");
            }
        }
        Question::Tail(lines) => {
            tuckaway.read(&of.id, &Range::LastLines(lines), &ReadOptions::default()).await?;
        }
    }
    Ok(())
}

impl Corpus {
    /// Builds the engine over the artifacts, with this many MiB of guest memory.
    fn tuckaway(&self, mebibytes: usize) -> Result<Tuckaway> {
        let store = DirStore::open(self.path())?;
        let limit = (mebibytes << 20).min(u32::MAX as usize);
        Ok(Tuckaway::builder().store(store).memory_limit(limit).deadline(Duration::from_secs(600)).build()?)
    }
}
