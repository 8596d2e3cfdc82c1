//! Outlines: names and what stands behind them, as many as fit.

pub mod json;

use tuckaway_json::write::{escaped_len, quote};

/// What stands behind a name.
pub enum Entry {
    /// A description.
    Text(String),
    /// A number.
    Number(u64),
    /// Members of a record and their descriptions, and how many more it has.
    Members(Vec<(String, String)>, u64),
    /// The same in ever fewer words: the first stand that fit.
    Levels(Vec<Vec<(String, String)>>),
}

/// Names and what stands behind them, the most telling first.
#[derive(Default)]
pub struct Outline {
    entries: Vec<(String, Entry)>,
    /// jq refuses the content, though its kind has values: it is not read to its end.
    pub refuses_jq: bool,
}

impl Outline {
    /// Adds a line.
    pub fn push(&mut self, name: impl Into<String>, entry: Entry) {
        self.entries.push((name.into(), entry));
    }

    /// Adds members, if there are any, and how many more there are.
    pub fn push_members(&mut self, name: &str, members: Vec<(String, String)>, more: u64) {
        if !members.is_empty() {
            self.push(name, Entry::Members(members, more));
        }
    }

    /// Adds how many lines there are of what these say, behind what it is.
    pub fn add_lines(&mut self, count: u64) {
        let is_kind = |(name, _): &(String, Entry)| name == "kind";
        let place = usize::from(self.entries.first().is_some_and(is_kind));
        self.entries.insert(place, ("lines".to_owned(), Entry::Number(count)));
    }

    /// Adds the lines of another shape.
    pub fn append(&mut self, mut others: Outline) {
        self.entries.append(&mut others.entries);
    }

    /// The same where jq has no answer: paths that are no filters, as they do not
    /// begin with a dot.
    pub fn into_places(mut self) -> Outline {
        for (name, _) in &mut self.entries {
            *name = match name.strip_prefix('.') {
                Some("") => "(top)".to_owned(),
                path => path.unwrap_or(name).to_owned(),
            };
        }
        self
    }

    /// How many lines there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The lines as a JSON object of at most `max_bytes`: all of the first that
    /// fit, members of a record as far as they fit, and how many were left out
    /// under the name `…`. `{}` where there is room for nothing.
    pub fn to_json(&self, max_bytes: usize, layout: &Layout) -> String {
        let frame = layout.open.len() + layout.close.len();
        let mut json = Bounded { json: layout.open.to_owned(), left: max_bytes.saturating_sub(frame) };
        let empty = json.json.len();
        for (index, (name, entry)) in self.entries.iter().enumerate() {
            let lead = if json.json.len() == empty { "" } else { layout.separator };
            // Room is kept for the note that more was left out, unless this is the last.
            let note = format!("{lead}{}", more_note((self.entries.len() - index) as u64));
            let spare = if index + 1 == self.entries.len() { 0 } else { layout.separator.len() + note.len() };
            let name = format!("{lead}{}: ", quote(name));
            let stands = match entry {
                Entry::Text(text) => json.push_if_fits(&(name + &quote(text)), spare),
                Entry::Number(number) => json.push_if_fits(&(name + &number.to_string()), spare),
                Entry::Members(members, more) => json.push_members(&name, members, *more, spare),
                Entry::Levels(levels) => {
                    let room = json.left.saturating_sub(name.len() + spare + "{}".len());
                    let fits = |members: &&Vec<_>| members.iter().map(member_len).sum::<usize>() <= room;
                    let members = levels.iter().find(fits).or(levels.last());
                    members.is_some_and(|members| json.push_members(&name, members, 0, spare))
                }
            };
            if !stands {
                json.push_if_fits(&note, 0);
                break;
            }
        }
        if json.json.len() == empty {
            return "{}".to_owned();
        }
        json.json + layout.close
    }
}

/// Adds texts by their line, and how many more there are.
pub fn push_numbered(outline: &mut Outline, name: &str, texts: Vec<(u64, String)>, more: u64) {
    let members = texts.into_iter().map(|(line, text)| (line.to_string(), text));
    outline.push_members(name, members.collect(), more);
}

/// How the lines of an outline are set.
pub struct Layout {
    open: &'static str,
    separator: &'static str,
    close: &'static str,
}

impl Layout {
    /// All on one line.
    pub const ONE_LINE: Layout = Layout { open: "{", separator: ", ", close: "}" };
    /// A line each, as a member of an object that is set two spaces in.
    pub const NESTED: Layout = Layout { open: "{\n    ", separator: ",\n    ", close: "\n  }" };
}

/// The most that a member takes in a record.
fn member_len((key, text): &(String, String)) -> usize {
    escaped_len(key) + escaped_len(text) + "\"\": \"\", ".len()
}

