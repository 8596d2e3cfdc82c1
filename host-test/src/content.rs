//! Bytes in the notation of case files: text, lines, or a recipe.

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// The maximum bytes of a recipe's result: more must be a mistake in the case.
const MAX_BYTES: usize = 256 << 20;

/// Returns the bytes that a case file describes: `cases/README.md` lists the forms.
pub fn bytes(value: &Value) -> Result<Vec<u8>> {
    match value {
        Value::String(text) => Ok(text.clone().into_bytes()),
        Value::Array(lines) => {
            let lines = lines.iter().map(bytes).collect::<Result<Vec<_>>>()?;
            Ok(lines.join(&b'\n'))
        }
        Value::Object(recipe) => cook(recipe).with_context(|| format!("in {value}")),
        _ => bail!("{value} does not describe bytes"),
    }
}

/// As [`bytes`], for text.
pub fn text(value: &Value) -> Result<String> {
    Ok(String::from_utf8(bytes(value)?)?)
}

fn cook(recipe: &Map<String, Value>) -> Result<Vec<u8>> {
    let get = |name: &str| recipe.get(name);
    let number = |name: &str| {
        get(name).and_then(Value::as_u64).with_context(|| format!("{name} is missing or not a number"))
    };
    if let Some(unit) = get("repeat") {
        let (unit, times) = (bytes(unit)?, number("times")? as usize);
        if unit.len().saturating_mul(times) > MAX_BYTES {
            bail!("this is more than {MAX_BYTES} bytes");
        }
        return Ok(unit.repeat(times));
    }
    if let Some(parts) = get("concat").and_then(Value::as_array) {
        return Ok(parts.iter().map(bytes).collect::<Result<Vec<_>>>()?.concat());
    }
    if let Some(each) = get("each") {
        let each = text(each)?;
        let separator = get("join").map_or(Ok(String::new()), text)?;
        let all: Vec<String> =
            (number("from")?..=number("to")?).map(|n| each.replace('%', &n.to_string())).collect();
        return Ok(all.join(&separator).into_bytes());
    }
    if let Some(encoded) = get("base64").and_then(Value::as_str) {
        return Ok(STANDARD.decode(encoded)?);
    }
    if let Some(digits) = get("hex").and_then(Value::as_str) {
        let digits: Vec<u8> = digits.bytes().filter(|b| *b != b' ').collect();
        return digits
            .chunks(2)
            .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?))
            .collect();
    }
    if let Some(file) = get("file").and_then(Value::as_str) {
        let path = crate::workspace().join("cases").join(file);
        return std::fs::read(&path).with_context(|| format!("reading {}", path.display()));
    }
    bail!("this is not a recipe")
}

/// Returns whether a value of an expectation describes bytes, for [`bytes`].
pub fn is_recipe(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(lines) => lines.iter().all(is_recipe),
        Value::Object(recipe) => {
            let is_file = recipe.get("file").is_some_and(Value::is_string);
            is_file
                || ["repeat", "concat", "each", "base64", "hex"].iter().any(|name| recipe.contains_key(*name))
        }
        _ => false,
    }
}

/// Encodes bytes that are not UTF-8 for an expectation.
pub fn encoded(bytes: &[u8]) -> Value {
    let mut recipe = Map::new();
    recipe.insert("base64".to_owned(), Value::from(STANDARD.encode(bytes)));
    Value::Object(recipe)
}

/// Converts strings of digits to numbers: case files write numbers as strings if some
/// languages cannot represent them.
pub(crate) fn numbers(value: Value) -> Value {
    match value {
        Value::String(text) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            text.parse::<u64>().map_or(Value::String(text), Value::from)
        }
        Value::Array(values) => values.into_iter().map(numbers).collect(),
        Value::Object(members) => members.into_iter().map(|(name, value)| (name, numbers(value))).collect(),
        value => value,
    }
}
