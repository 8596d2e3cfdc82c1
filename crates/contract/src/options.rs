//! Options of calls. Omitted options have the contract's defaults.

use crate::Dialect;

/// Options of a call that reads part of an artifact.
///
/// ```
/// use tuckaway_contract::ReadOptions;
///
/// let numbered = ReadOptions { line_numbers: true, ..ReadOptions::default() };
/// # let _ = numbered;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether each line begins with its number and a tab. Default: false.
    pub line_numbers: bool,
    /// Maximum bytes of the page, at least 256. Default: 16,384.
    pub max_bytes: Option<u32>,
}

/// Options of a call that returns the definitions of tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DefinitionOptions {
    /// The dialect: names, parameters and descriptions. Default: [`Dialect::Artifact`].
    pub dialect: Dialect,
    /// Whether the next turn of the model is its last, in which it cannot call tools: nothing is
    /// defined then. Default: false.
    pub is_final_turn: bool,
    /// Whether the definitions of [`Dialect::Artifact`] have every parameter and a description of
    /// each, which takes about three times the tokens. Default: false.
    pub is_detailed: bool,
}

/// Options of a call that runs a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallOptions {
    /// Maximum bytes of the whole reply, at least 256. Default: 16,384.
    pub max_bytes: Option<u32>,
}
