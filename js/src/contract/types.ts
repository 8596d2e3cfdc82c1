// Written by `cargo xtask contract` from wit/; do not edit.

/**
 * The records of the contract. Sizes and counts are whole numbers; a limit may also be `Infinity`.
 */

import type { ContextMemory, JsonSchema } from '../json-types.js';

/** The metadata of an artifact. */
export interface Artifact {
    /** The id in the store. */
    id: string;
    /** The tool that produced it. */
    tool: string;
    /** `application/json`, `text/plain`, `image/png`, … */
    mediaType: string;
    /** The size in bytes. */
    sizeBytes: number;
    /** The number of line feeds in the text, as `artifacts` reads it in UTF-8, plus one if the last line has none. */
    lineCount: number;
    /** When it was created, in Unix seconds of the host's clock. */
    createdAt: number;
}

/**
 * The sender of a message.
 *
 * - `system`: The developer of the agent: counted as part of the system prompt, never removed.
 * - `user`: The user. A message that has only tool results continues the turn, whichever role the provider gives it.
 * - `assistant`: The model.
 * - `tool`: A tool.
 */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A tool call by the model. */
export interface ToolCall {
    /** The id that its result refers to. */
    id: string;
    /** The name of the tool. */
    name: string;
    /** The arguments as JSON text. */
    arguments: string;
    /** Whether the arguments must stay unchanged, such as those that a provider has signed. Default: false. */
    pinned?: boolean | undefined;
}

/** The result of a tool call. */
export interface ToolResult {
    /** The id of the call. */
    callId: string;
    /** The text that the model sees. */
    text: string;
    /** Whether the tool reports an error. Default: false. */
    isError?: boolean | undefined;
    /** The artifact that has the full output. */
    artifact?: string | null | undefined;
}

/** An image, a recording or another file. */
export interface Medium {
    /** Its size in tokens. */
    tokens: number;
    /** Its size in bytes, as sent. Default: 0. */
    bytes?: number | undefined;
    /** A description in a few words, such as `image/png, 1280 x 720`. Default: none. */
    label?: string | null | undefined;
    /** The artifact that has it. Default: none. */
    artifact?: string | null | undefined;
}

/**
 * A part of a message.
 *
 * An object with exactly one of these members.
 */
export type Part =
    /** Text. */
    | { text: string }
    /** A tool call. */
    | { toolCall: ToolCall }
    /** The result of a tool call. */
    | { toolResult: ToolResult }
    /** An image, audio or a document. */
    | { media: Medium }
    /** Content that is kept unchanged, such as calls that the provider runs: its size in bytes. */
    | { opaque: number }
    /**
     * The model's thinking, which is kept unchanged unless `cache-config.keep-thinking` says otherwise: its size in
     * bytes.
     */
    | { thinking: number };

/** A message of a conversation. */
export interface Message {
    /** The sender. */
    role: Role;
    /** The parts, in order. */
    parts: readonly Part[];
    /** The token count, if known. */
    tokens?: number | null | undefined;
    /** Whether the message must stay unchanged. Default: false. */
    pinned?: boolean | undefined;
    /**
     * Whether an earlier plan inserted the message. Such a message neither starts a turn nor counts as the user's own
     * words. Default: false.
     */
    inserted?: boolean | undefined;
    /**
     * Whether this message and the next one stay or go together, such as thinking and the call that it belongs to.
     * Default: false.
     */
    joined?: boolean | undefined;
    /** Whether the message must stay, although parts of it may be trimmed. Default: false. */
    kept?: boolean | undefined;
}

/** The definition of a tool that the model can call. */
export interface ToolSpec {
    /** The name of the tool. */
    name: string;
    /** The definition as JSON text. */
    definition: string;
    /** The token count, if known. */
    tokens?: number | null | undefined;
    /** Whether the definition stays even if the tool is unused. Default: false. */
    pinned?: boolean | undefined;
}

/** The token counts that a provider reported. The total is their sum. */
export interface TokenUsage {
    /** Input tokens outside the prompt cache. Default: 0. */
    inputTokens?: number | undefined;
    /** Tokens of the answer. Default: 0. */
    outputTokens?: number | undefined;
    /** Tokens written to the provider's prompt cache. Default: 0. */
    cacheCreationTokens?: number | undefined;
    /** Tokens read from the provider's prompt cache. Default: 0. */
    cacheReadTokens?: number | undefined;
}

/**
 * A reported usage and the messages that it covers. The host counts only the messages after those. A usage is ignored,
 * with an alarm, if it is less than an eighth or more than eight times the estimate for its messages.
 */
export interface Usage {
    /** The reported token counts. */
    tokens: TokenUsage;
    /** The number of messages that it covers: all up to and including the answer that it was reported with. */
    messages: number;
}

/** The conversation of an agent. */
export interface Conversation {
    /** The messages, including those of the developer. */
    messages: readonly Message[];
    /** The tools sent with every request. Default: none. */
    tools?: readonly ToolSpec[] | undefined;
    /** The latest usage that the provider reported. */
    usage?: Usage | null | undefined;
}

/**
 * The parts of a context window.
 *
 * - `system`: Messages of the developer.
 * - `tools`: Definitions of tools.
 * - `history`: Messages of user and model, and tool calls.
 * - `tool_outputs`: Tool results.
 * - `working`: Reserved for the model's answer.
 */
export type Bucket = 'system' | 'tools' | 'history' | 'tool_outputs' | 'working';

/** The tokens of a conversation, by bucket. */
export interface Account {
    /** The system prompt. */
    system: number;
    /** The definitions of tools. */
    tools: number;
    /** Messages of user and model, and tool calls. */
    history: number;
    /** Tool results. */
    toolOutputs: number;
    /** The sum of the above. */
    total: number;
    /** The index of the first message that is not the developer's. A cache breakpoint belongs before it. */
    cacheBreakpoint: number;
}

/** A range of message indexes, `end` excluded. */
export interface Span {
    /** The index of the first message. */
    start: number;
    /** The index after the last message. */
    end: number;
}

/** A message with a single text. Messages that a plan inserts have the role `user`. */
export interface TextMessage {
    /** The sender. */
    role: Role;
    /** The text. */
    text: string;
}

/**
 * A piece of the new history.
 *
 * An object with exactly one of these members.
 */
export type Entry =
    /** Messages to keep. */
    | { keep: Span }
    /** A new message. */
    | { insert: TextMessage };

/**
 * A part whose text changes: a tool result; a call, whose arguments change; a text of the user; or a medium, which
 * becomes a text. If a result has the same text as before, only its artifact is new.
 */
export interface Replacement {
    /** The index of the message. */
    message: number;
    /** The index of the part in the message. */
    part: number;
    /** The new text; for a call, the new arguments as JSON text. */
    text: string;
    /** The artifact that has the previous content. */
    artifact: string;
}

/** The position of a part. */
export interface PartPlace {
    /** The index of the message. */
    message: number;
    /** The index of the part in the message. */
    part: number;
}

/**
 * How a part of the conversation was removed.
 *
 * - `trimmed`: A placeholder replaced the text of a tool result (with its summary, if `manage-task.pairs` has one),
 *   large texts in the arguments of a call, the middle of a text of the user, or a medium; or a reference to an earlier
 *   result replaced one that repeats it.
 * - `evicted`: Messages were removed.
 * - `summarized`: A summary replaced messages.
 * - `pruned`: The definition of a tool was removed.
 * - `cleared`: The thinking of a message was removed. It is not stored.
 */
export type Removal = 'trimmed' | 'evicted' | 'summarized' | 'pruned' | 'cleared';

