/**
 * A conversation in a neutral form, and plans for it as data. The adapters of `tuckaway/history` convert the histories
 * of providers to it.
 */

/** Who speaks in a message. The developer's messages are `system`; they are never removed. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A call of a tool by the model. */
export interface Call {
    /** The id that its result refers to. An id may be used again after its result. */
    id: string;
    /** The tool. */
    name: string;
    /** The arguments as JSON text. */
    arguments: string;
}

/** What a tool returned. */
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
    /** An image, a sound, a document: its tokens. */
    | { media: number }
    /** What is kept as it is, such as thinking: its bytes. */
    | { opaque: number };

/** A message of a conversation. */
export interface Message {
    /** Who speaks. */
    role: Role;
    /** Its parts. */
    parts: readonly Part[];
    /** Its tokens, if they are known. */
    tokens?: number | undefined;
    /** Whether it stays as it is. Default: false. */
    pinned?: boolean | undefined;
    /** Whether an earlier plan inserted it: it is neither the start of a turn nor the user's own words. Default: false. */
    inserted?: boolean | undefined;
}

/** The definition of a tool that the model can call. */
export interface ToolSpec {
    /** Its name. */
    name: string;
    /** The definition as JSON text. */
    definition: string;
    /** Its tokens, if they are known. */
    tokens?: number | undefined;
    /** Whether it stays though it is not used. Default: false. */
    pinned?: boolean | undefined;
}

/** The tokens that a provider reported. Their sum is the total. */
export interface TokenUsage {
    /** Tokens that were read, and that no prompt cache held. Default: 0. */
    inputTokens?: number | undefined;
    /** Tokens of the answer. Default: 0. */
    outputTokens?: number | undefined;
    /** Tokens that were written to the provider's prompt cache. Default: 0. */
    cacheCreationTokens?: number | undefined;
    /** Tokens that were read from the provider's prompt cache. Default: 0. */
    cacheReadTokens?: number | undefined;
}

/**
 * A usage, and the messages that it counts. Only messages after them are counted by tuckaway. A usage of less than an
 * eighth or more than eight times what is estimated for its messages is not used; an alarm says so.
 */
export interface Usage {
    /** What the provider reported. */
    tokens: TokenUsage;
    /** How many messages it counts: those up to and with the answer that it came with. */
    messages: number;
}

/** The conversation of an agent. */
export interface Conversation {
    /** The messages, with those of the developer; at most 100,000. */
    messages: readonly Message[];
    /** The tools that are sent with every request. Default: none. */
    tools?: readonly ToolSpec[] | undefined;
    /** What the provider reported last. */
    usage?: Usage | undefined;
}

/**
 * A part of a context window: the developer's messages, the definitions of tools, what user and model said with the
 * calls of tools, the results of tools, and what is reserved for the model's answer.
 */
export type Bucket = 'system' | 'tools' | 'history' | 'tool-outputs' | 'working';

/** The tokens of a conversation, by bucket. */
export interface Account {
    /** The system prompt. */
    system: number;
    /** The definitions of tools. */
    tools: number;
    /** What user and model said, and the calls. */
    history: number;
    /** The results. */
    toolOutputs: number;
    /** All of these. */
    total: number;
    /** The index of the first message that is not of the developer. A cache breakpoint belongs before it. */
    cacheBreakpoint: number;
}

/** A range of messages by index, `end` excluded. */
export interface Span {
    start: number;
    end: number;
}

/** A message of one text. Those that a plan inserts are the user's. */
export interface TextMessage {
    role: Role;
    text: string;
}

/** A piece of the new history: messages that stay, or one that is new. */
export type Entry = { keep: Span } | { insert: TextMessage };

/** A tool result whose text changes. */
export interface Replacement {
    /** The index of the message. */
    message: number;
    /** The index of the part in it. */
    part: number;
    /** The new text. */
    text: string;
    /** The artifact from which the old one can be read. */
    artifact: string;
}

/**
 * What was done to a part of the conversation: a placeholder replaced the text of a result, messages were removed,
 * messages were replaced by a summary, the definition of a tool was removed.
 */
