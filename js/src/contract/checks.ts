// Written by `cargo xtask contract` from wit/; do not edit.

/** Checks what callers pass, and converts it into the component's form. */

import {
    arrayOf,
    boolean,
    defaulted,
    json,
    nullable,
    number,
    oneOf,
    optional,
    percent,
    record,
    size,
    sizes,
    smallSize,
    smallSizes,
    string,
    variables,
    variant,
} from '../validate.js';

export const role = oneOf('system', 'user', 'assistant', 'tool');

export const toolCall = record({ id: string, name: string, arguments: string, pinned: defaulted(boolean, false) });

export const toolResult = record({
    callId: string,
    text: string,
    isError: defaulted(boolean, false),
    artifact: optional(string),
});

export const medium = record({
    tokens: size,
    bytes: defaulted(size, 0n),
    label: optional(string),
    artifact: optional(string),
});

export const part = variant({
    text: ['text', string],
    toolCall: ['tool-call', toolCall],
    toolResult: ['tool-result', toolResult],
    media: ['media', medium],
    opaque: ['opaque', size],
    thinking: ['thinking', size],
});

export const message = record({
    role,
    parts: arrayOf(part),
    tokens: optional(size),
    pinned: defaulted(boolean, false),
    inserted: defaulted(boolean, false),
    joined: defaulted(boolean, false),
    kept: defaulted(boolean, false),
});

export const toolSpec = record({
    name: string,
    definition: string,
    tokens: optional(size),
    pinned: defaulted(boolean, false),
});

export const tokenUsage = record({
    inputTokens: defaulted(size, 0n),
    outputTokens: defaulted(size, 0n),
    cacheCreationTokens: defaulted(size, 0n),
    cacheReadTokens: defaulted(size, 0n),
});

export const usage = record({ tokens: tokenUsage, messages: smallSize });

export const conversation = record({
    messages: arrayOf(message),
    tools: defaulted(arrayOf(toolSpec), []),
    usage: optional(usage),
});

export const bucket = oneOf('system', 'tools', 'history', 'tool_outputs', 'working');

export const pairSummary = record({ pair: size, text: string });

export const planState = record({
    prefix: optional(string),
    failures: defaulted(smallSize, 0),
    requested: defaulted(sizes, new BigUint64Array()),
});

export const artifactTool = oneOf('read', 'grep', 'jq');

export const dialect = oneOf('artifact', 'cache', 'handle', 'file');

export const overflow = oneOf('reject', 'summarize', 'truncate', 'prune_unused');

export const bucketCap = record({ maxTokens: size, onOverflow: overflow });

export const strategy = oneOf('truncate_largest', 'sliding_window', 'recursive_summarize');

export const layer = record({
    target: bucket,
    strategy,
    atPct: percent,
    toPct: percent,
    keepRecentTurns: smallSize,
    evictPct: percent,
});

export const budgetConfig = record({
    totalWindow: size,
    system: bucketCap,
    tools: bucketCap,
    history: bucketCap,
    toolOutputs: bucketCap,
    working: bucketCap,
    headroomTokens: size,
    layers: arrayOf(layer),
    unusedTurns: smallSize,
});

export const preset = oneOf('general', 'customer_support', 'code_editing', 'research', 'voice', 'automation');

export const promptCache = record({
    remainingTurns: defaulted(smallSize, 20),
    readPrice: defaulted(number, 0.1),
    writePrice: defaulted(number, 1.25),
});

export const repeats = oneOf('off', 'equal', 'diff');

export const userMessages = record({
    threshold: defaulted(size, 16384n),
    keepBytes: defaulted(size, 2048n),
    withNewest: defaulted(boolean, false),
});

export const imageLimits = record({ side: smallSize, many: smallSize, sideOfMany: smallSize });

export const cacheConfig = record({
    enabled: optional(boolean),
    contextBudgetTokens: nullable(size),
    maxMessageBytes: optional(size),
    maxLineLength: optional(smallSize),
    targetRatio: optional(number),
    clearAtLeastTokens: optional(size),
    keepLast: optional(smallSize),
    protectedTools: optional(arrayOf(string)),
    keepErrors: optional(boolean),
    trimArguments: optional(boolean),
    argumentTools: optional(arrayOf(string)),
    minArgumentBytes: optional(size),
    keepMedia: optional(smallSize),
    maxMedia: nullable(smallSize),
    maxRequestBytes: nullable(size),
    userMessages: nullable(userMessages),
    repeats: optional(repeats),
    promptCache: nullable(promptCache),
    keepThinking: nullable(smallSize),
    imageLimits: nullable(imageLimits),
});

