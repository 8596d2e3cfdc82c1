//! Truncates a text with a table of contents: two ends, and between them the entries for
//! the omitted lines.

use tuckaway_search::find;

use crate::line as lines;
use crate::wording;

/// Maximum entries that are collected: more than any view can list.
const MAX_ENTRIES: usize = 2_048;
/// Deeper levels count as the last of these.
const LEVELS: usize = 6;
/// Entries that each level leaves to the level above it.
const SPARED: usize = 256;

/// The table of contents of a text: declarations, headings.
pub struct Contents {
    /// The noun for the entries.
    pub noun: &'static str,
    entries: Vec<Entry>,
    /// Whether the text may have more entries.
    is_part: bool,
}

struct Entry {
    /// Counted from 1.
    line: usize,
    level: usize,
    /// The line that lists it.
    text: String,
}

/// The two ends of a text that are kept.
pub struct Ends<'t> {
    /// The head.
    pub head: &'t str,
    /// Closes the block that the head leaves open.
    pub closing: &'static str,
    /// The tail.
    pub tail: &'t str,
}

impl Contents {
    /// Creates a table without entries.
    pub fn of(noun: &'static str) -> Self {
        Contents { noun, entries: Vec::new(), is_part: false }
    }

    /// Adds an entry, the head of a line, unless there are enough. The top level is 0:
    /// its entries are listed before those of the levels below.
    pub fn push(&mut self, line: usize, level: usize, text: &str) {
        let level = level.min(LEVELS - 1);
        if self.is_full(level) {
            self.is_part = true;
        } else {
            let text = format!("{line}: {}\n", lines::excerpt(text.as_bytes()));
            self.entries.push(Entry { line, level, text });
        }
    }

    /// Records that only a part of the text was inspected.
    pub fn set_part(&mut self) {
        self.is_part = true;
    }

    /// Returns whether there are enough entries to add none of a level.
    pub fn is_full(&self, level: usize) -> bool {
        self.entries.len() >= MAX_ENTRIES - level * SPARED
    }

    /// Truncates a text to `max` bytes: head, notice, as many entries as fit, and tail,
    /// where `ends` returns both ends for a number of bytes. None if no entry lies between
    /// the ends or fits there, or if the ends are not whole lines.
    pub fn cut<'t>(
        &self,
        text: &'t str,
        max: usize,
        ends: &dyn Fn(&'t str, usize) -> Ends<'t>,
    ) -> Option<String> {
        const END: &str = "...\n";
        // The ends get half of the bytes, and then what the list leaves.
        let omitted = self.between(text, &ends(text, max / 2))?;
        let fixed = omitted.notice_bytes(self.noun) + END.len();
        let available = max.checked_sub(max / 2 + fixed)?;
        let used = omitted.fitting(available).iter().map(|entry| entry.len()).sum::<usize>();
        let ends = ends(text, max - fixed - used);
        let omitted = self.between(text, &ends)?;
        let shown = omitted.fitting(used);
        if shown.is_empty() {
            return None;
        }
        let (first, last) = omitted.lines;
        let notice =
            wording::omitted_with_contents(first, last, shown.len(), &omitted.count(), self.noun) + "\n";
        let cut = [ends.head, ends.closing, &notice, &shown.concat(), END, ends.tail].concat();
        (cut.len() <= max).then_some(cut)
    }

    /// Returns the part between two ends; none if it is not whole lines.
    fn between(&self, text: &str, ends: &Ends<'_>) -> Option<Omitted<'_>> {
        let middle = &text[ends.head.len()..text.len() - ends.tail.len()];
        if !ends.head.ends_with('\n') || !middle.ends_with('\n') {
            return None;
        }
        let first = count_feeds(ends.head) + 1;
        let last = first + count_feeds(middle) - 1;
        let from = self.entries.partition_point(|entry| entry.line < first);
        let to = self.entries.partition_point(|entry| entry.line <= last);
        let is_part = self.is_part || self.is_full(0);
        Some(Omitted { lines: (first, last), entries: &self.entries[from..to], is_part })
    }
}

/// Lines that are omitted, and the entries that lead to them.
struct Omitted<'o> {
    /// The first and the last.
    lines: (usize, usize),
    entries: &'o [Entry],
    is_part: bool,
}

impl<'o> Omitted<'o> {
    /// Returns as many entries as fit, in their order: all of a level before any below it.
    fn fitting(&self, mut available: usize) -> Vec<&'o str> {
        let mut fits = vec![false; self.entries.len()];
        'levels: for level in 0..LEVELS {
            for (entry, fits) in self.entries.iter().zip(&mut fits).filter(|(entry, _)| entry.level == level)
            {
                let Some(rest) = available.checked_sub(entry.text.len()) else { break 'levels };
                available = rest;
                *fits = true;
            }
        }
        let shown = self.entries.iter().zip(fits).filter(|(_, fits)| *fits);
        shown.map(|(entry, _)| entry.text.as_str()).collect()
    }

    /// Returns the maximum bytes that the notice of these or fewer lines takes.
    fn notice_bytes(&self, noun: &str) -> usize {
        let (_, last) = self.lines;
        wording::omitted_with_contents(last, last, self.entries.len(), &self.count(), noun).len() + "\n".len()
    }

    /// Returns the number of entries, or the minimum number.
    fn count(&self) -> String {
        format!("{}{}", self.entries.len(), if self.is_part { "+" } else { "" })
    }
}

fn count_feeds(text: &str) -> usize {
    find::count(b'\n', text.as_bytes())
}
