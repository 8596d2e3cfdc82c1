//! Lines of traces, one by one.

use proptest::prelude::*;
use tuckaway_text::visible::VisibleLines;

use super::{Event, Language, Reader};

/// Reads a text. Returns a letter for each line's part in a trace, `-` for none, and the
/// messages with their lines and languages.
fn read(text: &str) -> (String, Vec<(u64, Language, String)>) {
    let mut reader = Reader::default();
    let (mut parts, mut messages) = (String::new(), Vec::new());
    for (at, line) in VisibleLines::of(text.as_bytes()) {
        let mut letter = None;
        let is_part = reader.read(at, &line, &mut |event| match event {
            Event::Message { at: of, text, language } => {
                if of == at {
                    letter = Some('m');
                }
                messages.push((of, language, text));
            }
            Event::Frame { begins: true, .. } => letter = Some('F'),
            Event::Frame { begins: false, .. } => letter = Some('f'),
            Event::Part { .. } => letter = Some('p'),
        });
        // A later line may identify a message.
        assert!(is_part || letter.is_none(), "line {at} of {text}");
        parts.push(letter.unwrap_or(if is_part { 'm' } else { '-' }));
    }
    (parts, messages)
}

/// Checks the parts of a trace, alone and between other lines, and its one message.
fn check(trace: &str, parts: &str, at: u64, language: Language, message: &str) {
    let (found, messages) = read(trace);
    assert_eq!(found, parts, "{trace}");
    assert_eq!(messages, [(at, language, message.to_owned())], "{trace}");
    // CRLF and other lines around it change only the numbers.
    let around = format!("starting up\n\n{}\nshutting down\n", trace.trim_end()).replace('\n', "\r\n");
    let (found, messages) = read(&around);
    assert_eq!(found, format!("--{parts}-"), "{around}");
    assert_eq!(messages, [(at + 2, language, message.to_owned())], "{around}");
}

#[test]
fn each_language_is_read() {
    check(
        "Traceback (most recent call last):\n  File \"/app/a.py\", line 3, in run\n    read()\n    ^^^^^^\nValueError: no rows\n",
        "pFffm",
        5,
        Language::Python,
        "ValueError: no rows",
    );
    check(
        "Exception in thread \"main\" java.io.IOException: no\n\tat a.B.run(B.java:3)\n\tat a.B.main(B.java:9)\n\t... 2 more\n",
        "-FFp",
        1,
        Language::Java,
        "Exception in thread \"main\" java.io.IOException: no",
    );
    check(
        "TypeError: x is undefined\n    at run (/app/a.js:3:5)\n    at async Promise.all (index 0)\n    at /app/a.js:9:1\n",
        "-FFF",
        1,
        Language::JavaScript,
        "TypeError: x is undefined",
    );
    check(
        "Unhandled exception. System.Exception: no\n   at App.Run(String a) in /app/A.cs:line 3\n   at App.Main()\n",
        "-FF",
        1,
        Language::DotNet,
        "Unhandled exception. System.Exception: no",
    );
    check(
        "panic: no rows\n\ngoroutine 1 [running]:\nmain.run(0x1)\n\t/app/a.go:3 +0x1d\ncreated by main.main\n\t/app/a.go:9 +0x2e\n",
        "--pFfFf",
        1,
        Language::Go,
        "panic: no rows",
    );
    check(
        "thread 'main' panicked at src/a.rs:3:5:\nno rows\nstack backtrace:\n   0: app::run\n             at ./src/a.rs:3:5\nnote: run with `RUST_BACKTRACE=full`\n",
        "mppFfp",
        1,
        Language::Rust,
        "thread 'main' panicked at src/a.rs:3:5: no rows",
    );
    check(
        "a.rb:3:in 'run': no rows (ArgumentError)\n\tfrom a.rb:9:in 'main'\n",
        "-F",
        1,
        Language::Ruby,
        "a.rb:3:in 'run': no rows (ArgumentError)",
    );
    check(
        "PHP Fatal error:  Uncaught Exception: no in /app/a.php:3\nStack trace:\n#0 /app/a.php(9): run()\n#1 {main}\n",
        "-pFF",
        1,
        Language::Php,
        "PHP Fatal error:  Uncaught Exception: no in /app/a.php:3",
    );
    check(
        "==7==ERROR: AddressSanitizer: heap-use-after-free\n    #0 0x4f in run /app/a.c:3\n    #1 0x5f in main /app/a.c:9\n",
        "-FF",
        1,
        Language::Native,
        "==7==ERROR: AddressSanitizer: heap-use-after-free",
    );
}

