//! Tokens: counts by the host, and the limits of views.

use tuckaway_contract::{Error, ErrorKind};

use crate::policy::Rules;
use crate::ports::CountTokens;
use tuckaway_text::number;

/// Maximum attempts to build a view that fits its token limit and uses most of it.
const MAX_ATTEMPTS: usize = 6;

/// Counts tokens with the host's tokenizer.
#[derive(Clone, Copy)]
pub struct Counter<'a> {
    host: &'a dyn CountTokens,
    rules: &'a Rules<'a>,
}

impl<'a> Counter<'a> {
    /// Creates a counter; the rules say how tokens are estimated.
    pub fn new(host: &'a dyn CountTokens, rules: &'a Rules<'a>) -> Self {
        Counter { host, rules }
    }

    /// Counts the tokens of a text. Errors: the reason why the host's tokenizer failed.
    pub fn count(&self, text: &str) -> Result<u64, Error> {
        let why = match self.host.count(text) {
            Ok(count) if count <= text.len() as u64 => return Ok(count),
            Ok(count) => format!("it counted {count} tokens in {} bytes", text.len()),
            Err(why) => why,
        };
        Err(Error::new(
            ErrorKind::Tokens,
            format!(
                "The tokenizer failed ({why}); {} bytes per token were assumed instead.",
                number(self.rules.policy().bytes_per_token)
            ),
        ))
    }

    /// Estimates the tokens of a number of bytes.
    pub fn estimate(&self, bytes: u64) -> u64 {
        self.rules.estimate_tokens(bytes)
    }
}

/// The limits of a view.
#[derive(Clone, Copy, Debug)]
pub struct ViewLimits {
    /// Maximum bytes.
    pub max_bytes: usize,
    /// Maximum tokens, if limited. A view is never truncated below its minimum size to satisfy this
    /// limit.
    pub max_tokens: Option<u64>,
    /// The bytes expected to have that many tokens; used for the first attempt.
    pub expected_bytes: usize,
}

impl ViewLimits {
    /// Builds a view that keeps the limits and uses most of them. `cut` builds it in a given number
    /// of bytes, at least `least`.
    pub fn fit(
        &self,
        least: usize,
        mut count: impl FnMut(&str) -> u64,
        mut cut: impl FnMut(usize) -> String,
    ) -> String {
        let Some(max_tokens) = self.max_tokens else { return cut(self.max_bytes.max(least)) };
        // The largest size known to fit, and the smallest known not to.
        let (mut fits, mut exceeds) = (least, self.max_bytes.max(least).saturating_add(1));
        let mut bytes = if max_tokens == 0 { least } else { self.expected_bytes.clamp(fits, exceeds - 1) };
        let mut best = None;
        for attempt in 0..MAX_ATTEMPTS {
            let view = cut(bytes);
            let is_largest = bytes + 1 >= exceeds;
            // A token is at least one byte.
            if max_tokens == 0 || is_largest && view.len() as u64 <= max_tokens {
                return view;
            }
            let tokens = count(&view);
            if tokens > max_tokens {
                if bytes == least {
                    return view;
                }
                exceeds = bytes;
            } else {
                // Nine tenths are enough; coming closer would mean truncating everything again.
                let is_enough = is_largest || u128::from(tokens) * 10 >= u128::from(max_tokens) * 9;
                fits = bytes;
                best = Some(view);
                if is_enough {
                    break;
                }
            }
            if fits + 1 >= exceeds {
                break;
            }
            // Slightly less than the average token length of this view suggests.
            let promised = bytes as f64 * 0.97 * max_tokens as f64 / tokens.max(1) as f64;
            let promised = (promised as usize).min(self.max_bytes);
            bytes = match attempt < MAX_ATTEMPTS / 2 && (fits + 1..exceeds).contains(&promised) {
                true => promised,
                false => fits + (exceeds - fits) / 2,
            };
        }
        best.unwrap_or_else(|| cut(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds views of `bytes` bytes with a counter that finds one token in every `per_token`
    /// bytes.
    fn fitted(max_bytes: usize, max_tokens: u64, expected_bytes: usize, per_token: usize) -> (usize, usize) {
        let limits = ViewLimits { max_bytes, max_tokens: Some(max_tokens), expected_bytes };
        let mut cuts = 0;
        let view = limits.fit(
            512,
            |view| view.len().div_ceil(per_token) as u64,
            |bytes| {
                cuts += 1;
                "x".repeat(bytes)
            },
        );
        (view.len(), cuts)
    }

    #[test]
    fn a_view_keeps_its_tokens_and_uses_most_of_them() {
        for per_token in 1..=9 {
            for expected in [512, 4_000, 40_000, 400_000] {
                let (bytes, cuts) = fitted(1 << 20, 10_000, expected, per_token);
                let tokens = bytes.div_ceil(per_token);
                assert!((9_000..=10_000).contains(&tokens), "{per_token} {expected}: {tokens}");
                assert!(cuts <= 3, "{per_token} {expected}: {cuts} cuts");
            }
        }
    }

    #[test]
    fn bytes_limit_a_view_whose_tokens_are_plenty() {
        assert_eq!(fitted(4_000, 10_000, 4_000, 1), (4_000, 1));
        assert_eq!(fitted(20_000, 10_000, 20_000, 4), (20_000, 1));
        assert_eq!(fitted(20_000, 10_000, 5_000, 4).0, 20_000);
    }

    #[test]
    fn a_view_is_never_cut_below_its_least_size() {
        assert_eq!(fitted(4_000, 3, 4_000, 1).0, 512);
        assert_eq!(fitted(100, 3, 100, 1).0, 512);
    }

    #[test]
    fn jumps_in_the_length_of_a_view_end_within_the_attempts() {
        let limits = ViewLimits { max_bytes: 1 << 20, max_tokens: Some(1_000), expected_bytes: 4_000 };
        let mut cuts = 0;
        // Whole entries of 900 tokens, or none.
        let view = limits.fit(
            512,
            |view| view.len() as u64,
            |bytes| {
                cuts += 1;
                "x".repeat(bytes / 2_700 * 900)
            },
        );
        assert_eq!(view.len(), 900);
        assert!(cuts <= MAX_ATTEMPTS + 1);
    }
}
