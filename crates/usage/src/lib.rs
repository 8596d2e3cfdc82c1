//! Usage reports of providers, as [`TokenUsage`]. The engine reads them from histories, and the
//! host library from the answers of models.
#![forbid(unsafe_code)]

use serde_json::{Map, Value};
use tuckaway_contract::{Error, TokenUsage};

/// More tokens than any context window has; a higher figure is a mistake.
const MAX_TOKENS: u64 = 1_000_000_000;

/// The names in a usage whose input includes tokens read from and written to the prompt cache.
struct Names {
    input: &'static str,
    output: &'static str,
    total: &'static str,
    details: &'static str,
    read: &'static str,
    written: &'static str,
}

const CHAT: Names = Names {
    input: "prompt_tokens",
    output: "completion_tokens",
    total: "total_tokens",
    details: "prompt_tokens_details",
    read: "cached_tokens",
    written: "cache_write_tokens",
};
const RESPONSES: Names =
    Names { input: "input_tokens", output: "output_tokens", details: "input_tokens_details", ..CHAT };
const LANGCHAIN: Names = Names {
    input: "input_tokens",
    output: "output_tokens",
    details: "input_token_details",
    read: "cache_read",
    written: "cache_creation",
    ..CHAT
};
const GEMINI: Names = Names {
    input: "promptTokenCount",
    output: "candidatesTokenCount",
    total: "totalTokenCount",
    details: "",
    read: "",
    written: "",
};
const AI_SDK: Names = Names {
    input: "inputTokens",
    output: "outputTokens",
    total: "totalTokens",
    details: "inputTokenDetails",
    read: "cacheReadTokens",
    written: "cacheWriteTokens",
};

/// Reads the usage that a provider reported: the `usage` of OpenAI (Chat Completions and
/// Responses), Anthropic, Bedrock or the AI SDK, the `usageMetadata` of Gemini, the
/// `usage_metadata` of LangChain, or a [`TokenUsage`] in snake case. Members that are null or
/// omitted count as 0.
///
/// OpenAI, Gemini, LangChain and the AI SDK count tokens from the cache as input; Anthropic and
/// Bedrock do not. If the cached tokens exceed the input, as some gateways report, the input does
/// not include them. A total without an input counts as the input. Of the `iterations` that
/// Anthropic reports for one request, the last one counts: it has read the whole history.
pub fn token_usage(usage: &Value) -> Result<TokenUsage, Error> {
    let Some(usage) = usage.as_object() else {
        return Err(Error::invalid("The usage is not an object with token counts."));
    };
    let iterations = usage.get("iterations").and_then(Value::as_array).into_iter().flatten();
    if let Some(last) = iterations.rev().find(|iteration| iteration["type"] != "compaction") {
        return token_usage(last);
    }
    let usage = Reported(usage);
    if usage.has(GEMINI.input) || usage.has(GEMINI.total) {
        let cached = usage.count("cachedContentTokenCount")?;
        let thoughts = usage.count("thoughtsTokenCount")?;
        let read = usage.inclusive(&GEMINI)?;
        return Ok(TokenUsage {
            input_tokens: read.input_tokens.saturating_sub(cached),
            output_tokens: read.output_tokens.saturating_add(thoughts),
            cache_read_tokens: cached.min(read.input_tokens),
            ..read
        });
    }
    if usage.has("cacheReadInputTokens") || usage.has("cacheWriteInputTokens") {
        return Ok(TokenUsage {
            input_tokens: usage.count("inputTokens")?,
            output_tokens: usage.count("outputTokens")?,
            cache_creation_tokens: usage.count("cacheWriteInputTokens")?,
            cache_read_tokens: usage.count("cacheReadInputTokens")?,
        });
    }
    if usage.has(LANGCHAIN.details) {
        return usage.inclusive(&LANGCHAIN);
    }
    if usage.has(CHAT.input) || usage.has(CHAT.output) {
        return usage.inclusive(&CHAT);
    }
    if usage.has(RESPONSES.details) {
        return usage.inclusive(&RESPONSES);
    }
    if [AI_SDK.input, AI_SDK.output, AI_SDK.total].iter().any(|name| usage.has(name)) {
        return usage.inclusive(&AI_SDK);
    }
    if !usage.has("input_tokens") && !usage.has("output_tokens") {
        if usage.has(CHAT.total) {
            return usage.inclusive(&CHAT);
        }
        return Err(Error::invalid(
            "The usage has none of input_tokens, prompt_tokens and inputTokens; pass it as the provider reported it.",
        ));
    }
    let either = |neutral: &str, anthropic: &str| -> Result<u64, Error> {
        Ok(usage.count(neutral)?.max(usage.count(anthropic)?))
    };
    Ok(TokenUsage {
        input_tokens: usage.count("input_tokens")?,
        output_tokens: usage.count("output_tokens")?,
        cache_creation_tokens: either("cache_creation_tokens", "cache_creation_input_tokens")?,
        cache_read_tokens: either("cache_read_tokens", "cache_read_input_tokens")?,
    })
}

/// A usage as a provider reported it.
struct Reported<'a>(&'a Map<String, Value>);

