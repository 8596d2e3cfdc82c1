//! Histories of every format, as conversations and under plans.

use crate::Format;

mod common;
mod formats;
mod generated;
mod plans;
mod properties;
