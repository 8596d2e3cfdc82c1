//! Linters that print rules by their codes, or only count: flake8, pylint, Biome, RuboCop, PHPStan, Black.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::{Meaning, ToolLine};
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "linter",
    prefixes: &[
        row("[ERROR] Found ", Failed, 3),
        row("[OK] No errors", Passed, 3),
        row("All done! ✨", Passed, 3),
        row("Checked ", Passed, 3).refined(checked),
        row("Oh no! 💥", Failed, 3),
        row("No issues identified.", Passed, 3),
        row("Your code has been rated at 10.00/10", Passed, 3),
        row("svelte-check found ", Summary, 3),
        row("would reformat ", Error, 1),
    ],
    counts: &[
        row(" error", Summary, 3).refined(|line| line.default_if(line.has(b" informations"))),
        row(" issues.", Failed, 3).refined(issues),
        row(" issues:", Failed, 3).refined(issues),
        row(" files inspected, ", Failed, 3).refined(offenses),
        row(" file inspected, ", Failed, 3).refined(offenses),
    ],
    located: Some(|at| rule(at.message)),
    #[cfg(test)]
    samples: &[
        ("app.py:1: [F401] `os` imported but unused", Error),
        ("app.py:3:1: W0612: Unused variable 'n'", Warning),
        ("Checked 1 file in 3ms. No fixes applied.", Passed),
        ("Found 1 warning.", Why),
        ("Found 3 errors and 2 warnings.", Summary),
        ("2 files inspected, no offenses detected", Passed),
        ("2 issues:", Failed),
        ("0 errors, 1 warning, 0 informations", Summary),
    ],
    ..Profile::NONE
};

fn issues(line: &Matched) -> Option<ToolLine> {
    line.passed_if(line.number == b"0").filter(|_| line.rest.is_empty())
}

fn offenses(line: &Matched) -> Option<ToolLine> {
    line.passed_if(line.has(b", no offenses"))
}

/// `Checked 1 file in 22ms. No fixes applied.`, as Biome says before it counts its findings.
fn checked(line: &Matched) -> Option<ToolLine> {
    let count = line.rest.strip_suffix(b". No fixes applied.");
    let (files, time) = count.and_then(|count| count.split_at_checked(find::last_text(b" in ", count)?))?;
    let takes_time = time[4..].first().is_some_and(u8::is_ascii_digit) && time.ends_with(b"s");
    line.default_if(takes_time && files.first().is_some_and(u8::is_ascii_digit))
}

/// Returns the meaning of a message that begins with the code of a rule: `F401 'os' imported but
/// unused`, `W0612: Unused variable`, `[F401] …`.
fn rule(message: &[u8]) -> Option<Meaning> {
    let message = message.strip_prefix(b"[").unwrap_or(message);
    let letters = message.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let digits = message[letters..].iter().take_while(|b| b.is_ascii_digit()).count();
    let ends = matches!(message.get(letters + digits), Some(b' ' | b':' | b']'));
    if !(1..=4).contains(&letters) || !(3..=4).contains(&digits) || !ends {
        return None;
    }
    // pylint has codes of one letter and four digits, most of which are advice.
    let is_advice = letters == 1 && digits == 4 && matches!(message[0], b'W' | b'C' | b'R' | b'I');
    Some(if is_advice { Warning } else { Error })
}
