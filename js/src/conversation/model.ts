/**
 * A conversation in a neutral form, and plans for it as data. `histories` reads the histories of providers in this form,
 * and applies plans to them.
 */

/** The role of a message's author. The developer's messages are `system`; they are never removed. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A call of a tool by the model. */
export interface Call {
    /** The id that the result refers to. An id may be used again after its result. */
    id: string;
    /** The tool's name. */
    name: string;
    /** The arguments as JSON text. */
    arguments: string;
}

/** The output of a tool. */
export interface CallResult {
    /** The id of the call. */
    callId: string;
    /** The text that the model sees. */
    text: string;
    /** Whether the tool reports an error. Default: false. */
    isError?: boolean | undefined;
    /** The artifact from which the output can be read. */
    artifact?: string | undefined;
}

/** A part of a message: an object with exactly one of these members. */
export type Part =
    | { text: string }
    | { toolCall: Call }
    | { toolResult: CallResult }
    /** An image, a sound or a document: its tokens. */
    | { media: number }
    /** Content that is preserved as it is, such as thinking: its bytes. */
    | { opaque: number };

/** A message of a conversation. */
export interface Message {
    /** The role of the author. */
    role: Role;
    /** The parts of the message. */
    parts: readonly Part[];
    /** The message's tokens, if known. */
    tokens?: number | undefined;
    /** Whether the message must be kept unchanged. Default: false. */
    pinned?: boolean | undefined;
    /**
     * Whether an earlier plan inserted the message: it neither starts a turn nor counts as the user's own words.
     * Default: false.
     */
    inserted?: boolean | undefined;
    /**
     * Whether this message and the next one stay or go together, such as thinking and the call that it belongs to.
     * Default: false.
     */
    joined?: boolean | undefined;
}

/** The definition of a tool that the model can call. */
export interface ToolSpec {
    /** The tool's name. */
    name: string;
    /** The definition as JSON text. */
    definition: string;
    /** The definition's tokens, if known. */
    tokens?: number | undefined;
    /** Whether the definition is kept even if unused. Default: false. */
    pinned?: boolean | undefined;
}

/** The tokens that a provider reported. Their sum is the total. */
export interface TokenUsage {
    /** Input tokens that no prompt cache held. Default: 0. */
    inputTokens?: number | undefined;
    /** Tokens of the answer. Default: 0. */
    outputTokens?: number | undefined;
    /** Tokens that were written to the provider's prompt cache. Default: 0. */
    cacheCreationTokens?: number | undefined;
    /** Tokens that were read from the provider's prompt cache. Default: 0. */
    cacheReadTokens?: number | undefined;
}

/**
 * A usage, and the messages that it counts. Only later messages are counted by tuckaway. A usage of less than an eighth
 * or more than eight times the estimate for its messages is ignored, and an alarm reports it.
 */
export interface Usage {
    /** The tokens that the provider reported. */
    tokens: TokenUsage;
    /**
     * The number of messages that the usage counts: all messages up to the answer with which it was reported, that
     * answer included.
     */
    messages: number;
}

/** The conversation of an agent. */
export interface Conversation {
    /** The messages, including the developer's; at most 100,000. */
    messages: readonly Message[];
    /** The tools that are sent with every request. Default: none. */
    tools?: readonly ToolSpec[] | undefined;
    /** The usage that the provider reported last. */
    usage?: Usage | undefined;
}

/**
 * A part of a context window: the developer's messages, the definitions of tools, the messages of user and model with
 * the calls of tools, the results of tools, and the space reserved for the model's answer.
 */
export type Bucket = 'system' | 'tools' | 'history' | 'tool-outputs' | 'working';

/** The tokens of a conversation, by bucket. */
export interface Account {
    /** The system prompt. */
    system: number;
    /** The definitions of tools. */
    tools: number;
    /** The messages of user and model, and tool calls. */
    history: number;
    /** The results of tools. */
    toolOutputs: number;
    /** The sum of all these. */
    total: number;
    /** The index of the first message that is not the developer's. A cache breakpoint belongs before it. */
    cacheBreakpoint: number;
}

/** A range of messages by index, `end` excluded. */
export interface Span {
    start: number;
    end: number;
}

/** A message that consists of one text. Messages that a plan inserts are the user's. */
export interface TextMessage {
    role: Role;
    text: string;
}

/** A piece of the new history: messages that are kept, or a new message. */
export type Entry = { keep: Span } | { insert: TextMessage };

/** A tool result whose text changes. */
export interface Replacement {
    /** The index of the message. */
    message: number;
    /** The index of the part within the message. */
    part: number;
    /** The new text. */
    text: string;
    /** The artifact from which the old text can be read. */
    artifact: string;
}