/** A part that a plan removes from the conversation, and the artifact that has it. */
export interface Receipt {
    /** How the part was removed. */
    removal: Removal;
    /** The messages concerned; an empty range for a definition. */
    messages: Span;
    /** The tool whose result, arguments or definition were removed; none for a medium or a text. */
    tool?: string;
    /** Tokens of the part before. */
    tokensBefore: number;
    /** Tokens of the part after, including its replacement. */
    tokensAfter: number;
    /** The artifact that has the removed content. */
    artifact?: string;
}

/**
 * The cause of an alarm.
 *
 * - `headroom`: The conversation uses part of the headroom.
 * - `over_cap`: A bucket exceeds its cap, and no permitted step can shrink it.
 * - `not_stored`: The store did not accept content that was to be removed, so the content stays.
 * - `prefix_changed`: The tools or the system prompt differ from those of the last plan.
 * - `usage_ignored`: The reported usage contradicts the messages and was ignored.
 * - `tokens_estimated`: The host's tokenizer failed, so token counts are estimates.
 * - `no_summary`: A summary was unusable; the plan has none.
 * - `setting`: A setting is valid but unusual, such as buckets that add up to more than 90 % of the window, or a window
 *   above the provider's limit.
 * - `refused`: The provider refused a request for a reason that a plan does not remove.
 * - `cannot_fit`: The provider refused the conversation as too large, and it still does not fit although everything
 *   that is permitted was removed.
 * - `image_too_wide`: An image has a longer side than the provider accepts. It was replaced, even if it is new, or it
 *   stays because it is pinned or could not be stored.
 */
export type AlarmKind =
    | 'headroom'
    | 'over_cap'
    | 'not_stored'
    | 'prefix_changed'
    | 'usage_ignored'
    | 'tokens_estimated'
    | 'no_summary'
    | 'setting'
    | 'refused'
    | 'cannot_fit'
    | 'image_too_wide';

/** A warning about a plan. */
export interface Alarm {
    /** The cause. */
    kind: AlarmKind;
    /** The bucket concerned, if any. */
    bucket?: Bucket;
    /** One or two sentences for people, at most 1 KiB. */
    message: string;
}

/** The answer to a request for the summary of a call and its result. */
export interface PairSummary {
    /** The call and its result: `summary-request.pair`. */
    pair: number;
    /** The text of the answer. */
    text: string;
}

/** The state that a caller keeps between plans. */
export interface PlanState {
    /** A fingerprint of the tools and the system prompt; none at first. */
    prefix?: string | null | undefined;
    /** Consecutive compactions that did not make the conversation smaller. Default: 0. */
    failures?: number | undefined;
    /**
     * The calls and results whose summaries were requested, as `summary-request.pair`, as long as they are in the
     * conversation. Default: none.
     */
    requested?: readonly number[] | undefined;
}

/** The changes to make to a conversation. */
export interface Plan {
    /** Whether the plan changes nothing. */
    isEmpty: boolean;
    /** The new history, in order. `replacements` apply to the kept messages. */
    history: Entry[];
    /** The parts whose text changes, in order; only in kept messages. */
    replacements: Replacement[];
    /** The names of the tools whose definitions are removed. */
    removedTools: string[];
    /** The account of the conversation before the plan. */
    before: Account;
    /** The account of the conversation after the plan. */
    after: Account;
    /** The usage for the new history, so that the next plan counts from the same figures. */
    usage?: Usage;
    /** The removed parts, and the artifacts that have them. */
    receipts: Receipt[];
    /** Warnings for the caller. */
    alarms: Alarm[];
    /** The state to pass to the next plan. */
    state: PlanState;
    /**
     * The thinking that is removed, in order; only in kept messages, each of which keeps another part. The indexes are
     * those before the plan.
     */
    removedParts: PartPlace[];
}

/**
 * A request to the model that writes summaries. It offers no tools, and neither the request nor its answer becomes part
 * of the history.
 */
export interface SummaryRequest {
    /** The model to ask; none means the agent's model. */
    model?: string;
    /**
     * The messages to summarize as texts that every provider accepts, including calls and results. The first is the
     * user's, and roles alternate.
     */
    messages: TextMessage[];
    /** The last message, with the role `user`: the instructions for the summary. */
    prompt: string;
    /** The number of history messages that this request covers. */
    through: number;
    /**
     * Whether this request covers everything to be summarized. If so, a host that wants to use its prompt cache may
     * send the history's messages up to `through` unchanged, followed by `prompt`.
     */
    isWhole: boolean;
    /** The number of requests expected to follow. */
    remaining: number;
    /** Maximum tokens of the answer. */
    maxOutputTokens: number;
    /** For a request of `step.background`, a fingerprint of its call and result, below 2^53; `through` is 0. */
    pair?: number;
}

/**
 * The host's next step: it applies the plan and then, if there is a request, asks the model and calls again with the
 * new history and one more answer.
 */
export interface Step {
    /** The changes that need no model. */
    plan: Plan;
    /** The request for the changes that need a model. */
    request?: SummaryRequest;
    /**
     * Why a summary was refused, if the plan proceeds without one. It then stores and removes the messages that should
     * have been summarized.
     */
    refusal?: string;
    /**
     * With `manage-task.pairs`, the requests for summaries of calls and their results that the next trim will remove,
     * each made once. The host need not wait for the answers: it passes them to later plans. Empty if there is a
     * `request`.
     */
    background: SummaryRequest[];
}

/**
 * The kind of an error, for programs. `error.message` is for people and models.
 *
 * - `invalid_input`: An argument is malformed: a bad range, pattern, filter or policy.
 * - `not_found`: The store never held this artifact.
 * - `expired`: The artifact has expired; the store no longer holds it.
 * - `unsupported`: The artifact's content does not support the query (jq on text).
 * - `limit`: The query reached one of its limits; a narrower query may succeed.
 * - `store`: The host's store failed.
 * - `tokens`: The host's tokenizer failed.
 */
export type ErrorKind = 'invalid_input' | 'not_found' | 'expired' | 'unsupported' | 'limit' | 'store' | 'tokens';

/** The only error of every export. */
export interface Failure {
    /** The kind of the error. */
    kind: ErrorKind;
    /** One or two sentences: what is wrong and what to do. At most 1 KiB. */
    message: string;
    /**
     * The parameters of the function, or fields of its records, that the message is about. If the message names them,
     * it spells them in the same way.
     */
    arguments: string[];
}

/**
 * A kind of artifact tool; each dialect has its own name for it. Tools are listed in this order.
 *
 * - `read`: Reads part of an artifact.
 * - `grep`: Searches an artifact for a pattern.
 * - `jq`: Runs a jq filter on an artifact.
 */
export type ArtifactTool = 'read' | 'grep' | 'jq';

/**
 * The tool names, arguments and texts through which a model reaches stored outputs. Each dialect follows an existing
 * system, so that its prompts can stay unchanged; the queries are the same in all of them. A tool is identified by its
 * name, and no two dialects share a name.
 *
 * | tool | `artifact` | `cache` | `handle` | `file` |
 * |---|---|---|---|---|
 * | `read` | `artifact_read` | `tool_output_cache` | `tool_output` | `read_large_output` |
 * | `grep` | `artifact_grep` | `tool_output_cache_grep` | `tool_output` | `search_large_output` |
 * | `jq` | `artifact_jq` | | `tool_output` | `query_large_output` |
 *
 * - `artifact`: A JSON envelope with the id, the size and the shape of an output; lines, patterns and jq filters.
 * - `cache`: The first lines of an output, and a reference for reading the others by line.
 * - `handle`: A message with the sizes and a handle; one tool, which extracts the information that the model describes
 *   in words.
 * - `file`: A message with the name of a file and its first characters; reads by character, patterns and jq filters.
 */
export type Dialect = 'artifact' | 'cache' | 'handle' | 'file';

