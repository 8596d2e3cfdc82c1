//! The component's two imports, answered by the world of a case.

use tuckaway::{CountTokens as _, Store as _};
use wasmtime::component::Linker;

use super::State;

/// Links the component's two imports.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let mut store = linker.instance("tuckaway:context/store@0.1.0")?;
    store.func_wrap("create", |wasm, (tool, media_type): (String, String)| {
        Ok((wasm.data().world.create(&tool, &media_type),))
    })?;
    store.func_wrap("append", |wasm, (id, bytes): (String, Vec<u8>)| {
        Ok((wasm.data().world.append(&id, &bytes),))
    })?;
    store.func_wrap("seal", |wasm, (id, line_count): (String, u64)| {
        Ok((wasm.data().world.seal(&id, line_count),))
    })?;
    store.func_wrap("stat", |wasm, (id,): (String,)| Ok((wasm.data().world.stat(&id),)))?;
    store.func_wrap("read", |wasm, (id, offset, length): (String, u64, u32)| {
        Ok((wasm.data().world.read(&id, offset, length),))
    })?;
    store.func_wrap("list-artifacts", |wasm, (): ()| Ok((wasm.data().world.list_artifacts(),)))?;
    store.func_wrap("delete", |wasm, (id,): (String,)| Ok((wasm.data().world.delete(&id),)))?;
    let mut tokens = linker.instance("tuckaway:context/tokens@0.1.0")?;
    tokens.func_wrap("count", |wasm, (text,): (String,)| Ok((wasm.data().world.count(&text),)))
}
