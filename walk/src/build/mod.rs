//! Lines that builds and tests print, by what they say.

mod signs;
mod starts;

pub use signs::{CERTAIN, Sign, Tool, What, of, place, test_name, without_lead};
