//! Merges functions of a module that have the same type and the same code.
//!
//! The compiler makes a function of generic code for each type argument, and many of these
//! functions are equal byte for byte. Linkers for WebAssembly keep them all.

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow};
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

/// Merges equal functions, and then functions that became equal because their callees were merged.
///
/// Names of functions for debuggers are lost. Fails if the module is malformed.
pub fn equal_functions(module: &[u8]) -> Result<Vec<u8>> {
    let mut module = module.to_vec();
    loop {
        let mut merger = Merger::new(&module).context("reading the functions of the module")?;
        if merger.removes_nothing() {
            return Ok(module);
        }
        let mut merged = Module::new();
        merger
            .parse_core_module(&mut merged, Parser::new(0), &module)
            .map_err(|error| anyhow!("merging the functions of the module: {error}"))?;
        module = merged.finish();
    }
}

/// Writes a module again, without the functions that equal an earlier one.
struct Merger {
    /// The new index of each function, imported ones first.
    indices: Vec<u32>,
    /// Whether each function that the module defines is kept.
    is_kept: Vec<bool>,
}

impl Merger {
    fn new(module: &[u8]) -> Result<Self> {
        let (mut imported, mut types, mut bodies) = (0, Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(section) => types = section.into_iter().collect::<Result<_, _>>()?,
                Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
                _ => {}
            }
        }
        let mut merger = Merger { indices: (0..imported).collect(), is_kept: Vec::new() };
        let (mut first, mut next) = (HashMap::new(), imported);
        for function in types.into_iter().zip(bodies) {
            let index = *first.entry(function).or_insert(next);
            merger.is_kept.push(index == next);
            merger.indices.push(index);
            next += u32::from(index == next);
        }
        Ok(merger)
    }

    fn removes_nothing(&self) -> bool {
        self.is_kept.iter().all(|&is_kept| is_kept)
    }
}

impl Reencode for Merger {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error<String>> {
        self.indices
            .get(function as usize)
            .copied()
            .ok_or_else(|| reencode::Error::UserError(format!("it has no function {function}")))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error<String>> {
        for (function, is_kept) in section.into_iter().zip(self.is_kept.clone()) {
            if is_kept {
                functions.function(self.type_index(function?)?);
            }
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error<String>> {
        for (body, is_kept) in section.into_iter().zip(self.is_kept.clone()) {
            if is_kept {
                self.parse_function_body(code, body?)?;
            }
        }
        Ok(())
    }

    fn custom_name_section(
        &mut self,
        _: wasmparser::NameSectionReader<'_>,
    ) -> Result<wasm_encoder::NameSection, reencode::Error<String>> {
        Ok(wasm_encoder::NameSection::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        ConstExpr, ElementSection, Elements, ExportKind, ExportSection, Function, ImportSection, RefType,
        TableSection, TableType, TypeSection, ValType,
    };

    /// A module whose functions have the given code, all with one type but the last. Function 0 is
    /// imported, so the first body is function 1. Exports the last but one, and has it in a table.
    fn module(bodies: &[&[u32]]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        types.ty().function([ValType::I32], []);
        let mut imports = ImportSection::new();
        imports.import("m", "f", wasm_encoder::EntityType::Function(0));
        let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
        for (index, calls) in bodies.iter().enumerate() {
            functions.function(u32::from(index + 1 == bodies.len()));
            let mut body = Function::new([]);
            calls.iter().for_each(|&function| {
                body.instructions().call(function);
            });
            body.instructions().end();
            code.function(&body);
        }
        let chosen = bodies.len() as u32 - 1;
        let mut tables = TableSection::new();
        let table = RefType::FUNCREF;
        tables.table(TableType {
            element_type: table,
            table64: false,
            minimum: 1,
            maximum: None,
            shared: false,
        });
        let mut exports = ExportSection::new();
        exports.export("chosen", ExportKind::Func, chosen);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions([chosen].as_slice().into()));
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables);
        module.section(&exports).section(&elements).section(&code);
        module.finish()
    }

    #[test]
    fn equal_functions_are_merged_with_what_calls_them() {
        // 1 and 2 are equal, so 3 and 4 are; the last has another type.
        let merged = equal_functions(&module(&[&[0], &[0], &[1], &[2], &[0]])).unwrap();
        wasmparser::validate(&merged).unwrap();
        let expected = module(&[&[0], &[1], &[0]]);
        assert_eq!(merged, expected);
    }

    #[test]
    fn functions_that_differ_are_kept() {
        let kept = module(&[&[0], &[0, 0], &[1], &[2], &[0]]);
        assert_eq!(equal_functions(&kept).unwrap(), kept);
    }

    #[test]
    fn a_module_that_ends_early_is_an_error() {
        let module = module(&[&[0], &[0], &[0]]);
        assert!(equal_functions(&module[..module.len() - 4]).is_err());
    }
}
