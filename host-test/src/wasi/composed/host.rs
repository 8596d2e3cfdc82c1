//! WASI for one instance: the state of wasmtime's implementations.

use std::collections::BTreeMap;
use std::path::PathBuf;

use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_keyvalue::{WasiKeyValue, WasiKeyValueCtx};

use super::Counted;
use crate::wasi::State;

/// What an instance finds in its host.
#[derive(Default)]
pub struct Setup {
    /// The directory that is opened beforehand as `/`; none if it is not set.
    pub directory: Option<PathBuf>,
    /// The keys and values of its bucket. Each instance has a copy of them.
    pub keys: BTreeMap<String, Vec<u8>>,
    /// Its environment variables.
    pub variables: Vec<(&'static str, String)>,
    /// Random numbers and a clock that follow the worlds of cases; the system's if it is not set.
    pub counted: Option<Counted>,
}

/// The state of wasmtime's implementations.
pub struct Host {
    wasi: WasiCtx,
    keys: WasiKeyValueCtx,
    table: ResourceTable,
}

impl Host {
    /// Creates the host of an instance.
    pub fn new(setup: Setup) -> wasmtime::Result<Box<Host>> {
        let mut wasi = WasiCtx::builder();
        // Where a panic of the component says why.
        wasi.inherit_stderr();
        for (name, value) in &setup.variables {
            wasi.env(name, value);
        }
        if let Some(directory) = &setup.directory {
            wasi.preopened_dir(directory, "/", FsPerms::ReadWrite)?;
        }
        if let Some(counted) = setup.counted {
            wasi.secure_random(counted.clone()).wall_clock(counted);
        }
        let keys = WasiKeyValueCtx::builder().in_memory_data(setup.keys).build();
        Ok(Box::new(Host { wasi: wasi.build(), keys, table: ResourceTable::new() }))
    }

    fn of(state: &mut State) -> &mut Host {
        state.host.as_mut().expect("a component that uses WASI is given a host")
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let host = Host::of(self);
        WasiCtxView { ctx: &mut host.wasi, table: &mut host.table }
    }
}

/// Links WASI.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_async(linker)?;
    wasmtime_wasi_keyvalue::add_to_linker(linker, |state: &mut State| {
        let host = Host::of(state);
        WasiKeyValue::new(&host.keys, &mut host.table)
    })
}