fn more_note(left_out: u64) -> String {
    format!("\"…\": \"{left_out} more\"")
}

/// JSON that grows as far as its bound.
struct Bounded {
    json: String,
    left: usize,
}

impl Bounded {
    fn push_if_fits(&mut self, text: &str, spare: usize) -> bool {
        let fits = text.len() + spare <= self.left;
        if fits {
            self.json.push_str(text);
            self.left -= text.len();
        }
        fits
    }

    /// All members, or those that fit, and a note of the others, of which there are
    /// `more` than these; nothing if fewer than two fit. Whether the line stands, in
    /// whole or in part.
    fn push_members(&mut self, name: &str, members: &[(String, String)], more: u64, spare: usize) -> bool {
        let room = self.left.saturating_sub(name.len() + spare + "{}".len());
        let left_out = |fitting: usize| (members.len() - fitting) as u64 + more;
        let note_cost = more_note(left_out(0)).len();
        let mut used = 0;
        let mut fitting = 0;
        for (index, member) in members.iter().enumerate() {
            used += member_len(member);
            let note = if left_out(index + 1) == 0 { 0 } else { note_cost };
            if used + note > room {
                break;
            }
            fitting = index + 1;
        }
        if fitting < members.len().min(2) {
            return false;
        }
        let mut parts: Vec<String> =
            members[..fitting].iter().map(|(key, text)| format!("{}: {}", quote(key), quote(text))).collect();
        if left_out(fitting) > 0 {
            parts.push(more_note(left_out(fitting)));
        }
        self.push_if_fits(&format!("{name}{{{}}}", parts.join(", ")), spare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(names: &[String]) -> Outline {
        let mut entries = Outline::default();
        for (index, name) in names.iter().enumerate() {
            entries.push(
                name.clone(),
                match index % 3 {
                    0 => Entry::Text(name.repeat(2)),
                    1 => Entry::Number(index as u64),
                    _ => Entry::Members(
                        names.iter().map(|n| (n.clone(), "string".to_owned())).collect(),
                        index as u64 / 3,
                    ),
                },
            );
        }
        entries
    }

    #[test]
    fn fewer_words_are_better_than_fewer_members() {
        let level = |text: &str| (0..5).map(|i| (format!("key{i}"), text.to_owned())).collect();
        let mut entries = Outline::default();
        entries.push("rows", Entry::Levels(vec![level("many words"), level("words"), level("w")]));
        let json = |max| entries.to_json(max, &Layout::ONE_LINE);
        assert!(json(500).contains(r#""key4": "many words""#));
        assert!(json(110).contains(r#""key4": "words""#), "{}", json(110));
        assert_eq!(json(60), r#"{"rows": {"key0": "w", "key1": "w", "…": "3 more"}}"#);
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let names: Vec<String> = (0..20).map(|i| format!("key{i}")).collect();
        let mut entries = Outline::default();
        entries.push("rows", Entry::Text("array(2)".into()));
        entries.push_members(".rows[]", names.iter().map(|n| (n.clone(), "string".into())).collect(), 0);
        entries.push(".last", Entry::Text("x".repeat(40)));
        assert_eq!(
            entries.to_json(130, &Layout::ONE_LINE),
            r#"{"rows": "array(2)", ".rows[]": {"key0": "string", "key1": "string", "key2": "string", "…": "17 more"}, "…": "1 more"}"#
        );
        assert_eq!(entries.to_json(60, &Layout::ONE_LINE), r#"{"rows": "array(2)", "…": "2 more"}"#);
        assert_eq!(entries.to_json(4, &Layout::ONE_LINE), "{}");
    }

    #[test]
    fn what_was_not_remembered_counts_as_left_out() {
        let mut entries = Outline::default();
        let members = |count| (0..count).map(|i| (format!("key{i}"), "string".to_owned())).collect();
        entries.push_members("some", members(5), 100);
        entries.push_members("one", members(1), 7);
        entries.push_members("none", members(0), 0);
        let json = |max| entries.to_json(max, &Layout::ONE_LINE);
        assert!(json(500).contains(r#""key4": "string", "…": "100 more"}"#), "{}", json(500));
        assert!(json(500).ends_with(r#""one": {"key0": "string", "…": "7 more"}}"#), "{}", json(500));
        assert!(json(90).contains(r#""key1": "string", "…": "103 more"}"#), "{}", json(90));
    }

    proptest! {
        #[test]
        fn shapes_parse_and_stay_within_their_bound(
            names in proptest::collection::vec("[a-z\"\\\\\n€]{0,12}", 0..12),
            max in 2usize..400,
        ) {
            for layout in [Layout::ONE_LINE, Layout::NESTED] {
                let json = sample(&names).to_json(max, &layout);
                prop_assert!(json.len() <= max, "{} > {max}", json.len());
                prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{}", json);
            }
        }
    }
}
