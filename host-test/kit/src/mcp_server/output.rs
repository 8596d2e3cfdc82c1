//! Standard output, which several threads write to.

use std::io::{self, Write};
use std::process;
use std::sync::Mutex;

use super::lock;

/// Standard output. A server whose client is gone ends.
#[derive(Default)]
pub struct Output {
    /// Held while a line is written.
    line: Mutex<()>,
}

impl Output {
    /// Writes a line.
    pub fn line(&self, text: &str) {
        self.bytes(&[text.as_bytes(), b"\n"]);
    }

    /// Writes the parts without changes, and without other output between them.
    pub fn bytes(&self, parts: &[&[u8]]) {
        self.write(|out| parts.iter().try_for_each(|part| out.write_all(part)));
    }

    /// Writes as `with` does, without anything in between.
    pub fn write(&self, with: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>) {
        let _line = lock(&self.line);
        let mut out = io::stdout().lock();
        if with(&mut out).and_then(|()| out.flush()).is_err() {
            process::exit(0);
        }
    }
}
