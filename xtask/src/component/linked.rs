//! Reads the functions and constants of a linked module, and what they refer to.
//!
//! The linker lists each reference (`--emit-relocs`): two functions that differ only in the addresses of
//! equal constants, such as the locations of panics, can thus be recognized. Constants stay where they are,
//! but a function that was merged may use another copy: no code may compare addresses of constants.

use std::ops::Range;

use anyhow::{Context, Result, bail};
use wasmparser::{
    CustomSectionReader, KnownCustom, Linking, Name, Parser, Payload, RelocationEntry, SymbolInfo, TypeRef,
};

/// A function or a constant.
#[derive(Debug, PartialEq)]
pub struct Item {
    /// What distinguishes it apart from its references.
    pub content: Content,
    /// What it refers to, and where.
    pub references: Vec<Placed>,
}

/// A reference, and its place in the bytes of its item.
pub type Placed = (usize, Reference);

/// What distinguishes an item apart from its references.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// The type and the code of a function.
    Function(u32, Vec<u8>),
    /// The bytes of a constant.
    Constant(Vec<u8>),
    /// It equals only itself: a function that is imported, or data that may change.
    Unique(usize),
}

/// A reference to an item, or to something that items share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reference {
    /// The index of an item, and what is added to its address.
    Item(usize, i64),
    /// Anything else, such as a type or a global, by the kind of the reference and its index.
    Other(u8, u32),
}

/// The items of a module: all functions in the order of their indices, then data.
#[derive(Debug, PartialEq)]
pub struct Items {
    /// The items.
    pub items: Vec<Item>,
    /// The number of imported functions.
    pub imported: usize,
    /// The number of functions.
    pub functions: usize,
}

/// The parts of a module that items are made of. Positions are those of the module.
#[derive(Default)]
struct Linked<'a> {
    imported: usize,
    types: Vec<u32>,
    bodies: Vec<Range<usize>>,
    segments: Vec<Range<usize>>,
    /// The segment of data that never changes.
    constants: Option<u32>,
    symbols: Vec<SymbolInfo<'a>>,
    /// The sections with code and data: where they start, and the references in them by position.
    code: Section,
    data: Section,
}

#[derive(Default)]
struct Section {
    start: usize,
    references: Vec<RelocationEntry>,
}

/// Reads a module. Fails if it is malformed, or if it was linked without a list of references.
pub fn items(module: &[u8]) -> Result<Items> {
    let linked = Linked::read(module)?;
    if linked.symbols.is_empty() {
        bail!("the module does not list its references: link it with --emit-relocs");
    }
    let functions = linked.imported + linked.bodies.len();
    let mut items: Vec<Item> = (0..linked.imported).map(unique).collect();
    for (body, signature) in linked.bodies.iter().zip(&linked.types) {
        let (bytes, references) = linked.without_references(module, body, &linked.code, functions)?;
        items.push(Item { content: Content::Function(*signature, bytes), references });
    }
    for (index, symbol) in linked.symbols.iter().enumerate() {
        let defined = match symbol {
            SymbolInfo::Data { symbol: Some(defined), .. } if defined.size > 0 => Some(defined),
            _ => None,
        };
        let Some(defined) = defined.filter(|defined| Some(defined.index) == linked.constants) else {
            items.push(unique(functions + index));
            continue;
        };
        let segment = linked.segments.get(defined.index as usize).context("a segment is missing")?;
        let start = segment.start + defined.offset as usize;
        let place = start..start + defined.size as usize;
        let (bytes, references) = linked.without_references(module, &place, &linked.data, functions)?;
        items.push(Item { content: Content::Constant(bytes), references });
    }
    Ok(Items { items, imported: linked.imported, functions })
}

fn unique(index: usize) -> Item {
    Item { content: Content::Unique(index), references: Vec::new() }
}

impl<'a> Linked<'a> {
    fn read(module: &'a [u8]) -> Result<Self> {
        let mut linked = Linked::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        linked.imported += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(section) => {
                    linked.types = section.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::CodeSectionStart { range, .. } => linked.code.start = usize::try_from(range.start)?,
                Payload::CodeSectionEntry(body) => linked.bodies.push(position(body.range())?),
                Payload::DataSection(section) => {
                    linked.data.start = usize::try_from(section.range().start)?;
                    for segment in section {
                        let segment = segment?;
                        let end = usize::try_from(segment.range.end)?;
                        linked.segments.push(end - segment.data.len()..end);
                    }
                }
                Payload::CustomSection(section) => linked.read_custom(&section)?,
                _ => {}
            }
        }
        Ok(linked)
    }

    /// Reads what the linker says about the other sections, which come first.
    fn read_custom(&mut self, section: &CustomSectionReader<'a>) -> Result<()> {
        match section.as_known() {
            KnownCustom::Linking(linking) => {
                for part in linking.subsections() {
                    if let Linking::SymbolTable(symbols) = part? {
                        self.symbols = symbols.into_iter().collect::<Result<_, _>>()?;
                    }
                }
            }
            KnownCustom::Reloc(references) => {
                let of = match section.name() {
                    "reloc.CODE" => &mut self.code,
                    "reloc.DATA" => &mut self.data,
                    _ => return Ok(()),
                };
                of.references = references.entries().into_iter().collect::<Result<_, _>>()?;
                of.references.sort_by_key(|reference| reference.offset);
            }
            KnownCustom::Name(names) => {
                for part in names {
                    let Name::Data(segments) = part? else { continue };
                    for segment in segments {
                        let segment = segment?;
                        if segment.name == ".rodata" {
                            self.constants = Some(segment.index);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the bytes of an item without its references, and these.
    fn without_references(
        &self,
        module: &[u8],
        place: &Range<usize>,
        section: &Section,
        functions: usize,
    ) -> Result<(Vec<u8>, Vec<Placed>)> {
        let (mut bytes, mut references, mut from) =
            (Vec::with_capacity(place.len()), Vec::new(), place.start);
        let first =
            section.references.partition_point(|entry| section.start + (entry.offset as usize) < place.start);
        for entry in &section.references[first..] {
            let range = entry.relocation_range()?;
            let (start, end) = (section.start + range.start, section.start + range.end);
            if start >= place.end {
                break;
            }
            bytes.extend_from_slice(module.get(from..start).context("references overlap")?);
            references.push((start - place.start, self.reference(entry, functions)?));
            from = end;
        }
        bytes.extend_from_slice(module.get(from..place.end).context("a reference is longer than its item")?);
        Ok((bytes, references))
    }

    fn reference(&self, entry: &RelocationEntry, functions: usize) -> Result<Reference> {
        use wasmparser::RelocationType::TypeIndexLeb;
        if entry.ty == TypeIndexLeb {
            return Ok(Reference::Other(entry.ty as u8, entry.index));
        }
        let symbol = self.symbols.get(entry.index as usize).context("a reference to a missing symbol")?;
        Ok(match symbol {
            SymbolInfo::Func { index, .. } => Reference::Item(*index as usize, entry.addend),
            SymbolInfo::Data { .. } => Reference::Item(functions + entry.index as usize, entry.addend),
            _ => Reference::Other(entry.ty as u8, entry.index),
        })
    }
}

fn position(range: Range<u64>) -> Result<Range<usize>> {
    Ok(usize::try_from(range.start)?..usize::try_from(range.end)?)
}
