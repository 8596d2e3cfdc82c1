//! Reads the wrapper of a model's answer leniently: text around it is ignored, and the closing
//! tag may be missing (the extraction document, decision 6).

use tuckaway_contract::StopReason;

/// The report of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The text; never empty.
    pub text: String,
    /// Whether the text says that nothing is relevant.
    pub is_not_found: bool,
    /// Whether the closing tag is present.
    pub is_closed: bool,
}

impl Report {
    /// Returns whether the model stopped inside the report.
    pub fn is_cut(&self, stop: StopReason) -> bool {
        !self.is_closed && stop == StopReason::Length
    }
}

/// The line with which a report says that nothing is relevant.
pub const NOT_FOUND: &str = "NO RELEVANT DATA FOUND";

/// Reads the last report with this nonce; none if no report has text. A model may mention the
/// wrapper while it thinks, before it answers in it.
pub fn read(text: &str, nonce: &str) -> Option<Report> {
    let open = format!("<ai-agent-{nonce}-FINAL");
    let close = format!("</ai-agent-{nonce}-FINAL");
    let mut reports = text.match_indices(&open).filter_map(|(at, _)| {
        let rest = &text[at + open.len()..];
        // Attributes are short and on the same line as their tag.
        let tag = rest.find('>').filter(|&end| end <= 200 && !rest[..end].contains(['<', '\n']))?;
        let inside = &rest[tag + 1..];
        let (inside, is_closed) = match inside.find(&close) {
            Some(end) => (&inside[..end], true),
            None => (inside, false),
        };
        // An opening tag inside a report starts another report.
        let inside = inside.split(&open).next().unwrap_or_default().trim();
        let is_not_found = inside.trim_start_matches(['*', '#', ' ', '-']).starts_with(NOT_FOUND);
        (!inside.is_empty() && inside != "...").then(|| Report {
            text: inside.to_owned(),
            is_not_found,
            is_closed,
        })
    });
    // The last closed report, or the last one if none is closed.
    let all: Vec<Report> = reports.by_ref().collect();
    let last_closed = all.iter().rposition(|report| report.is_closed);
    let index = last_closed.unwrap_or(all.len().checked_sub(1)?);
    all.into_iter().nth(index)
}

/// Returns why an answer has no report.
pub fn missing(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Finished => "the model's answer has no final report",
        StopReason::Length => "the model's answer was truncated before its final report",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Option<String> {
        read(text, "N0nce123").map(|report| report.text)
    }

    #[test]
    fn text_around_the_wrapper_is_ignored() {
        let text = "I will answer.\n<ai-agent-N0nce123-FINAL format=\"text\">\n42 \n</ai-agent-N0nce123-FINAL>\nDone.";
        assert_eq!(read_text(text).as_deref(), Some("42"));
    }

    #[test]
    fn the_closing_tag_may_be_missing() {
        let report = read("<ai-agent-N0nce123-FINAL>a < b\nc", "N0nce123").unwrap();
        assert_eq!((report.text.as_str(), report.is_closed), ("a < b\nc", false));
    }

    #[test]
    fn a_wrapper_that_was_only_mentioned_is_not_the_answer() {
        let text = "I emit <ai-agent-N0nce123-FINAL format=\"text\"> ... </ai-agent-N0nce123-FINAL> now: <ai-agent-N0nce123-FINAL format=\"text\">yes</ai-agent-N0nce123-FINAL>";
        assert_eq!(read_text(text).as_deref(), Some("yes"));
        let text = "Use <ai-agent-N0nce123-FINAL format=\"text\">, then:\n<ai-agent-N0nce123-FINAL format=\"text\">\nyes";
        assert_eq!(read_text(text).as_deref(), Some("yes"));
    }

    #[test]
    fn a_wrong_nonce_is_refused() {
        assert_eq!(read_text("<ai-agent-other123-FINAL>yes</ai-agent-other123-FINAL>"), None);
        assert_eq!(read_text("<ai-agent--FINAL>yes</ai-agent--FINAL>"), None);
        assert_eq!(read_text("yes"), None);
    }

    #[test]
    fn an_empty_report_is_not_a_report() {
        assert_eq!(read_text("<ai-agent-N0nce123-FINAL format=\"text\">  </ai-agent-N0nce123-FINAL>"), None);
        assert_eq!(read_text("<ai-agent-N0nce123-FINAL"), None);
    }

    #[test]
    fn not_found_is_a_report() {
        let report =
            read("<ai-agent-N0nce123-FINAL>\n**NO RELEVANT DATA FOUND**\nOnly logs.", "N0nce123").unwrap();
        assert!(report.is_not_found);
        assert!(
            !read("<ai-agent-N0nce123-FINAL>It says NO RELEVANT DATA FOUND", "N0nce123")
                .unwrap()
                .is_not_found
        );
    }
}