/**
 * How a part of the conversation was changed: a placeholder replaced the text of a result, messages were removed,
 * messages were replaced by a summary, or the definition of a tool was removed.
 */
export type Removal = 'trimmed' | 'evicted' | 'summarized' | 'pruned';

/** A record of removed content, and where it can be read. */
export interface Receipt {
    /** How it was removed. */
    removal: Removal;
    /** The affected messages; none for a definition. */
    messages: Span;
    /** The tool whose result or definition was removed. */
    tool?: string;
    /** The tokens of these messages before. */
    tokensBefore: number;
    /** The tokens of these messages after, including inserted text. */
    tokensAfter: number;
    /** The artifact from which the removed content can be read. */
    artifact?: string;
}

/**
 * The subject of an alarm:
 *
 * - `headroom`: the conversation has entered the headroom.
 * - `over-cap`: a bucket exceeds its cap, and no permitted step changes that.
 * - `not-stored`: the store rejected content that was to be removed, so it stays.
 * - `prefix-changed`: the tools or the system prompt differ from those of the last plan.
 * - `usage-ignored`: the reported usage contradicts the messages and was ignored.
 * - `tokens-estimated`: the token counter failed, and tokens are estimated.
 * - `no-summary`: a summary was not usable; the plan proceeds without one.
 * - `setting`: a setting is unusual but valid, such as buckets that sum up to more than 90 % of the window.
 */
export type AlarmKind =
    | 'headroom'
    | 'over-cap'
    | 'not-stored'
    | 'prefix-changed'
    | 'usage-ignored'
    | 'tokens-estimated'
    | 'no-summary'
    | 'setting';

/** A warning about a plan, for the caller. */
export interface Alarm {
    /** The subject. */
    kind: AlarmKind;
    /** The bucket, if the alarm concerns one. */
    bucket?: Bucket;
    /** One or two sentences for people, at most 1 KiB. */
    message: string;
}

/** State that a caller keeps between two plans: plain data. */
export interface PlanState {
    /** A fingerprint of the tools and the system prompt; omitted at first. */
    prefix?: string | undefined;
    /** Number of consecutive compactions that did not make the conversation smaller. Default: 0. */
    failures?: number | undefined;
}

/**
 * The changes to make to a conversation. A plan is applied once: the next plan for the resulting conversation is empty.
 */
export interface Plan {
    /** Whether the conversation stays unchanged. */
    isEmpty: boolean;
    /** The new history, in order. `replacements` apply to the messages that are kept. */
    history: Entry[];
    /** The results whose text changes, in order; only in messages that are kept. */
    replacements: Replacement[];
    /** The names of tools whose definitions are removed. */
    removedTools: string[];
    /** The account of the conversation before the plan. */
    before: Account;
    /** The account of the conversation after the plan. */
    after: Account;
    /** The usage to pass with the new history, so that the next plan counts as this one did. */
    usage?: Usage;
    /** The removed content, and where it can be read. */
    receipts: Receipt[];
    /** Warnings for the caller. */
    alarms: Alarm[];
    /** The state to pass to the next plan. */
    state: PlanState;
}

/**
 * A request for the model that writes summaries. It uses no tools, and neither the request nor its answer becomes part
 * of the history.
 */
export interface SummaryRequest {
    /** The model to ask; the agent's model if omitted. */
    model?: string;
    /**
     * The history to summarize, including calls and results, as texts that every provider accepts. The first message is
     * the user's, and roles alternate.
     */
    messages: TextMessage[];
    /** The last message, from the user: the instructions for the summary. */
    prompt: string;
    /** Number of messages of the history that this request covers. */
    through: number;
    /**
     * Whether this request covers everything that is to be summarized. If so, a host that wants to use its prompt cache
     * may send the history's messages up to `through` unchanged, before `prompt`.
     */
    isWhole: boolean;
    /** Number of requests that follow, as far as known. */
    remaining: number;
    /** Maximum tokens of the answer. */
    maxOutputTokens: number;
}

/**
 * The host's next actions: it applies the plan and then, if there is a request, asks the model and calls again with the
 * new history and one more answer.
 */
export interface Step {
    /** The changes that need no model. */
    plan: Plan;
    /** The request for the model, if one is needed. */
    request?: SummaryRequest;
    /**
     * Why a summary was rejected, if the plan had to proceed without one; the plan then stores and removes the messages
     * that should have been summarized.
     */
    refusal?: string;
}

/** The view of an output in the conversation. */
export interface CacheView {
    /** The text; never empty. */
    text: string;
    /** Whether the text was truncated. */
    isCut: boolean;
}