/**
 * The action taken when a bucket exceeds its cap.
 *
 * - `reject`: An alarm reports it; the agent has to shrink the bucket.
 * - `summarize`: A model summarizes the bucket.
 * - `truncate`: The oldest entries are removed.
 * - `prune_unused`: Definitions of tools that were not called recently are removed.
 */
export type Overflow = 'reject' | 'summarize' | 'truncate' | 'prune_unused';

/** The cap of a bucket. */
export interface BucketCap {
    /** Maximum tokens. */
    maxTokens: number;
    /** The action taken when the bucket exceeds them. */
    onOverflow: Overflow;
}

/**
 * How a layer of the eviction cascade frees tokens.
 *
 * - `truncate_largest`: Replaces tool results with placeholders, largest first.
 * - `sliding_window`: Removes the oldest turns.
 * - `recursive_summarize`: Has a model summarize the oldest part, including earlier summaries.
 */
export type Strategy = 'truncate_largest' | 'sliding_window' | 'recursive_summarize';

/** A layer of the cascade. It acts only if the earlier layers did not suffice. */
export interface Layer {
    /** The bucket to shrink: `tool_outputs` or `history`. */
    target: Bucket;
    /** How to shrink it. */
    strategy: Strategy;
    /**
     * The fill level, in percent, at which the layer acts: 1 to 100. It compares the fill level of the bucket, or of
     * the window without headroom and working, whichever is higher.
     */
    atPct: number;
    /** The fill level, in percent, at which the layer stops: below `atPct`. */
    toPct: number;
    /** The number of newest turns that a sliding window keeps. */
    keepRecentTurns: number;
    /** The share of the history that a summary replaces, in percent: 1 to 100. */
    evictPct: number;
}

/** The token budget of a context window. */
export interface BudgetConfig {
    /** The context window in tokens, at least 1. */
    totalWindow: number;
    /** The system prompt. */
    system: BucketCap;
    /** The definitions of tools. */
    tools: BucketCap;
    /** Messages of user and model, and tool calls. */
    history: BucketCap;
    /** Tool results. */
    toolOutputs: BucketCap;
    /** Reserved for the model's answer. */
    working: BucketCap;
    /** Reserved; plans never use these tokens. */
    headroomTokens: number;
    /** The layers of the cascade, in order: at most 1,000. */
    layers: readonly Layer[];
    /** A tool that was not called in this many turns counts as unused. */
    unusedTurns: number;
}

/**
 * Budgets for common kinds of agents.
 *
 * - `general`: General use: a window of 128,000 tokens, with 8,000 of headroom.
 * - `customer_support`: Customer support: 128,000.
 * - `code_editing`: Code editing: 200,000.
 * - `research`: Research with web search: 256,000.
 * - `voice`: Voice agents: 32,000.
 * - `automation`: Long-running automation: 128,000.
 */
export type Preset = 'general' | 'customer_support' | 'code_editing' | 'research' | 'voice' | 'automation';

/**
 * What changing earlier messages costs with a warm prompt cache: everything after the change is written to the cache
 * again.
 */
export interface PromptCache {
    /** The number of requests expected to follow. Default: 20. */
    remainingTurns?: number | undefined;
    /** The price of a token read from the cache, relative to an uncached token: 0 to 100. Default: 0.1. */
    readPrice?: number | undefined;
    /** The price of a token written to the cache, relative to an uncached token: 0 to 100. Default: 1.25. */
    writePrice?: number | undefined;
}

/**
 * How a new result is handled if the same tool already returned an identical or nearly identical one that is still in
 * the conversation.
 *
 * - `off`: It stays.
 * - `equal`: If it is equal, a line that refers to the earlier result replaces it.
 * - `diff`: As `equal`. If a call with the same arguments has returned a text that differs in few lines, a line and the
 *   lines that differ replace it, as a unified diff without context.
 */
export type Repeats = 'off' | 'equal' | 'diff';

/**
 * How large texts in messages of the user are trimmed, such as pasted files. Their start and end stay, cut at the ends
 * of lines, around a line with the size and the artifact of the whole text. Messages that are pinned or that a plan
 * inserted stay.
 */
export interface UserMessages {
    /** Minimum bytes of a text that is trimmed: at least 1,024. Default: 16384. */
    threshold?: number | undefined;
    /** Maximum bytes of the start and the end together: at most half of the threshold. Default: 2048. */
    keepBytes?: number | undefined;
    /**
     * If true, messages that the model has not read yet are trimmed too, at once, whatever the budget. Default: false.
     */
    withNewest?: boolean | undefined;
}

/** The sides that the images of a request may have, in pixels. */
export interface ImageLimits {
    /** Maximum length of a side. */
    side: number;
    /** The number of images and files up to which `side` applies alone. */
    many: number;
    /** Maximum length of a side in a request with more than `many` images and files. */
    sideOfMany: number;
}

/** Limits for each view, and for all results, large arguments and media together. */
export interface CacheConfig {
    /** If false, nothing is trimmed. Default: true. */
    enabled: boolean;
    /**
     * The token budget for all tool results, large arguments and media; beyond it, the oldest are trimmed. Default: a
     * quarter of the context window, clamped to between 20,000 and 60,000.
     */
    contextBudgetTokens?: number | null | undefined;
    /** Maximum bytes of a view: at least 512. Default: 51200. */
    maxMessageBytes: number;
    /** Maximum characters of a line in a view: at least 16. Default: 2000. */
    maxLineLength: number;
    /**
     * The fraction of the budget that a trim leaves in use: 0 to 1. Rare, large trims invalidate the prompt cache less
     * often. Default: 0.5.
     */
    targetRatio: number;
    /** Trims that would save fewer tokens are skipped. Default: 0. */
    clearAtLeastTokens: number;
    /**
     * The number of newest results that are never trimmed, and of newest calls whose arguments never are. Default: 1.
     */
    keepLast: number;
    /** Globs of tools whose results and arguments are never trimmed: at most 1,000. Default: none. */
    protectedTools: readonly string[];
    /**
     * If true, results that report errors are never trimmed: a model repeats a mistake less often while it sees it.
     * Default: false.
     */
    keepErrors: boolean;
    /**
     * If true, large texts in the arguments of old calls are trimmed too, such as a file that was written. The
     * arguments keep their other members. Default: true.
     */
    trimArguments: boolean;
    /**
     * Globs of the tools whose arguments are trimmed: at most 1,000. If empty, those of all tools are. Default: none.
     */
    argumentTools: readonly string[];
    /** Minimum bytes of a text in arguments that is trimmed: at least 256. Default: 2048. */
    minArgumentBytes: number;
    /** The number of newest images, files and recordings that are never trimmed. Default: 3. */
    keepMedia: number;
    /**
     * Maximum number of images, files and recordings in a request; beyond it, the oldest are trimmed. Default: the
     * limit of the history's provider, if known.
     */
    maxMedia?: number | null | undefined;
    /**
     * Maximum bytes of a request; beyond nine tenths of it, the oldest media are trimmed. Default: the limit of the
     * history's provider, if known.
     */
    maxRequestBytes?: number | null | undefined;
    /**
     * How large texts of the user are trimmed. They then belong to the budget, and the oldest parts are trimmed first.
     * Default: they are not.
     */
    userMessages?: UserMessages | null | undefined;
    /**
     * How a new result of at least 1 KiB that repeats an earlier one is replaced. Results of artifact tools and of
     * `protectedTools` stay. Default: `equal`.
     */
    repeats: Repeats;
    /**
     * The costs of a warm prompt cache: a trim that costs more than it saves over the expected requests is skipped.
     * Default: none.
     */
    promptCache?: PromptCache | null | undefined;
    /**
     * The number of newest turns that keep their thinking; 0 counts as 1. The thinking of older turns is removed, not
     * stored, whatever the budget; `clearAtLeastTokens` and `promptCache` apply. A message of the user that interrupts
     * a tool loop does not begin a turn here. Default: all turns keep theirs.
     */
    keepThinking?: number | null | undefined;
    /**
     * The sides that images may have. An image with a longer side is trimmed even if it is new, with an alarm. If a
     * request with more than `many` images has one with a side above `sideOfMany`, the oldest media are trimmed first,
     * as for `maxMedia`. Default: the limits of the history's provider, if known.
     */
    imageLimits?: ImageLimits | null | undefined;
}

