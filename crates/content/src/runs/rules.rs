//! The rules of all tools in tables, by the first byte of the text that they match: a line is
//! compared with no others.

use super::line::{Meaning, ToolLine};
use super::profile::{Classify, Lead, Located, Profile};
use super::rule::{Refine, Rule};
use super::{PROFILES, Tool};

/// A rule of a tool.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The text that it begins with; empty if only the first byte is known.
    pub text: &'static [u8],
    /// The last bytes; empty if they are not known.
    pub last: &'static [u8],
    /// The classification.
    pub line: ToolLine,
    /// Classifies lines whose start alone is ambiguous.
    pub refine: Option<Refine>,
    first: u8,
}

/// Returns the rules for lines with a first byte. The longest text comes first, and among those of
/// the same length, that of the first tool.
#[inline]
pub fn prefixes(first: u8) -> &'static [Entry] {
    PREFIXES_BY_FIRST[usize::from(first)]
}

/// Returns the rules for the text after a number, in the same order.
pub fn counts(first: u8) -> &'static [Entry] {
    COUNTS_BY_FIRST[usize::from(first)]
}

/// Returns the rules for lines by more than their start, in the same order.
#[inline]
pub fn forms(first: u8) -> &'static [Entry] {
    FORMS_BY_FIRST[usize::from(first)]
}

static PREFIXES: [Entry; count(Part::Prefixes)] = sorted(Part::Prefixes);
static PREFIXES_BY_FIRST: [&[Entry]; 256] = by_first_byte(&PREFIXES);
static COUNTS: [Entry; count(Part::Counts)] = sorted(Part::Counts);
static COUNTS_BY_FIRST: [&[Entry]; 256] = by_first_byte(&COUNTS);
static FORMS: [Entry; count(Part::Forms)] = sorted(Part::Forms);
static FORMS_BY_FIRST: [&[Entry]; 256] = by_first_byte(&FORMS);

/// A part of a profile with rules.
#[derive(Clone, Copy)]
enum Part {
    Prefixes,
    Counts,
    Forms,
}

const fn rules_of(profile: &'static Profile, part: Part) -> &'static [Rule] {
    match part {
        Part::Prefixes => profile.prefixes,
        Part::Counts => profile.counts,
        Part::Forms => profile.forms,
    }
}

/// Returns the number of entries for the rules of all tools: one for each first byte.
const fn count(part: Part) -> usize {
    let (mut count, mut tool) = (0, 0);
    while tool < PROFILES.len() {
        let rules = rules_of(&PROFILES[tool], part);
        let mut at = 0;
        while at < rules.len() {
            count += if rules[at].first.is_empty() { 1 } else { rules[at].first.len() };
            at += 1;
        }
        tool += 1;
    }
    count
}

/// Returns the entries of all tools, by their first bytes.
const fn sorted<const COUNT: usize>(part: Part) -> [Entry; COUNT] {
    const NONE: Entry = Entry {
        text: b"",
        last: b"",
        line: ToolLine::new(Tool::Any, Meaning::Progress, 0),
        refine: None,
        first: 0,
    };
    let mut all = [NONE; COUNT];
    let (mut count, mut tool) = (0, 0);
    while tool < PROFILES.len() {
        let rules = rules_of(&PROFILES[tool], part);
        let mut at = 0;
        while at < rules.len() {
            let rule = rules[at];
            let bytes = if rule.first.is_empty() { rule.text.as_bytes().split_at(1).0 } else { rule.first };
            let mut byte = 0;
            while byte < bytes.len() {
                let entry = Entry {
                    text: rule.text.as_bytes(),
                    last: rule.last,
                    line: ToolLine::new(Tool::ALL[tool], rule.meaning, rule.weight),
                    refine: rule.refine,
                    first: bytes[byte],
                };
                let mut to = count;
                while to > 0 && precedes(&entry, &all[to - 1]) {
                    all[to] = all[to - 1];
                    to -= 1;
                }
                all[to] = entry;
                count += 1;
                byte += 1;
            }
            at += 1;
        }
        tool += 1;
    }
    all
}

const fn precedes(one: &Entry, other: &Entry) -> bool {
    one.first < other.first || one.first == other.first && one.text.len() > other.text.len()
}

const fn by_first_byte(mut rest: &'static [Entry]) -> [&'static [Entry]; 256] {
    let mut groups: [&[Entry]; 256] = [&[]; 256];
    while let [entry, ..] = rest {
        let mut count = 1;
        while count < rest.len() && rest[count].first == entry.first {
            count += 1;
        }
        (groups[entry.first as usize], rest) = rest.split_at(count);
    }
    groups
}

/// Collects a function that few tools have, with its tools.
macro_rules! collected {
    ($(#[$doc:meta])* $name:ident: $function:ty = $field:ident) => {
        $(#[$doc])*
        pub static $name: &[(Tool, $function)] = &{
            const FIRST: (usize, $function) = {
                let mut tool = 0;
                loop {
                    if let Some(function) = PROFILES[tool].$field {
                        break (tool, function);
                    }
                    tool += 1;
                }
            };
            const COUNT: usize = {
                let (mut count, mut tool) = (0, 0);
                while tool < PROFILES.len() {
                    count += PROFILES[tool].$field.is_some() as usize;
                    tool += 1;
                }
                count
            };
            let mut all = [(Tool::ALL[FIRST.0], FIRST.1); COUNT];
            let (mut count, mut tool) = (0, 0);
            while tool < PROFILES.len() {
                if let Some(function) = PROFILES[tool].$field {
                    all[count] = (Tool::ALL[tool], function);
                    count += 1;
                }
                tool += 1;
            }
            all
        };
    };
}

collected! {
    /// See [`Profile::lead`].
    LEADS: Lead = lead
}
collected! {
    /// See [`Profile::indented`].
    INDENTED: Classify = indented
}
collected! {
    /// See [`Profile::located`].
    LOCATED: fn(&Located) -> Option<Meaning> = located
}
collected! {
    /// See [`Profile::compiles`].
    COMPILERS: fn(&Located) -> bool = compiles
}
collected! {
    /// See [`Profile::script`].
    SCRIPTS: fn(&[u8]) -> bool = script
}

/// Returns whether a line is a message that a tool prints before the output of a tool that it runs,
/// or names the script that it runs.
pub fn is_before(line: &[u8]) -> bool {
    is_around(line, |profile| profile.before)
}

/// Returns whether a line is a message that a tool prints after such output.
pub fn is_after(line: &[u8]) -> bool {
    is_around(line, |profile| profile.behind)
}

/// Returns whether a text that begins with messages of a tool has its own output after them.
pub fn is_before_text(text: &[u8]) -> bool {
    let mut starts = PROFILES.iter().flat_map(|profile| profile.before_text);
    starts.any(|start| text.starts_with(start.as_bytes()))
}

fn is_around(line: &[u8], messages: fn(&Profile) -> &[&str]) -> bool {
    let begins = |start: &&str| line.starts_with(start.as_bytes()) || line == start.trim_end().as_bytes();
    PROFILES.iter().any(|profile| messages(profile).iter().any(begins))
        || SCRIPTS.iter().any(|(_, is_script)| is_script(line))
}
