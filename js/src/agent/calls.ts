/** One turn of an agent: runs the calls that the model made, and fits their outputs into the window together. */

import type { Dialect, StoredMedia, ToolDefinition, ToolReply, View } from '../contract/types.js';
import { TOOL_NAMES } from '../dialects.js';
import { TuckawayError } from '../error.js';
import { type CallOptions, answerCall } from '../extraction/call.js';
import { mediaBytes } from '../media.js';
import { notify } from '../notify.js';
import type { AsyncTuckaway, Tuckaway } from '../tuckaway.js';
import type { Block, Bound, Content, DefinitionOptions, PolicyOptions, ToolOutput, Turn } from '../types.js';
import { type Check, anything, bytesOf, callback, invalid, isBytes, optional, record } from '../validate.js';
import { inBase64 } from './base64.js';
import { noteView } from './notes.js';

/** A call of a tool, as the model made it. */
export interface ToolCall {
    /** The id that the provider's result must refer to. */
    readonly id: string;
    readonly name: string;
}

/**
 * A tool of the agent. It is called with the model's arguments, parsed but not checked against any schema.
 *
 * Its output is its return value, or the value of the promise it returns: a string or bytes unchanged, `undefined` as
 * an empty output, a {@link ToolResult} as described there, and any other value as its JSON. If the tool throws, or
 * returns a value that JSON cannot represent, such as a `Map`, the model receives an error.
 */
export type ToolHandler = (args: any, call: ToolCall) => unknown;

/** The tools of the agent, by the names that the model uses. */
export type ToolHandlers = Readonly<Record<string, ToolHandler>>;

/** A part of an output in the provider's own format; text parts have the type `text` or `input_text`. */
export interface ContentPart {
    type: string;
}

/** The result of a {@link ToolHandler} if a plain value is not enough: parts, an error, a stored artifact. */
export class ToolResult<Part extends ContentPart = ContentPart> {
    /** Text, bytes, an artifact in the store, or parts: their texts may be offloaded, the other parts are preserved. */
    readonly content: Content | readonly Part[];
    readonly isError: boolean;
    /** The result as JSON text, in addition to the content; see {@link ToolOutput}. */
    readonly structured: string | undefined;

    /** @throws TuckawayError of kind `invalid_input` for any other content */
    constructor(
        content: Content | readonly Part[],
        { isError = false, structured }: { isError?: boolean; structured?: string | undefined } = {},
    ) {
        if (!isContent(content)) {
            const expected = 'a string, a Uint8Array, { stored: id }, or an array of parts, each with its type';
            throw invalid('content', content, expected);
        }
        this.content = content;
        this.isError = isError;
        this.structured = structured;
    }
}

/**
 * Answers a call of `tool_output` in a mode that needs a model.
 *
 * @param args the call's arguments, as the model wrote them; they are valid, and the handle is in the store
 */
export type Extract = (args: string) => ToolReply | Promise<ToolReply>;

/** Options for running the calls of a turn; `maxBytes` limits the replies of the artifact tools. */
export interface RunOptions extends Bound {
    /**
     * The state of the conversation. Default: `usedTokens` from the usage record of the model's reply, everything else
     * from `createTuckaway`.
     */
    turn?: Turn | undefined;
    /** Changes to tuckaway's policy. Default: none. */
    policy?: PolicyOptions | undefined;
    /**
     * Answers calls of `tool_output` that need a model (the dialect `handle`): a model, such as `openaiModel` of
     * `tuckaway/extraction`, with options for its extractions, or a function that returns the reply. Default: head and
     * tail of the output, with a warning.
     */
    extract?: CallOptions | Extract | undefined;
    /** Receives each view, for logs and metrics. Exceptions that it throws are ignored. */
    onView?: ((call: ToolCall, view: View) => void) | undefined;
    /** Receives the error of a failed call, as the model does. Exceptions that it throws are ignored. */
    onError?: ((call: ToolCall, error: unknown) => void) | undefined;
}

/** A {@link ToolCall} with its arguments. */
export interface Call extends ToolCall {
    /** JSON text, or any text if it is `freeform`. */
    readonly args: string;
    /** Whether the tool takes plain text instead of JSON. */
    readonly freeform?: boolean | undefined;
    /**
     * Whether a program in the provider's sandbox made the call. The program reads the whole output, which no model
     * sees.
     */
    readonly byProgram?: boolean | undefined;
}

/** The answer to a call, for the model that made it. */
export interface Reply<Made extends Call> {
    readonly call: Made;
    readonly content: string | readonly ContentPart[];
    readonly isError: boolean;
}

