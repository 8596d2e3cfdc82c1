//! A second copy of the bindings, for a linker that `tuckaway-host` does not have. The
//! conversions are in the same file as those of `tuckaway-host`, so the names that they
//! use are declared here too.

#[path = "../../../host/src/bindings/convert.rs"]
#[allow(dead_code)]
pub(crate) mod convert;
#[path = "../../../host/src/bindings/extraction.rs"]
#[allow(dead_code)]
pub(crate) mod extraction;
#[path = "../../../host/src/bindings/histories.rs"]
#[allow(dead_code)]
pub(crate) mod histories;
#[path = "../../../host/src/bindings/planning.rs"]
#[allow(dead_code)]
pub(crate) mod planning;

use tuckaway::{CountTokens as _, Store as _};
use wasmtime::component::{HasSelf, Linker};

use super::State;

#[allow(missing_docs)]
mod generated {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "engine",
        imports: { default: async },
        exports: { default: async },
        ownership: Borrowing { duplicate_if_necessary: true },
    });
}

pub(crate) use generated::exports::tuckaway::context as exported;
pub(crate) use generated::tuckaway::context as imported;
pub(crate) use generated::{Engine as Exports, EnginePre as ExportsPre};

/// Links the component's two imports.
pub(crate) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    Exports::add_to_linker::<State, HasSelf<State>>(linker, |state| state)
}

use imported::{store, tokens};

impl store::Host for State {
    async fn create(&mut self, tool: String, media_type: String) -> Result<String, store::StoreError> {
        Ok(self.world.create(&tool, &media_type)?)
    }

    async fn append(&mut self, id: String, bytes: Vec<u8>) -> Result<(), store::StoreError> {
        Ok(self.world.append(&id, &bytes)?)
    }

    async fn seal(&mut self, id: String, line_count: u64) -> Result<store::Artifact, store::StoreError> {
        Ok(self.world.seal(&id, line_count)?.into())
    }

    async fn stat(&mut self, id: String) -> Result<store::Artifact, store::StoreError> {
        Ok(self.world.stat(&id)?.into())
    }

    async fn read(&mut self, id: String, offset: u64, length: u32) -> Result<Vec<u8>, store::StoreError> {
        Ok(self.world.read(&id, offset, length)?)
    }

    async fn list_artifacts(&mut self) -> Result<Vec<store::Artifact>, store::StoreError> {
        Ok(convert::all(self.world.list_artifacts()?))
    }

    async fn delete(&mut self, id: String) -> Result<(), store::StoreError> {
        Ok(self.world.delete(&id)?)
    }
}

impl tokens::Host for State {
    async fn count(&mut self, text: String) -> Result<u64, String> {
        self.world.count(&text)
    }
}