/** An output as it appears in the conversation. */
export interface CacheView {
    /** The text; never empty. */
    text: string;
    /** Whether anything was truncated. */
    isCut: boolean;
}

/** When and how the history is summarized, and the content to keep. */
export interface CompactionConfig {
    /** If false, the history is never summarized. Default: true. */
    enabled: boolean;
    /** If false, it is summarized only when the caller asks for it. Default: true. */
    auto: boolean;
    /** The share of the context limit at which it is summarized: above 0, at most 1. Default: 0.8. */
    thresholdRatio: number;
    /**
     * Maximum tokens of the conversation: `max_input_tokens` or `max_tokens` of the model. An unknown limit is
     * `invalid_input`; it is never guessed. Default: none.
     */
    contextLimit?: number | null | undefined;
    /** The model that writes summaries. Default: the agent's model. */
    model?: string | null | undefined;
    /** The context limit of the summary model. Default: `contextLimit`. */
    summaryContextLimit?: number | null | undefined;
    /**
     * Maximum tokens of a summary answer: at least 64. An eighth of the context limit applies instead if it is lower.
     * Default: 4096.
     */
    maxSummaryTokens: number;
    /** Replaces the summary prompt: at most 64 KiB. Default: none. */
    summaryPrompt?: string | null | undefined;
    /** Items of a list added to the summary prompt: at most 1,000. Default: none. */
    summaryDirectives: readonly string[];
    /**
     * The prompt for content to retain word for word: at most 64 KiB. Default: none, and the model is not asked to
     * retain anything.
     */
    retainPrompt?: string | null | undefined;
    /** Items of a list added to the retain prompt: at most 1,000. Default: none. */
    retainDirectives: readonly string[];
    /**
     * The number of newest turns to keep: exactly this many if a compaction was requested, at least this many if it is
     * due. In the latter case, as many of the newest turns stay as fit, together with the summary, into half of the
     * threshold. If this many turns are too large, only their newest steps are kept. Default: 1.
     */
    retainLastTurns: number;
    /**
     * Maximum bytes of the user's own words to carry over; about a tenth of the context limit applies instead if it is
     * lower. Default: 8192.
     */
    maxUserBytes: number;
    /** Maximum number of artifacts listed as readable. Default: 50. */
    maxReferences: number;
}

/**
 * How a large output is reduced.
 *
 * - `auto`: `artifact` if the model can call an artifact tool, otherwise `truncate`.
 * - `artifact`: Stores the output; the model sees an envelope that describes it, or the dialect's equivalent.
 * - `truncate`: Keeps the head and the tail; nothing is stored.
 */
export type Mode = 'auto' | 'artifact' | 'truncate';

/** Changes the policy for tools whose names match a glob. */
export interface ToolOverride {
    /**
     * The glob, 1 to 256 bytes: `*` matches any run of characters, `?` one character, everything else itself (`sql_*`).
     */
    tools: string;
    /** Passes every output: for a skill, or a file that the user asked for. Default: false. */
    exempt?: boolean | undefined;
    /** Replaces the policy's mode; omitted, the policy's mode applies. */
    mode?: Mode | null | undefined;
    /** Replaces the policy's ceiling and lowers a floor above it; omitted, the policy's ceiling applies. */
    maxThresholdBytes?: number | null | undefined;
}

/**
 * All limits and switches. The defaults below are those of the dialect `artifact`; `default-policy` returns those of
 * any dialect. A policy that contradicts itself is `invalid_input`, and the message names every violation.
 */
export interface Policy {
    /** If false, every output passes inline. Default: true. */
    enabled: boolean;
    /**
     * The format of views, and the tools that they name. Outputs of this dialect's tools always pass; outputs of other
     * dialects' tools are treated like any other. Default: `artifact`.
     */
    dialect: Dialect;
    /** How large outputs are reduced. Default: `auto`. */
    mode: Mode;
    /** Also stores outputs that pass inline, so that a reference can replace them later. Default: false. */
    keepAll: boolean;
    /** The per-output gate, as a fraction of the context window: 0 to 1. Larger outputs are reduced. Default: 0.25. */
    contextPercentage: number;
    /** The floor in bytes: smaller outputs always pass. At most `maxThresholdBytes`. Default: 4096. */
    minThresholdBytes: number;
    /** The ceiling in bytes: larger outputs never pass. Default: 1048576. */
    maxThresholdBytes: number;
    /**
     * The headroom gate, as a fraction of the context window: 0 to 1. Outputs that would fill the window beyond it are
     * reduced; 1 turns the gate off. Default: 0.7.
     */
    headroomPercentage: number;
    /**
     * Maximum tokens of an output, and of its view: at least 1. Views are counted by the host and truncated again until
     * they fit, but not below 512 bytes (768 bytes for each part of an envelope). Default: no limit.
     */
    maxOutputTokens?: number | null | undefined;
    /** Bytes per token, for texts that are not tokenized: above 0, at most 1024. Default: 4. */
    bytesPerToken: number;
    /**
     * Maximum bytes of a truncated view, and of any view in the dialect `cache`; values below 512 are raised to 512.
     * Default: the per-output threshold.
     */
    maxViewBytes?: number | null | undefined;
    /**
     * Maximum bytes of the preview in an envelope, including escapes; 0 omits the preview. In the dialect `file`, the
     * preview also has at most half as many characters as `maxOutputTokens` (10000 if omitted). The dialects `cache`
     * and `handle` have no preview. Default: 384.
     */
    previewBytes: number;
    /**
     * Tokens that the headroom gate counts for each block that is passed on. Default: 1600. This is close to
     * Anthropic's maximum for an image (width x height / 750, scaled down to 1568 pixels); OpenAI counts 765 for 1024 x
     * 1024.
     */
    imageTokens: number;
    /** Exceptions by tool name; the first match applies. At most 1,000. Default: none. */
    overrides: readonly ToolOverride[];
}

/**
 * How an output was handled.
 *
 * - `inline`: Passed unchanged.
 * - `artifact`: Stored; the view is an envelope.
 * - `truncate`: Truncated; the view is the output's head and tail.
 */
export type Action = 'inline' | 'artifact' | 'truncate';

/**
 * The rule that decided. Rules are checked in this order: `disabled`, `exempt`, `artifact_tool`, `below_floor`,
 * `ceiling`, `per_output`, `token_cap`, `headroom`, `fits`.
 *
 * - `disabled`: The policy is not enabled.
 * - `exempt`: An override exempts the tool.
 * - `artifact_tool`: The output comes from a tool of the policy's dialect.
 * - `below_floor`: The output is smaller than the floor. For this rule, `ceiling` and `per_output`, each byte that is
 *   not valid UTF-8 counts as three, the size of U+FFFD.
 * - `fits`: No other rule applies.
 * - `ceiling`: The output is larger than the ceiling.
 * - `per_output`: The output is larger than its share of the context window.
 * - `token_cap`: The output has more tokens than `maxOutputTokens`.
 * - `headroom`: The output does not fit into the remaining headroom.
 */
export type Gate =
    | 'disabled'
    | 'exempt'
    | 'artifact_tool'
    | 'below_floor'
    | 'fits'
    | 'ceiling'
    | 'per_output'
    | 'token_cap'
    | 'headroom';

