//! The report for people: tokens by bucket, planned changes, alarms.

use std::collections::BTreeSet;
use std::fmt::Write;

use tuckaway_host::{
    Account, BucketCap, BudgetConfig, HistoryFormat, HistoryReport, Receipt, Removal, SummaryRequest,
};

use crate::print::{inline, number};

/// The width of a bar in characters.
const BAR: u64 = 24;

/// The maximum number of receipts that are shown.
const MAX_RECEIPTS: usize = 20;

/// The subject of a report.
pub struct Shown<'a> {
    pub format: HistoryFormat,
    pub window: u64,
    pub budget: Option<&'a BudgetConfig>,
    pub report: &'a HistoryReport,
    /// The request for a summary, if one is needed and no command was given for it.
    pub request: Option<&'a SummaryRequest>,
    /// Artifacts that exist only in this process.
    pub unsaved: BTreeSet<String>,
    pub is_applied: bool,
}

impl Shown<'_> {
    /// Returns the whole report. With `bars`, buckets have bars.
    pub fn describe(&self, bars: bool) -> String {
        let mut text = String::new();
        let _ =
            writeln!(text, "{}, {} messages", self.format.name(), number(u64::from(self.report.item_count)));
        self.write_buckets(&mut text, bars);
        self.write_receipts(&mut text);
        for repair in &self.report.repairs {
            let _ = writeln!(text, "repair: {}", inline(repair));
        }
        for alarm in &self.report.alarms {
            let _ = writeln!(text, "alarm: {}", inline(&alarm.message));
        }
        if let Some(request) = self.request {
            let more = match request.remaining {
                0 => String::new(),
                1 => ", and one more request follows".to_owned(),
                remaining => format!(", and {} more requests follow", number(remaining)),
            };
            let _ = writeln!(
                text,
                "The first {} messages need a summary{more}: name a command that asks a model with --summary-command.",
                number(request.through)
            );
        }
        text
    }

    fn write_buckets(&self, text: &mut String, bars: bool) {
        let rows = self.rows();
        let width = |column: usize| rows.iter().map(|row| row.cells[column].len()).max().unwrap_or(0);
        let widths: [usize; 5] = std::array::from_fn(width);
        let [w0, w1, w2, w3, w4] = widths;
        for row in &rows {
            let [name, before, after, cap, fill] = &row.cells;
            let line = format!("{name:w0$}  {before:>w1$}  {after:>w2$}  {cap:>w3$}  {fill:>w4$}");
            let bar = if bars { bar(row.before, row.after, row.cap) } else { String::new() };
            let _ = writeln!(text, "{}", format!("{line}  {bar}").trim_end());
        }
    }

    fn rows(&self) -> Vec<Row> {
        let (before, after) = (&self.report.before, &self.report.after);
        let budget = self.budget;
        let mut rows = vec![Row::titles()];
        let mut add = |name: &str, tokens: fn(&Account) -> u64, cap: Option<u64>| {
            rows.push(Row::new(name, tokens(before), tokens(after), cap));
        };
        let cap = |cap: Option<&BucketCap>| cap.map(|cap| cap.max_tokens);
        add("system", |account| account.system, cap(budget.map(|budget| &budget.system)));
        add("tools", |account| account.tools, cap(budget.map(|budget| &budget.tools)));
        add("history", |account| account.history, cap(budget.map(|budget| &budget.history)));
        add("tool_outputs", |account| account.tool_outputs, cap(budget.map(|budget| &budget.tool_outputs)));
        add("total", |account| account.total, Some(self.window));
        rows
    }

    fn write_receipts(&self, text: &mut String) {
        let receipts = &self.report.receipts;
        if receipts.is_empty() {
            let done = if self.request.is_some() { "" } else { "Nothing to do.\n" };
            text.push_str(done);
            return;
        }
        let _ = writeln!(text, "{}", if self.is_applied { "Applied:" } else { "Planned:" });
        let omitted = receipts.len().saturating_sub(MAX_RECEIPTS);
        let shown = receipts[..receipts.len().min(MAX_RECEIPTS)].iter();
        let rows: Vec<[String; 4]> = shown.map(|receipt| self.cells(receipt)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 4] = std::array::from_fn(width);
        let [w0, w1, w2, _] = widths;
        for [what, which, tokens, place] in rows {
            let line = format!("  {what:w0$}  {which:w1$}  {tokens:>w2$}  {place}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if omitted > 0 {
            let _ = writeln!(text, "  and {omitted} more; --json lists all");
        }
    }

    /// Returns the cells of a receipt: the removal, the messages, their tokens, and the artifact from
    /// which they can be read.
    fn cells(&self, receipt: &Receipt) -> [String; 4] {
        let (start, end) = (receipt.messages.start, receipt.messages.end);
        let tool = receipt.tool.as_deref().map(inline);
        let which = match (receipt.removal, tool) {
            (Removal::Pruned, Some(tool)) => tool,
            (_, Some(tool)) => format!("message {start}, {tool}"),
            _ if end == start + 1 => format!("message {start}"),
            _ => format!("messages {start} to {}", end.saturating_sub(1)),
        };
        let what = match receipt.removal {
            Removal::Trimmed => "trim",
            Removal::Evicted => "evict",
            Removal::Summarized => "summarize",
            Removal::Pruned => "prune",
            Removal::Cleared => "clear",
        };
        let tokens = format!("{} → {} tokens", number(receipt.tokens_before), number(receipt.tokens_after));
        let place = match receipt.artifact.as_deref() {
            None => String::new(),
            Some(id) if self.unsaved.contains(id) => "to a new artifact".to_owned(),
            Some(id) => inline(id),
        };
        [what.to_owned(), which, tokens, place]
    }
}

