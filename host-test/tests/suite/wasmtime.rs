//! Runs the cases on the component that `tuckaway-host` embeds.

use tuckaway_host_test::{Sandboxed, run};

#[test]
fn all_cases() {
    run(&Sandboxed::default(), &[], false);
}
