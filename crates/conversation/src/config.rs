//! Limits of all configurations. Their records and defaults are those of the contract, with the
//! names of the compaction document and the budgeting document (docs/origins.md).

/// Maximum number of names, directives and layers in a configuration.
pub const MAX_ITEMS: usize = 1_000;
