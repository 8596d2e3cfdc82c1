//! The language of a stack, and its frames in the reader's own code.

use tuckaway_search::find;

/// Languages that print traces, by the form of their frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `File "a.py", line 1, in f`; the message comes last.
    Python,
    /// `at a.B.f(B.java:1)`.
    Java,
    /// `at f (a.js:1:2)`.
    JavaScript,
    /// `at A.B.F() in a.cs:line 1`.
    DotNet,
    /// `goroutine 1 [running]:` and pairs of lines.
    Go,
    /// `thread 'main' panicked at`, numbered frames.
    Rust,
    /// `from a.rb:1:in 'f'`.
    Ruby,
    /// `#0 a.php(1): f()`.
    Php,
    /// `#0 0x… in f a.c:1`.
    Native,
}

/// Returns parts of paths to code that others wrote, by their first byte.
fn foreign_paths(first: u8) -> &'static [&'static str] {
    match first {
        b'/' => &[
            "/lib/python",
            "/rustc/",
            "/.cargo/registry/",
            "/usr/local/go/",
            "/usr/lib",
            "/usr/include",
            "/pkg/mod/",
            "/gems/",
            "/vendor/",
            "/opt/hostedtoolcache",
            "/go/src/runtime",
        ],
        b'.' => &["../sysdeps"],
        b'<' => &["<frozen", "<internal", "<anonymous>"],
        b'[' => &["[internal function]"],
        b'c' => &["csu/"],
        b'd' => &["dist-packages"],
        b'l' => &["libsanitizer", "lib/ruby", "libc.so"],
        b'n' => &["node_modules", "node:"],
        b's' => &["site-packages"],
        _ => &[],
    }
}

/// Packages that others wrote.
const FOREIGN_PACKAGES: [&str; 22] = [
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "akka.",
    "groovy.",
    "org.springframework.",
    "org.apache.",
    "org.junit.",
    "org.hibernate.",
    "org.gradle.",
    "io.netty.",
    "com.fasterxml.",
    "com.zaxxer.",
    "org.eclipse.",
    "reactor.",
    "System.",
    "Microsoft.",
];

impl Language {
    /// Returns its name, as an outline shows it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Python => "Python",
            Language::Java => "Java",
            Language::JavaScript => "JavaScript",
            Language::DotNet => ".NET",
            Language::Go => "Go",
            Language::Rust => "Rust",
            Language::Ruby => "Ruby",
            Language::Php => "PHP",
            Language::Native => "native",
        }
    }

    /// Returns whether a frame names a location in code that is not a library's.
    pub fn is_own(self, frame: &[u8]) -> bool {
        let frame = frame[..frame.len().min(400)].trim_ascii_start();
        let has = |part: &str| find::text(part.as_bytes(), frame).is_some();
        let names_location = match self {
            Language::Java => [".java:", ".kt:", ".scala:"].iter().any(|suffix| has(suffix)),
            Language::DotNet => has(":line "),
            Language::Rust => has(".rs:"),
            Language::Go => has(".go:"),
            Language::Python => has("\", line "),
            _ => has(":") || has("line ") || has(".php("),
        };
        let name = frame.strip_prefix(b"at ").unwrap_or(frame);
        // `java.base/java.lang.Thread.run`
        let slash = find::byte(b'/', name).filter(|_| self == Language::Java);
        let package = &name[slash.map_or(0, |slash| slash + 1)..];
        names_location
            && !FOREIGN_PACKAGES.iter().any(|foreign| find::starts_with(package, foreign.as_bytes()))
            && !names_foreign_path(frame)
    }
}

/// Returns whether a frame names a path to code that others wrote. Compares byte by byte,
/// as most bytes begin no such path: two dozen searches took three times as long.
fn names_foreign_path(frame: &[u8]) -> bool {
    let begins = |at: usize| {
        let paths = foreign_paths(frame[at]).iter();
        paths.into_iter().any(|path| find::starts_with(&frame[at..], path.as_bytes()))
    };
    (0..frame.len()).any(begins)
}
