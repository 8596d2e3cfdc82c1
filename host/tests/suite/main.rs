//! The host library through its public interface.

#![forbid(unsafe_code)]

mod conversation;
mod readme;
mod sandbox;
mod stores;