/** A decision, with the measurements and limits behind it. */
export interface Decision {
    /** How the output is handled. */
    action: Action;
    /** The rule that decided. */
    gate: Gate;
    /** The original size of the output, without the blocks that are passed on. */
    sizeBytes: number;
    /** Lines of the output. */
    lineCount: number;
    /** Tokens of the output; none if no count could change the decision. */
    tokenCount?: number;
    /** True if `tokenCount` is the size divided by `bytesPerToken`, because the tokenizer failed. */
    tokensEstimated: boolean;
    /** The floor, which an override may have lowered. */
    minThresholdBytes: number;
    /** The per-output threshold: the fraction of the window in bytes, clamped to floor and ceiling. */
    thresholdBytes: number;
    /** The ceiling, which an override may have replaced. */
    maxThresholdBytes: number;
    /** The policy's limit in tokens, if it has one. */
    maxOutputTokens?: number;
    /**
     * Tokens that the headroom gate leaves for this output; negative if the conversation already exceeds the limit,
     * none if the gate is off. In a turn, the tokens of the other outputs are subtracted.
     */
    headroomTokens?: number;
    /**
     * Tokens of the blocks that are passed on, `imageTokens` for each; none if there are no such blocks. They are
     * subtracted from the headroom, too.
     */
    keptTokens?: number;
    /** The glob of the applied override. */
    matchedOverride?: string;
    /**
     * Failures that did not prevent a view: if the store did not accept the output or a part of it, that part is
     * truncated instead; if the tokenizer failed for the output or its view, tokens are estimated.
     */
    failures: Failure[];
}

/** The text that the model sees instead of an output. */
export interface View {
    /** Replaces the output's text in the conversation. */
    text: string;
    /** Blocks to pass on unchanged (images), as indexes into `blocks`. */
    kept: number[];
    /**
     * The stored artifacts, in the order of the output's parts: at least one if the action is `artifact`, one for every
     * part if `keepAll` is set, otherwise none.
     */
    artifacts: Artifact[];
    /** The decision that led to this view. */
    decision: Decision;
}

/**
 * Summaries of single calls and their results, which a model writes in the background before these have to leave. When
 * a trim would replace the result, the summary takes its place, and names the artifact that has it.
 */
export interface PairConfig {
    /** Minimum tokens of a result whose summary is requested. Default: 500. */
    minTokens?: number | undefined;
    /**
     * The answers so far to the requests in `step.background`: the state does not have them. An answer is ignored if
     * its call or result has changed or gone, if it has nothing usable, or if it would not make the result smaller.
     * Default: none.
     */
    answers?: readonly PairSummary[] | undefined;
}

/**
 * Why a provider refused a request.
 *
 * - `unknown`: The text names no known reason. Nothing is planned because of it.
 * - `rate_limit`: The caller sent too much in a short time. A later request may succeed; nothing is planned because of
 *   it.
 * - `too_many_tokens`: The conversation and the requested answer exceed the context window, or a single request exceeds
 *   the tokens allowed in a minute. Figures are tokens.
 * - `request_too_large`: The request is too large. Figures are bytes.
 * - `too_many_images`: The request has too many images or files. Figures are their number.
 * - `image_too_large`: An image is too large. Figures are bytes.
 * - `image_too_wide`: A side of an image is too long. Figures are pixels.
 */
export type RefusalKind =
    | 'unknown'
    | 'rate_limit'
    | 'too_many_tokens'
    | 'request_too_large'
    | 'too_many_images'
    | 'image_too_large'
    | 'image_too_wide';

/** The figures in the error with which a provider refused a request. A figure that the error lacks is none. */
export interface ProviderRefusal {
    /** Why the request was refused. */
    kind: RefusalKind;
    /** The limit of the provider, including the answer. */
    limit?: number;
    /** The figure of the request, without the answer. If the error names only the sum of both, it is the sum. */
    actual?: number;
    /** The tokens that the request asks for as its answer. */
    answer?: number;
    /** The excess over the limit, if the error names only that. */
    excess?: number;
}

/**
 * The format of a history.
 *
 * - `openai-chat`: Messages of OpenAI's Chat Completions and of compatible servers.
 * - `openai-responses`: Input items of OpenAI's Responses.
 * - `anthropic`: Messages of Anthropic.
 * - `ai-sdk`: Model messages of the AI SDK.
 * - `ai-sdk-ui`: UI messages of the AI SDK.
 * - `gemini`: Contents of Gemini.
 * - `bedrock`: Messages of Amazon Bedrock's Converse.
 * - `langchain`: LangChain's messages, as `messages_to_dict` writes them.
 * - `neutral`: A conversation of this contract, with names in snake case.
 */
export type HistoryFormat =
    | 'openai-chat'
    | 'openai-responses'
    | 'anthropic'
    | 'ai-sdk'
    | 'ai-sdk-ui'
    | 'gemini'
    | 'bedrock'
    | 'langchain'
    | 'neutral';

/** An artifact that has the result of a call. */
export interface KnownArtifact {
    /** The id of the call. */
    callId: string;
    /**
     * The text of the result in the history. With a text, the artifact belongs only to a result with this text; without
     * one, only to a result whose call id no other result has.
     */
    text?: string | null | undefined;
    /** The artifact. */
    artifact: string;
}

/** A history, and the facts known about it. */
export interface HistoryInput {
    /**
     * The history as JSON: the list of items, or an object with the items as `items` or under the provider's name
     * (`messages`, `input`, `contents`), and optionally with the system prompt (`system` or the provider's name) and
     * `tools`.
     */
    json: string;
    /** The format; detected if omitted. */
    format?: HistoryFormat | null | undefined;
    /**
     * The usage of the last answer, as the provider reported it, as JSON. If omitted, the member `usage` of the object
     * counts.
     */
    usage?: string | object | null | undefined;
    /** Artifacts that have results. Default: none. */
    artifacts?: readonly KnownArtifact[] | undefined;
    /** The indexes of items that must stay unchanged. Default: none. */
    pinned?: readonly number[] | undefined;
    /**
     * If true, a call without a result before the next message, and a result without a call, are `invalid_input`. If
     * false, they are repaired: the call gets a result that says that it was interrupted, and the result becomes a
     * text. Default: false.
     */
    isStrict?: boolean | undefined;
    /** Whether the new history is also returned as JSON. Default: false. */
    withJson?: boolean | undefined;
}

/**
 * A piece of the new history.
 *
 * An object with exactly one of these members.
 */
export type HistoryItem =
    /** Items of the given history that stay unchanged. */
    | { keep: Span }
    /** A new or changed item, as JSON. */
    | { insert: string };

/** The changes to a history, and their figures. */
export interface HistoryReport {
    /** Whether the history or its tools changed. */
    isChanged: boolean;
    /** The number of items of the given history. */
    itemCount: number;
    /** The account of the given history. */
    before: Account;
    /** The account of the new history. */
    after: Account;
    /** The removed parts, and the artifacts that have them. Messages are items of the given history. */
    receipts: Receipt[];
    /** Warnings for the caller. */
    alarms: Alarm[];
    /** The number of answered requests for summaries. */
    requests: number;
    /** Why summaries could not be obtained. */
    summaryErrors: string[];
    /** Why a summary was refused; none if it was not refused or not needed. */
    refusal?: string;
    /**
     * Artifacts with the removed items that had images or files, as NDJSON. Their texts are in the artifacts of
     * `receipts`.
     */
    originals: string[];
    /** Repairs, one sentence each. */
    repairs: string[];
}

