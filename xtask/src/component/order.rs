//! Orders a module's functions so that similar ones are near each other: gzip finds
//! repetitions in the last 32 KiB only.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::convert::Infallible;

use anyhow::{Context, Result};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Parser, Payload};

/// Functions are compared by their runs of this many bytes.
const RUN_BYTES: usize = 8;
/// A run that more functions have says little about them.
const COMMON: usize = 100;
/// How far back gzip searches.
const WINDOW_BYTES: usize = 32 << 10;

/// Returns a module with the same functions, similar ones near each other.
pub fn by_similarity(module: &[u8]) -> Result<Vec<u8>> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let order = order(&bodies);
    let mut places = vec![0; order.len()];
    for (place, &function) in order.iter().enumerate() {
        places[function] = place as u32;
    }
    let mut ordered = Module::new();
    Reordered { imported, order, places }
        .parse_core_module(&mut ordered, Parser::new(0), module)
        .context("writing the module in another order")?;
    Ok(ordered.finish())
}

/// Returns the indexes of functions in an order: the next one is always that of which the
/// window has the largest part.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let groups = groups(bodies);
    let mut members = vec![Vec::new(); bodies.len()];
    for (group, functions) in groups.iter().enumerate() {
        functions.iter().for_each(|&function| members[function].push(group));
    }
    let mut seen = vec![0u32; groups.len()];
    let mut known = vec![0u64; bodies.len()];
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let (mut window, mut window_bytes) = (VecDeque::new(), 0);
    let mut order = Vec::with_capacity(bodies.len());
    while !left.is_empty() {
        let similarity = |&function: &usize| (known[function] << 20) / (bodies[function].len() as u64 + 40);
        let next = (0..left.len()).max_by_key(|&at| (similarity(&left[at]), Reverse(left[at]))).unwrap_or(0);
        let next = left.swap_remove(next);
        order.push(next);
        window.push_back(next);
        window_bytes += bodies[next].len();
        for &group in &members[next] {
            seen[group] += 1;
            if seen[group] == 1 {
                groups[group].iter().for_each(|&function| known[function] += 1);
            }
        }
        while window_bytes > WINDOW_BYTES
            && let Some(first) = window.pop_front()
        {
            window_bytes -= bodies[first].len();
            for &group in &members[first] {
                seen[group] -= 1;
                if seen[group] == 0 {
                    groups[group].iter().for_each(|&function| known[function] -= 1);
                }
            }
        }
    }
    order
}

/// Returns for each run the functions that have it, if these are few.
fn groups(bodies: &[&[u8]]) -> Vec<Vec<usize>> {
    let runs = |(function, body): (usize, &&[u8])| -> Vec<_> {
        body.array_windows::<RUN_BYTES>().map(|run| (*run, function)).collect()
    };
    let mut runs: Vec<([u8; RUN_BYTES], usize)> = bodies.iter().enumerate().flat_map(runs).collect();
    runs.sort_unstable();
    runs.dedup();
    let groups = runs.chunk_by(|one, other| one.0 == other.0);
    let groups = groups.filter(|group| (2..=COMMON).contains(&group.len()));
    groups.map(|group| group.iter().map(|(_, function)| *function).collect()).collect()
}

/// Writes a module with its functions in another order.
struct Reordered {
    /// How many functions are imported: they come first, and keep their indexes.
    imported: u32,
    /// The functions in their new order.
    order: Vec<usize>,
    /// The new place of each function.
    places: Vec<u32>,
}

impl Reencode for Reordered {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(match function.checked_sub(self.imported) {
            Some(function) => self.imported + self.places[function as usize],
            None => function,
        })
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for &function in &self.order {
            functions.function(types[function]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for function in self.order.clone() {
            self.parse_function_body(code, bodies[function].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{
        ExportKind, ExportSection, Function, ImportSection, Instruction, TypeSection, ValType,
    };
    use wasmparser::{Operator, Validator};

    use super::*;

    /// Returns a module of an import and functions of two families in turn, each of which
    /// calls the one before.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("host", "first", wasm_encoder::EntityType::Function(0));
        let (mut functions, mut exports, mut code) =
            (FunctionSection::new(), ExportSection::new(), CodeSection::new());
        for n in 1..=20 {
            functions.function(0);
            exports.export(&format!("f{n}"), ExportKind::Func, n);
            let mut function = Function::new([]);
            function.instruction(&Instruction::I32Const(n as i32));
            function.instruction(&Instruction::Call(n - 1));
            let family = if n % 2 == 0 { Instruction::I32Xor } else { Instruction::I32Add };
            for _ in 0..20 {
                function.instruction(&family).instruction(&Instruction::I32Const(1000 + n as i32 % 2));
            }
            function.instruction(&family).instruction(&Instruction::End);
            code.function(&function);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
        module.finish()
    }

    #[test]
    fn similar_functions_are_neighbours_and_call_what_they_called() {
        let ordered = by_similarity(&module()).unwrap();
        Validator::new().validate_all(&ordered).unwrap();
        let (mut exported, mut bodies) = (Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(&ordered) {
            match payload.unwrap() {
                Payload::ExportSection(exports) => {
                    exported = exports.into_iter().map(Result::unwrap).collect()
                }
                Payload::CodeSectionEntry(body) => {
                    let mut operators = body.get_operators_reader().unwrap();
                    let number = match operators.read().unwrap() {
                        Operator::I32Const { value } => value,
                        other => panic!("{other:?}"),
                    };
                    let called = match operators.read().unwrap() {
                        Operator::Call { function_index } => function_index,
                        other => panic!("{other:?}"),
                    };
                    bodies.push((number, called));
                }
                _ => {}
            }
        }
        for export in exported {
            let (number, called) = bodies[export.index as usize - 1];
            assert_eq!(export.name, format!("f{number}"));
            match called {
                0 => assert_eq!(number, 1),
                called => assert_eq!(bodies[called as usize - 1].0, number - 1),
            }
        }
        let turns = bodies.windows(2).filter(|pair| pair[0].0 % 2 != pair[1].0 % 2).count();
        assert_eq!(turns, 1, "{bodies:?}");
    }
}
