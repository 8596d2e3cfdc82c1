//! Runs the cases on the same source built for `wasm32-wasip2`.

use tuckaway_host_test::{Wasi, run};

/// `cargo xtask test --without wasi` omits it by this name.
#[test]
fn all_cases_on_wasip2() {
    run(&Wasi::build().expect("the wasm32-wasip2 component"), &[], false);
}
