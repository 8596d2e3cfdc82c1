//! Runs the cases on the native engine. `TUCKAWAY_BLESS=1` rewrites the expectations
//! here, and only here.

use tuckaway_host_test::{Native, run};

#[test]
fn all_cases() {
    run(&Native, &[], true);
}
