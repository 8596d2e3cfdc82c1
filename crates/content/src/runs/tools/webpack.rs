//! webpack.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "webpack",
    prefixes: &[
        row("ERROR in ", Error, 2),
        row("Module not found: Error", Error, 3),
        row("modules by path", Progress, 2),
        row("webpack ", Summary, 3).refined(summary),
    ],
    #[cfg(test)]
    samples: &[
        ("ERROR in ./src/index.js 1:0-21", Error),
        ("webpack 5.99.0 compiled with 1 error in 320 ms", Summary),
    ],
    ..Profile::NONE
};

fn summary(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.has(b" compiled "))
}
