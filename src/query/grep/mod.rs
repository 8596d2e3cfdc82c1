//! x
use crate::*;
pub fn grep(_s: &dyn Store, _id: &str, _q: &GrepQuery, _m: u32) -> Result<Matches, Error> {
    todo!()
}
