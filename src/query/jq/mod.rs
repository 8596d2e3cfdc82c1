//! x
use crate::*;
pub fn jq(_s: &dyn Store, _id: &str, _q: &JqQuery, _m: u32) -> Result<Outputs, Error> {
    todo!()
}
