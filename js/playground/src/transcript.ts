/**
 * Finds the outputs of tools in a transcript: JSON of OpenAI's Chat Completions and Responses, of Anthropic's Messages,
 * or of MCP's JSON-RPC, as one document or one per line.
 */

/** The output of one tool call. */
export interface RecordedCall {
    tool: string;
    /** The text; several parts are joined by line feeds. */
    text: string;
    isError: boolean;
}

/** Texts that only transcripts contain. Other JSON is not parsed. */
const HINT = /"(?:tool_use_id|tool_call_id|function_call_output|tools\/call|isError|structuredContent)"/;

/** Longer texts are not parsed, because that would block the page. */
export const MAX_TRANSCRIPT_LENGTH = 20_000_000;

/** Members that wrap messages: in exports, requests, responses, log entries. */
const WRAPPERS = [
    'messages', 'input', 'output', 'items', 'content', 'message', 'request', 'response', 'body', 'choices', 'params',
] as const;
const MAX_DEPTH = 10;

type Fields = Record<string, unknown>;

/** Returns the outputs in the order of the transcript; none if the text is not a transcript. */
export function readTranscript(text: string): RecordedCall[] {
    if (text.length > MAX_TRANSCRIPT_LENGTH || !HINT.test(text)) {
        return [];
    }
    const reader = new Reader();
    documentsOf(text).forEach((document) => reader.visit(document, 0));
    return reader.calls;
}

function documentsOf(text: string): unknown[] {
    const parsed = parse(text);
    return parsed === undefined ? text.split('\n').map(parse).filter((each) => each !== undefined) : [parsed];
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

class Reader {
    readonly calls: RecordedCall[] = [];
    /** The names of the tools by call id. */
    readonly #names = new Map<string, string>();

    visit(value: unknown, depth: number): void {
        if (depth > MAX_DEPTH) {
            return;
        }
        if (Array.isArray(value)) {
            value.forEach((each) => this.visit(each, depth + 1));
        } else if (isObject(value)) {
            this.#noteName(value);
            if (!this.#takeOutput(value)) {
                WRAPPERS.forEach((name) => this.visit(value[name], depth + 1));
            }
        }
    }

    /** Notes the name of a tool that an object calls. */
    #noteName(value: Fields): void {
        const { type, id, call_id: callId, name, method, params, tool_calls: toolCalls } = value;
        if (type === 'tool_use' || type === 'function_call') {
            this.#names.set(String(callId ?? id), String(name));
        } else if (method === 'tools/call' && isObject(params)) {
            this.#names.set(rpc(id), String(params.name));
        }
        for (const call of Array.isArray(toolCalls) ? toolCalls.filter(isObject) : []) {
            this.#names.set(String(call.id), String((call.function as Fields | undefined)?.name));
        }
    }

    /** If an object is an output, adds it and returns true. */
    #takeOutput(value: Fields): boolean {
        const { type, role, result } = value;
        if (type === 'tool_result') {
            this.#add(value.tool_use_id, undefined, value.content, value.is_error === true);
        } else if (type === 'function_call_output') {
            this.#add(value.call_id, undefined, value.output, false);
        } else if (role === 'tool') {
            this.#add(value.tool_call_id, value.name, value.content, false);
        } else if (isObject(result) && isMcpResult(result)) {
            this.#addMcp(rpc(value.id), result);
        } else if (role === undefined && isMcpResult(value) && ('isError' in value || 'structuredContent' in value)) {
            this.#addMcp('', value);
        } else {
            return false;
        }
        return true;
    }

    #addMcp(id: string, result: Fields): void {
        const { content, structuredContent, isError } = result;
        const isEmpty = textOf(content) === '' && structuredContent !== undefined;
        this.#add(id, undefined, isEmpty ? JSON.stringify(structuredContent) : content, isError === true);
    }

    #add(id: unknown, name: unknown, content: unknown, isError: boolean): void {
        const tool = this.#names.get(String(id)) ?? (typeof name === 'string' ? name : 'tool');
        this.calls.push({ tool, text: textOf(content), isError });
    }
}

const isObject = (value: unknown): value is Fields =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
const rpc = (id: unknown): string => `json-rpc ${String(id)}`;
const isMcpResult = ({ content, structuredContent }: Fields): boolean =>
    Array.isArray(content) || structuredContent !== undefined;

/** Returns the text of a content: a string, or the texts among several parts. */
function textOf(content: unknown): string {
    if (typeof content === 'string') {
        return content;
    }
    const parts = Array.isArray(content) ? content.filter(isObject) : [];
    return parts.map(({ text }) => text).filter((text) => typeof text === 'string').join('\n');
}
