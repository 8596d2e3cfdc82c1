//! CMake, and the steps of builds that it generates.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "CMake",
    prefixes: &[
        row("-- Configuring incomplete, errors", Failed, 3),
        row("-- Configuring done", Progress, 3),
        row("-- Build files have been written", StepDone, 3),
        row("-- The C", Progress, 2),
        row("-- Detecting ", Progress, 1),
        row("-- Check", Progress, 1),
        row("CMake Error", Error, 3),
        row("CMake Warning", Warning, 3),
    ],
    forms: &[row("[", Progress, 3).refined(step)],
    #[cfg(test)]
    samples: &[
        ("CMake Error at CMakeLists.txt:3 (find_package):", Error),
        ("-- Configuring incomplete, errors occurred!", Failed),
        ("[ 50%] Building C object a.o", Progress),
        ("[100%] Built target a", StepDone),
    ],
    ..Profile::NONE
};

/// `[ 50%] Building C object a.o`.
fn step(line: &Matched) -> Option<ToolLine> {
    let part = &line.text[find::text(b"%] ", line.text)? + 3..];
    if part.starts_with(b"Built target ") {
        return line.meaning(StepDone);
    }
    line.default_if(part.starts_with(b"Building ") || part.starts_with(b"Linking "))
}
