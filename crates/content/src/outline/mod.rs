//! Outlines: descriptions of the parts of content, by name, as far as they fit.

pub mod json;

use tuckaway_json::write::{escaped_len, push_string, quote};

/// The content of an outline under one name.
pub enum Entry {
    /// A description.
    Text(String),
    /// A number.
    Number(u64),
    /// Members of a record and their descriptions, and the number of further members.
    Members(Vec<(String, String)>, u64),
    /// Members that are described when they are shown. Those with equal descriptions are shown as
    /// one, under all their names.
    Described(Box<dyn Fn() -> Vec<(String, String)>>),
    /// Members described in ever fewer words. The first description that fits is shown.
    Levels(Vec<Vec<(String, String)>>),
}

/// An outline: entries by name, the most useful first.
#[derive(Default)]
pub struct Outline {
    entries: Vec<(String, Entry)>,
    /// jq refuses the content, though its kind can be queried: it cannot be read to its end.
    pub refuses_jq: bool,
    /// jq queries the content, though its kind cannot be queried: it contains JSON.
    pub answers_jq: bool,
    /// The content is records of a run that failed: some of them say why.
    pub reports_failure: bool,
}

impl Outline {
    /// Adds an entry.
    pub fn push(&mut self, name: impl Into<String>, entry: Entry) {
        self.entries.push((name.into(), entry));
    }

    /// Adds members, if there are any, and the number of further ones.
    pub fn push_members(&mut self, name: &str, members: Vec<(String, String)>, more: u64) {
        if !members.is_empty() {
            self.push(name, Entry::Members(members, more));
        }
    }

    /// Adds the number of lines of the content, after its kind.
    pub fn add_lines(&mut self, count: u64) {
        self.insert("lines", Entry::Number(count));
    }

    /// Adds an entry after the kind.
    pub fn insert(&mut self, name: &str, entry: Entry) {
        let is_kind = |(name, _): &(String, Entry)| name == "kind";
        let index = usize::from(self.entries.first().is_some_and(is_kind));
        self.entries.insert(index, (name.to_owned(), entry));
    }

    /// Adds the entries of another outline.
    pub fn append(&mut self, mut others: Outline) {
        self.reports_failure |= others.reports_failure;
        self.entries.append(&mut others.entries);
    }

    /// Turns jq paths into names that do not look like filters: without the dot at their
    /// start. For content that jq cannot query.
    pub fn without_filters(mut self) -> Outline {
        for (name, _) in &mut self.entries {
            *name = match name.strip_prefix('.') {
                Some("") => "(top)".to_owned(),
                path => path.unwrap_or(name).to_owned(),
            };
        }
        self
    }

