//! What is known of a tool: a struct with a field for each question that is asked about it.

use tuckaway_json::summary::Summary;

use super::line::{Meaning, ToolLine};
use super::rule::Rule;
use super::xml::Form;
use crate::outline::Outline;

/// Classifies a line; none if it is not a line of the tool.
pub type Classify = fn(&[u8]) -> Option<ToolLine>;
/// Removes what precedes a line; none if nothing does.
pub type Lead = fn(&[u8]) -> Option<&[u8]>;

/// What is known of a tool. A tool states the fields in which it differs from
/// [`Profile::NONE`].
pub struct Profile {
    /// Its name, as an outline shows it.
    pub name: &'static str,

    /// How its lines begin. The longest rule that fits decides.
    pub prefixes: &'static [Rule],
    /// What follows the number of lines that begin with one: `12 passing (34ms)`. The first
    /// rule that fits and classifies the line decides.
    pub counts: &'static [Rule],
    /// Lines that are classified by more than their start, after those that name a location.
    /// The first rule that fits and classifies the line decides.
    pub forms: &'static [Rule],
    /// Classifies an indented line before it is searched for a location.
    pub indented: Option<Classify>,
    /// Returns what a message means that has a location, and no word such as `error`.
    pub located: Option<fn(&Located) -> Option<Meaning>>,
    /// Returns whether it is the compiler that prints a message with a location and a word.
    pub compiles: Option<fn(&Located) -> bool>,
    /// Removes what it prints before each line of another tool, such as a time, from a line that
    /// begins with a digit or `#`; none if the line has nothing like it.
    pub lead: Option<Lead>,

    /// What is around the name of a test in the line that reports its failure.
    pub test_names: &'static [(&'static str, &'static str)],
    /// What precedes the location that a line after an error names.
    pub location: Option<&'static str>,
    /// Parts of lines above an error that lead to it.
    pub leads_to_error: &'static [&'static str],
    /// How the line above the message of a failed test begins.
    pub above_message: Option<&'static str>,
    /// Lines in which it explains an error: the first says what is wrong.
    pub error_lines: u64,
    /// Whether it lists errors below the name of their file.
    pub lists_errors: bool,
    /// Whether it numbers the failed tests before it counts them.
    pub numbers_failures: bool,
    /// What its tests log, if that says why they failed.
    pub logs: Option<Logs>,

    /// Whether its success is what it says last of a run. Others report one for each host or
    /// target, or count failures first.
    pub reports_last: bool,
    /// Whether it runs other tools, whose failures its own success overrules.
    pub runs_others: bool,
    /// Whether all it does is to run tests, or to measure what they cover.
    pub runs_tests: bool,
    /// Whether results of other runners of tests within its own are printed by tests.
    pub quotes_others: bool,
    /// Lines from its count of tests that passed to that of those that failed, if it has both:
    /// a failure without a success above was printed by a test.
    pub passes_above: Option<u64>,
    /// How a line of progress begins that begins its run; any line does if this is empty.
    pub begins: &'static [&'static str],
    /// Returns whether a line names the script that it begins to run: its failure is that of
    /// all that the script ran, unless it runs the script again.
    pub script: Option<fn(&[u8]) -> bool>,
    /// Whether lines that look like errors are counted in its outline: not if it explains one
    /// error in many.
    pub counts_errors: bool,
    /// Whether failed tests are counted: not if it names a test more than once.
    pub counts_failed_tests: bool,

    /// How messages begin that it prints before the output of what it runs.
    pub before: &'static [&'static str],
    /// How messages begin that it prints after it.
    pub behind: &'static [&'static str],
    /// How such messages begin before output that stays what it is even if it is plain text:
    /// other messages are a part of the text.
    pub before_text: &'static [&'static str],

    /// Its report as JSON, an event in a line.
    pub json: Option<JsonReport>,
    /// Its report as XML.
    pub xml: Option<&'static Form>,

    /// Lines that it prints, with what they mean.
    #[cfg(test)]
    pub samples: &'static [(&'static str, Meaning)],
}

impl Profile {
    /// A tool of which nothing is known.
    pub const NONE: Profile = Profile {
        name: "",
        prefixes: &[],
        counts: &[],
        forms: &[],
        indented: None,
        located: None,
        compiles: None,
        lead: None,
        test_names: &[],
        location: None,
        leads_to_error: &[],
        above_message: None,
        error_lines: 0,
        lists_errors: false,
        numbers_failures: false,
        logs: None,
        reports_last: true,
        runs_others: false,
        runs_tests: false,
        quotes_others: false,
        passes_above: None,
        begins: &[],
        script: None,
        counts_errors: true,
        counts_failed_tests: true,
        before: &[],
        behind: &[],
        before_text: &[],
        json: None,
        xml: None,
        #[cfg(test)]
        samples: &[],
    };
}

/// A message with the location that it is about: `file:12:5: error: …`.
pub struct Located<'l> {
    /// The location.
    pub location: &'l [u8],
    /// What follows it.
    pub message: &'l [u8],
    /// What follows the word that says what the message means, if there is one.
    pub rest: &'l [u8],
    /// Whether a dash separates them: `file:12:5 - error TS1: …`.
    pub is_dashed: bool,
    /// Whether the location has a line, and is not a number alone.
    pub is_location: bool,
}

/// What tests log: only a test's result, which may come before or after, shows whether it says why
/// the test failed.
pub struct Logs {
    /// Returns the test that a line is about.
    pub test: fn(&[u8]) -> Option<&[u8]>,
    /// How the line begins after which a test logs.
    pub begins: &'static str,
}

/// A report as JSON, an event in a line.
pub struct JsonReport {
    /// Returns whether documents are the report, by their keys.
    pub is: fn(&Summary) -> bool,
    /// Outlines how the run ended and which tests failed.
    pub outline: fn(&[u8]) -> Outline,
    /// Returns the documents that say why tests failed, and then those that say that they did;
    /// none if a text is not the report.
    pub failing: fn(&str) -> Vec<usize>,
    /// What documents that report a failure contain, in lower case.
    pub marks: &'static [&'static [u8]],
    /// Whether a member, given as the content of its key and of its value, says that a test failed or why.
    pub is_failure: fn(&[u8], &[u8]) -> bool,
}
