//! What survives of a trace: messages and causes, the first and the last frames of each
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
