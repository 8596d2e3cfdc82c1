//! The composed components and their adapters, built and loaded.

use std::fs;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tuckaway::{Artifact, StoreError};
use wasmtime::component::{Component, ComponentNamedList, Instance, InstancePre, Lift, Linker, Lower};
use wasmtime::{Config, Engine, Store};
use xtask::component::{Composed, Home, Options, Variant};

use super::host::{Host, Setup, add_to_linker};
use crate::wasi::{STACK_BYTES, State};
use crate::{World, workspace};

const STORE: &str = "tuckaway:context/store@0.1.0";

/// A component over WASI, ready to be instantiated.
#[derive(Clone)]
pub struct Program(InstancePre<State>);

impl Program {
    /// Builds the adapter of a home and composes it with `target/tuckaway.wasm`, which must exist.
    pub fn build(home: Home) -> anyhow::Result<Composed> {
        // Both adapters are builds of one package, whose file the last build replaces.
        static BUILDING: Mutex<()> = Mutex::new(());
        let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = fs::read(workspace().join("target").join(Variant::Sealed.file_name()))?;
        xtask::component::composed(&Options::new(workspace(), Variant::Wasi), &engine, home)
    }

    /// Loads a component. With `is_metered`, instances count fuel.
    pub fn load(component: &[u8], is_metered: bool) -> anyhow::Result<Self> {
        let to_anyhow = |error: wasmtime::Error| anyhow::anyhow!("{error:#}");
        let mut config = Config::new();
        config.max_wasm_stack(STACK_BYTES).async_stack_size(2 * STACK_BYTES).wasm_backtrace_max_frames(None);
        config.consume_fuel(is_metered);
        let engine = Engine::new(&config).map_err(to_anyhow)?;
        let component = Component::new(&engine, component).map_err(to_anyhow)?;
        let mut linker = Linker::new(&engine);
        add_to_linker(&mut linker).map_err(to_anyhow)?;
        Ok(Program(linker.instantiate_pre(&component).map_err(to_anyhow)?))
    }

    /// Makes an instance. If fuel is metered, it may use `fuel` in all.
    pub(crate) async fn instantiate(
        &self,
        setup: Setup,
        fuel: Option<u64>,
    ) -> wasmtime::Result<(Instance, Store<State>)> {
        let world =
            Arc::new(World::new(&serde_json::Value::Null, &serde_json::Value::Null).expect("an empty world"));
        let state = State { world, host: Some(Host::new(setup)?) };
        let mut wasm = Store::new(self.0.engine(), state);
        wasm.set_hostcall_fuel(1 << 30);
        if let Some(fuel) = fuel {
            wasm.set_fuel(fuel)?;
        }
        let instance = self.0.instantiate_async(&mut wasm).await?;
        Ok((instance, wasm))
    }
}

/// The store of an adapter, behind the trait of `tuckaway-host`.
pub struct AdapterStore(tokio::sync::Mutex<(Instance, Store<State>)>);

impl AdapterStore {
    /// Makes an instance of an adapter. If fuel is metered, it may use `fuel` in all.
    pub async fn new(adapter: &Program, setup: Setup, fuel: Option<u64>) -> wasmtime::Result<Self> {
        Ok(AdapterStore(tokio::sync::Mutex::new(adapter.instantiate(setup, fuel).await?)))
    }

    /// Calls a function of the store. A trap is an error of the store.
    async fn call<A, T>(&self, name: &str, arguments: A) -> Result<T, StoreError>
    where
        A: ComponentNamedList + Lower + Send + Sync + 'static,
        T: Lift + Lower + Send + Sync + 'static,
    {
        let (instance, wasm) = &mut *self.0.lock().await;
        let called = async || -> wasmtime::Result<Result<T, StoreError>> {
            let store = instance.get_export_index(&mut *wasm, None, STORE).expect("the store");
            let index = instance.get_export_index(&mut *wasm, Some(&store), name).expect("its function");
            let function = instance.get_typed_func::<A, (Result<T, StoreError>,)>(&mut *wasm, index)?;
            Ok(function.call_async(&mut *wasm, arguments).await?.0)
        };
        called().await.unwrap_or_else(|trap| Err(StoreError::Other(format!("trapped: {trap:#}"))))
    }

    /// Returns the fuel that is left.
    pub async fn fuel(&self) -> u64 {
        self.0.lock().await.1.get_fuel().expect("fuel is metered")
    }
}

#[async_trait]
impl tuckaway_host::Store for AdapterStore {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.call("create", (tool.to_owned(), media_type.to_owned())).await
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.call("append", (id.to_owned(), bytes)).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        self.call("seal", (id.to_owned(), line_count)).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        self.call("stat", (id.to_owned(),)).await
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        self.call("read", (id.to_owned(), offset, length)).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.call("list-artifacts", ()).await
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.call("delete", (id.to_owned(),)).await
    }
}
