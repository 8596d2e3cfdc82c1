//! The documentation of `wit/` as comments of a language.

/// Fills paragraphs to a width and puts a prefix before each line. Lines of lists, tables and
/// code are unchanged.
pub fn filled(text: &str, prefix: &str, width: usize) -> String {
    let width = width - prefix.len();
    let (mut lines, mut paragraph, mut is_code) = (Vec::new(), String::new(), false);
    for line in text.lines() {
        let line = line.trim_end();
        let is_fence = line.trim_start().starts_with("```");
        let stays = is_code || is_fence || line.is_empty() || line.starts_with(['|', '-', ' ']);
        if stays {
            wrap(&mut paragraph, width, &mut lines);
            lines.push(line.to_owned());
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
        }
        is_code ^= is_fence;
    }
    wrap(&mut paragraph, width, &mut lines);
    let prefixed = lines.iter().map(|line| format!("{prefix}{line}").trim_end().to_owned() + "\n");
    prefixed.collect()
}

/// Moves a paragraph to lines of at most `width` characters. A quoted name is not divided.
fn wrap(paragraph: &mut String, width: usize, lines: &mut Vec<String>) {
    let mut line = String::new();
    for word in words(paragraph) {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    paragraph.clear();
}

/// Divides at spaces outside of backticks.
fn words(paragraph: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted, mut before) = (Vec::new(), String::new(), false, ' ');
    for letter in paragraph.chars() {
        // One backtick quotes, as do two.
        is_quoted ^= letter == '`' && before != '`';
        before = letter;
        match letter == ' ' && !is_quoted {
            true => words.push(std::mem::take(&mut word)),
            false => word.push(letter),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// A default that documentation states: `Default: VALUE.`, at the end of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Default {
    /// `false`, `none` or 0: the language's own default.
    Zero,
    /// `true`, or a number.
    Literal(String),
    /// A case of an enum.
    Case(String),
    /// Something that depends on other values.
    Depends,
}

impl Default {
    /// Reads the default from the documentation of a field; `None` if it does not state one.
    pub fn of(docs: &str) -> Option<Self> {
        let docs = docs.replace('\n', " ");
        let (_, stated) = docs.split_once("Default: ")?;
        let stated = stated.trim();
        let end = stated.find(". ").or_else(|| stated.strip_suffix('.').map(str::len))?;
        Some(match &stated[..end] {
            "false" | "none" | "0" => Default::Zero,
            "true" => Default::Literal("true".to_owned()),
            number if number.parse::<f64>().is_ok() => Default::Literal(number.to_owned()),
            quoted if quoted.starts_with('`') && quoted.ends_with('`') && quoted.len() > 2 => {
                Default::Case(quoted.trim_matches('`').to_owned())
            }
            _ => Default::Depends,
        })
    }
}

/// Separates the thousands of a whole number of more than four digits.
pub fn separated(number: &str) -> String {
    if number.len() < 5 || !number.bytes().all(|digit| digit.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut text = String::new();
    for (index, digit) in number.chars().enumerate() {
        if index > 0 && (number.len() - index).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_tables_stay() {
        let text = "one two three\nfour `five six`\n\n| a | b |\n\nseven";
        let filled = filled(text, "/// ", 18);
        assert_eq!(
            filled,
            "/// one two three\n/// four\n/// `five six`\n///\n/// | a | b |\n///\n/// seven\n"
        );
    }

    #[test]
    fn defaults_are_read_from_the_documentation() {
        assert_eq!(Default::of("A switch. Default: true."), Some(Default::Literal("true".to_owned())));
        assert_eq!(Default::of("A share. Default:\n0.25."), Some(Default::Literal("0.25".to_owned())));
        assert_eq!(Default::of("A mode. Default: `auto`."), Some(Default::Case("auto".to_owned())));
        assert_eq!(Default::of("Default: none."), Some(Default::Zero));
        assert_eq!(Default::of("Default: 1600. It is high."), Some(Default::Literal("1600".to_owned())));
        assert_eq!(Default::of("Default: 4096, or less. More."), Some(Default::Depends));
        assert_eq!(Default::of("No word of it."), None);
    }
}
