//! Writes the vocabularies of OpenAI's tokenizers in the format of the library.

#[path = "../src/tokens/tiktoken/format.rs"]
mod format;

use std::path::Path;
use std::{fs, io};

use format::{HEADER, NUMBER, WORD};
use tiktoken_rs::CoreBPE;

/// Writes a file for each vocabulary. That of r50k_base is the start of p50k_base's.
pub fn write(out_dir: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed=build/vocabularies.rs");
    println!("cargo::rerun-if-changed=src/tokens/tiktoken/format.rs");
    for (name, vocabulary) in [
        ("o200k_base", tiktoken_rs::o200k_base_singleton()),
        ("cl100k_base", tiktoken_rs::cl100k_base_singleton()),
        ("p50k_base", tiktoken_rs::p50k_base_singleton()),
    ] {
        fs::write(out_dir.join(name).with_extension("vocabulary"), encoded(&tokens(vocabulary)))?;
    }
    Ok(())
}

/// Returns the bytes of all tokens, without the special ones, in the order of their ranks.
fn tokens(vocabulary: &CoreBPE) -> Vec<Vec<u8>> {
    let special = vocabulary.special_tokens();
    let is_special = |token: &[u8]| special.iter().any(|special| special.as_bytes() == token);
    let ranks = 0..=NUMBER;
    ranks
        .filter_map(|rank| vocabulary.decode_bytes(&[rank]).ok())
        .filter(|token| !is_special(token))
        .collect()
}

/// Returns a vocabulary in the format of the library.
fn encoded(tokens: &[Vec<u8>]) -> Vec<u8> {
    assert!(tokens.len() < NUMBER as usize, "the number of a token does not fit a slot");
    // At least a fifth stays empty, so that a search ends soon.
    let count = (tokens.len() * 5 / 4).next_power_of_two();
    let mut slots = vec![0u32; count];
    for (number, token) in (1u32..).zip(tokens) {
        let hash = format::hash(token);
        let mut at = hash as usize % count;
        while slots[at] != 0 {
            at = (at + 1) % count;
        }
        slots[at] = hash & !NUMBER | number;
    }
    let ends = tokens.iter().scan(0, |end, token| {
        *end += token.len() as u32;
        Some(*end)
    });
    let header: [u32; HEADER] = [tokens.len() as u32, count as u32];
    let words = header.into_iter().chain([0]).chain(ends).chain(slots);
    let mut encoded: Vec<u8> = words.flat_map(|word| -> [u8; WORD] { word.to_le_bytes() }).collect();
    encoded.extend(tokens.iter().flatten());
    encoded
}
