//! Test frameworks of C++: GoogleTest, Catch2, doctest, Boost.Test.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "C++ test",
    prefixes: &[
        row("*** No errors detected", Passed, 3),
        row("[  FAILED  ] ", Failed, 3),
        row("[  PASSED  ] ", Passed, 3),
        row("[       OK ] ", Progress, 3),
        row("[ RUN      ] ", Progress, 3),
        row("[doctest] Status: FAILURE!", Failed, 3),
        row("[doctest] Status: SUCCESS!", Passed, 3),
        row("All tests passed (", Passed, 3),
        row("test cases: ", Summary, 3),
    ],
    located: Some(|at| matches!(at.message, b"Failure" | b"FAILED:").then_some(Error)),
    runs_tests: true,
    #[cfg(test)]
    samples: &[
        ("[       OK ] Cart.Total (0 ms)", Progress),
        ("[  FAILED  ] Cart.Total (0 ms)", Failed),
        ("cart_test.cc:12: Failure", Error),
        ("All tests passed (4 assertions in 2 test cases)", Passed),
        ("test cases: 2 | 1 passed | 1 failed", Summary),
    ],
    ..Profile::NONE
};
