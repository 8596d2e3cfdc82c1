//! Settings, which are environment variables with the names that the command line has.

use std::env;
use std::str::FromStr;

use tuckaway_contract::StoreError;
use tuckaway_stores::{Limits, MaxAge, Quota};

/// The directory or the bucket.
const STORE: &str = "TUCKAWAY_STORE";
/// The name of the session.
const SESSION: &str = "TUCKAWAY_SESSION";
/// How long artifacts are kept, such as `7d`.
const MAX_AGE: &str = "TUCKAWAY_MAX_AGE";
/// The maximum size of the stored content, such as `2G`.
const QUOTA: &str = "TUCKAWAY_QUOTA";

/// Returns where the store is, if that is set.
pub fn place() -> Option<String> {
    set(STORE)
}

/// Returns the name of the session, if it is set.
pub fn session() -> Option<String> {
    set(SESSION)
}

/// Returns the limits of the store: none by default. Fails if a variable is malformed.
pub fn limits() -> Result<Limits, StoreError> {
    let (age, quota) = (parsed(MAX_AGE)?, parsed(QUOTA)?);
    Ok(Limits::of(age.unwrap_or(MaxAge::Forever), quota.unwrap_or(Quota::Unlimited)))
}

fn parsed<T: FromStr<Err = String>>(name: &str) -> Result<Option<T>, StoreError> {
    let parse = |text: String| text.parse().map_err(|why| StoreError::Other(format!("{name}: {why}")));
    set(name).map(parse).transpose()
}

/// Returns a variable that is not empty.
fn set(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.is_empty())
}
