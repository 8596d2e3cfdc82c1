//! x
use crate::*;
pub fn read(_s: &dyn Store, _id: &str, _r: &Range, _n: bool, _m: u32) -> Result<Page, Error> {
    todo!()
}
