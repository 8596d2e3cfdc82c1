//! Compilers and linkers of C and C++.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, nothing_more, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "compiler",
    prefixes: &[
        row("Undefined symbols for architecture", Error, 3),
        row("compilation terminated.", Failed, 3),
        row("cc1: all warnings being treated as errors", Failed, 3),
        row("collect2: error", Error, 3),
        row("clang: error", Error, 3),
        row("gcc: error", Error, 3),
        row("ld: ", Error, 1).refined(linker),
    ],
    counts: &[
        row(" errors generated.", Summary, 1).refined(nothing_more),
        row(" error generated.", Summary, 1).refined(nothing_more),
    ],
    leads_to_error: &[" required from ", "In file included from ", "    from ", ": In "],
    #[cfg(test)]
    samples: &[
        ("src/main.c:12:5: error: expected ';' before 'return'", Error),
        ("src/main.c:12:5: warning: unused variable 'n' [-Wunused-variable]", Warning),
        ("/usr/bin/ld: main.o: in function `main': a.c:3: undefined reference to `run'", Error),
        ("C:\\work\\main.c(12): error C2065: 'n': undeclared identifier", Error),
        ("collect2: error: ld returned 1 exit status", Error),
        ("2 errors generated.", Summary),
    ],
    ..Profile::NONE
};

fn linker(line: &Matched) -> Option<ToolLine> {
    let is_error = line.has(b"rror") || line.has(b"undefined") || line.has(b"not found");
    line.or_default(!is_error, ToolLine::new(Tool::Compiler, Warning, 1))
}
