//! Histories of every format, as conversations and under plans.

mod common;
mod compaction;
mod formats;
mod generated;
mod plans;
mod properties;
