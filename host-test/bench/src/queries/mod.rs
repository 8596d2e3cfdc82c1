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

/// The number of measurements; the fastest counts.
const TIMES: usize = 3;

/// The guest memory that a host gives a call by default.
const DEFAULT_MEBIBYTES: usize = 1024;

/// A query on an artifact. Its first page is measured, as a model would get it.
enum Question {
    /// A filter on one JSON document with many rows.
    Jq(&'static str),
    /// A filter on an array of such documents.
    JqOfMany(&'static str),
    /// A pattern to find in a log, and whether case is ignored.
    Grep(&'static str, bool),
    /// This number of last lines of a log.
    Tail(u64),
}

/// The rate that a query must reach.
enum Budget {
    None,
    /// A multiple of the rate of native jaq.
    Jaq(f64),
    /// A multiple of the rate of ripgrep.
    Rg(f64),
}

/// Filters that need whole documents, and those whose paths name a part of them.
const WHOLE: Budget = Budget::Jaq(1.0);
const PART: Budget = Budget::Jaq(3.0);

/// Patterns with literals, and those without.
const LITERALS: Budget = Budget::Rg(0.6);
const NO_LITERALS: Budget = Budget::Rg(1.0);

/// The limits of a filter.
#[derive(Clone, Copy, PartialEq)]
enum Limits {
    Default,
    /// More than any filter of the bench takes.
    Raised,
}

const QUESTIONS: [(&str, Question, Budget); 24] = [
    ("jq, the whole document", Question::Jq("[.statuses[]] | map(tojson | length) | add"), WHOLE),
    (
        "jq, an update of all rows",
        Question::Jq(".statuses[].retweet_count |= . + 1 | .statuses | length"),
        WHOLE,
    ),
    ("jq, all paths", Question::Jq("[paths] | length"), WHOLE),
    ("jq, the document as a text", Question::Jq("tojson | length"), WHOLE),
    ("jq, all paths of many documents", Question::JqOfMany("[paths] | length"), WHOLE),
    ("jq, many documents as a text", Question::JqOfMany("tojson | length"), WHOLE),
    (
        "jq, a sum over the rows of many documents",
        Question::JqOfMany("[.[].statuses[].retweet_count] | add"),
        PART,
    ),
    (
        "jq, groups in each of many documents",
        Question::JqOfMany(
            "map(.statuses | group_by(.user.screen_name) | map({name: .[0].user.screen_name, n: length})) | length",
        ),
        PART,
    ),
    (
        "jq, an update of each of many documents",
        Question::JqOfMany("map(.search_metadata.count += 1) | length"),
        PART,
    ),
    (
        "jq, a count of rows of many documents",
        Question::JqOfMany("[.[].statuses[] | select(.retweet_count > 100)] | length"),
        PART,
    ),
    ("jq, reduce over all rows", Question::Jq("reduce .statuses[] as $s ({}; .[$s.lang] += 1)"), PART),
    (
        "jq, groups of all rows",
        Question::Jq(
            ".statuses | group_by(.user.screen_name) | map({name: .[0].user.screen_name, n: length}) | length",
        ),
        PART,
    ),
    (
        "jq, the last rows by a number",
        Question::Jq(".statuses | sort_by(.retweet_count) | .[-3:] | map({id, retweet_count})"),
        PART,
    ),
    (
        "jq, an update of each element",
        Question::Jq(".statuses | map(.retweet_count += 1) | map(.retweet_count) | add"),
        PART,
    ),
    (
        "jq, rows in rows",
        Question::Jq("[.statuses[].entities.user_mentions[].screen_name] | unique | length"),
        PART,
    ),
    ("jq, a sum over all rows", Question::Jq("[.statuses[] | .user.followers_count] | add"), PART),
    ("jq, a path", Question::Jq(".statuses[19000].user.name"), Budget::Jaq(3.0)),
    ("jq, iteration with select", Question::Jq(".statuses[] | select(.retweet_count > 1000000) | .id"), PART),
    ("grep, a literal", Question::Grep("no such thing here", false), LITERALS),
    ("grep, a literal in a pattern", Question::Grep(r"zookeeper\d+ unreachable$", false), LITERALS),
    ("grep, an alternation", Question::Grep("segfault|out of memory|kernel panic", false), LITERALS),
    ("grep, a literal in any case", Question::Grep("kernel panic", true), LITERALS),
    ("grep, no literal", Question::Grep(r"\b\d{7}\.\d{4}\b", false), NO_LITERALS),
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
            Question::JqOfMany(_) => &corpus.documents,
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
        if let Err(error) = ask(&tuckaway, of, question, Limits::Raised).await {
            report.add(refused(what, of, &error));
            return Ok(());
        }
        fastest = fastest.min(started.elapsed());
    }
    let rate = of.bytes as f64 / 1e6 / fastest.as_secs_f64();
    let times: Vec<(&str, f64)> = peers_of(of, corpus, question)
        .iter()
        .filter_map(|peer| {
            Some((peer.name, peer.fastest(&of.file, TIMES)?.as_secs_f64() / fastest.as_secs_f64()))
        })
        .collect();
    let compared = |wanted: f64, peer: &str| {
        let ratio = times.iter().find(|(name, _)| *name == peer).map(|(_, ratio)| *ratio);
        (format!("≥ {wanted} x {peer}"), ratio.map(|ratio| ratio >= wanted))
    };
    let (budget, met) = match *budget {
        Budget::None => (String::new(), None),
        Budget::Jaq(wanted) => compared(wanted, "jaq"),
        Budget::Rg(wanted) => compared(wanted, "rg"),
    };
    let needed = memory::needed(corpus, of, question).await?;
    let by_default = match ask(&corpus.tuckaway(DEFAULT_MEBIBYTES)?, of, question, Limits::Default).await {
        Ok(()) => "",
        Err(_) => ", refused by default",
    };
    report.add(Row {
        what: format!("{what}; {}", of.name),
        measured: format!("{} ms, {rate:.0} MB/s, {needed}{by_default}", fastest.as_millis()),
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

/// Returns the row of a query that fails even with raised limits.
fn refused(what: &str, of: &Stored, error: &anyhow::Error) -> Row {
    Row {
        what: format!("{what}; {}", of.name),
        measured: format!("refused: {error}"),
        budget: String::new(),
        met: Some(false),
        ratio: String::new(),
    }
}

/// Returns the programs that run the same query. There are none for the large document:
/// they would need ten times its size in memory.
fn peers_of(of: &Stored, corpus: &Corpus, question: &Question) -> Vec<Peer> {
    match *question {
        Question::Jq(_) if of.id == corpus.large_json.id => Vec::new(),
        Question::Jq(filter) | Question::JqOfMany(filter) => peers::json(filter),
        Question::Grep(pattern, ignore_case) => peers::text(pattern, ignore_case),
        Question::Tail(lines) => peers::tail(lines),
    }
}

async fn ask(tuckaway: &Tuckaway, of: &Stored, question: &Question, limits: Limits) -> Result<()> {
    match *question {
        Question::Grep(pattern, ignore_case) => {
            let query = GrepQuery { pattern: pattern.to_owned(), ignore_case, ..GrepQuery::default() };
            tuckaway.grep(&of.id, &query, None).await?;
        }
        Question::Jq(filter) | Question::JqOfMany(filter) => {
            let mut query = JqQuery { filter: filter.to_owned(), ..JqQuery::default() };
            if limits == Limits::Raised {
                (query.max_steps, query.max_memory) = (Some(u64::MAX), Some(u64::MAX));
            }
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