/** A history after the steps so far. */
export interface ManagedHistory {
    /** The format that was read. */
    format: HistoryFormat;
    /** The new history, in order. */
    items: HistoryItem[];
    /** The indexes of the tools that stay: elements of the list, or members of the object. None if all stay. */
    keptTools?: number[];
    /**
     * The new history as JSON, in the form of the given one, if it was asked for. Everything that stays is preserved
     * byte for byte.
     */
    json?: string;
    /** The memory for the next call, as JSON: small, without texts, and the same in every home. */
    memory: ContextMemory;
    /** The changes and their figures. */
    report: HistoryReport;
    /** The requests of `step.background`. */
    background: SummaryRequest[];
}

/** A step of managing a history. */
export interface HistoryStep {
    /** The state for the next step; empty if this is the last one. */
    state: string;
    /** The request to send to the model; none if this is the last step. */
    request?: SummaryRequest;
    /**
     * The items that the provider's own compaction may replace instead: those that the request covers, without messages
     * of the developer. Empty if the format's provider has none, if the summary needs several requests, or if the run
     * has already answered one.
     */
    compactable: HistoryItem[];
    /** The history after the steps so far. The host may end with it at any time. */
    history: ManagedHistory;
}

/**
 * The model's answer to a request for a summary.
 *
 * An object with exactly one of these members.
 */
export type SummaryAnswer =
    /** The text of the answer. */
    | { text: string }
    /** Why the model could not be asked. The history is then planned without a summary. */
    | { failed: string }
    /**
     * The items that the provider's own compaction returned for `compactable`, as a JSON list; one of them is the
     * compaction. They replace the items that the request covers, followed by pinned items and a message with the
     * artifacts that can still be read. If they are malformed, or the history would not become smaller, `summaryErrors`
     * says so, and the next step repeats the request with `compactable` empty.
     */
    | { compacted: string };

/** A description of content. */
export interface Shape {
    /** The detected format: `application/json`, `text/plain`, … */
    mediaType: string;
    /** A JSON value that a model can read at a glance, at most `maxBytes`. */
    json: string;
}

/**
 * Lines, counted from 1, both ends included. An `end` past the last line means the last line. A `start` past the last
 * line is `invalid_input`, except line 1 of an empty artifact, which is an empty page. A `start` of 0, or past `end`,
 * is `invalid_input`.
 */
export interface LineRange {
    /** The first line, from 1. Default: 1. */
    start?: number | undefined;
    /** The last line, included. Default: the last line. */
    end?: number | undefined;
}

/**
 * Bytes, counted from 0, `end` excluded; widened to character boundaries. An `end` past the artifact's size means its
 * size. A `start` past the artifact's size, or past `end`, is `invalid_input`.
 */
export interface ByteRange {
    /** The first byte, from 0. Default: 0. */
    start?: number | undefined;
    /** The end, excluded. Default: the artifact's size. */
    end?: number | undefined;
}

/** Part of an artifact. */
export interface Page {
    /** Line endings are kept as stored; invalid UTF-8 is replaced with U+FFFD. */
    text: string;
    /** The cursor of the next page; none on the last page. */
    next?: string;
}

/** One matching line. A long line is an excerpt centred on its match. */
export interface Match {
    /** The number of the line, from 1. */
    line: number;
    /**
     * Where the match begins, in characters from 1; without `eachMatch`, where the line's first match begins. Always 1
     * if inverted.
     */
    column: number;
    /** Where the match begins, in bytes from the start of the artifact. */
    byteOffset: number;
    /** The line, without its line ending. */
    text: string;
    /** True if `text`, `before` or `after` contains excerpts. `read` returns the whole lines. */
    clipped: boolean;
    /** The lines before the match. A line appears only once in a page. */
    before: string[];
    /** The lines after the match, up to the next match. */
    after: string[];
}

/** One page of matching lines. */
export interface Matches {
    /** The matching lines, in the order of the artifact. */
    matches: Match[];
    /** Matching lines in the whole artifact; none on pages after the first. */
    total?: number;
    /** With `eachMatch`: the same count, but with every match of a long line; none if there were too many to count. */
    matchCount?: number;
    /** The cursor of the next page; none on the last page. */
    next?: string;
}

/** The matching lines of one artifact, in a search of all. */
export interface ArtifactMatches {
    /** The artifact. */
    artifact: Artifact;
    /** The matching lines, at least one, in the order of the artifact. */
    matches: Match[];
    /** Matching lines in the whole artifact; none if an earlier page has the first of them. */
    total?: number;
    /** With `eachMatch`: the same count, but with every match of a long line; none if there were too many to count. */
    matchCount?: number;
}

/** An artifact that a search of all could not read. */
export interface SkippedArtifact {
    /** The artifact. */
    artifact: Artifact;
    /** Why: `unsupported` if its content is binary; `not_found`, `expired` or `store` from the store. */
    error: Failure;
}

/** One page of a search of all artifacts. */
export interface AllMatches {
    /**
     * The artifacts with matching lines, newest first. An artifact whose lines take several pages is in each of them.
     */
    groups: ArtifactMatches[];
    /** The artifacts whose search ended on this page, whether or not they have matching lines. */
    searched: number;
    /** The sizes of these artifacts, added up. */
    searchedBytes: number;
    /** The artifacts of this page that could not be read. */
    skipped: SkippedArtifact[];
    /** The artifacts that are left for the next pages, including one whose first lines are on this page. */
    remaining: number;
    /** The cursor of the next page; none on the last page. */
    next?: string;
}

/** A variable of a filter, whose value is another artifact. */
export interface JqVariable {
    /**
     * The name without the dollar sign: a letter or an underscore, then letters, digits and underscores, at most 64
     * bytes. `ENV` and `__loc__` are reserved.
     */
    name: string;
    /**
     * The artifact, read as `jq` reads its input. If it has one document, that is the value; otherwise the value is an
     * array of its documents.
     */
    artifact: string;
}

/** The outputs of a filter, stored as an artifact. */
export interface SavedOutputs {
    /** The new artifact. Its media type is that of the outputs: JSON, NDJSON or, with `raw`, any text. */
    artifact: Artifact;
    /** The number of outputs. */
    count: number;
    /** The description of the outputs, at most 2048 bytes. */
    shape: Shape;
}

/** One page of a filter's outputs. */
export interface Outputs {
    /** The outputs in order, each terminated by a line feed. */
    text: string;
    /** The cursor of the next page; none on the last page. */
    next?: string;
    /**
     * Why the filter stopped, after these outputs or before the first one: it raised an error, or it does not apply to
     * a value. If present, `next` is none.
     */
    failure?: Failure;
    /**
     * If the filter returned nothing or only nulls: where its path leaves the document, and the keys that exist there,
     * such as `.row: no such key; keys here: rows, next_cursor`. After other outputs, and with a failure: a requested
     * key that no object has, and the most similar key that exists. On the first page only; at most 1024 bytes.
     */
    hint?: string;
    /**
     * How the content was read if it is not a single JSON document, such as
     * `CSV read as an array of 2000 objects, keyed by its header`, and the skipped parts: text around JSON, or the
     * incomplete end of a document. At most 200 bytes, which do not count towards `maxBytes`.
     */
    parsedAs?: string;
    /** With `saveAs`: the artifact with the outputs. `text` is empty, and `next` and `failure` are none. */
    saved?: SavedOutputs;
}

/** A tool, in the form that model providers expect. */
export interface ToolDefinition {
    /** The name; each name belongs to one dialect only. */
    name: string;
    /** A description for the model. */
    description: string;
    /** The JSON Schema, of type object, of its arguments. */
    inputSchema: JsonSchema;
}

/**
 * A kind of stored file that a model may be able to see or hear.
 *
 * - `image`: PNG, JPEG, GIF or WebP, which all providers accept.
 * - `pdf`: A PDF document.
 * - `audio`: WAV, MP3, Ogg or FLAC.
 */
