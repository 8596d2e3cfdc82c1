//! Lines of logs as programs write them: [`mod@line`] reads one, its [`mod@time`]
//! and its [`mod@level`].
//!
//! Each line of an artifact passes here, and some of them several times: a crate of
//! its own, so that a profile can have it compiled for speed.

#![forbid(unsafe_code)]

pub mod level;
pub mod line;
pub mod time;