#[test]
fn causes_are_messages_too() {
    let (parts, messages) = read(
        "java.lang.Error: a\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: b\n\tat a.B.d(B.java:2)\n",
    );
    assert_eq!(parts, "-FmF");
    let texts: Vec<_> = messages.iter().map(|(at, _, text)| (*at, &**text)).collect();
    assert_eq!(texts, [(1, "java.lang.Error: a"), (3, "Caused by: java.io.IOException: b")]);
}

#[test]
fn the_message_is_an_error_before_the_first_frame_or_the_line_just_before() {
    let far = |distance| format!("ValueError: a\n{}    at run (a.js:1:2)\n", "and so on\n".repeat(distance));
    assert_eq!(read(&far(11)).1, [(1, Language::JavaScript, "ValueError: a".to_owned())]);
    assert_eq!(read(&far(12)).1, [(13, Language::JavaScript, "and so on".to_owned())]);
    // A blank line separates the line before from the stack.
    assert_eq!(read("and so on\n\n    at run (a.js:1:2)\n").1, []);
}

#[test]
fn a_line_is_the_message_of_one_stack() {
    // The frames of another language follow directly.
    let (_, messages) = read("ValueError: a\ngoroutine 1 [running]:\n    at run (a.js:1:2)\n");
    assert_eq!(messages, [(1, Language::Go, "ValueError: a".to_owned())]);
}

#[test]
fn a_heading_is_not_a_message() {
    let (_, messages) = read("it went wrong\nStack trace:\n    at run (a.js:1:2)\n");
    assert_eq!(messages, [(1, Language::JavaScript, "it went wrong".to_owned())]);
}

#[test]
fn text_that_only_resembles_a_trace_is_not_detected() {
    for line in [
        "",
        "at noon",
        "at the end of the day (see below)",
        "from here to there",
        "#1 in the charts",
        "# 0 0x1",
        "#",
        "goroutine leaks",
        "thread 'main' started",
        "File \"a.txt\" was read",
        "Caused by: rain",
        "... 2 more",
    ] {
        assert_eq!(read(line).0.trim_start_matches('-'), "", "{line}");
    }
}

#[test]
fn only_the_head_of_a_long_line_is_inspected() {
    let long = "x".repeat(1 << 20);
    let (parts, messages) =
        read(&format!("TypeError: {long}\n    at run (/app/a.js:3:5) {long}\n    at {long} (a.js:1:2)\n"));
    assert_eq!(parts, "---", "their locations are beyond the inspected head");
    assert_eq!(messages, []);
    let (parts, messages) = read(&format!("TypeError: {long}\n    at run (/app/a.js:3:5)\n"));
    assert_eq!(parts, "-F");
    assert_eq!(messages.len(), 1);
    assert!(messages[0].2.len() <= 400, "{}", messages[0].2.len());
}

