//! Cutting a text that has an outline: two ends, and between them the entries of
//! the outline that lead to what was left out.

use tuckaway_search::find;

use crate::line as lines;
use crate::wording;

/// Outline that are looked for: more than any view has room for.
const MAX_ENTRIES: usize = 2_048;
/// What is below so many levels is of the last of them.
const LEVELS: usize = 6;
/// Outline for which each level leaves room to the one above.
const SPARED: usize = 256;

/// What a text is made of: declarations, headings.
pub struct Contents {
    /// What the entries are called.
    pub noun: &'static str,
    entries: Vec<Entry>,
    /// There may be more of them.
    is_part: bool,
}

struct Entry {
    /// From 1.
    line: usize,
    level: usize,
    /// How it is listed.
    text: String,
}

/// The two ends of a text.
pub struct Ends<'t> {
    pub head: &'t str,
    /// What closes that which the head leaves open.
    pub closing: &'static str,
    pub tail: &'t str,
}

impl Contents {
    /// No entries yet.
    pub fn of(noun: &'static str) -> Self {
        Contents { noun, entries: Vec::new(), is_part: false }
    }

    /// Adds an entry, the head of a line, unless there are more than enough. The
    /// highest level is 0: what is there is listed before what is below.
    pub fn push(&mut self, line: usize, level: usize, text: &str) {
        let level = level.min(LEVELS - 1);
        if self.is_full(level) {
            self.is_part = true;
        } else {
            let text = format!("{line}: {}\n", lines::excerpt(text.as_bytes()));
            self.entries.push(Entry { line, level, text });
        }
    }

    /// Not all of the text was looked at: there may be more entries.
    pub fn set_part(&mut self) {
        self.is_part = true;
    }

    /// Whether there are more than enough entries to add one of a level.
    pub fn is_full(&self, level: usize) -> bool {
        self.entries.len() >= MAX_ENTRIES - level * SPARED
    }

    /// Head, notice, as many entries as fit, and tail, in at most `max` bytes.
    /// None if there is no room, or no entry, between the ends, or if the ends
    /// that `ends` gives for a number of bytes do not meet between lines.
    pub fn cut<'t>(
        &self,
        text: &'t str,
        max: usize,
        ends: &dyn Fn(&'t str, usize) -> Ends<'t>,
    ) -> Option<String> {
        const END: &str = "...\n";
        // First half of the room for the ends; what the list then leaves goes to them.
        let list = self.between(text, &ends(text, max / 2))?;
        let fixed = list.notice_bytes(self.noun) + END.len();
        let room = max.checked_sub(max / 2 + fixed)?;
        let used = list.fitting(room).iter().map(|entry| entry.len()).sum::<usize>();
        let ends = ends(text, max - fixed - used);
        let list = self.between(text, &ends)?;
        let shown = list.fitting(used);
        if shown.is_empty() {
            return None;
        }
        let (first, last) = list.lines;
        let notice =
            wording::left_out_with_outline(first, last, shown.len(), &list.count(), self.noun) + "\n";
        let cut = [ends.head, ends.closing, &notice, &shown.concat(), END, ends.tail].concat();
        (cut.len() <= max).then_some(cut)
    }

    /// What lies between two ends; none if that is not a number of whole lines.
    fn between(&self, text: &str, ends: &Ends<'_>) -> Option<Between<'_>> {
        let middle = &text[ends.head.len()..text.len() - ends.tail.len()];
        if !ends.head.ends_with('\n') || !middle.ends_with('\n') {
            return None;
        }
        let first = count_feeds(ends.head) + 1;
        let last = first + count_feeds(middle) - 1;
        let from = self.entries.partition_point(|entry| entry.line < first);
        let to = self.entries.partition_point(|entry| entry.line <= last);
        let is_part = self.is_part || self.is_full(0);
        Some(Between { lines: (first, last), entries: &self.entries[from..to], is_part })
    }
}

/// Lines that were left out, and the entries that lead to them.
struct Between<'o> {
    lines: (usize, usize),
    entries: &'o [Entry],
    is_part: bool,
}

impl<'o> Between<'o> {
    /// As many as fit, in their order: all of a level before any below it.
    fn fitting(&self, mut room: usize) -> Vec<&'o str> {
        let mut fits = vec![false; self.entries.len()];
        'levels: for level in 0..LEVELS {
            for (entry, fits) in self.entries.iter().zip(&mut fits).filter(|(entry, _)| entry.level == level)
            {
                let Some(rest) = room.checked_sub(entry.text.len()) else { break 'levels };
                room = rest;
                *fits = true;
            }
        }
        let shown = self.entries.iter().zip(fits).filter(|(_, fits)| *fits);
        shown.map(|(entry, _)| entry.text.as_str()).collect()
    }

    /// The longest that the notice of these or fewer lines can be.
    fn notice_bytes(&self, noun: &str) -> usize {
        let (_, last) = self.lines;
        wording::left_out_with_outline(last, last, self.entries.len(), &self.count(), noun).len() + "\n".len()
    }

    /// How many entries there are, or are at least.
    fn count(&self) -> String {
        format!("{}{}", self.entries.len(), if self.is_part { "+" } else { "" })
    }
}

fn count_feeds(text: &str) -> usize {
    find::count(b'\n', text.as_bytes())
}