/** A provider's format of results. */
export interface ResultFormat {
    /** The type of a text part. */
    readonly textType: string;
    /**
     * Returns a stored file as a part, or a sentence for the model that says why a result cannot contain it.
     *
     * @param data its bytes in base64
     */
    readonly mediaPart: (media: StoredMedia, data: string) => ContentPart | string;
}

/** A synchronous or an asynchronous tuckaway. */
export type AnyTuckaway = Tuckaway | AsyncTuckaway;

/** Returns the offered artifact tools, or the tools in `tools`, each in a provider's format. */
export async function definitionsAs<Definition>(
    tuckaway: AnyTuckaway,
    tools: Turn['tools'],
    options: DefinitionOptions | undefined,
    shape: (definition: ToolDefinition) => Definition,
): Promise<Definition[]> {
    return (await tuckaway.toolDefinitions(tools, options)).map(shape);
}

/**
 * Rejects tools that have the name of a tool of the dialect: outputs under these names always pass.
 *
 * @param policy the changes to tuckaway's policy, which may choose another dialect
 * @param what the caller's name for the tools
 * @returns the names of all tools of the dialect, offered or not
 */
export function reserveNames(
    tuckaway: AnyTuckaway,
    policy: PolicyOptions | undefined,
    tools: object,
    what: string,
): ReadonlySet<string> {
    if (typeof tools !== 'object' || tools === null || Array.isArray(tools)) {
        throw invalid(what, tools, 'an object that maps names to tools');
    }
    const names = new Set(TOOL_NAMES[dialectOf(tuckaway, policy)]);
    const taken = Object.keys(tools).filter((name) => names.has(name));
    if (taken.length > 0) {
        throw new TuckawayError(
            'invalid_input',
            `${taken.join(', ')}: reserved for tuckaway's own tools, which tuckaway runs itself. Rename your tools.`,
            { arguments: [what] },
        );
    }
    return names;
}

/** Returns the dialect of a turn. An invalid name is reported when the policy is checked. */
export function dialectOf(tuckaway: AnyTuckaway, policy: PolicyOptions | undefined): Dialect {
    const dialect = policy?.dialect ?? tuckaway.policy.dialect;
    return Object.hasOwn(TOOL_NAMES, dialect) ? dialect : tuckaway.policy.dialect;
}

/** Checks the option `extract`: a function, or the options of an extraction, which checks them. */
const extractor: Check<unknown> = (value, name) => {
    if (typeof value !== 'function' && typeof (value as CallOptions | null)?.model !== 'function') {
        throw invalid(name, value, 'a function, or an object with a model');
    }
    return value;
};

/** The options of all agent loops. The component checks the turn, the policy and the size limit. */
export const OPTIONS = {
    turn: optional(anything),
    policy: optional(anything),
    extract: optional(extractor),
    onView: optional(callback),
    maxBytes: optional(anything),
};

const knownOptions = record({ ...OPTIONS, onError: optional(callback) });

type LimitOptions = Pick<RunOptions, 'policy' | 'maxBytes'>;

/** Checks a turn, a policy and a size limit before any tool does its work. */
export async function checkOptions(tuckaway: AnyTuckaway, turn: Turn | undefined, options: LimitOptions): Promise<void> {
    await tuckaway.processTurn([], turn, options.policy);
    await tuckaway.callTool('artifact_read', '{}', { maxBytes: options.maxBytes });
}

/**
 * Runs all calls of a turn in parallel and makes their views together, so that they share the headroom.
 *
 * Tuckaway answers calls of the artifact tools. A call that cannot be run (an unknown tool, arguments that are not a
 * JSON object) or whose tool throws is answered with an error; the other calls are not affected.
 *
 * @param usedTokens the tokens that the conversation takes, if `options.turn` omits them
 * @returns one reply for each call, in order
 */
export async function runCalls<Made extends Call>(
    tuckaway: AnyTuckaway,
    calls: readonly Made[],
    handlers: ToolHandlers,
    usedTokens: number,
    format: ResultFormat,
    options: RunOptions,
): Promise<Reply<Made>[]> {
    knownOptions(options, 'options');
    const { policy, onView, onError, maxBytes, extract } = options;
    const turn = { ...options.turn, usedTokens: options.turn?.usedTokens ?? usedTokens };
    const artifactTools = reserveNames(tuckaway, policy, handlers, 'handlers');
    const uncallable = Object.keys(handlers).filter((name) => typeof handlers[name] !== 'function');
    if (uncallable.length > 0) {
        const why = `${uncallable.join(', ')}: a tool must be a function.`;
        throw new TuckawayError('invalid_input', why, { arguments: ['handlers'] });
    }
    await checkOptions(tuckaway, turn, { policy, maxBytes });
    const results = await Promise.all(
        calls.map(async (call) => {
            try {
                return artifactTools.has(call.name)
                    ? await askArtifact(tuckaway, call, format, { maxBytes, extract })
                    : await runHandler(call, handlers, artifactTools);
            } catch (error) {
                notify(onError, { id: call.id, name: call.name }, error);
                return new ToolResult(errorText(error), { isError: true });
            }
        }),
    );
    const whole = results.map(({ content }, index) =>
        calls[index]!.byProgram ? wholeContent(content) : undefined,
    );
    const seen = [...calls.keys()].filter((index) => whole[index] === undefined);
    const outputs = seen.map((index) => outputOf(calls[index]!.name, results[index]!));
    const views = await tuckaway.processTurn(outputs, turn, policy);
    return calls.map((call, index) => {
        const { content, isError, structured } = results[index]!;
        if (whole[index] !== undefined) {
            return { call, content: whole[index], isError };
        }
        const view = views[seen.indexOf(index)]!;
        notify(onView, { id: call.id, name: call.name }, view);
        noteView(tuckaway, call.id, view);
        const shown = isParts(content) ? partsAfter(content, view, format.textType, structured) : view.text;
        return { call, content: shown, isError };
    });
}