impl Reported<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    fn count(&self, name: &str) -> Result<u64, Error> {
        count(self.0, name)
    }

    /// Returns a count in an object of details.
    fn detail(&self, object: &str, name: &str) -> Result<u64, Error> {
        self.0.get(object).and_then(Value::as_object).map_or(Ok(0), |details| count(details, name))
    }

    /// Returns a usage whose input includes tokens read from and written to the cache.
    fn inclusive(&self, names: &Names) -> Result<TokenUsage, Error> {
        let output_tokens = self.count(names.output)?;
        let all = match self.has(names.input) {
            true => self.count(names.input)?,
            false => self.count(names.total)?.saturating_sub(output_tokens),
        };
        // Before version 6, the AI SDK had only this figure.
        let read = self.detail(names.details, names.read)?.max(self.count("cachedInputTokens")?);
        let written = self.detail(names.details, names.written)?;
        Ok(TokenUsage {
            input_tokens: all.checked_sub(read + written).unwrap_or(all),
            output_tokens,
            cache_creation_tokens: written,
            cache_read_tokens: read,
        })
    }
}

fn count(object: &Map<String, Value>, name: &str) -> Result<u64, Error> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(0),
        Some(value) => value.as_u64().filter(|tokens| *tokens <= MAX_TOKENS).ok_or_else(|| {
            Error::invalid(format!(
                "{name} of the usage is {value}; it must be a whole number of tokens from 0 to {MAX_TOKENS}."
            ))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(usage: Value) -> Result<[u64; 4], String> {
        token_usage(&usage)
            .map(|usage| {
                [
                    usage.input_tokens,
                    usage.output_tokens,
                    usage.cache_creation_tokens,
                    usage.cache_read_tokens,
                ]
            })
            .map_err(|error| error.to_string())
    }

    #[test]
    fn each_provider_counts_its_way() {
        let chat = json!({"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050,
            "prompt_tokens_details": {"cached_tokens": 900}});
        assert_eq!(read(chat), Ok([100, 50, 0, 900]));
        let responses = json!({"input_tokens": 1000, "output_tokens": 50, "input_tokens_details": {"cached_tokens": 900}});
        assert_eq!(read(responses), Ok([100, 50, 0, 900]));
        let anthropic = json!({"input_tokens": 100, "output_tokens": 50, "cache_creation_input_tokens": 30,
            "cache_read_input_tokens": 900, "service_tier": "standard"});
        assert_eq!(read(anthropic), Ok([100, 50, 30, 900]));
        assert_eq!(
            read(json!({"inputTokens": 1000, "outputTokens": 50, "cachedInputTokens": 900})),
            Ok([100, 50, 0, 900])
        );
        let newer = json!({"inputTokens": 1000, "outputTokens": 50,
            "inputTokenDetails": {"noCacheTokens": 70, "cacheReadTokens": 900, "cacheWriteTokens": 30}});
        assert_eq!(read(newer), Ok([70, 50, 30, 900]));
        let neutral = json!({"input_tokens": 1, "output_tokens": 2, "cache_creation_tokens": 3, "cache_read_tokens": 4});
        assert_eq!(read(neutral), Ok([1, 2, 3, 4]));
        let gemini = json!({"promptTokenCount": 1000, "candidatesTokenCount": 40, "thoughtsTokenCount": 10,
            "cachedContentTokenCount": 900, "totalTokenCount": 1050});
        assert_eq!(read(gemini), Ok([100, 50, 0, 900]));
        let bedrock = json!({"inputTokens": 100, "outputTokens": 50, "totalTokens": 1050,
            "cacheReadInputTokens": 870, "cacheWriteInputTokens": 30});
        assert_eq!(read(bedrock), Ok([100, 50, 30, 870]));
        let langchain = json!({"input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050,
            "input_token_details": {"cache_read": 900, "cache_creation": 30}});
        assert_eq!(read(langchain), Ok([70, 50, 30, 900]));
    }

    #[test]
    fn the_last_iteration_counts() {
        let usage = json!({"input_tokens": 200_000, "output_tokens": 2_000, "iterations": [
            {"type": "message", "input_tokens": 30_000, "output_tokens": 100},
            {"type": "message", "input_tokens": 36_000, "output_tokens": 744, "cache_read_input_tokens": 0}]});
        assert_eq!(read(usage), Ok([36_000, 744, 0, 0]));
    }

    #[test]
    fn usages_of_gateways_are_read() {
        let cached = json!({"prompt_tokens": 3, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 9}});
        assert_eq!(read(cached), Ok([3, 1, 0, 9]));
        let written = json!({"input_tokens": 50, "output_tokens": 9,
            "input_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 10}});
        assert_eq!(read(written), Ok([20, 9, 10, 20]));
        assert_eq!(read(json!({"total_tokens": 5})), Ok([5, 0, 0, 0]));
        assert_eq!(
            read(json!({"inputTokens": null, "outputTokens": 4, "totalTokens": 10})),
            Ok([6, 4, 0, 0])
        );
    }

    #[test]
    fn absurd_figures_are_errors() {
        let negative = read(json!({"prompt_tokens": -5, "completion_tokens": 1})).unwrap_err();
        assert!(negative.starts_with("prompt_tokens of the usage is -5;"), "{negative}");
        for absurd in [json!(1.5), json!("12"), json!(2_000_000_000_u64), json!(1e300)] {
            assert!(read(json!({ "input_tokens": absurd })).is_err());
        }
        assert!(read(json!({"tokens": 1})).is_err());
        assert!(read(json!(12)).is_err());
    }
}