export type MediaKind = 'image' | 'pdf' | 'audio';

/** A stored file that a model may be able to see or hear. */
export interface StoredMedia {
    /** The artifact's id. */
    artifactId: string;
    /** The kind of file. */
    kind: MediaKind;
    /** The media type, detected from the bytes: providers refuse a file of another type than its declared one. */
    mediaType: string;
    /** The size of the file: at most 3932160 bytes, which are 5 MiB as base64. */
    sizeBytes: number;
}

/** The reply of a tool to the model. */
export interface ToolReply {
    /** The result, or an explanation of how to correct the call. */
    text: string;
    /** Whether `text` reports a mistake that the model can correct. */
    isError: boolean;
    /**
     * The image, PDF document or recording that the call reads; `text` describes it. A host whose results may contain
     * files reads the bytes from its store and adds them to the result.
     *
     * None for a call that asks for some of the bytes or characters only. A line range asks for the whole file, because
     * an image has no lines. None, too, for a larger file than a reply may have, as `text` then says, and for an
     * artifact whose media type does not claim such a file.
     */
    media?: StoredMedia;
}

/**
 * The strategy for finding the answer.
 *
 * - `auto`: Chosen by the size of the artifact and the length of its lines.
 * - `full-chunked`: A model reads the whole artifact, in chunks if it is large, and combines its findings.
 * - `read-grep`: A model reads and searches the artifact with the tools `Read` and `Grep`.
 * - `truncate`: Returns the artifact's head and tail, without a model.
 */
export type ExtractionMode = 'auto' | 'full-chunked' | 'read-grep' | 'truncate';

/** A question about an artifact. */
export interface Question {
    /** The artifact. */
    artifact: string;
    /** The information to extract, in words: 1 byte to 16 KiB. */
    extract: string;
    /** The strategy. Default: `auto`. */
    mode?: ExtractionMode | undefined;
    /**
     * The arguments of the call that produced the artifact, as JSON text for the model: truncated to 4 KiB. Omitted if
     * unknown.
     */
    toolArguments?: string | null | undefined;
    /**
     * Marks the model's answer: 8 to 64 letters and digits that nobody could have put into the artifact on purpose.
     * Default: derived from the artifact's id, which is unguessable.
     */
    nonce?: string | null | undefined;
}

/** Limits of the model and of the extraction. */
export interface ExtractionConfig {
    /** The context window of the extraction's model, in tokens: 2048 to 2^32. */
    contextTokens: number;
    /**
     * Maximum tokens of each of its answers: at least 64, at most half of the context window. Default: 4096, or an
     * eighth of the window if that is less.
     */
    maxOutputTokens: number;
    /** `auto` reads the whole artifact if it fits into this many chunks: at least 1. Default: 1. */
    maxFullChunks: number;
    /** `auto` also reads the whole artifact if its lines are longer than this many bytes on average. Default: 1000. */
    longLineBytes: number;
    /**
     * An artifact of more chunks is read with `Read` and `Grep` instead of as a whole, and the answer says so: 1 to
     * 1024. Default: 64.
     */
    maxChunks: number;
    /** The share of a chunk that repeats the end of the previous chunk, in percent: 0 to 50. Default: 10. */
    overlapPct: number;
    /** Maximum concurrent requests: 1 to 64. Default: 4. */
    maxParallel: number;
    /** Maximum requests in total: at least 1. Default: 150. */
    maxRequests: number;
    /** Maximum tokens of all requests and their answers, counted before a request is made. Default: no limit. */
    maxTokens?: number | null | undefined;
    /** Maximum turns of a model with `Read` and `Grep`: 2 to 64. Default: 12. */
    maxTurns: number;
    /** Maximum calls of `Read` and `Grep`: 1 to 256. Default: 40. */
    maxToolCalls: number;
    /** Maximum bytes of the reply to such a call: 256 to 65536. Default: 16384. */
    maxReplyBytes: number;
    /** Maximum bytes of the answer: 1024 to 1048576. Default: 32768. */
    maxAnswerBytes: number;
}

/**
 * The purpose of a request.
 *
 * - `extract`: To extract from a chunk.
 * - `synthesize`: To combine the extracts of several chunks.
 * - `search`: To answer with `Read` and `Grep`.
 */
export type RequestPurpose = 'extract' | 'synthesize' | 'search';

/** A call of a tool by the model. */
export interface ModelCall {
    /** The id that its result refers to. */
    id: string;
    /** The name of the tool. */
    name: string;
    /** The arguments as JSON text. */
    arguments: string;
}

/** A turn of the model. */
export interface ModelTurn {
    /** The text; empty if the model only calls tools. */
    text: string;
    /** The tool calls. Default: none. */
    calls?: readonly ModelCall[] | undefined;
}

/** The result of a tool call. */
export interface CallResult {
    /** The id of the call. */
    callId: string;
    /** The text. */
    text: string;
    /** Whether `text` reports a mistake. */
    isError: boolean;
}

/**
 * A message of a request.
 *
 * An object with exactly one of these members.
 */
export type RequestMessage =
    /** A message of the user. */
    | { user: string }
    /** An earlier turn of the model. */
    | { model: Required<ModelTurn> }
    /** The results of all its calls. */
    | { results: CallResult[] };

/** A request to the model. It never becomes part of the agent's history. */
export interface ModelRequest {
    /** Identifies the request in the event that answers it. */
    id: string;
    /** The purpose. */
    purpose: RequestPurpose;
    /** The system prompt. */
    system: string;
    /** The messages; the first one is the user's. */
    messages: RequestMessage[];
    /** The tools that calls in the messages refer to. Some providers require them as long as a message has a call. */
    tools: ToolDefinition[];
    /** Whether the model may call a tool now; if not, it has to answer. */
    mayCall: boolean;
    /** The tokens of the request as the host counts them. */
    inputTokens: number;
    /** Maximum tokens of the answer. */
    maxOutputTokens: number;
}

/**
 * The reason why a model stopped.
 *
 * - `finished`: The answer is complete, or calls a tool.
 * - `length`: The answer reached the output limit and is incomplete.
 */
export type StopReason = 'finished' | 'length';

/** A model's answer to a request. */
export interface ModelReply {
    /** The turn, without content that the provider marks as thinking. */
    turn: ModelTurn;
    /** The reason why the model stopped. Default: `finished`. */
    stop?: StopReason | undefined;
    /** The tokens of the request as the provider counted them. */
    inputTokens?: number | null | undefined;
    /** The tokens of the answer as the provider counted them. */
    outputTokens?: number | null | undefined;
}

/** A request was answered. */
export interface ReplyEvent {
    /** The id of the request. */
    request: string;
    /** The answer. */
    reply: ModelReply;
}

/** A request failed and the host has given up retrying. */
export interface FailureEvent {
    /** The id of the request. */
    request: string;
    /** The reason: one or two sentences; only the first 300 bytes are kept. */
    why: string;
}

/**
 * An event that the host reports.
 *
 * An object with exactly one of these members.
 */
export type ExtractionEvent =
    /** A request was answered. */
    | { reply: ReplyEvent }
    /** A request failed. */
    | { failed: FailureEvent }
    /** The host has lost track of its open requests: the next step returns all unanswered requests again. */
    | { resume: true }
    /**
     * Stops the extraction: no more requests are made, and the answer has the findings so far. Without any, its outcome
     * is `failed`.
     */
    | { cancel: true };

/** A range of bytes of the artifact, `end` excluded. */
export interface ByteSpan {
    /** The first byte. */
    start: number;
    /** The end, excluded. */
    end: number;
}

