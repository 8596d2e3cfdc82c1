//! The options of a run.

/// The format of outputs, and the limits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Writes strings without quotes, like `jq -r`.
    pub raw: bool,
    /// Writes each output on one line, like `jq -c`. The default is indented by two spaces.
    pub compact: bool,
    /// Runs the filter once, on an array of all documents, like `jq -s`. `.[]`, `map`, `reduce .[]`
    /// and `length` at its start read one document at a time.
    pub slurp: bool,
    /// Runs the filter once, on null, like `jq -n`; `input` and `inputs` return the documents.
    pub null_input: bool,
    /// Maximum steps, about two for each term that the filter evaluates. Each 16 bytes that are read
    /// from the source give a used step back.
    ///
    /// `None` stands for [`DEFAULT_STEPS`](crate::DEFAULT_STEPS). Values above
    /// [`MAX_STEPS`](crate::MAX_STEPS) are clamped.
    pub max_steps: Option<u64>,
    /// Maximum bytes that the filter and its document may occupy together, by an estimate that is
    /// the same on every machine.
    ///
    /// `None` stands for [`DEFAULT_MEMORY`](crate::DEFAULT_MEMORY). Other values are clamped to
    /// [`MIN_MEMORY`](crate::MIN_MEMORY)–[`MAX_MEMORY`](crate::MAX_MEMORY).
    pub max_memory: Option<u64>,
}
