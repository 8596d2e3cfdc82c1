//! How a filter runs.

/// How outputs are written, and what a run may use up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Writes strings without quotes, like `jq -r`.
    pub raw: bool,
    /// Writes each output on one line, like `jq -c`. The default is indented by two spaces.
    pub compact: bool,
    /// Runs the filter once, on an array of all documents, like `jq -s`. `.[]`, `map`, `reduce .[]`
    /// and `length` at its start read one document at a time.
    pub slurp: bool,
    /// Runs the filter once, on null, like `jq -n`: all documents are for `input` and `inputs`.
    pub null_input: bool,
    /// How many steps the filter may take, about one for each of its terms that is evaluated.
    /// Each byte that is read adds four.
    ///
    /// `None` stands for [`DEFAULT_STEPS`](crate::DEFAULT_STEPS). More than
    /// [`MAX_STEPS`](crate::MAX_STEPS) is clamped to that.
    pub max_steps: Option<u64>,
    /// How many bytes the filter and its document may occupy at once, by an estimate that is
    /// the same on every machine.
    ///
    /// `None` stands for [`DEFAULT_MEMORY`](crate::DEFAULT_MEMORY). Other values are clamped to
    /// [`MIN_MEMORY`](crate::MIN_MEMORY)–[`MAX_MEMORY`](crate::MAX_MEMORY).
    pub max_memory: Option<u64>,
}
