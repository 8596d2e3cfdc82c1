//! x
use crate::*;
pub fn decide(
    _s: &dyn Store,
    _t: &dyn CountTokens,
    _o: &ToolOutput,
    _turn: &Turn,
    _p: &Policy,
) -> Result<Decision, Error> {
    todo!()
}
pub fn process(
    _s: &dyn Store,
    _t: &dyn CountTokens,
    _o: &ToolOutput,
    _turn: &Turn,
    _p: &Policy,
) -> Result<View, Error> {
    todo!()
}
pub fn process_turn(
    _s: &dyn Store,
    _t: &dyn CountTokens,
    _o: &[ToolOutput],
    _turn: &Turn,
    _p: &Policy,
) -> Result<Vec<View>, Error> {
    todo!()
}
