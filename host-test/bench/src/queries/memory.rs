//! The guest memory that a query needs: the smallest limit under which it succeeds.

use anyhow::Result;

use super::corpus::{Corpus, Stored};
use super::{Question, ask};

/// Returns the memory as `≤ 8 MiB`, by doubling the limit until the query succeeds.
pub async fn needed(corpus: &Corpus, of: &Stored, question: &Question) -> Result<String> {
    let mut limit = 8;
    loop {
        match ask(&corpus.tuckaway(limit)?, of, question).await {
            Ok(()) => return Ok(format!("≤ {limit} MiB")),
            Err(error) if limit >= 2048 => return Err(error),
            Err(_) => limit *= 2,
        }
    }
}
