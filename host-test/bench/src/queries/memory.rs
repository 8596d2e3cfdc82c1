//! The guest memory that a query needs: the smallest limit under which it succeeds.

use anyhow::Result;

use super::corpus::{Corpus, Stored};
use super::{Limits, Question, ask};

/// Returns the memory as `≤ 8 MiB`, by doubling the limit until the query succeeds.
pub async fn needed(corpus: &Corpus, of: &Stored, question: &Question) -> Result<String> {
    let mut limit = 8;
    loop {
        match ask(&corpus.tuckaway(limit)?, of, question, Limits::Raised).await {
            Ok(()) => return Ok(format!("≤ {limit} MiB")),
            Err(error) if limit >= 4096 => return Err(error),
            Err(_) => limit *= 2,
        }
    }
}