#[test]
fn own_code_is_distinguished_from_libraries() {
    for (language, own, foreign) in [
        (
            Language::Python,
            "File \"/app/a.py\", line 3, in run",
            "File \"/usr/lib/python3/a.py\", line 3, in run",
        ),
        (
            Language::Java,
            "at com.example.A.run(A.java:3)",
            "at java.base/java.lang.Thread.run(Thread.java:3)",
        ),
        (Language::JavaScript, "at run (/app/a.js:3:5)", "at run (/app/node_modules/a/a.js:3:5)"),
        (Language::DotNet, "at App.Run() in /app/A.cs:line 3", "at System.String.Run() in /_/A.cs:line 3"),
        (Language::Go, "\t/app/a.go:3 +0x1d", "\t/usr/local/go/src/runtime/a.go:3 +0x1d"),
        (Language::Rust, "at ./src/a.rs:3:5", "at /rustc/0/library/a.rs:3:5"),
        (Language::Ruby, "from a.rb:9:in 'main'", "from /usr/lib/ruby/gems/a.rb:9:in 'main'"),
        (Language::Php, "#0 /app/a.php(9): run()", "#0 /app/vendor/a/a.php(9): run()"),
        (Language::Native, "#0 0x4f in run /app/a.c:3", "#0 0x4f in main ../sysdeps/a.c:3"),
    ] {
        assert!(language.is_own(own.as_bytes()), "{own}");
        assert!(!language.is_own(foreign.as_bytes()), "{foreign}");
        assert!(!language.is_own(b"") && !language.is_own(b"no location at all"), "{}", language.name());
    }
}

/// Lines of traces and others, whole and cut.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(vec![
        "Traceback (most recent call last):",
        "  File \"a.py\", line 1, in f",
        "    call()",
        "ValueError: x",
        "\tat a.B.c(B.java:1)",
        "Caused by: x",
        "---> x",
        "   at f (a.js:1:2)",
        "thread 'main' panicked at a.rs:1:2:",
        "thread 'main' panicked at 'x', a.rs:1:2",
        "stack backtrace:",
        "   0: f",
        "goroutine 1 [running]:",
        "main.f(0x1)",
        "\t/app/a.go:1",
        "panic: x",
        "from a.rb:1:in 'f'",
        "#0 0x1 in f",
        "#0 a.php(1): f()",
        "... 2 more",
        "",
        "\u{1b}[31mError: x\u{1b}[0m",
        "plain",
    ]);
    let lines =
        proptest::collection::vec((line, 0..40usize, prop::sample::select(vec!["\n", "\r\n", "\r"])), 0..30);
    lines.prop_map(|lines| {
        let cut_line = |(line, keep, end): (&str, usize, &str)| {
            let keep = if keep > 30 { line.len() } else { keep.min(line.len()) };
            [&line.as_bytes()[..keep], end.as_bytes()].concat()
        };
        lines.into_iter().flat_map(cut_line).collect()
    })
}

/// Reads all lines and checks the events.
fn check_events(text: &[u8]) {
    let mut reader = Reader::default();
    let mut last = 0;
    let mut messages = Vec::new();
    for (number, line) in VisibleLines::of(text) {
        reader.read(number, &line, &mut |event| match event {
            Event::Message { at, text, .. } => {
                assert!((1..=number).contains(&at) && text.len() <= 3 * 801, "{at} in {number}");
                messages.push(at);
            }
            Event::Frame { at, .. } | Event::Part { at } => {
                assert!(at == number && at > last, "{at} after {last}");
                last = at;
            }
        });
    }
    let all = messages.len();
    messages.sort_unstable();
    messages.dedup();
    assert_eq!(messages.len(), all, "a line is one message: {messages:?}");
}

proptest! {
    #[test]
    fn events_are_of_lines_that_were_read(text in lines()) {
        check_events(&text);
    }

    #[test]
    fn any_bytes_are_read(text in proptest::collection::vec(any::<u8>(), 0..2000)) {
        check_events(&text);
        for language in [Language::Java, Language::Python, Language::Native] {
            language.is_own(&text);
        }
    }
}

#[test]
fn an_excerpt_or_a_value_is_no_message() {
    for line in ["> 2 | console.error(\"Error: handled\");", "}"] {
        let (_, messages) = read(&format!("{line}\n    at run (a.js:1:2)\n"));
        assert_eq!(messages, [], "{line}");
    }
}