export const compactionConfig = record({
    enabled: optional(boolean),
    auto: optional(boolean),
    thresholdRatio: optional(number),
    contextLimit: nullable(size),
    model: nullable(string),
    summaryContextLimit: nullable(size),
    maxSummaryTokens: optional(size),
    summaryPrompt: nullable(string),
    summaryDirectives: optional(arrayOf(string)),
    retainPrompt: nullable(string),
    retainDirectives: optional(arrayOf(string)),
    retainLastTurns: optional(smallSize),
    maxUserBytes: optional(size),
    maxReferences: optional(smallSize),
});

export const mode = oneOf('auto', 'artifact', 'truncate');

export const toolOverride = record({
    tools: string,
    exempt: defaulted(boolean, false),
    mode: optional(mode),
    maxThresholdBytes: optional(size),
});

export const policy = record({
    enabled: optional(boolean),
    dialect: optional(dialect),
    mode: optional(mode),
    keepAll: optional(boolean),
    contextPercentage: optional(number),
    minThresholdBytes: optional(size),
    maxThresholdBytes: optional(size),
    headroomPercentage: optional(number),
    maxOutputTokens: nullable(size),
    bytesPerToken: optional(number),
    maxViewBytes: nullable(size),
    previewBytes: optional(smallSize),
    imageTokens: optional(smallSize),
    overrides: optional(arrayOf(toolOverride)),
});

export const pairConfig = record({ minTokens: defaulted(size, 500n), answers: defaulted(arrayOf(pairSummary), []) });

export const historyFormat = oneOf(
    'openai-chat',
    'openai-responses',
    'anthropic',
    'ai-sdk',
    'ai-sdk-ui',
    'gemini',
    'bedrock',
    'langchain',
    'neutral',
);

export const knownArtifact = record({ callId: string, text: optional(string), artifact: string });

export const historyInput = record({
    json: string,
    format: optional(historyFormat),
    usage: optional(json),
    artifacts: defaulted(arrayOf(knownArtifact), []),
    pinned: defaulted(smallSizes, new Uint32Array()),
    isStrict: defaulted(boolean, false),
    withJson: defaulted(boolean, false),
});

export const summaryAnswer = variant({
    text: ['text', string],
    failed: ['failed', string],
    compacted: ['compacted', string],
});

export const lineRange = record({ start: optional(size), end: optional(size) });

export const byteRange = record({ start: optional(size), end: optional(size) });

export const jqVariable = record({ name: string, artifact: string });

export const extractionMode = oneOf('auto', 'full-chunked', 'read-grep', 'truncate');

export const question = record({
    artifact: string,
    extract: string,
    mode: defaulted(extractionMode, 'auto'),
    toolArguments: optional(string),
    nonce: optional(string),
});

export const extractionConfig = record({
    contextTokens: optional(size),
    maxOutputTokens: optional(size),
    maxFullChunks: optional(smallSize),
    longLineBytes: optional(size),
    maxChunks: optional(smallSize),
    overlapPct: optional(percent),
    maxParallel: optional(smallSize),
    maxRequests: optional(smallSize),
    maxTokens: nullable(size),
    maxTurns: optional(smallSize),
    maxToolCalls: optional(smallSize),
    maxReplyBytes: optional(smallSize),
    maxAnswerBytes: optional(smallSize),
});

export const modelCall = record({ id: string, name: string, arguments: string });

export const modelTurn = record({ text: string, calls: defaulted(arrayOf(modelCall), []) });

export const stopReason = oneOf('finished', 'length');

export const modelReply = record({
    turn: modelTurn,
    stop: defaulted(stopReason, 'finished'),
    inputTokens: optional(size),
    outputTokens: optional(size),
});

export const replyEvent = record({ request: string, reply: modelReply });

export const failureEvent = record({ request: string, why: string });

export const extractionEvent = variant({
    reply: ['reply', replyEvent],
    failed: ['failed', failureEvent],
    resume: ['resume'],
    cancel: ['cancel'],
});

export const readOptions = record({
    lines: optional(lineRange),
    lastLines: optional(size),
    bytes: optional(byteRange),
    cursor: optional(string),
    lineNumbers: defaulted(boolean, false),
    maxBytes: optional(smallSize),
});

export const grepOptions = record({
    fixedString: defaulted(boolean, false),
    ignoreCase: defaulted(boolean, false),
    invert: defaulted(boolean, false),
    beforeContext: defaulted(smallSize, 0),
    afterContext: defaulted(smallSize, 0),
    eachMatch: defaulted(boolean, false),
    maxMatches: optional(smallSize),
    cursor: optional(string),
    maxBytes: optional(smallSize),
});

export const jqOptions = record({
    raw: defaulted(boolean, false),
    compact: defaulted(boolean, false),
    slurp: defaulted(boolean, false),
    nullInput: defaulted(boolean, false),
    maxSteps: optional(size),
    maxMemory: optional(size),
    variables: defaulted(variables, []),
    saveAs: optional(string),
    cursor: optional(string),
    maxBytes: optional(smallSize),
});
