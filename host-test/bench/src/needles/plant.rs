//! Plants facts in a text, so that it stays valid: in JSON as another element or member, in
//! a table before a row's first cell, elsewhere at the end of a line.

use std::collections::BTreeSet;

use crate::generated::Numbers;

/// The prefix of every fact.
pub const LEAD: &str = "FACT-";
/// The number of hexadecimal digits after it.
pub const DIGITS: usize = 12;

/// Where a fact can be in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// JSON, or JSON on each line.
    Json,
    /// Rows below a header.
    Table,
    /// Lines.
    Text,
}

impl Kind {
    /// Returns the kind of a file by its extension.
    pub fn of_extension(extension: &str) -> Option<Kind> {
        match extension {
            "json" | "ndjson" => Some(Kind::Json),
            "csv" => Some(Kind::Table),
            "log" => Some(Kind::Text),
            _ => None,
        }
    }
}

/// A text with its facts.
pub struct Planted {
    /// The text.
    pub text: String,
    /// The facts, in order.
    pub facts: Vec<String>,
}

/// Plants facts in a text of `chunks` chunks: the first one as early and the last one as late
/// as possible, some near the borders of chunks, the others anywhere.
pub fn plant(text: &str, kind: Kind, count: usize, chunks: usize) -> Planted {
    let mut numbers = Numbers(text.len() as u64);
    let borders = [1, chunks / 2, chunks.saturating_sub(1)].into_iter().filter(|at| (1..chunks).contains(at));
    let mut wanted: BTreeSet<usize> = borders.map(|at| text.len() / chunks * at).collect();
    while wanted.len() + 2 < count.min(text.len()) {
        let share = u64::from(numbers.below(1 << 20));
        wanted.insert(((text.len() as u64 * share) >> 20) as usize);
    }
    let (mut planted, mut facts, mut from) = (String::with_capacity(text.len() + 64 * count), Vec::new(), 0);
    for place in places(text, kind, &wanted) {
        let digits = format!("{:06x}{:06x}", numbers.below(1 << 24), numbers.below(1 << 24));
        let fact = format!("{LEAD}{digits}");
        planted.push_str(&text[from..place.at]);
        planted.push_str(&place.form.written(&fact, facts.len()));
        facts.push(fact);
        from = place.at;
    }
    planted.push_str(&text[from..]);
    Planted { text: planted, facts }
}

/// Returns the facts that a text has, each once, in order.
pub fn facts(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(LEAD) {
        let Some(fact) = text.get(at..at + LEAD.len() + DIGITS) else { continue };
        let is_fact = fact.bytes().skip(LEAD.len()).all(|byte| byte.is_ascii_hexdigit());
        if is_fact && !found.contains(&fact) {
            found.push(fact);
        }
    }
    found
}

/// The form of a fact at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Element,
    Member,
    Cell,
    Words,
}

impl Form {
    fn written(self, fact: &str, index: usize) -> String {
        match self {
            Form::Element => format!("\"{fact}\","),
            Form::Member => format!("\"note_{index}\":\"{fact}\","),
            Form::Cell => format!("{fact} "),
            Form::Words => format!(" {fact}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    at: usize,
    form: Form,
}

/// Returns the first place, the next one after each wanted offset, and the last one.
fn places(text: &str, kind: Kind, wanted: &BTreeSet<usize>) -> Vec<Place> {
    let mut wanted = wanted.iter().copied().peekable();
    let (mut chosen, mut last): (Vec<Place>, Option<Place>) = (Vec::new(), None);
    let mut visit = |place: Place| {
        // One offset is dropped for each place, so that several do not have the same.
        if chosen.is_empty() || wanted.next_if(|at| *at <= place.at).is_some() {
            chosen.push(place);
        }
        last = Some(place);
    };
    match kind {
        Kind::Json => commas(text.as_bytes(), &mut visit),
        Kind::Table => line_feeds(text, |feed| {
            if feed + 1 < text.len() {
                visit(Place { at: feed + 1, form: Form::Cell });
            }
        }),
        Kind::Text => line_feeds(text, |feed| {
            let at = if text[..feed].ends_with('\r') { feed - 1 } else { feed };
            visit(Place { at, form: Form::Words });
        }),
    }
    chosen.extend(last.filter(|last| chosen.last() != Some(last)));
    chosen
}

fn line_feeds(text: &str, mut visit: impl FnMut(usize)) {
    text.match_indices('\n').for_each(|(at, _)| visit(at));
}

/// Visits the places after commas outside strings.
fn commas(json: &[u8], visit: &mut impl FnMut(Place)) {
    let (mut is_string, mut is_escaped, mut forms) = (false, false, Vec::new());
    for (at, byte) in json.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'[' => forms.push(Form::Element),
            b'{' => forms.push(Form::Member),
            b']' | b'}' => drop(forms.pop()),
            b',' => {
                if let Some(&form) = forms.last() {
                    visit(Place { at: at + 1, form });
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 10;

    #[test]
    fn facts_are_unique_in_order_and_the_same_in_each_run() {
        let text: String = (0..500).map(|n| format!("line {n} of a text\n")).collect();
        let planted = plant(&text, Kind::Text, COUNT, 4);
        assert_eq!(planted.facts.len(), COUNT);
        assert_eq!(facts(&planted.text), planted.facts);
        assert_eq!(plant(&text, Kind::Text, COUNT, 4).text, planted.text);
        assert!(planted.text.lines().next().unwrap().ends_with(&planted.facts[0]));
        assert!(planted.text.lines().last().unwrap().ends_with(&planted.facts[COUNT - 1]));
        for border in 1..4 {
            let near = &planted.text[text.len() / 4 * border..][..400];
            assert!(!facts(near).is_empty(), "no fact at the border of chunk {border}");
        }
    }

    #[test]
    fn json_stays_json() {
        let rows: Vec<String> =
            (0..200).map(|n| format!("{{\"id\":{n},\"text\":\"a, \\\"b\\\", [c]\",\"of\":[1,2]}}")).collect();
        let one = format!("{{\"rows\":[{}],\"end\":[]}}", rows.join(", "));
        let planted = plant(&one, Kind::Json, COUNT, 1);
        let read: serde_json::Value = serde_json::from_str(&planted.text).expect("JSON");
        assert_eq!(facts(&read.to_string()).len(), COUNT);
        for line in plant(&(rows.join("\n") + "\n"), Kind::Json, COUNT, 3).text.lines() {
            serde_json::from_str::<serde_json::Value>(line).expect(line);
        }
        let numbers = plant("[1,2,3,4]", Kind::Json, 3, 1).text;
        serde_json::from_str::<serde_json::Value>(&numbers).expect(&numbers);
    }

    #[test]
    fn tables_keep_their_header_and_columns() {
        let table: String = "id,name\r\n".to_owned() + &"1,\"a, b\"\r\n".repeat(300);
        let planted = plant(&table, Kind::Table, COUNT, 2);
        assert_eq!((planted.facts.len(), planted.text.lines().next()), (COUNT, Some("id,name")));
        assert!(planted.text.lines().all(|line| line.matches(',').count() <= 2));
        assert_eq!(planted.text.lines().count(), 301);
    }

    #[test]
    fn what_is_no_fact_is_none() {
        assert_eq!(facts("FACT-0123456789ab, FACT-0123456789ab FACT-xyz FACT-12"), ["FACT-0123456789ab"]);
    }
}
