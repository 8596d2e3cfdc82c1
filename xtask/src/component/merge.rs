//! Merges functions of a module that do the same.
//!
//! The compiler makes a function of generic code for each type argument and in each crate, and many of
//! these functions are equal. Linkers for WebAssembly keep them all.

use std::collections::HashMap;
use std::hash::Hash;

use anyhow::{Context, Result, anyhow};
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, CustomSectionReader, FunctionSectionReader, Parser};

use super::linked::{self, Items, Reference};

/// Merges functions that do the same: their code is equal apart from the functions and constants to which
/// it refers, and these are equal as well. Functions that call themselves or each other are merged, too.
///
/// The names and references that the linker lists are removed. Fails if the module is malformed, or has no
/// such list.
pub fn equal_functions(module: &[u8]) -> Result<Vec<u8>> {
    let mut merger = Merger::new(module).context("reading the functions of the module")?;
    let mut merged = Module::new();
    merger
        .parse_core_module(&mut merged, Parser::new(0), module)
        .map_err(|error| anyhow!("merging the functions of the module: {error}"))?;
    Ok(merged.finish())
}

/// Returns a class for each function, equal for those that do the same. At first, items with equal
/// content are in one class; then classes are split by the classes of what the items refer to, as long as
/// that splits any. Classes are numbered in the order of their first functions.
fn classes(of: &Items) -> Vec<u32> {
    let mut classes = numbered(of.items.iter().map(|item| &item.content));
    loop {
        let count = classes.iter().max();
        let split = numbered(of.items.iter().zip(&classes).map(|(item, class)| {
            let references = item.references.iter().map(|&(place, reference)| match reference {
                Reference::Item(index, addend) => (place, Reference::Item(classes[index] as usize, addend)),
                other => (place, other),
            });
            (*class, references.collect::<Vec<_>>())
        }));
        let is_final = split.iter().max() == count;
        classes = split;
        if is_final {
            classes.truncate(of.functions);
            return classes;
        }
    }
}

/// Returns a number for each key, in the order in which they appear.
fn numbered<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut known = HashMap::new();
    keys.map(|key| {
        let next = known.len() as u32;
        *known.entry(key).or_insert(next)
    })
    .collect()
}

/// Writes a module again, without the functions that do the same as an earlier one.
struct Merger {
    /// The new index of each function, imported ones first.
    indices: Vec<u32>,
    /// Whether each function that the module defines is kept.
    is_kept: Vec<bool>,
}