/** The part of the artifact that the answer is based on. */
export interface Coverage {
    /** Number of chunks; 0 if the artifact was not read in chunks. */
    chunks: number;
    /** Chunks that a model has read. */
    chunksDone: number;
    /** Chunks for which every attempt failed. */
    chunksFailed: number;
    /**
     * Chunks that were not sent because a limit was reached, or that had no answer when the extraction was canceled.
     */
    chunksSkipped: number;
    /** The size of the artifact's text in bytes. */
    sizeBytes: number;
    /**
     * The ranges that the model has read, in order, without overlaps. Ranges that only `Grep` has searched do not
     * count. At most 100; further ranges are merged.
     */
    read: ByteSpan[];
}

/** A passage in quotation marks from the answer, looked up in the artifact. */
export interface Quote {
    /** The passage. */
    text: string;
    /** The first line that contains the passage, from 1; none if no line does. */
    line?: number;
    /** The byte offset of that occurrence. */
    byteOffset?: number;
}

/**
 * The outcome of an extraction.
 *
 * - `found`: The answer was found.
 * - `not_found`: The answer says that the artifact has no such data.
 * - `truncated`: The strategy failed, or truncation was requested: the answer is the artifact's head and tail.
 * - `failed`: There is no answer; the text says why.
 */
export type ExtractionOutcome = 'found' | 'not_found' | 'truncated' | 'failed';

/** Requests and tokens used. */
export interface ExtractionUsage {
    /** Requests that were made. */
    requests: number;
    /** Tokens of the requests: the provider's count, or else the host's. */
    inputTokens: number;
    /** Tokens of the answers: the provider's count, or else the host's. */
    outputTokens: number;
}

/** The answer to a question. */
export interface Answer {
    /**
     * The text for the agent's model: a line with tool, artifact and strategy, then the content with notes on quotes
     * and on missing parts. At most `maxAnswerBytes`.
     */
    text: string;
    /**
     * The answer of the extraction's model without its wrapper. If the model did not combine the extracts of several
     * chunks, all of them in order. If it did not answer, the artifact's head and tail, or the message of a failure.
     */
    content: string;
    /** The outcome. */
    outcome: ExtractionOutcome;
    /** The strategy used; `auto` only if the extraction failed before choosing one. */
    strategy: ExtractionMode;
    /** Whether the answer lacks part of the artifact or of the extracts. */
    isPartial: boolean;
    /** The part of the artifact that the answer is based on. */
    coverage: Coverage;
    /** The quotes in the answer, in order: at most 32. */
    quotes: Quote[];
    /**
     * Warnings for the reader, one sentence each: a strategy was replaced, chunks are missing, or a limit was reached.
     */
    warnings: string[];
    /** Requests and tokens used. */
    usage: ExtractionUsage;
}

/** The host's next step. */
export interface ExtractionStep {
    /** The state for the next step; empty if there is an answer. */
    state: string;
    /**
     * New requests. They may be sent concurrently, even while earlier requests are still unanswered. There may be none
     * while others are unanswered.
     */
    requests: ModelRequest[];
    /** The answer, once the extraction has ended. */
    answer?: Answer;
}

/** The expected cost of an extraction. */
export interface ExtractionEstimate {
    /** The strategy. */
    strategy: ExtractionMode;
    /** Why it was chosen, in one sentence. */
    reason: string;
    /** The size of the artifact's text in bytes. */
    sizeBytes: number;
    /** Lines of the artifact. */
    lineCount: number;
    /** Tokens of the artifact; estimated from samples if it is large. */
    tokens: number;
    /** Number of chunks; 0 if the artifact is empty or is not read in chunks. */
    chunks: number;
    /** Requests if none fails; for `read-grep`, the maximum. */
    requests: number;
    /** Tokens of the requests; for `read-grep`, the maximum. */
    inputTokens: number;
    /** Maximum tokens of the answers. */
    outputTokens: number;
}

/** Which part of an artifact to read: one of `lines`, `lastLines`, `bytes` and `cursor`. Default: all lines. */
export interface ReadOptions {
    /** A range of lines. */
    lines?: LineRange | null | undefined;
    /**
     * The last lines, this many; all lines if there are fewer. Only the end of the artifact is read. 0 is
     * `invalid_input`.
     */
    lastLines?: number | null | undefined;
    /** A range of bytes. */
    bytes?: ByteRange | null | undefined;
    /** `next` of an earlier page. */
    cursor?: string | null | undefined;
    /** Begins each line with its number and a tab. Default: false. */
    lineNumbers?: boolean | undefined;
    /** Maximum bytes of a page, at least 256. Default: 16384. */
    maxBytes?: number | null | undefined;
}

/** Options of a search. */
export interface GrepOptions {
    /** Matches the pattern as a plain string. Default: false. */
    fixedString?: boolean | undefined;
    /** Ignores the case of ASCII letters. Default: false. */
    ignoreCase?: boolean | undefined;
    /** Selects the lines that do not match. Default: false. */
    invert?: boolean | undefined;
    /** Lines to show before each match: 0 to 100. Default: 0. */
    beforeContext?: number | undefined;
    /** Lines to show after each match: 0 to 100. Default: 0. */
    afterContext?: number | undefined;
    /**
     * Returns every match in a line of more than 400 bytes, not only the first: the line then appears once for each
     * match. Default: false.
     */
    eachMatch?: boolean | undefined;
    /** Matches per page, at least 1. Default: 100. */
    maxMatches?: number | null | undefined;
    /** `next` of an earlier page of the same query. */
    cursor?: string | null | undefined;
    /** Maximum bytes of a page, at least 256. Default: 16384. */
    maxBytes?: number | null | undefined;
}

/** How to run a filter, and how to write its outputs. */
export interface JqOptions {
    /** Writes strings without quotes or escapes. Default: false. */
    raw?: boolean | undefined;
    /** Writes each output on one line, without indentation. Default: false. */
    compact?: boolean | undefined;
    /**
     * Runs the filter once, on an array of all documents. A filter that only iterates over the array (`.[] | f`,
     * `map(f)`, `reduce .[] as $x (…)`, `length`) holds one document in memory at a time; any other filter holds all of
     * them. Default: false.
     */
    slurp?: boolean | undefined;
    /**
     * Runs the filter once, on null; `input` and `inputs` return the documents. If false, they return the documents
     * after the current one, as in jq, and the filter runs again on the next unread document. Default: false.
     */
    nullInput?: boolean | undefined;
    /**
     * Maximum steps, about two for each term that the filter evaluates: at least 1, clamped to 100000000000. Default:
     * 20000000. Each 16 bytes that are read from the artifact give a used step back.
     */
    maxSteps?: number | null | undefined;
    /**
     * Maximum memory in bytes for the filter and its document together: clamped to the range from 1 MiB to 3 GiB.
     * Default: 1 GiB. Five eighths are for the values of a document, the rest is for the values that the filter builds.
     * Usage is estimated, with the same result on every platform.
     */
    maxMemory?: number | null | undefined;
    /**
     * Other artifacts for the filter, at most 8: the names of variables, without the dollar sign, and artifact ids.
     * `{ users: id }` makes the parsed content of the artifact `$users`; several documents are an array. The values
     * share the memory for the values of a document. Default: none.
     */
    variables?: Readonly<Record<string, string>> | undefined;
    /**
     * Stores all outputs as a new artifact in place of a page, one on each line, as `compact` writes them. This is the
     * artifact's `tool`: 1 to 64 bytes, not only white space. The outputs may have at most 64 MiB, which count towards
     * `maxMemory`. Not with `cursor` or `maxBytes`.
     */
    saveAs?: string | null | undefined;
    /** `next` of an earlier page of the same query. */
    cursor?: string | null | undefined;
    /** Maximum bytes of a page, at least 256. Default: 16384. */
    maxBytes?: number | null | undefined;
}
