//! Calls into the engine as data: one variant for each export of `wit/`.

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tuckaway::{
    ArtifactTool, Block, Content, Dialect, GrepQuery, JqQuery, LineRange, Policy, Range, ToolOutput, Turn,
};

use crate::content::{self, numbers};
use crate::{Extraction, Histories, Planning};

/// A call with its arguments.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // wit/ documents each
pub enum Call {
    Decide { output: ToolOutput, turn: Turn, policy: Policy },
    Process { output: ToolOutput, turn: Turn, policy: Policy },
    ProcessTurn { outputs: Vec<ToolOutput>, turn: Turn, policy: Policy },
    InferShape { content: Vec<u8>, max_bytes: Option<u32> },
    Truncate { content: Vec<u8>, max_bytes: u64 },
    Read { id: String, range: Range, line_numbers: bool, max_bytes: Option<u32> },
    Grep { id: String, query: GrepQuery, max_bytes: Option<u32> },
    GrepAll { query: GrepQuery, max_bytes: Option<u32> },
    Jq { id: String, query: JqQuery, max_bytes: Option<u32> },
    ListArtifacts,
    DefaultPolicy { dialect: Dialect },
    Definitions { tools: Vec<ArtifactTool>, dialect: Dialect, is_final_turn: bool, is_detailed: bool },
    Call { name: String, arguments: String, max_bytes: Option<u32> },
    Planning(Planning),
    Extraction(Box<Extraction>),
    Histories(Box<Histories>),
}

impl Call {
    /// Parses the call of this name from the input of a case.
    pub fn parse(name: &str, input: &Map<String, Value>) -> Result<Call> {
        if let Some(planning) = Planning::parse(name, input)? {
            return Ok(Call::Planning(planning));
        }
        if let Some(extraction) = Extraction::parse(name, input)? {
            return Ok(Call::Extraction(Box::new(extraction)));
        }
        if let Some(histories) = Histories::parse(name, input)? {
            return Ok(Call::Histories(Box::new(histories)));
        }
        let input = Input(input);
        Ok(match name {
            "decide" => {
                Call::Decide { output: input.output()?, turn: input.turn()?, policy: input.policy()? }
            }
            "process" => {
                Call::Process { output: input.output()?, turn: input.turn()?, policy: input.policy()? }
            }
            "process_turn" => {
                let outputs = input.0.get("outputs").and_then(Value::as_array).context("no outputs")?;
                let outputs = outputs.iter().map(output).collect::<Result<_>>()?;
                Call::ProcessTurn { outputs, turn: input.turn()?, policy: input.policy()? }
            }
            "infer_shape" => Call::InferShape { content: input.content()?, max_bytes: input.max_bytes()? },
            "truncate" => Call::Truncate {
                content: input.content()?,
                max_bytes: input.number("max_bytes")?.context("max_bytes is missing")?,
            },
            "read" => Call::Read {
                id: input.text("id")?,
                range: input.range()?,
                line_numbers: input.0.get("line_numbers") == Some(&Value::Bool(true)),
                max_bytes: input.max_bytes()?,
            },
            "grep" => Call::Grep {
                id: input.text("id")?,
                query: input.query("pattern")?,
                max_bytes: input.max_bytes()?,
            },
            "grep_all" => Call::GrepAll { query: input.query("pattern")?, max_bytes: input.max_bytes()? },
            "jq" => Call::Jq {
                id: input.text("id")?,
                query: input.query("filter")?,
                max_bytes: input.max_bytes()?,
            },
            "list_artifacts" => Call::ListArtifacts,
            "definitions" => input.definitions()?,
            "default_policy" => Call::DefaultPolicy { dialect: dialect(input.0.get("dialect"))? },
            "call" => Call::Call {
                name: input.text("name")?,
                arguments: input.arguments()?,
                max_bytes: input.max_bytes()?,
            },
            _ => bail!("unknown call {name:?}"),
        })
    }
}

impl Call {
    /// Returns the bytes of each output that is passed in, its blocks concatenated.
    pub fn outputs(&self) -> Vec<Vec<u8>> {
        let outputs = match self {
            Call::Decide { output, .. } | Call::Process { output, .. } => std::slice::from_ref(output),
            Call::ProcessTurn { outputs, .. } => outputs,
            _ => &[],
        };
        let bytes = |block: &Block| match &block.content {
            Content::Text(text) => text.clone().into_bytes(),
            Content::Bytes(bytes) => bytes.clone(),
            Content::Stored(_) => Vec::new(),
        };
        outputs.iter().map(|output| output.blocks.iter().flat_map(bytes).collect()).collect()
    }
}

/// Parses a dialect; `artifact` if it is omitted.
fn dialect(value: Option<&Value>) -> Result<Dialect> {
    value.map_or(Ok(Dialect::default()), |value| Ok(serde_json::from_value(value.clone())?))
}

struct Input<'a>(&'a Map<String, Value>);