/// A row of the table of buckets.
struct Row {
    cells: [String; 5],
    before: u64,
    after: u64,
    cap: Option<u64>,
}

impl Row {
    fn titles() -> Row {
        let cells = ["BUCKET", "BEFORE", "AFTER", "CAP", "FILL"].map(str::to_owned);
        Row { cells, before: 0, after: 0, cap: None }
    }

    fn new(name: &str, before: u64, after: u64, cap: Option<u64>) -> Row {
        let fill = cap.filter(|cap| *cap > 0).map(|cap| format!("{}%", percent(after, cap)));
        let cells = [
            name.to_owned(),
            number(before),
            number(after),
            cap.map(number).unwrap_or_default(),
            fill.unwrap_or_default(),
        ];
        Row { cells, before, after, cap }
    }
}

fn percent(tokens: u64, cap: u64) -> u64 {
    (u128::from(tokens) * 100 / u128::from(cap)).try_into().unwrap_or(u64::MAX)
}

/// Draws a bucket: the tokens that stay, the freed tokens, and the free space below the cap.
fn bar(before: u64, after: u64, cap: Option<u64>) -> String {
    let Some(cap) = cap.filter(|cap| *cap > 0) else { return String::new() };
    let cells =
        |tokens: u64| (u128::from(tokens) * u128::from(BAR)).div_ceil(u128::from(cap)).min(BAR.into());
    let (stays, was) = (cells(after) as usize, cells(before.max(after)) as usize);
    let beyond = if after > cap { "+" } else { "" };
    format!("{}{}{}{beyond}", "█".repeat(stays), "▒".repeat(was - stays), "░".repeat(BAR as usize - was))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_show_what_stays_and_what_is_freed() {
        assert_eq!(bar(0, 0, Some(100)), "░".repeat(24));
        assert_eq!(bar(100, 50, Some(100)), format!("{}{}", "█".repeat(12), "▒".repeat(12)));
        assert_eq!(bar(25, 25, Some(100)), format!("{}{}", "█".repeat(6), "░".repeat(18)));
        assert_eq!(bar(u64::MAX, u64::MAX, Some(1)), format!("{}+", "█".repeat(24)));
        assert_eq!(bar(5, 5, None), "");
        assert_eq!(bar(5, 5, Some(0)), "");
    }

    #[test]
    fn percentages_do_not_overflow() {
        assert_eq!(percent(u64::MAX, u64::MAX), 100);
        assert_eq!(percent(1, 3), 33);
    }
}
