//! The model that writes summaries, simulated: it forgets, and a summary has only so much
//! space. The same for every strategy.

use super::meter::hash;
use super::script::Fact;

/// The maximum number of facts in a summary: with the sentences around them about 1,500 tokens.
const MAX_FACTS: usize = 60;
/// The percentages of facts that it keeps, from the user and from tools.
const USERS: u64 = 90;
const TOOLS: u64 = 50;

/// Writes the `count`-th summary of some texts.
pub fn summary(texts: &[&str], facts: &[Fact], count: u64) -> String {
    let all = texts.join("\n");
    let keeps = |fact: &&Fact| {
        let percent = if fact.is_users { USERS } else { TOOLS };
        all.contains(&fact.text) && hash(&(&fact.text, count)) % 100 < percent
    };
    // The newest ones first: recent facts are remembered best.
    let kept: Vec<&Fact> = facts.iter().rev().filter(keeps).take(MAX_FACTS).collect();
    let mut text =
        "<summary>\nThe user asks about one service after the other; each was checked with the tools, \
                    and compared with the ones before. Open questions: none.\n"
            .to_owned();
    for fact in kept.iter().rev() {
        let source = if fact.is_users { "The user said" } else { "A tool returned" };
        text += &format!("- {source}: {}\n", fact.text);
    }
    text + "</summary>"
}