impl Input<'_> {
    /// Returns the arguments of a tool: JSON is serialized as a model writes it, unless it
    /// is a recipe.
    fn arguments(&self) -> Result<String> {
        match self.0.get("arguments") {
            Some(arguments @ Value::Object(_)) if !content::is_recipe(arguments) => Ok(arguments.to_string()),
            _ => self.text("arguments"),
        }
    }

    /// Parses the arguments of a request for definitions.
    fn definitions(&self) -> Result<Call> {
        let is = |flag: &str| self.0.get(flag) == Some(&Value::Bool(true));
        Ok(Call::Definitions {
            tools: serde_json::from_value(self.0.get("tools").cloned().context("no tools")?)?,
            dialect: dialect(self.0.get("dialect"))?,
            is_final_turn: is("is_final_turn"),
            is_detailed: is("is_detailed"),
        })
    }

    fn text(&self, name: &str) -> Result<String> {
        content::text(self.0.get(name).with_context(|| format!("{name} is missing"))?)
    }

    /// Returns the bytes of `text`, or of `bytes`.
    fn content(&self) -> Result<Vec<u8>> {
        match self.0.get("bytes") {
            Some(bytes) => content::bytes(bytes),
            None => Ok(self.text("text")?.into_bytes()),
        }
    }

    fn number(&self, name: &str) -> Result<Option<u64>> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        match value {
            Value::String(digits) => Ok(Some(digits.parse()?)),
            number => number.as_u64().with_context(|| format!("{name} is not a number")).map(Some),
        }
    }

    fn max_bytes(&self) -> Result<Option<u32>> {
        Ok(self.number("max_bytes")?.map(u32::try_from).transpose()?)
    }

    fn output(&self) -> Result<ToolOutput> {
        output(self.0.get("output").context("output is missing")?)
    }

    /// Parses the turn; by default an empty window of 200,000 tokens, and all tools.
    fn turn(&self) -> Result<Turn> {
        let mut turn = json!({"context_window": 200_000, "used_tokens": 0, "tools": ["read", "grep", "jq"]});
        if let Some(Value::Object(given)) = self.0.get("turn") {
            for (name, value) in given {
                turn[name] = numbers(value.clone());
            }
        }
        Ok(serde_json::from_value(turn)?)
    }

    fn policy(&self) -> Result<Policy> {
        let mut policy = self.0.get("policy").cloned().unwrap_or(json!({}));
        if let Some(overrides) = policy.get_mut("overrides") {
            // A recipe stands for a thousand overrides.
            if let Some(recipe) = overrides.as_object() {
                let times = recipe["times"].as_u64().context("times is missing")? as usize;
                *overrides = Value::Array(vec![recipe["repeat"].clone(); times]);
            }
            for over in overrides.as_array_mut().into_iter().flatten() {
                if let Some(tools) = over.get_mut("tools") {
                    *tools = Value::from(content::text(tools)?);
                }
            }
        }
        let mut merged = serde_json::to_value(Policy::for_dialect(dialect(policy.get("dialect"))?))?;
        if let (Value::Object(given), Some(merged)) = (numbers(policy), merged.as_object_mut()) {
            merged.extend(given);
        }
        Ok(serde_json::from_value(merged)?)
    }

    /// Parses the range; by default all lines.
    fn range(&self) -> Result<Range> {
        match self.0.get("range") {
            None => Ok(Range::Lines(LineRange { start: 1, end: u64::MAX })),
            Some(range) => match range.get("cursor") {
                Some(cursor) => Ok(Range::Cursor(content::text(cursor)?)),
                None => Ok(serde_json::from_value(numbers(range.clone()))?),
            },
        }
    }

    /// Parses a query, whose fields are members of the input itself.
    fn query<T: DeserializeOwned>(&self, main: &str) -> Result<T> {
        let mut query = self.0.clone();
        query.retain(|name, _| name != "id" && name != "max_bytes" && name != "of");
        query.insert(main.to_owned(), Value::from(self.text(main)?));
        Ok(serde_json::from_value(Value::Object(query))?)
    }
}

/// Parses an output: `{"tool", "is_error", "blocks", "structured"}`, or `"text"`, `"bytes"` or
/// `"stored"` (and `"media_type"`) in place of a single block.
fn output(value: &Value) -> Result<ToolOutput> {
    let blocks = match value.get("blocks").and_then(Value::as_array) {
        Some(blocks) => blocks.iter().map(block).collect::<Result<_>>()?,
        None => vec![block(value)?],
    };
    Ok(ToolOutput {
        tool: value.get("tool").map_or(Ok("tool".to_owned()), content::text)?,
        is_error: value.get("is_error") == Some(&Value::Bool(true)),
        blocks,
        structured: value.get("structured").map(content::text).transpose()?,
    })
}

fn block(value: &Value) -> Result<Block> {
    let content = if let Some(text) = value.get("text") {
        Content::Text(content::text(text)?)
    } else if let Some(bytes) = value.get("bytes") {
        Content::Bytes(content::bytes(bytes)?)
    } else if let Some(id) = value.get("stored") {
        Content::Stored(content::text(id)?)
    } else {
        bail!("{value} is not a block")
    };
    Ok(Block { content, media_type: value.get("media_type").map(content::text).transpose()? })
}
