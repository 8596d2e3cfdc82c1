//! The cases on the same source built for `wasm32-wasip2`.

use tuckaway_host_test::{Wasi, run};
use xtask::component::{Variant, has_target};

#[test]
fn all_cases() {
    if !has_target(Variant::Wasi) {
        // Only rustup has it; `cargo xtask test` shows that this was skipped.
        eprintln!("skipped: the target wasm32-wasip2 is missing; `cargo xtask component --wasi` installs it");
        return;
    }
    run(&Wasi::build().expect("the wasm32-wasip2 component"), &[], false);
}
