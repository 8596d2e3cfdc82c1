//! Messages that tests log, for tools where only the results before or after them show whether they
//! give the reason for a failure.

use tuckaway_search::hash;

use super::excerpt::without_lead;
use super::line::Meaning;
use super::profile::Logs;
use crate::line::word::explains;

/// Maximum messages that are remembered.
const MAX_LOGGED: usize = 40;

/// Messages of tests whose results are not known yet.
#[derive(Default)]
pub struct Logged {
    /// Messages with the hash of the test that logged them; 0 if it is not known.
    messages: Vec<(u64, u64, String)>,
    /// The hash of the test that logs.
    test: u64,
    has_failed: bool,
}

impl Logged {
    /// Reads the next line of a tool whose tests log. `quote` quotes the line; `add` takes the
    /// number and the quote of a line that gives the reason for a failed test.
    pub fn read(
        &mut self,
        logs: &Logs,
        meaning: Meaning,
        (number, text): (u64, &[u8]),
        quote: &dyn Fn() -> String,
        add: &mut dyn FnMut(u64, &str),
    ) {
        match meaning {
            Meaning::Why if explains(text) && self.has_failed => add(number, &quote()),
            Meaning::Why if explains(text) && self.messages.len() < MAX_LOGGED => {
                self.messages.push((self.test, number, quote()));
            }
            Meaning::Why => {}
            _ => self.read_result(logs, meaning == Meaning::FailedTest, without_lead(text), add),
        }
    }

    fn read_result(&mut self, logs: &Logs, has_failed: bool, text: &[u8], add: &mut dyn FnMut(u64, &str)) {
        let test = (logs.test)(text).map(hash::of);
        self.has_failed = has_failed;
        // Subtests log before the results of all of them.
        if text.starts_with(logs.begins.as_bytes()) {
            self.test = test.unwrap_or_default();
            return;
        }
        let is_about = |of: u64| of == 0 || test.is_none_or(|test| of == test);
        for (of, number, message) in std::mem::take(&mut self.messages) {
            match is_about(of) {
                true if has_failed => add(number, &message),
                true => {}
                false => self.messages.push((of, number, message)),
            }
        }
    }
}
