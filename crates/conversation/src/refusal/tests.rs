//! Real errors of each form. docs/conversation.md names their sources.

use proptest::prelude::*;
use tuckaway_contract::{ProviderRefusal, RefusalKind};

use super::forms::FORMS;
use super::template::normalized;
use super::{MAX_BYTES, read};

/// An error, its kind, and its limit, actual, answer and excess, where 0 stands for none.
type Sample = (&'static str, RefusalKind, [u64; 4]);

const TOKENS: RefusalKind = RefusalKind::TooManyTokens;
const BYTES: RefusalKind = RefusalKind::RequestTooLarge;
const IMAGES: RefusalKind = RefusalKind::TooManyImages;

const SAMPLES: &[Sample] = &[
    // Anthropic.
    (
        r#"400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 215000 tokens > 200000 maximum"},"request_id":"req_011"}"#,
        TOKENS,
        [200_000, 215_000, 0, 0],
    ),
    (
        r#"{"error":{"message":"prompt is too long: 200251 tokens \u003e 200000 maximum"}}"#,
        TOKENS,
        [200_000, 200_251, 0, 0],
    ),
    (
        "API Error: 400 {\"message\":\"input length and `max_tokens` exceed context limit: \n     189136 + 20000 > 204648, decrease input length or `max_tokens` and try again\"}",
        TOKENS,
        [204_648, 189_136, 20_000, 0],
    ),
    ("Request size exceeds model context window", TOKENS, [0; 4]),
    ("model_context_window_exceeded", TOKENS, [0; 4]),
    (
        "Error code: 413 - {'error': {'type': 'request_too_large', 'message': 'Request exceeds the maximum size'}}",
        BYTES,
        [0; 4],
    ),
    ("request_too_large", BYTES, [0; 4]),
    ("too many images and documents: 120 + 0 > 100", IMAGES, [100, 120, 0, 0]),
    ("Too much media: 0 document pages + 107 images > 100", IMAGES, [100, 107, 0, 0]),
    ("messages: too many images: image_count > 20", IMAGES, [20, 0, 0, 0]),
    (
        "messages.0.content.2.image.source.base64: image exceeds 5 MB maximum: 15908784 bytes > 5242880 bytes",
        RefusalKind::ImageTooLarge,
        [5_242_880, 15_908_784, 0, 0],
    ),
    (
        "At least one of the image dimensions exceed max allowed size: 8000 pixels",
        RefusalKind::ImageTooWide,
        [8_000, 0, 0, 0],
    ),
    (
        "At least one of the image dimensions exceeds max allowed size for many-images requests: 2000 pixels",
        RefusalKind::ImageTooWide,
        [2_000, 0, 0, 0],
    ),
    // OpenAI, and servers with its API.
    (
        r#"Error code: 400 - {'error': {'message': "This model\'s maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens (202767 in the messages, 101 in the functions). Please reduce the length of the messages or functions.", 'code': 'context_length_exceeded'}}"#,
        TOKENS,
        [128_000, 202_868, 0, 0],
    ),
    (
        "This model's maximum context length is 4097 tokens. However, you requested 4268 tokens (4012 in the messages, 256 in the completion). Please reduce the length of the messages or completion.",
        TOKENS,
        [4_097, 4_012, 256, 0],
    ),
    (
        "This model's maximum context length is 8191 tokens, however you requested 8238 tokens (8238 in your prompt; 0 for the completion). Please reduce your prompt; or completion length.",
        TOKENS,
        [8_191, 8_238, 0, 0],
    ),
    ("This model's maximum context length is 4097 tokens.", TOKENS, [4_097, 0, 0, 0]),
    (
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 477469 tokens. Please reduce the length of the messages.",
        TOKENS,
        [272_000, 477_469, 0, 0],
    ),
    (
        r#"{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again.","param":"input"}"#,
        TOKENS,
        [0; 4],
    ),
    ("Your input exceeds the model's context window.", TOKENS, [0; 4]),
    (
        "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.",
        TOKENS,
        [30_000, 342_389, 0, 0],
    ),
    (
        "Invalid 'input[0].content': string too long. Expected a string with maximum length 10485760, but got a string with length 62114761 instead.",
        BYTES,
        [10_485_760, 62_114_761, 0, 0],
    ),
    (
        "Total image size is 50.6MB, which exceeds the allowed limit of 50.0MB.",
        BYTES,
        [50_000_000, 50_600_000, 0, 0],
    ),
    ("Exceeded maximum number of images (50) allowed in the request.", IMAGES, [50, 0, 0, 0]),
    ("Too many images in request. Max is 10.", IMAGES, [10, 0, 0, 0]),
    (
        "Too many images in request: 11 images provided, but the model supports a maximum of 10 images.",
        IMAGES,
        [10, 11, 0, 0],
    ),
    ("Request content length exceeded 32 MB limit.", BYTES, [32_000_000, 0, 0, 0]),
    ("413 Request body too large for gpt-4o model. Max size: 8000 tokens.", TOKENS, [8_000, 0, 0, 0]),
    (
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output). Please reduce the length of either one.",
        TOKENS,
        [131_072, 7_884, 131_072, 0],
    ),
    (
        "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).",
        TOKENS,
        [32_768, 42_832, 0, 0],
    ),
    (
        "OpenAIException - Requested token count exceeds the model's maximum context length of 131072 tokens.",
        TOKENS,
        [131_072, 0, 0, 0],
    ),
    (
        "400 Input length (265330) exceeds model's maximum context length (262144).",
        TOKENS,
        [262_144, 265_330, 0, 0],
    ),
    (
        "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
        TOKENS,
        [131_040, 131_393, 0, 0],
    ),
    ("Input length 203743 exceeds the maximum length 202752", TOKENS, [202_752, 203_743, 0, 0]),
    // Gemini and Vertex.
    (
        r#"{"error":{"message":"{\n  \"error\": {\n    \"code\": 400,\n    \"message\": \"The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).\",\n    \"status\": \"INVALID_ARGUMENT\"\n  }\n}\n"}}"#,
        TOKENS,
        [1_048_576, 3_475_108, 0, 0],
    ),
    (
        "The input token count exceeds the maximum number of tokens allowed 1048576., Status: INVALID_ARGUMENT",
        TOKENS,
        [1_048_576, 0, 0, 0],
    ),
    (
        "Unable to submit request because the input token count is 1251952 but model only supports up to 1048576. Reduce the input token count and try again.",
        TOKENS,
        [1_048_576, 1_251_952, 0, 0],
    ),
    ("Request payload size exceeds the limit: 4194304 bytes.", BYTES, [4_194_304, 0, 0, 0]),
    // Bedrock.
    ("ValidationException: Input is too long for requested model.", TOKENS, [0; 4]),
    (
        "ThrottlingException: Too many tokens, please wait before trying again.",
        RefusalKind::RateLimit,
        [0; 4],
    ),
    // Mistral, xAI, Moonshot, GitHub Copilot, Cerebras, Groq, Cohere, MiniMax, Qwen.
    (
        "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        TOKENS,
        [32_768, 65_673, 0, 0],
    ),
    (
        r#"400 "This model's maximum prompt length is 131072 but the request contains 136973 tokens.""#,
        TOKENS,
        [131_072, 136_973, 0, 0],
    ),
    (
        "Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)",
        TOKENS,
        [262_144, 269_030, 0, 0],
    ),
    (
        r#"{"error":{"message":"prompt token count of 138898 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}"#,
        TOKENS,
        [64_000, 138_898, 0, 0],
    ),
    ("model_max_prompt_tokens_exceeded", TOKENS, [0; 4]),
    (
        "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000",
        TOKENS,
        [40_000, 42_328, 0, 0],
    ),
    ("Please reduce the length of the messages or completion.", TOKENS, [0; 4]),
    (
        r#"{"error":{"message":"Request too large for model `llama-3.3-70b-versatile` in organization `org_01` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#,
        TOKENS,
        [6_000, 14_810, 0, 0],
    ),
    (
        "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354.",
        TOKENS,
        [2_048, 6_354, 0, 0],
    ),
    (
        "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.",
        TOKENS,
        [4_081, 4_292, 0, 0],
    ),
    (
        "too many tokens: size limit exceeded by 713295 tokens. Try using shorter or fewer inputs. The limit for this model is 288000 tokens.",
        TOKENS,
        [288_000, 1_001_295, 0, 0],
    ),
    (
        "too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs.",
        TOKENS,
        [0, 0, 0, 11_326],
    ),
    ("invalid params, context window exceeds limit (2013)", TOKENS, [0; 4]),
    (
        "InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]",
        TOKENS,
        [204_800, 0, 0, 0],
    ),
    (r#"{"code":"1261","message":"Prompt too long"}"#, TOKENS, [0; 4]),
    // llama.cpp, LM Studio, Ollama, SGLang, Text Generation Inference, vLLM.
    (
        r#"{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}"#,
        TOKENS,
        [8_192, 14_429, 0, 0],
    ),
    (
        "request (131168 tokens) exceeds the available context size (131072 tokens), try increasing it",
        TOKENS,
        [131_072, 131_168, 0, 0],
    ),
    ("the request exceeds the available context size, try increasing it", TOKENS, [0; 4]),
    ("exceed_context_size_error", TOKENS, [0; 4]),
    ("ValueError: Requested tokens (2138) exceed context window of 2048", TOKENS, [2_048, 2_138, 0, 0]),
    (
        "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.",
        TOKENS,
        [32_768, 111_490, 0, 0],
    ),
    (
        "The number of tokens to keep from the initial prompt is greater than the context length",
        TOKENS,
        [0; 4],
    ),
    ("prompt too long; exceeded max context length by 100918 tokens", TOKENS, [0, 0, 0, 100_918]),
    (
        "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
        TOKENS,
        [40_960, 61_709, 0, 0],
    ),
    (
        "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).",
        TOKENS,
        [59_862, 160_062, 0, 0],
    ),
    (
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 6204 `inputs` tokens and 2047 `max_new_tokens`",
        TOKENS,
        [8_192, 6_204, 2_047, 0],
    ),
    (
        "This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens.",
        TOKENS,
        [262_144, 134_145, 128_000, 0],
    ),
    (
        "The decoder prompt (length 16476) is longer than the maximum model length of 16384. Make sure that `max_model_len` is no smaller.",
        TOKENS,
        [16_384, 16_476, 0, 0],
    ),
    (
        "The prompt (total length 25938) is too long to fit into the model (context length 4096).",
        TOKENS,
        [4_096, 25_938, 0, 0],
    ),
    ("At most 5 image(s) may be provided in one request.", IMAGES, [5, 0, 0, 0]),
    // Without figures, and rate limits.
    ("context_length_exceeded", TOKENS, [0; 4]),
    ("413 prompt is too long", TOKENS, [0; 4]),
    ("too many tokens", TOKENS, [0; 4]),
    ("Error 413: too many images", IMAGES, [0; 4]),
    ("<head><title>413 Request Entity Too Large</title></head>", BYTES, [0; 4]),
    ("unexpected status 413 Payload Too Large: openai_error", BYTES, [0; 4]),
    ("Too many tokens per day, please wait before trying again.", RefusalKind::RateLimit, [0; 4]),
    (
        "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 3000.",
        RefusalKind::RateLimit,
        [0; 4],
    ),
    (
        r#"Error { code: "ThrottlingException", message: "Too many requests, please wait before trying again." }"#,
        RefusalKind::RateLimit,
        [0; 4],
    ),
    ("429 rate_limit_error", RefusalKind::RateLimit, [0; 4]),
    ("429 RESOURCE_EXHAUSTED", RefusalKind::RateLimit, [0; 4]),
    ("529 overloaded_error", RefusalKind::RateLimit, [0; 4]),
    ("Too Many Requests", RefusalKind::RateLimit, [0; 4]),
    // Other errors.
    ("", RefusalKind::Unknown, [0; 4]),
    ("401 invalid x-api-key", RefusalKind::Unknown, [0; 4]),
    (
        "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string with length 116 instead.",
        RefusalKind::Unknown,
        [0; 4],
    ),
];

#[test]
fn every_form_is_read() {
    for (error, kind, figures) in SAMPLES {
        let [limit, actual, answer, excess] = figures.map(|figure| (figure > 0).then_some(figure));
        let found = read(error);
        // A figure that is named as 0 is the same as none here.
        let found = ProviderRefusal { answer: found.answer.filter(|answer| *answer > 0), ..found };
        assert_eq!(found, ProviderRefusal { kind: *kind, limit, actual, answer, excess }, "{error}");
    }
}

#[test]
fn every_form_has_a_sample() {
    let texts: Vec<String> = SAMPLES.iter().map(|(error, ..)| normalized(error)).collect();
    for (index, form) in FORMS.iter().enumerate() {
        let decides = |text: &String| {
            FORMS.iter().position(|form| super::template::find(form.text, text).is_some()) == Some(index)
        };
        assert!(texts.iter().any(decides), "no sample for {:?}", form.text);
    }
}

#[test]
fn only_the_start_of_an_error_is_read() {
    let refusal = "prompt is too long: 2 tokens > 1 maximum";
    let after = |bytes: usize| read(&format!("{}{refusal}", " ".repeat(bytes))).kind;
    assert_eq!(after(MAX_BYTES - refusal.len()), TOKENS);
    assert_eq!(after(MAX_BYTES), RefusalKind::Unknown);
}

#[test]
fn impossible_figures_are_not_read() {
    let huge = "prompt is too long: 99999999999999999999999 tokens > 200000 maximum";
    assert_eq!((read(huge).kind, read(huge).actual, read(huge).limit), (TOKENS, None, None));
}

proptest! {
    #[test]
    fn any_text_has_an_answer(text in ".{0,300}", at in 0..SAMPLES.len(), from in 0..200usize) {
        read(&text);
        let sample = SAMPLES[at].0;
        let cut: String = sample.chars().skip(from).collect();
        read(&[&cut, text.as_str(), &sample.replace(|c: char| c.is_ascii_digit(), "9999999")].concat());
    }

    #[test]
    fn words_around_a_refusal_do_not_matter(before in "[ a-z{}:\"\\\\]{0,80}", after in "[ a-z{}:\"]{0,80}") {
        let found = read(&format!("{before} prompt is too long: 2,000 tokens > 1,000 maximum {after}"));
        prop_assert_eq!((found.kind, found.limit, found.actual), (TOKENS, Some(1_000), Some(2_000)));
    }
}
