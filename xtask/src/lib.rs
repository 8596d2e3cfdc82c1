//! The parts of `cargo xtask` that tests use: how the component is built, and what
//! it imports.

pub mod component;
