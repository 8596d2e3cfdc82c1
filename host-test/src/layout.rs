//! Formats case files: values that fit are on one line, so that people can review them
//! and a diff shows what changed.

use serde_json::Value;

/// Longer lines are broken.
const WIDTH: usize = 110;
/// Values down to this level get their own lines: the file, its cases, each case.
const BROKEN_LEVELS: usize = 3;

/// Formats a case file.
pub fn pretty(file: &Value) -> String {
    let mut text = String::new();
    write(file, 0, 0, &mut text);
    text + "\n"
}

fn write(value: &Value, level: usize, lead: usize, text: &mut String) {
    let one_line = one_line(value);
    let indent = 2 * level;
    let fits = indent + lead + one_line.chars().count() < WIDTH;
    match value {
        Value::Array(values) if !values.is_empty() && (!fits || level < BROKEN_LEVELS - 1) => {
            text.push('[');
            for (index, value) in values.iter().enumerate() {
                text.push_str(if index == 0 { "\n" } else { ",\n" });
                text.push_str(&" ".repeat(indent + 2));
                write(value, level + 1, 0, text);
            }
            text.push_str(&format!("\n{}]", " ".repeat(indent)));
        }
        Value::Object(members) if !members.is_empty() && (!fits || level < BROKEN_LEVELS) => {
            text.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                text.push_str(if index == 0 { "\n" } else { ",\n" });
                let name = format!("{}: ", Value::from(name.as_str()));
                text.push_str(&format!("{}{name}", " ".repeat(indent + 2)));
                // At the top level, only the list of cases is always broken.
                let level = if level == 0 && !value.is_array() { BROKEN_LEVELS } else { level + 1 };
                match level == BROKEN_LEVELS && indent == 0 {
                    true => write_at(value, text, name.len()),
                    false => write(value, level, name.chars().count(), text),
                }
            }
            text.push_str(&format!("\n{}}}", " ".repeat(indent)));
        }
        _ => text.push_str(&one_line),
    }
}

/// Formats a file's default, which is one level below the file but laid out like the
/// parts of a case.
fn write_at(value: &Value, text: &mut String, lead: usize) {
    let one_line = one_line(value);
    if 2 + lead + one_line.chars().count() < WIDTH {
        text.push_str(&one_line);
        return;
    }
    let mut inner = String::new();
    write(value, BROKEN_LEVELS, WIDTH, &mut inner);
    text.push_str(&inner.replace(&format!("\n{}", " ".repeat(2 * BROKEN_LEVELS - 2)), "\n"));
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("[{}]", values.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}: {}", Value::from(name.as_str()), one_line(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn formatting_is_stable_and_lossless() {
        let file = json!({
            "store": {"artifacts": [{"id": "art", "content": ["x".repeat(60), "y".repeat(60)]}]},
            "input": {"id": "art"},
            "cases": [{"name": "a", "input": {"n": 1}, "expect": {"text": ["x".repeat(70), "y".repeat(70)]}}],
        });
        let text = pretty(&file);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), file, "{text}");
        assert!(text.contains("\n  \"input\": {\"id\": \"art\"},\n"), "{text}");
        assert!(text.contains("\n    {\n      \"name\": \"a\",\n      \"input\": {\"n\": 1},\n"), "{text}");
    }
}