export type Removal = 'trimmed' | 'evicted' | 'summarized' | 'pruned';

/** What a plan takes from the conversation, and where it can be read. */
export interface Receipt {
    /** What was done. */
    removal: Removal;
    /** The messages that it was done to; none for a definition. */
    messages: Span;
    /** The tool whose result or definition it is. */
    tool?: string;
    /** Their tokens before. */
    tokensBefore: number;
    /** Their tokens after, with what was inserted for them. */
    tokensAfter: number;
    /** The artifact from which it can be read. */
    artifact?: string;
}

/**
 * What an alarm is about.
 *
 * - `headroom`: the conversation has entered the headroom.
 * - `over-cap`: a bucket has more tokens than its cap, and no step that is allowed changes that.
 * - `not-stored`: the store did not accept what was to be removed, so it stays.
 * - `prefix-changed`: the tools or the system prompt differ from those of the last plan.
 * - `usage-ignored`: the reported usage contradicts the messages and was not used.
 * - `tokens-estimated`: the token counter failed, and tokens are estimated.
 * - `no-summary`: a summary was not usable; the plan does without.
 * - `setting`: a setting is unusual but can be kept, such as buckets that sum up to more than 90 % of the window.
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

/** What the caller should know about a plan. */
export interface Alarm {
    /** What it is about. */
    kind: AlarmKind;
    /** The bucket, if it is about one. */
    bucket?: Bucket;
    /** One or two sentences for people, at most 1 KiB. */
    message: string;
}

/** What a caller keeps between two plans: plain data. */
export interface PlanState {
    /** A fingerprint of tools and system prompt; none at first. */
    prefix?: string | undefined;
    /** Compactions in a row that did not make the conversation smaller. Default: 0. */
    failures?: number | undefined;
}

/** What to do to a conversation. A plan is applied once: the next plan for what it leaves is empty. */
export interface Plan {
    /** Whether the conversation stays as it is. */
    isEmpty: boolean;
    /** The new history, in order. Texts of `replacements` apply to what stays. */
    history: Entry[];
    /** The results whose text changes, in order; only in messages that stay. */
    replacements: Replacement[];
    /** The names of the tools whose definitions are removed. */
    removedTools: string[];
    /** The account of the conversation as it came. */
    before: Account;
    /** The account of the conversation as it will be. */
    after: Account;
    /** The usage for the new history, so that the next plan counts as this one did. */
    usage?: Usage;
    /** What went, and where it can be read. */
    receipts: Receipt[];
    /** What the caller should know. */
    alarms: Alarm[];
    /** What the caller passes to the next plan. */
    state: PlanState;
}

/**
 * A request for the model that writes summaries. It takes no tools, and neither it nor its answer becomes part of the
 * history.
 */
export interface SummaryRequest {
    /** The model that is asked; that of the agent if omitted. */
    model?: string;
    /**
     * What is summarized, as texts that every provider takes; calls and results, too. They begin with the user's, and
     * roles alternate.
     */
    messages: TextMessage[];
    /** The last message, of the user: what to write. */
    prompt: string;
    /** How many messages of the history this request covers. */
    through: number;
    /**
     * Whether this request covers everything that is summarized. A host that wants to use its prompt cache may then
     * send the history's messages up to `through` as they are, before `prompt`.
     */
    isWhole: boolean;
    /** How many requests follow, as far as can be known now. */
    remaining: number;
    /** The most tokens of the answer. */
    maxOutputTokens: number;
}

/**
 * What a host does next: it applies the plan and then, if there is a request, asks the model and calls again with the
 * new history and one more answer.
 */
export interface Step {
    /** What needs no model. */
    plan: Plan;
    /** What the model is asked for the rest. */
    request?: SummaryRequest;
    /**
     * Why a summary was refused, if the plan had to do without; it then stores and removes what should have been
     * summarized.
     */
    refusal?: string;
}

/** The view of an output in the conversation. */
export interface CacheView {
    /** The text; never empty. */
    text: string;
    /** Whether something was cut. */
    isCut: boolean;
}
