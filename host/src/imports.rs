//! The component's two imports, as host functions. Nothing that the guest passes is
//! trusted.

use std::sync::Arc;
use std::time::Instant;

use tuckaway_contract::{Artifact, StoreError, is_artifact_id};
use wasmtime::StoreContextMut;
use wasmtime::component::Linker;

use crate::Store;
use crate::state::State;

/// Links the component's two imports.
pub(crate) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let mut store = linker.instance("tuckaway:context/store@0.1.0")?;
    store.func_wrap_async("create", |wasm, (tool, media_type): (String, String)| {
        let target = Target::of(&wasm);
        Box::new(async move { Ok((target.answered(target.store.create(&tool, &media_type)).await,)) })
    })?;
    store.func_wrap_async("append", |wasm, (id, bytes): (String, Vec<u8>)| {
        let target = Target::of(&wasm);
        Box::new(async move { Ok((target.on(&id, target.store.append(&id, bytes)).await,)) })
    })?;
    store.func_wrap_async("seal", |wasm, (id, line_count): (String, u64)| {
        let target = Target::of(&wasm);
        Box::new(async move { Ok((target.on(&id, target.store.seal(&id, line_count)).await,)) })
    })?;
    store.func_wrap_async("stat", |wasm, (id,): (String,)| {
        let target = Target::of(&wasm);
        Box::new(async move { Ok((target.on(&id, target.store.stat(&id)).await,)) })
    })?;
    store.func_wrap_async("read", |wasm, (id, offset, length): (String, u64, u32)| {
        let (target, memory) = (Target::of(&wasm), wasm.data().limits.memory);
        Box::new(async move {
            // The host does not fetch bytes that would not fit into the guest's memory.
            if length as usize > memory {
                return Ok((Err(StoreError::Other(format!("a read of {length} bytes is too large"))),));
            }
            Ok((target.on(&id, target.store.read(&id, offset, length)).await,))
        })
    })?;
    store.func_wrap_async("list-artifacts", |wasm, (): ()| {
        let target = Target::of(&wasm);
        Box::new(async move {
            let artifacts: Result<Vec<Artifact>, StoreError> =
                target.answered(target.store.list_artifacts()).await;
            Ok((artifacts,))
        })
    })?;
    store.func_wrap_async("delete", |wasm, (id,): (String,)| {
        let target = Target::of(&wasm);
        Box::new(async move { Ok((target.on(&id, target.store.delete(&id)).await,)) })
    })?;
    let mut tokens = linker.instance("tuckaway:context/tokens@0.1.0")?;
    tokens.func_wrap_async("count", |wasm, (text,): (String,)| {
        let tokens = Arc::clone(&wasm.data().tokens);
        Box::new(async move { Ok((tokens.count(&text).await,)) })
    })
}

/// The store that an instance uses, and the deadline of the call.
struct Target {
    store: Arc<dyn Store>,
    ends: Instant,
}

impl Target {
    fn of(wasm: &StoreContextMut<'_, State>) -> Self {
        Target { store: Arc::clone(&wasm.data().store), ends: wasm.data().ends }
    }

    /// Waits for the answer of the store about an artifact. Fails for an id that no artifact can
    /// have, before any store sees it: a store may turn an id into a path or a key.
    async fn on<T>(
        &self,
        id: &str,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        check(id)?;
        self.answered(answer).await
    }

    /// Waits for the store, for at most half of the remaining time of the call: even if a store often
    /// does not answer, some time remains for a view that does not need it.
    async fn answered<T>(
        &self,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let half = self.ends.saturating_duration_since(Instant::now()) / 2;
        match tokio::time::timeout(half, answer).await {
            Ok(answer) => answer,
            Err(_) => Err(StoreError::Other("it did not answer in time".to_owned())),
        }
    }
}

fn check(id: &str) -> Result<(), StoreError> {
    match is_artifact_id(id) {
        true => Ok(()),
        false => Err(StoreError::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_could_escape_a_store_are_not_found() {
        assert_eq!(check("art_sql_1"), Ok(()));
        for id in [
            "",
            "..",
            "../art_sql_1",
            "art_sql_1/..",
            "/etc/passwd",
            "C:\\art_sql_1",
            "art_sql_1\0",
            "ａrt_sql_1",
        ] {
            assert_eq!(check(id), Err(StoreError::NotFound), "{id:?}");
        }
        assert_eq!(check(&"a".repeat(1 << 20)), Err(StoreError::NotFound));
    }
}
