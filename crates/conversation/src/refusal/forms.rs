//! The forms of refusals. docs/conversation.md names the source of each.

use tuckaway_contract::RefusalKind::{
    self, ImageTooLarge, ImageTooWide, RateLimit, RequestTooLarge, TooManyImages, TooManyTokens,
};

/// A form in which a provider refuses requests.
pub struct Form {
    /// The reason that it states.
    pub kind: RefusalKind,
    /// The text, as a [template](super::template).
    pub text: &'static str,
}

const fn form(kind: RefusalKind, text: &'static str) -> Form {
    Form { kind, text }
}

/// All forms; the first one that occurs in an error decides. Forms with figures come before those
/// without, and rate limits before words that both use, such as "too many tokens".
pub const FORMS: &[Form] = &[
    // Anthropic, also on Bedrock and Vertex.
    form(TooManyTokens, "prompt is too long: {actual} tokens > {limit} maximum"),
    form(TooManyTokens, "input length and max_tokens exceed context limit: {actual} + {answer} > {limit}"),
    form(TooManyImages, "too many images and documents: {actual} + {actual} > {limit}"),
    form(TooManyImages, "Too much media: {actual} document pages + {actual} images > {limit}"),
    form(TooManyImages, "too many images: image_count > {limit}"),
    form(ImageTooLarge, "image exceeds … maximum: {actual} bytes > {limit} bytes"),
    form(ImageTooWide, "image dimensions exceed… max allowed size…: {limit} pixels"),
    form(TooManyTokens, "Request size exceeds model context window"),
    form(RequestTooLarge, "Request exceeds the maximum size"),
    // OpenAI, and servers with its API: Azure, vLLM, DeepSeek, OpenRouter.
    form(
        TooManyTokens,
        "maximum context length is {limit} tokens. However, your messages resulted in {actual} tokens",
    ),
    form(
        TooManyTokens,
        "maximum context length is {limit} tokens…you requested…({actual} in the messages, {answer} in the completion",
    ),
    form(
        TooManyTokens,
        "maximum context length is {limit} tokens…you requested…({actual} in your prompt; {answer} for the completion",
    ),
    form(
        TooManyTokens,
        "maximum context length is {limit} tokens…you requested…({actual} of text input, {answer} in the output",
    ),
    form(
        TooManyTokens,
        "maximum context length is {limit} tokens…you requested {answer} output tokens and your prompt contains at least {actual} input tokens",
    ),
    form(TooManyTokens, "maximum context length is {limit} tokens…you requested about {actual} tokens"),
    form(TooManyTokens, "maximum context length is {limit} tokens"),
    form(TooManyTokens, "maximum context length of {limit} tokens"),
    form(
        TooManyTokens,
        "exceed the configured limit of {limit} tokens. Your messages resulted in {actual} tokens",
    ),
    form(TooManyTokens, "Request too large for …tokens per min…: Limit {limit}, Requested {actual}"),
    form(TooManyImages, "Exceeded maximum number of images ({limit})"),
    form(
        TooManyImages,
        "Too many images in request: {actual} images provided, but the model supports a maximum of {limit} images",
    ),
    form(TooManyImages, "Too many images in request. Max is {limit}"),
    form(RequestTooLarge, "Request content length exceeded {limit} limit"),
    form(RequestTooLarge, "Total image size is {actual}, which exceeds the allowed limit of {limit}"),
    form(
        RequestTooLarge,
        "content: string too long. Expected a string with maximum length {limit}, but got a string with length {actual}",
    ),
    form(TooManyTokens, "Request body too large for …Max size: {limit} tokens"),
    // Gemini and Vertex.
    form(
        TooManyTokens,
        "input token count ({actual}) exceeds the maximum number of tokens allowed ({limit})",
    ),
    form(TooManyTokens, "input token count exceeds the maximum number of tokens allowed {limit}"),
    form(TooManyTokens, "input token count is {actual} but model only supports up to {limit}"),
    form(RequestTooLarge, "Request payload size exceeds the limit: {limit} bytes"),
    // Mistral, xAI, Moonshot, GitHub Copilot, Cerebras, Cohere, Qwen.
    form(
        TooManyTokens,
        "Prompt contains {actual} tokens…too large for model with {limit} maximum context length",
    ),
    form(TooManyTokens, "maximum prompt length is {limit} but the request contains {actual} tokens"),
    form(TooManyTokens, "exceeded model token limit: {limit} (requested: {actual})"),
    form(TooManyTokens, "prompt token count of {actual} exceeds the limit of {limit}"),
    form(TooManyTokens, "Current length is {actual} while limit is {limit}"),
    form(TooManyTokens, "total number of tokens…cannot exceed {limit} - received {actual}"),
    form(
        TooManyTokens,
        "too many tokens: size limit exceeded by {excess} tokens…limit for this model is {limit} tokens",
    ),
    form(TooManyTokens, "too many tokens: size limit exceeded by {excess} tokens"),
    form(TooManyTokens, "Range of input length should be [1, {limit}]"),
    // llama.cpp, LM Studio, Ollama, SGLang, Text Generation Inference, vLLM.
    form(TooManyTokens, "exceed_context_size_error…n_prompt_tokens: {actual}, n_ctx: {limit}"),
    form(TooManyTokens, "request ({actual} tokens) exceeds the available context size ({limit} tokens)"),
    form(TooManyTokens, "Requested tokens ({actual}) exceed context window of {limit}"),
    form(TooManyTokens, "keep the first {actual} tokens…loaded with context length of only {limit} tokens"),
    form(TooManyTokens, "prompt too long; exceeded max context length by {excess} tokens"),
    form(TooManyTokens, "input ({actual} tokens) is longer than the model's context length ({limit} tokens)"),
    form(TooManyTokens, "Input length ({actual} tokens) exceeds the maximum allowed length ({limit} tokens)"),
    form(
        TooManyTokens,
        "inputs tokens + max_new_tokens must be <= {limit}. Given: {actual} inputs tokens and {answer} max_new_tokens",
    ),
    form(TooManyTokens, "prompt (length {actual}) is longer than the maximum model length of {limit}"),
    form(
        TooManyTokens,
        "prompt (total length {actual}) is too long to fit into the model (context length {limit})",
    ),
    form(TooManyImages, "At most {limit} image(s) may be provided in one request"),
    // Servers with OpenAI's API whose name the error does not show.
    form(TooManyTokens, "Input length ({actual}) exceeds model's maximum context length ({limit})"),
    form(TooManyTokens, "Input length {actual} exceeds the maximum allowed input length of {limit} tokens"),
    form(TooManyTokens, "Input length {actual} exceeds the maximum length {limit}"),
    // Codes, alone or with a text without figures.
    form(TooManyTokens, "context_length_exceeded"),
    form(TooManyTokens, "model_context_window_exceeded"),
    form(TooManyTokens, "model_max_prompt_tokens_exceeded"),
    form(TooManyTokens, "exceed_context_size_error"),
    form(RequestTooLarge, "request_too_large"),
    // Rate limits, whose words occur in other refusals too.
    form(RateLimit, "too many tokens, please wait"),
    form(RateLimit, "too many tokens per"),
    form(RateLimit, "ThrottlingException"),
    form(RateLimit, "RESOURCE_EXHAUSTED"),
    form(RateLimit, "overloaded_error"),
    form(RateLimit, "rate limit"),
    form(RateLimit, "rate_limit"),
    form(RateLimit, "too many requests"),
    // Texts without figures.
    form(TooManyTokens, "input exceeds …context window"),
    form(TooManyTokens, "context window exceeds limit"),
    form(TooManyTokens, "Input is too long for requested model"),
    form(TooManyTokens, "exceeds the available context size"),
    form(TooManyTokens, "is greater than the context length"),
    form(TooManyTokens, "Please reduce the length of the messages"),
    form(TooManyTokens, "prompt is too long"),
    form(TooManyTokens, "prompt too long"),
    form(TooManyTokens, "too many tokens"),
    form(TooManyImages, "too many images"),
    form(RequestTooLarge, "Request Entity Too Large"),
    form(RequestTooLarge, "Payload Too Large"),
];
