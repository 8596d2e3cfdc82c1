//! The cases on the same source built for `wasm32-wasip2`.

use tuckaway_host_test::{Wasi, run};

#[test]
fn all_cases() {
    run(&Wasi::build().expect("the wasm32-wasip2 component"), &[], false);
}
