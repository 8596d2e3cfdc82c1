//! The profile of a tool: a struct with a field for each question about it.

use tuckaway_json::summary::Summary;

use super::line::{Meaning, ToolLine};
use super::rule::Rule;
use super::xml::Form;
use crate::outline::Outline;

/// Classifies a line; none if it is not a line of the tool.
pub type Classify = fn(&[u8]) -> Option<ToolLine>;
/// Removes the prefix of a line; none if it has none.
pub type Lead = fn(&[u8]) -> Option<&[u8]>;

/// The profile of a tool. A tool states the fields in which it differs from
/// [`Profile::NONE`].
pub struct Profile {
    /// Its name, as an outline shows it.
    pub name: &'static str,

    /// Starts of its lines. The longest rule that fits decides.
    pub prefixes: &'static [Rule],
    /// The text after the number in lines that begin with one: `12 passing (34ms)`. The first
    /// rule that fits and classifies the line decides.
    pub counts: &'static [Rule],
    /// Lines that are classified by more than their start, after those that name a location.
    /// The first rule that fits and classifies the line decides.
    pub forms: &'static [Rule],
    /// Classifies an indented line before it is searched for a location.
    pub indented: Option<Classify>,
    /// Returns the meaning of a message with a location, and without a word such as `error`.
    pub located: Option<fn(&Located) -> Option<Meaning>>,
    /// Returns whether it is the compiler that prints a message with a location and a word.
    pub compiles: Option<fn(&Located) -> bool>,
    /// Removes the prefix that it prints before each line of another tool, such as a time, from a
    /// line that begins with a digit or `#`; none if the line has no such prefix.
    pub lead: Option<Lead>,

    /// The text before and after the name of a test in the line that reports its failure.
    pub test_names: &'static [(&'static str, &'static str)],
    /// The text before the location that a line after an error names.
    pub location: Option<&'static str>,
    /// Parts of lines above an error that lead to it.
    pub leads_to_error: &'static [&'static str],
    /// The start of the line above the message of a failed test.
    pub above_message: Option<&'static str>,
    /// Lines in which it explains an error: the first states the error.
    pub error_lines: u64,
    /// Whether it lists errors below the name of their file.
    pub lists_errors: bool,
    /// Whether it numbers the failed tests before it counts them.
    pub numbers_failures: bool,
    /// The log of its tests, if that gives the reasons for failures.
    pub logs: Option<Logs>,

    /// Whether its success is its last report of a run. Others report one for each host or
    /// target, or count failures first.
    pub reports_last: bool,
    /// Whether it runs other tools, whose failures its own success overrules.
    pub runs_others: bool,
    /// Whether it only runs tests, or measures their coverage.
    pub runs_tests: bool,
    /// Whether results of other runners of tests within its own are printed by tests.
    pub quotes_others: bool,
    /// Lines from its count of tests that passed to that of those that failed, if it has both:
    /// a failure without a success above was printed by a test.
    pub passes_above: Option<u64>,
    /// Starts of the lines of progress that begin its run; if empty, any line begins it.
    pub begins: &'static [&'static str],
    /// Returns whether a line names the script that it begins to run: its failure is that of all
    /// tools that the script ran, unless it runs the script again.
    pub script: Option<fn(&[u8]) -> bool>,
    /// Whether lines that look like errors are counted in its outline: not if it explains one
    /// error in many.
    pub counts_errors: bool,
    /// Whether failed tests are counted: not if it names a test more than once.
    pub counts_failed_tests: bool,

    /// Starts of the messages that it prints before the output of a tool that it runs.
    pub before: &'static [&'static str],
    /// Starts of the messages that it prints after such output.
    pub behind: &'static [&'static str],
    /// Starts of such messages before output that stays separate even if it is plain text:
    /// other messages are a part of the text.
    pub before_text: &'static [&'static str],

    /// Its report as JSON, an event in a line.
    pub json: Option<JsonReport>,
    /// Its report as XML.
    pub xml: Option<&'static Form>,

    /// Lines that it prints, with their meanings.
    #[cfg(test)]
    pub samples: &'static [(&'static str, Meaning)],
}

impl Profile {
    /// A tool without any known facts.
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

/// A message with its location: `file:12:5: error: …`.
pub struct Located<'l> {
    /// The location.
    pub location: &'l [u8],
    /// The text after it.
    pub message: &'l [u8],
    /// The text after the word that determines the meaning of the message, if there is one.
    pub rest: &'l [u8],
    /// Whether a dash separates them: `file:12:5 - error TS1: …`.
    pub is_dashed: bool,
    /// Whether the location has a line, and is not a number alone.
    pub is_location: bool,
}

/// The log of tests: only a test's result, which may come before or after a message, shows whether
/// the message gives the reason for a failure.
pub struct Logs {
    /// Returns the test that a line is about.
    pub test: fn(&[u8]) -> Option<&[u8]>,
    /// The start of the line after which a test logs.
    pub begins: &'static str,
}

/// A report as JSON, an event in a line.
pub struct JsonReport {
    /// Returns whether documents are the report, by their keys.
    pub is: fn(&Summary) -> bool,
    /// Outlines the result of the run and the failed tests.
    pub outline: fn(&[u8]) -> Outline,
    /// Returns the documents with the reasons of failed tests, and then those that report the
    /// failures; none if a text is not the report.
    pub failing: fn(&str) -> Vec<usize>,
    /// Marks of documents that report a failure, in lower case.
    pub marks: &'static [&'static [u8]],
    /// Whether a member, given as the content of its key and of its value, reports a failed test or
    /// the reason.
    pub is_failure: fn(&[u8], &[u8]) -> bool,
}
