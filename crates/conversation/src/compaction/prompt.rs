//! The prompts for summaries (the compaction document, section 2.6).

use tuckaway_contract::CompactionConfig;

const SUMMARY: &str = "The conversation above is about to be replaced by your summary. Write it for someone who goes on with the work and sees nothing else: what the user wants, with every condition; what was decided, and why; what was done and found, with names, paths, ids, figures and errors exactly as they were; what is open, and the next step. Fold in earlier summaries. Call no tools. Put the summary between <summary> and </summary>.";
const RETAIN: &str =
    "Before the summary, put between <retain> and </retain> what has to be kept word for word.";

/// Returns the instructions for a summary that keeps nothing word for word.
pub fn without_retained(config: &CompactionConfig) -> String {
    let mut prompt = config.summary_prompt.clone().unwrap_or_else(|| SUMMARY.to_owned());
    push_list(&mut prompt, &config.summary_directives);
    prompt
}

/// Returns the last message of a request: the instructions for the summary.
pub fn prompt(config: &CompactionConfig) -> String {
    let mut prompt = without_retained(config);
    if config.retain_prompt.is_some() || !config.retain_directives.is_empty() {
        prompt.push_str("\n\n");
        prompt.push_str(RETAIN);
        if let Some(retain) = &config.retain_prompt {
            prompt.push(' ');
            prompt.push_str(retain);
        }
        push_list(&mut prompt, &config.retain_directives);
    }
    prompt
}

fn push_list(prompt: &mut String, items: &[String]) {
    for item in items {
        prompt.push_str("\n- ");
        prompt.push_str(item);
    }
}