/**
 * Answers a call of an artifact tool. Its error messages are for the model. If the store failed, the store's own
 * message, which is for people only, is in the cause.
 */
export async function callArtifactTool(
    tuckaway: AnyTuckaway,
    name: string,
    args: string,
    { maxBytes, extract }: Pick<RunOptions, 'maxBytes' | 'extract'>,
): Promise<ToolReply> {
    try {
        return await tuckaway.callTool(name, args, { maxBytes });
    } catch (error) {
        if (error instanceof TuckawayError && error.kind === 'unsupported') {
            if (extract == null) {
                return truncated(tuckaway, name, args, maxBytes);
            }
            return typeof extract === 'function' ? extract(args) : answerCall(tuckaway, args, { ...extract, maxBytes });
        }
        throw forModel(error);
    }
}

/** A reply with the image, PDF document or recording that the call reads. */
interface FileReply extends ToolReply {
    /** The bytes are in base64. */
    readonly file?: { readonly media: StoredMedia; readonly data: string };
}

/** Like {@link callArtifactTool}, for results that may contain files. */
export async function callWithFile(
    tuckaway: AnyTuckaway,
    name: string,
    args: string,
    options: Pick<RunOptions, 'maxBytes' | 'extract'>,
): Promise<FileReply> {
    const reply = await callArtifactTool(tuckaway, name, args, options);
    const { media } = reply;
    if (media === undefined) {
        return reply;
    }
    try {
        return { ...reply, file: { media, data: inBase64(await mediaBytes(tuckaway, media)) } };
    } catch (error) {
        throw forModel(error);
    }
}

/** Returns an error whose message is for the model. */
function forModel(error: unknown): unknown {
    if (error instanceof TuckawayError && error.kind === 'store') {
        const message = 'the store failed. Try the call again, or continue without the output.';
        return new Error(message, { cause: error });
    }
    return error;
}

const NO_MODEL = '[warning: no extraction model is configured, so this is the head and tail of the output]';

/**
 * Answers a call of `tool_output` without a model: as the extraction document (docs/origins.md) specifies, the mode
 * falls back to `truncate`, with a warning.
 */
async function truncated(
    tuckaway: AnyTuckaway,
    name: string,
    args: string,
    maxBytes: number = 16_384,
): Promise<ToolReply> {
    const truncating = { ...(JSON.parse(args) as object), mode: 'truncate' };
    const space = Math.max(maxBytes - NO_MODEL.length - 1, 256);
    const { text, isError } = await tuckaway.callTool(name, truncating, { maxBytes: space });
    return { text: isError ? text : `${text.replace(/\n$/, '')}\n${NO_MODEL}`, isError };
}

/** Returns the text of an error for the model. */
export function errorText(error: unknown): string {
    if (error instanceof Error) {
        return String(error);
    }
    try {
        return `Error: ${typeof error === 'string' ? error : jsonText(error)}`;
    } catch {
        return 'Error: the tool failed, and its error cannot be represented as text.';
    }
}

/** Returns a value as JSON; the empty text if JSON cannot represent it. */
export function jsonText(value: unknown): string {
    return JSON.stringify(value) ?? '';
}

/** Returns the text of a part; undefined if it is an image or the like. */
export function partText(part: ContentPart): string | undefined {
    const isText = part.type === 'text' || part.type === 'input_text';
    return isText && 'text' in part && typeof part.text === 'string' ? part.text : undefined;
}

/**
 * Returns parts for the model. If their texts were offloaded, or there is a structured result, the list consists of the
 * view followed by the parts that are not texts.
 */
