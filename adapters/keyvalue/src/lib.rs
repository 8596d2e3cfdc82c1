//! A store over a bucket of keys and values, such as `wasi:keyvalue`, whose only guarantee is that one
//! key is set as a whole.
//!
//! # In the bucket
//!
//! | key | value |
//! |---|---|
//! | `tuckaway/open/<id>` | `{"begun_at"}` (Unix seconds), while an artifact is written |
//! | `tuckaway/data/<id>/<n>` | segment `n` of the bytes, from `00000000`: all have `segment_bytes` bytes, the last one has the rest |
//! | `tuckaway/meta/<id>.json` | the metadata, as in a bucket of S3 |
//! | `tuckaway/sessions/<name>/…` | the same keys, for each session |
//!
//! An artifact exists if its metadata does. The metadata is set last, after all segments, so a reader
//! sees all of an artifact or nothing. To delete an artifact, its metadata is removed first, then its
//! segments from the last to the first, so that an interrupted deletion can be repeated.
//!
//! `open` says that segments without metadata are being written, or were by a writer that crashed if it
//! is older than a day. It is set before the first segment and removed after the metadata is set.
#![forbid(unsafe_code)]

mod bucket;
mod keys;
mod store;

#[cfg(test)]
mod tests;

pub use bucket::Bucket;
pub use store::KeyValueStore;
