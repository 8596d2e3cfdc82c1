//! Histories of every format, as conversations and under plans.

mod common;
mod formats;
mod generated;
mod plans;
mod properties;