export function partsAfter<Part extends ContentPart>(
    parts: readonly Part[],
    view: View,
    textType: string,
    structured?: string | undefined,
): string | readonly (Part | (ContentPart & { text: string }))[] {
    if (view.decision.action === 'inline' && structured === undefined) {
        return parts;
    }
    const others = parts.filter((part) => partText(part) === undefined);
    return others.length === 0 ? view.text : [{ type: textType, text: view.text }, ...others];
}

/** Converts parts to blocks: texts unchanged; images, audio and video without content, to be counted only. */
export function partsOutput(parts: readonly ContentPart[]): { blocks: Block[] } {
    const block = (part: ContentPart): Block[] => {
        const text = partText(part);
        const mediaType = text === undefined ? mediaTypeOf(part) : undefined;
        return text !== undefined ? [{ content: text }] : mediaType !== undefined ? [{ content: '', mediaType }] : [];
    };
    return { blocks: parts.flatMap(block) };
}

/** Returns the media type of a part that is an image, audio or video, in the format of any provider. */
function mediaTypeOf(part: ContentPart): string | undefined {
    if ('mediaType' in part && typeof part.mediaType === 'string') {
        return isPassedOn(part.mediaType) ? part.mediaType : undefined;
    }
    const [, medium] = /(image|audio|video)/.exec(part.type) ?? [];
    return medium === undefined ? undefined : `${medium}/*`;
}

/** Returns whether blocks of a media type are passed on unchanged. */
export function isPassedOn(mediaType: string): boolean {
    return /^(image|audio|video)\//.test(mediaType);
}

async function askArtifact(
    tuckaway: AnyTuckaway,
    call: Call,
    { textType, mediaPart }: ResultFormat,
    options: Pick<RunOptions, 'maxBytes' | 'extract'>,
): Promise<ToolResult> {
    // A program reads text only.
    const answer = call.byProgram ? callArtifactTool : callWithFile;
    const { text, isError, file }: FileReply = await answer(tuckaway, call.name, call.args, options);
    if (file === undefined) {
        return new ToolResult(text, { isError });
    }
    const part = mediaPart(file.media, file.data);
    return new ToolResult(typeof part === 'string' ? `${text} ${part}` : [{ type: textType, text } as ContentPart, part]);
}

async function runHandler(
    call: Call,
    handlers: ToolHandlers,
    artifactTools: ReadonlySet<string>,
): Promise<ToolResult> {
    if (!Object.hasOwn(handlers, call.name)) {
        const names = [...Object.keys(handlers), ...artifactTools].join(', ');
        throw new Error(`there is no tool ${jsonText(call.name)}. The tools are: ${names}.`);
    }
    const args = call.freeform ? call.args : parseArguments(call.args);
    const value = await handlers[call.name]!(args, { id: call.id, name: call.name });
    return value instanceof ToolResult ? value : new ToolResult(contentOf(value, call.name));
}

function contentOf(value: unknown, tool: string): string | Uint8Array {
    if (typeof value === 'string' || isBytes(value)) {
        return value;
    }
    const bytes = bytesOf(value);
    if (bytes !== undefined) {
        return bytes;
    }
    const json = jsonText(value);
    if (value !== undefined && (json === '' || (json === '{}' && !isPlain(value as object)))) {
        throw invalid(`the output of ${tool}`, value, 'text, bytes, or a value that JSON can represent');
    }
    return json;
}

/** Returns whether `{}` represents an object completely. It does not for a Map, for example. */
function isPlain(value: object): boolean {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null || 'toJSON' in value;
}

/** Parses the arguments of a call. Models send an empty text to a tool that takes no arguments. */
function parseArguments(text: string): object {
    if (text.trim() === '') {
        return {};
    }
    let args: unknown;
    try {
        args = JSON.parse(text);
    } catch (error) {
        const { message } = error as Error;
        throw new Error(`the arguments are not valid JSON (${message}). Call the tool again with a JSON object.`);
    }
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
        throw new Error('the arguments are not a JSON object. Call the tool again with one.');
    }
    return args;
}

function isContent(content: ToolResult['content']): boolean {
    if (isParts(content)) {
        return content.every((part) => typeof part?.type === 'string');
    }
    return typeof content === 'string' || isBytes(content) || typeof content?.stored === 'string';
}

function isParts(content: ToolResult['content']): content is readonly ContentPart[] {
    return Array.isArray(content);
}

function outputOf(tool: string, { content, isError, structured }: ToolResult): ToolOutput {
    return { tool, isError, structured, ...(isParts(content) ? partsOutput(content) : { content }) };
}

/** Returns content for a program, which reads all of it; undefined if it is an artifact in the store. */
function wholeContent(content: ToolResult['content']): string | readonly ContentPart[] | undefined {
    if (isBytes(content)) {
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
    }
    return typeof content === 'string' || isParts(content) ? content : undefined;
}