    /// Returns the number of entries.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the outline as a JSON object of at most `max_bytes`: the first entries that
    /// fit, members of a record as far as they fit, and under the name `…` the number of omitted
    /// ones. `{}` if nothing fits.
    pub fn to_json(&self, max_bytes: usize, layout: &Layout) -> String {
        let frame = layout.open.len() + layout.close.len();
        let mut json = Bounded { json: layout.open.to_owned(), left: max_bytes.saturating_sub(frame) };
        let empty = json.json.len();
        for (index, (name, entry)) in self.entries.iter().enumerate() {
            let lead = if json.json.len() == empty { "" } else { layout.separator };
            // Keeps space for the note that entries are omitted, unless this is the last.
            let note = [lead, &more_note((self.entries.len() - index) as u64)].concat();
            let spare = if index + 1 == self.entries.len() { 0 } else { layout.separator.len() + note.len() };
            let name = [lead, &quote(name), ": "].concat();
            let is_pushed = match entry {
                Entry::Text(text) => json.push_if_fits(&(name + &quote(text)), spare),
                Entry::Number(number) => json.push_if_fits(&(name + &number.to_string()), spare),
                Entry::Members(members, more) => json.push_members(&name, members, *more, spare),
                Entry::Described(describe) => json.push_grouped(&name, &describe(), spare),
                Entry::Levels(levels) => {
                    let space = json.left.saturating_sub(name.len() + spare + "{}".len());
                    let fits = |members: &&Vec<_>| members.iter().map(member_len).sum::<usize>() <= space;
                    let members = levels.iter().find(fits).or(levels.last());
                    members.is_some_and(|members| json.push_members(&name, members, 0, spare))
                }
            };
            if !is_pushed {
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

/// Adds texts by line, and the number of further ones.
pub fn push_numbered(outline: &mut Outline, name: &str, texts: Vec<(u64, String)>, more: u64) {
    let members = texts.into_iter().map(|(line, text)| (line.to_string(), text));
    outline.push_members(name, members.collect(), more);
}

/// The layout of an outline's entries.
pub struct Layout {
    open: &'static str,
    separator: &'static str,
    close: &'static str,
}

impl Layout {
    /// All on one line.
    pub const ONE_LINE: Layout = Layout { open: "{", separator: ", ", close: "}" };
    /// A line each, in an object that is indented by two spaces.
    pub const NESTED: Layout = Layout { open: "{\n    ", separator: ",\n    ", close: "\n  }" };
}

/// Returns the maximum bytes that a member takes in a record.
fn member_len((key, text): &(String, String)) -> usize {
    escaped_len(key) + escaped_len(text) + "\"\": \"\", ".len()
}

/// Returns the number of members that fit, together with the note that counts the rest. `more`
/// members are not among the given ones. `used` gets one member after the other, and returns the
/// bytes that all members so far take.
fn fitting(
    members: &[(String, String)],
    more: u64,
    space: usize,
    mut used: impl FnMut(&(String, String)) -> usize,
) -> usize {
    let mut fitting = 0;
    for (index, member) in members.iter().enumerate() {
        let used = used(member);
        if used > space {
            break;
        }
        let omitted = (members.len() - index - 1) as u64 + more;
        if used + if omitted == 0 { 0 } else { more_note(omitted).len() } <= space {
            fitting = index + 1;
        }
    }
    fitting
}

/// Members in groups of equal descriptions.
#[derive(Default)]
struct Groups {
    /// One for each group: its names and their description.
    members: Vec<(String, String)>,
    /// The groups to which names may be added.
    open: Vec<usize>,
    /// Maximum bytes that the groups take in a record.
    len: usize,
}

impl Groups {
    /// Adds a member. A name that could be taken for several stays alone.
    fn add(&mut self, member @ (key, text): &(String, String)) {
        let is_plain = !key.contains([',', '"']);
        let group = self.open.iter().copied().find(|&group| is_plain && self.members[group].1 == *text);
        if let Some(group) = group {
            self.members[group].0 += &[", ", key].concat();
            self.len += ", ".len() + escaped_len(key);
            return;
        }
        self.open.extend(is_plain.then_some(self.members.len()));
        self.members.push(member.clone());
        self.len += member_len(member);
    }
}

/// Returns the note that members are omitted.
fn more_note(omitted: u64) -> String {
    format!("\"…\": \"{omitted} more\"")
}

/// JSON that grows up to a bound.
struct Bounded {
    json: String,
    left: usize,
}

impl Bounded {
    /// Adds a text if it leaves `spare` bytes; returns whether it does.
    fn push_if_fits(&mut self, text: &str, spare: usize) -> bool {
        let fits = text.len() + spare <= self.left;
        if fits {
            self.json.push_str(text);
            self.left -= text.len();
        }
        fits
    }

    /// Adds the members that fit, and a note with the number of the others, like
    /// [`Bounded::push_members`]. The names of members with equal descriptions are joined: `"id,
    /// size": "integer"`.
    fn push_grouped(&mut self, name: &str, members: &[(String, String)], spare: usize) -> bool {
        let space = self.left.saturating_sub(name.len() + spare + "{}".len());
        let mut groups = Groups::default();
        let fitting = fitting(members, 0, space, |member| {
            groups.add(member);
            groups.len
        });
        let mut shown = Groups::default();
        members[..fitting].iter().for_each(|member| shown.add(member));
        fitting >= members.len().min(2)
            && self.push_members(name, &shown.members, (members.len() - fitting) as u64, spare)
    }

    /// Adds the members that fit, and a note with the number of the others; `more` are not given.
    /// Adds nothing if fewer than two fit. Returns whether it added any.
    fn push_members(&mut self, name: &str, members: &[(String, String)], more: u64, spare: usize) -> bool {
        let space = self.left.saturating_sub(name.len() + spare + "{}".len());
        let mut used = 0;
        let fitting = fitting(members, more, space, |member| {
            used += member_len(member);
            used
        });
        let omitted = (members.len() - fitting) as u64 + more;
        if fitting < members.len().min(2) {
            return false;
        }
        let mut json = Vec::with_capacity(name.len() + used.min(space) + "{}".len());
        json.extend_from_slice(name.as_bytes());
        json.push(b'{');
        for (index, (key, text)) in members[..fitting].iter().enumerate() {
            json.extend_from_slice(if index > 0 { b", " } else { b"" });
            push_string(&mut json, key.as_bytes());
            json.extend_from_slice(b": ");
            push_string(&mut json, text.as_bytes());
        }
        if omitted > 0 {
            json.extend_from_slice(if fitting > 0 { b", " } else { b"" });
            json.extend_from_slice(more_note(omitted).as_bytes());
        }
        json.push(b'}');
        // Texts and what is between them.
        self.push_if_fits(&String::from_utf8(json).unwrap_or_default(), spare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outline_of(names: &[String]) -> Outline {
        let mut outline = Outline::default();
        for (index, name) in names.iter().enumerate() {
            outline.push(
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
        outline
    }

    #[test]
    fn names_with_equal_descriptions_are_joined() {
        let json = |members: &[(&str, &str)], max| {
            let members: Vec<_> =
                members.iter().map(|&(key, text)| (key.to_owned(), text.to_owned())).collect();
            let mut outline = Outline::default();
            outline.push("r", Entry::Described(Box::new(move || members.clone())));
            outline.to_json(max, &Layout::ONE_LINE)
        };
        let members = [("a", "string"), ("n", "integer"), ("b", "string"), ("c", "string")];
        assert_eq!(json(&members, 100), r#"{"r": {"a, b, c": "string", "n": "integer"}}"#);
        // A name that could be taken for several, or whose quotes could end it, stays alone.
        let members = [("a, b", "string"), ("c", "string"), ("\"d", "string"), ("e", "string")];
        assert_eq!(json(&members, 100), r#"{"r": {"a, b": "string", "c, e": "string", "\"d": "string"}}"#);
        let members = [("a", "string"), ("n", "integer"), ("t", "boolean"), ("b", "string")];
        assert_eq!(json(&members, 64), r#"{"r": {"a, b": "string", "n": "integer", "t": "boolean"}}"#);
        assert_eq!(json(&members, 55), r#"{"r": {"a": "string", "n": "integer", "…": "2 more"}}"#);
        assert_eq!(json(&members, 30), r#"{"…": "1 more"}"#);
    }

    #[test]
    fn fewer_words_are_better_than_fewer_members() {
        let level = |text: &str| (0..5).map(|i| (format!("key{i}"), text.to_owned())).collect();
        let mut outline = Outline::default();
        outline.push("rows", Entry::Levels(vec![level("many words"), level("words"), level("w")]));
        let json = |max| outline.to_json(max, &Layout::ONE_LINE);
        assert!(json(500).contains(r#""key4": "many words""#));
        assert!(json(110).contains(r#""key4": "words""#), "{}", json(110));
        assert_eq!(json(60), r#"{"rows": {"key0": "w", "key1": "w", "…": "3 more"}}"#);
    }

    #[test]
    fn omitted_entries_are_counted() {
        let names: Vec<String> = (0..20).map(|i| format!("key{i}")).collect();
        let mut outline = Outline::default();
        outline.push("rows", Entry::Text("array(2)".into()));
        outline.push_members(".rows[]", names.iter().map(|n| (n.clone(), "string".into())).collect(), 0);
        outline.push(".last", Entry::Text("x".repeat(40)));
        assert_eq!(
            outline.to_json(130, &Layout::ONE_LINE),
            r#"{"rows": "array(2)", ".rows[]": {"key0": "string", "key1": "string", "key2": "string", "…": "17 more"}, "…": "1 more"}"#
        );
        assert_eq!(outline.to_json(60, &Layout::ONE_LINE), r#"{"rows": "array(2)", "…": "2 more"}"#);
        assert_eq!(outline.to_json(4, &Layout::ONE_LINE), "{}");
    }

    #[test]
    fn members_that_were_not_kept_count_as_omitted() {
        let mut outline = Outline::default();
        let members = |count| (0..count).map(|i| (format!("key{i}"), "string".to_owned())).collect();
        outline.push_members("some", members(5), 100);
        outline.push_members("one", members(1), 7);
        outline.push_members("none", members(0), 0);
        let json = |max| outline.to_json(max, &Layout::ONE_LINE);
        assert!(json(500).contains(r#""key4": "string", "…": "100 more"}"#), "{}", json(500));
        assert!(json(500).ends_with(r#""one": {"key0": "string", "…": "7 more"}}"#), "{}", json(500));
        assert!(json(90).contains(r#""key1": "string", "…": "103 more"}"#), "{}", json(90));
    }

    proptest! {
        #[test]
        fn outlines_parse_and_are_bounded(
            names in proptest::collection::vec("[a-z\"\\\\\n€]{0,12}", 0..12),
            max in 2usize..400,
        ) {
            for layout in [Layout::ONE_LINE, Layout::NESTED] {
                let json = outline_of(&names).to_json(max, &layout);
                prop_assert!(json.len() <= max, "{} > {max}", json.len());
                prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{}", json);
            }
        }
    }
}
