//! x
use crate::*;
pub fn definitions(_tools: &ArtifactTools) -> Vec<ToolDefinition> {
    todo!()
}
pub fn call(_s: &dyn Store, _name: &str, _arguments: &str, _max_bytes: u32) -> Result<ToolReply, Error> {
    todo!()
}
