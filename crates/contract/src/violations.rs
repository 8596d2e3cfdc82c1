//! Collects the violations in a configuration.

use tuckaway_text::number;

use crate::{Error, ErrorKind};

/// The violations of a configuration: a sentence for each, and the arguments that the sentences name.
#[derive(Debug, Default)]
pub struct Violations {
    sentences: Vec<String>,
    arguments: Vec<String>,
}

impl Violations {
    /// Adds a sentence, with the arguments that it names in snake case.
    pub fn add(&mut self, arguments: &[&str], sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
        for argument in arguments {
            if !self.arguments.iter().any(|known| known == argument) {
                self.arguments.push((*argument).to_owned());
            }
        }
    }

    /// Requires a number from 0 to 1. A percentage is rejected with the fraction that it means.
    pub fn fraction(&mut self, argument: &str, value: f64) {
        if !(0.0..=1.0).contains(&value) {
            let meant = match value {
                1.0..=100.0 => format!(" {} % is {}.", number(value), number(value / 100.0)),
                _ => String::new(),
            };
            self.add(
                &[argument],
                format!("{argument} is {}; it must be a fraction from 0 to 1.{meant}", number(value)),
            );
        }
    }

    /// Returns an error with all sentences, if there are any.
    pub fn into_result(self) -> Result<(), Error> {
        match self.sentences.is_empty() {
            true => Ok(()),
            false => {
                let error = Error::new(ErrorKind::InvalidInput, self.sentences.join(" "));
                Err(Error { arguments: self.arguments, ..error })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_all_sentences_and_names_each_argument_once() {
        let mut violations = Violations::default();
        violations.add(&["a_b", "c"], "a_b is above c.");
        violations.add(&["a_b"], "a_b is 0.");
        violations.add(&[], "Nothing else.");
        let error = violations.into_result().unwrap_err();
        assert_eq!(error.message, "a_b is above c. a_b is 0. Nothing else.");
        assert_eq!(error.arguments, ["a_b", "c"]);
        assert_eq!(Violations::default().into_result(), Ok(()));
    }

    #[test]
    fn a_percentage_is_rejected_with_its_fraction() {
        for (value, message) in [
            (25.0, Some("x is 25; it must be a fraction from 0 to 1. 25 % is 0.25.")),
            (7.5, Some("x is 7.5; it must be a fraction from 0 to 1. 7.5 % is 0.075.")),
            (-1.0, Some("x is -1; it must be a fraction from 0 to 1.")),
            (1_000.0, Some("x is 1000; it must be a fraction from 0 to 1.")),
            (f64::NAN, Some("x is NaN; it must be a fraction from 0 to 1.")),
            (0.0, None),
            (1.0, None),
        ] {
            let mut violations = Violations::default();
            violations.fraction("x", value);
            let message = message.map(str::to_owned);
            assert_eq!(violations.into_result().err().map(|error| error.message), message);
        }
    }
}
