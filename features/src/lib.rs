//! Nothing but a list of dependencies, in `Cargo.toml`.
//!
//! Cargo compiles a dependency again if the packages that are built together ask for other
//! features of it, and with it everything above, such as wasmtime. The demo, the tests and the
//! Python wheel build different packages. Each of them includes this one, so that all ask for the
//! same features. The compiler that the build of `tuckaway-host` runs is shared with the tests in
//! the same way.
//!
//! Compare `cargo tree --edges normal,build --format '{p} {f}'` for two of them to see what is
//! missing here. What `cargo +nightly test --workspace --no-run --unit-graph -Z unstable-options`
//! lists twice is compiled twice.
#![forbid(unsafe_code)]
