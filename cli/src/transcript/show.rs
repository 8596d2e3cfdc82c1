//! The parts of a report that only sessions have.

use std::fmt::Write;

use tuckaway_text::counted;

use super::{Facts, LeftOut, Savings, input_tokens};
use crate::print::{inline, number, table};

/// The maximum number of tools that are shown.
const MAX_TOOLS: usize = 12;

/// Names the session that was read, and counts the lines outside the history.
pub fn describe(facts: &Facts) -> String {
    let mut text = format!("{} session", facts.agent.name());
    if let Some(session) = &facts.session {
        let _ = write!(text, " {}", inline(session));
    }
    let _ = write!(text, ": {}, {}", counted(facts.lines, "line"), counted(facts.requests, "request"));
    if facts.compactions > 0 {
        let _ = write!(text, ", {}", counted(facts.compactions, "compaction"));
    }
    text.push('\n');
    let left_out = left_out(&facts.left_out);
    if !left_out.is_empty() {
        let _ = writeln!(text, "not in the history: {left_out}");
    }
    let usage = &facts.usage;
    let input = input_tokens(usage);
    if input > 0 {
        let _ = writeln!(
            text,
            "all requests: {} tokens of input, {} of them from the cache, and {} of output",
            number(input),
            number(usage.cache_read_tokens),
            number(usage.output_tokens)
        );
    }
    for warning in &facts.warnings {
        let _ = writeln!(text, "warning: {}", inline(warning));
    }
    text
}

fn left_out(left_out: &LeftOut) -> String {
    let LeftOut { before_compaction, other_branches, subagents, attachments, other } = *left_out;
    let parts = [
        (before_compaction, "line", " before the last compaction"),
        (other_branches, "line", " that the user took back"),
        (subagents, "line", " of subagents"),
        (attachments, "attachment", ", whose text the session does not have"),
        (other, "line", " of other kinds"),
    ];
    let parts = parts.into_iter().filter(|(count, _, _)| *count > 0);
    parts.map(|(count, what, which)| counted(count, what) + which).collect::<Vec<_>>().join("; ")
}

/// Describes the results by tool, and the tokens that would have been saved.
pub fn describe_savings(savings: &Savings) -> String {
    if savings.by_tool.is_empty() {
        return String::new();
    }
    let titles = ["RESULTS OF", "COUNT", "TOKENS", "LARGEST", "STORED", "SAVED ONCE", "IN ALL"];
    let shown = savings.by_tool.iter().take(MAX_TOOLS).map(|row| {
        let sum = &row.sum;
        let figures =
            [sum.results, sum.tokens, sum.largest_tokens, sum.stored, sum.saved_once, sum.saved_in_all];
        let [count, tokens, largest, stored, once, in_all] = figures.map(number);
        [inline(&row.tool), count, tokens, largest, stored, once, in_all]
    });
    let mut text = table(titles, shown.collect());
    if let more @ 1.. = savings.by_tool.len().saturating_sub(MAX_TOOLS) {
        let _ = writeln!(text, "and {}; --json lists all", counted(more as u64, "other tool"));
    }
    let cap = number(savings.cap_tokens);
    let all = &savings.all;
    let _ = match all.stored {
        0 => writeln!(text, "No result has more than {cap} tokens; set another limit with --cap."),
        _ => writeln!(
            text,
            "Storing results of more than {cap} tokens on arrival would have saved {} tokens, and {} over all\n\
             requests: each later request sends a result again. Tokens of queries are not subtracted.",
            number(all.saved_once),
            number(all.saved_in_all)
        ),
    };
    text
}