impl Merger {
    fn new(module: &[u8]) -> Result<Self> {
        let items = linked::items(module)?;
        let indices = classes(&items);
        let mut next = items.imported as u32;
        let is_kept = indices[items.imported..].iter().map(|&index| {
            let is_first = index == next;
            next += u32::from(is_first);
            is_first
        });
        Ok(Merger { is_kept: is_kept.collect(), indices })
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

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), reencode::Error<String>> {
        let is_of_linker = section.name() == "name" || section.name() == "linking";
        if !is_of_linker && !section.name().starts_with("reloc.") {
            reencode::utils::parse_custom_section(self, module, section)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        ConstExpr, CustomSection, DataSection, DataSymbolDefinition, ElementSection, Elements, Encode,
        ExportKind, ExportSection, ImportSection, LinkingSection, NameMap, NameSection, RefType, SymbolTable,
        TableSection, TableType, TypeSection, ValType,
    };

    /// A reference from a function.
    #[derive(Clone, Copy)]
    enum To {
        /// A call of the function with this index.
        Function(u32),
        /// The address of the constant with this index.
        Constant(u32),
    }
    use To::{Constant, Function};

    /// The kinds of references, as the format numbers them.
    const FUNCTION_INDEX_LEB: u8 = 0;
    const MEMORY_ADDR_SLEB: u8 = 4;

    /// A linked module whose functions consist of references, all with one type but the last. Function
    /// 0 is imported, so the first body is function 1. Constants take a byte each. Exports the last but
    /// one, and has it in a table.
    fn module(bodies: &[&[To]], constants: &[u8]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        types.ty().function([ValType::I32], []);
        let mut imports = ImportSection::new();
        imports.import("m", "f", wasm_encoder::EntityType::Function(0));
        let (mut functions, mut code, mut references) =
            (FunctionSection::new(), CodeSection::new(), Vec::new());
        let mut start = 1;
        for (index, body) in bodies.iter().enumerate() {
            functions.function(u32::from(index + 1 == bodies.len()));
            let mut bytes = vec![0];
            for to in *body {
                let (opcode, index, end): (u8, u32, &[u8]) = match to {
                    Function(index) => (0x10, *index, &[]),
                    Constant(index) => (0x41, *index, &[0x1A]),
                };
                bytes.push(opcode);
                references.push((*to, start + 1 + bytes.len() as u32));
                bytes.extend([index as u8 | 0x80, 0x80, 0x80, 0x80, 0x00]);
                bytes.extend(end);
            }
            bytes.push(0x0B);
            start += 1 + bytes.len() as u32;
            code.raw(&bytes);
        }
        let chosen = bodies.len() as u32 - 1;
        let mut tables = TableSection::new();
        let element_type = RefType::FUNCREF;
        tables.table(TableType { element_type, table64: false, minimum: 1, maximum: None, shared: false });
        let mut exports = ExportSection::new();
        exports.export("chosen", ExportKind::Func, chosen);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions([chosen].as_slice().into()));
        let mut memories = wasm_encoder::MemorySection::new();
        memories.memory(wasm_encoder::MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(0), constants.iter().copied());
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables).section(&memories);
        module.section(&exports).section(&elements).section(&code).section(&data);
        list_references(&mut module, bodies.len() as u32 + 1, constants.len() as u32, &references);
        module.finish()
    }

    /// Adds what a linker lists: symbols for functions and constants, references, the segment's name.
    fn list_references(module: &mut Module, functions: u32, constants: u32, references: &[(To, u32)]) {
        let (mut linking, mut symbols) = (LinkingSection::new(), SymbolTable::new());
        symbols.function(SymbolTable::WASM_SYM_UNDEFINED, 0, None);
        (1..functions).for_each(|index| {
            symbols.function(0, index, Some("f"));
        });
        (0..constants).for_each(|offset| {
            symbols.data(0, "c", Some(DataSymbolDefinition { index: 0, offset, size: 1 }));
        });
        module.section(linking.symbol_table(&symbols));
        let mut listed = Vec::new();
        // The index of the code section.
        7_u32.encode(&mut listed);
        (references.len() as u32).encode(&mut listed);
        for (to, offset) in references {
            let (kind, symbol) = match to {
                Function(index) => (FUNCTION_INDEX_LEB, *index),
                Constant(index) => (MEMORY_ADDR_SLEB, functions + index),
            };
            listed.push(kind);
            offset.encode(&mut listed);
            symbol.encode(&mut listed);
            if kind == MEMORY_ADDR_SLEB {
                listed.push(0);
            }
        }
        module.section(&CustomSection { name: "reloc.CODE".into(), data: listed.into() });
        let (mut names, mut segments) = (NameSection::new(), NameMap::new());
        segments.append(0, ".rodata");
        names.data(&segments);
        module.section(&names);
    }

    /// Returns the numbers of references in the bodies of a module, and the called functions.
    fn bodies(module: &[u8]) -> Vec<Vec<u32>> {
        wasmparser::validate(module).unwrap();
        let payloads = Parser::new(0).parse_all(module);
        let bodies = payloads.filter_map(|payload| match payload.unwrap() {
            wasmparser::Payload::CodeSectionEntry(body) => Some(body),
            _ => None,
        });
        let called = |body: wasmparser::FunctionBody| {
            let operators = body.get_operators_reader().unwrap().into_iter();
            let called = operators.filter_map(|operator| match operator.unwrap() {
                wasmparser::Operator::Call { function_index } => Some(function_index),
                _ => None,
            });
            called.collect()
        };
        bodies.map(called).collect()
    }

    #[test]
    fn equal_functions_are_merged_with_what_calls_them() {
        // 1 and 2 are equal, so 3 and 4 are; the last has another type.
        let calls: [&[To]; 5] =
            [&[Function(0)], &[Function(0)], &[Function(1)], &[Function(2)], &[Function(0)]];
        let merged = equal_functions(&module(&calls, &[])).unwrap();
        assert_eq!(bodies(&merged), [[0], [1], [0]]);
        assert!(
            Parser::new(0)
                .parse_all(&merged)
                .all(|payload| { !matches!(payload.unwrap(), wasmparser::Payload::CustomSection(_)) })
        );
    }

    #[test]
    fn functions_that_call_each_other_are_merged() {
        // 1 calls 2 and 2 calls 1, as 3 and 4 do; 5 calls itself, and so does 6.
        let calls = |second: u32| {
            let [one, two, three, four, five, six] = [1, 2, 3, 4, 5, 6].map(Function);
            let other = Function(second);
            let calls: [&[To]; 7] =
                [&[two, Function(0)], &[one], &[four, other], &[three], &[five], &[six], &[Function(0)]];
            bodies(&equal_functions(&module(&calls, &[])).unwrap())
        };
        assert_eq!(calls(0), [&[2, 0][..], &[1], &[3], &[0]]);
        assert_eq!(calls(1).len(), 6);
    }

    #[test]
    fn functions_that_use_equal_constants_are_merged() {
        let uses: [&[To]; 5] =
            [&[Constant(0)], &[Constant(1)], &[Constant(2)], &[Function(1), Constant(2)], &[]];
        let merged = |constants: &[u8]| bodies(&equal_functions(&module(&uses, constants)).unwrap()).len();
        assert_eq!(merged(b"aab"), 4);
        assert_eq!(merged(b"abc"), 5);
        assert_eq!(merged(b"aaa"), 3);
    }

    #[test]
    fn a_module_that_ends_early_or_lists_no_references_is_an_error() {
        let module = module(&[&[Function(0)], &[Function(0)], &[Function(0)]], &[]);
        assert!(equal_functions(&module[..module.len() - 4]).is_err());
        let error = equal_functions(&Module::new().finish()).unwrap_err();
        assert!(format!("{error:#}").contains("--emit-relocs"), "{error:#}");
    }
}
