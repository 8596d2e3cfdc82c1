//! Truncates a trace: keeps messages and causes, the first and the last frames of each
//! stack, then the lines around.

use tuckaway_text::visible::visible;

use crate::stack::Folder;
use crate::truncate::lines::{Line, Middle, Priority, ranked_lines};
use crate::truncate::select;

/// The rank of the text's first line if it is not part of a trace.
const FIRST_LINE_RANK: u8 = 3;

/// Truncates a trace to `max` bytes.
pub fn truncate(text: &str, max: usize, middle: &mut Middle) -> String {
    let lines = ranked_lines(text, max, middle, rank);
    select::render(text, lines, max)
}

fn rank(text: &str, lines: &mut [Line]) {
    let mut folder = Folder::default();
    for (index, line) in lines.iter().enumerate() {
        folder.read(index, &visible(line.text(text).as_bytes()));
    }
    folder.fold(lines, 0);
    // The line that says what was run comes before those just above the trace.
    if let Some(first) = lines.iter_mut().find(|line| !line.text(text).trim().is_empty())
        && first.priority == Priority::Plain
    {
        first.priority = Priority::Rank(FIRST_LINE_RANK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_frame_are_kept_or_omitted_together() {
        let frames = |frame: &dyn Fn(usize) -> String| (1..30).map(frame).collect::<String>();
        let rust = format!(
            "thread 'main' panicked at src/a.rs:1:2:\nit is wrong\nstack backtrace:\n{}",
            frames(&|n| format!("  {n}: f{n}\n      at /rustc/0/a.rs:{n}\n"))
        );
        let go = format!(
            "panic: it is wrong\n\ngoroutine 1 [running]:\n{}",
            frames(&|n| format!("lib.f{n}(0x1)\n\t/usr/local/go/src/a.go:{n} +0x1d\n"))
        );
        let python = format!(
            "Traceback (most recent call last):\n{}ValueError: it is wrong\n",
            frames(&|n| format!("  File \"/usr/lib/a.py\", line {n}, in f{n}\n    x(\"a:b\")\n      ^^^^\n"))
        );
        for (trace, lines) in [(rust, 2), (go, 2), (python, 3)] {
            let lines_of = |view: &str| view.lines().map(str::to_owned).collect::<Vec<_>>();
            let all = lines_of(&trace);
            let first = all.iter().position(|line| line.contains("f1")).unwrap();
            for max in (170..trace.len()).step_by(13) {
                let view = truncate(&trace, max, &mut Middle::default());
                let kept = lines_of(&view);
                for frame in all[first..].chunks_exact(lines) {
                    let first_line = kept.iter().position(|line| *line == frame[0]);
                    match first_line {
                        Some(at) => {
                            assert_eq!(kept.get(at..at + lines), Some(frame), "{max}: {view}")
                        }
                        None if lines == 2 => assert!(!kept.contains(&frame[1]), "{max}: {view}"),
                        None => {}
                    }
                }
            }
        }
    }

    #[test]
    fn the_frame_in_own_code_nearest_to_the_message_is_kept() {
        let foreign =
            |n: usize| format!("  File \"/usr/lib/python3/a.py\", line {n}, in f\n    if x: pass\n");
        let own = |n: usize| format!("  File \"/app/own.py\", line {n}, in f\n    call()\n");
        let trace = format!(
            "Traceback (most recent call last):\n{}{}ValueError: it is wrong\n",
            (1..21).map(own).collect::<String>(),
            (21..40).map(foreign).collect::<String>()
        );
        let view = truncate(&trace, 500, &mut Middle::default());
        assert!(view.contains("/app/own.py\", line 20, in f\n    call()\n"), "{view}");
    }
}
