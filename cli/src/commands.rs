//! Names the commands of this program in an envelope, for a model that has a shell instead of the
//! artifact tools.

/// The artifact tools, and the commands that do the same.
const COMMANDS: [(&str, &str, &str); 3] = [
    ("artifact_read", "tuckaway read ID --lines 1:200", "Read a range of lines"),
    ("artifact_grep", "tuckaway grep -n PATTERN ID | head -50", "Search with a regular expression"),
    ("artifact_jq", "tuckaway jq FILTER ID", "Query with jq expressions, e.g. '.results[0]'"),
];

/// Replaces the tools that an envelope names by commands. Each part of an envelope has its id
/// before its tools; both are members of the outermost object.
pub fn named(text: &str) -> String {
    let (mut id, mut is_tools) = ("", false);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        match line.strip_prefix("  \"artifact_id\": \"").and_then(|rest| rest.split_once('"')) {
            Some((found, _)) => id = found,
            None if line == "  \"how_to_access\": {" => is_tools = true,
            None if line.starts_with("  }") => is_tools = false,
            None => {}
        }
        let command = COMMANDS.iter().find(|(tool, ..)| {
            is_tools && line.trim_start().strip_prefix('"').is_some_and(|rest| rest.starts_with(tool))
        });
        lines.push(match command {
            Some((_, command, words)) => {
                let comma = if line.ends_with(',') { "," } else { "" };
                format!("    \"{}\": \"{words}\"{comma}", command.replace("ID", id))
            }
            None => line.to_owned(),
        });
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tools_of_an_envelope_are_replaced() {
        let envelope = "{\n  \"artifact_id\": \"art_a_1\",\n  \"shape\": {\n    \"artifact_read\": \"string\"\n  },\n  \
            \"how_to_access\": {\n    \"artifact_read\": \"Read\",\n    \"artifact_jq\": \"Query\"\n  },\n  \"preview\": \"x\"\n}\n";
        let named = named(envelope);
        assert_eq!(
            named
                .replace(
                    "tuckaway read art_a_1 --lines 1:200\": \"Read a range of lines",
                    "artifact_read\": \"Read"
                )
                .replace(
                    "tuckaway jq FILTER art_a_1\": \"Query with jq expressions, e.g. '.results[0]'",
                    "artifact_jq\": \"Query"
                ),
            envelope
        );
        assert!(named.contains("    \"artifact_read\": \"string\"\n  },"), "{named}");
        assert_eq!(super::named("plain\n"), "plain\n");
    }
}
