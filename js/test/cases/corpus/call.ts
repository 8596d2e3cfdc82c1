/**
 * Makes calls through the public interface from a case's input, and returns the answers in the notation of case files.
 */

import {
    TuckawayError,
    type ArtifactTool, type AsyncTuckaway, type Block, type Content, type DefinitionOptions, type Dialect,
    type GrepOptions, type JqOptions, type Policy, type ReadOptions, type ToolOutput, type Tuckaway, type Turn,
} from 'tuckaway';

import { bytes, isRecipe, join, text } from './content.js';
import { extraction, EXTRACTION_CALLS } from './extraction.js';
import { histories, HISTORY_CALLS } from './histories.js';
import { isObject, malformed, type Json, type JsonObject } from './json.js';
import { fromFailure, fromValue, inCamelCase, toNumber, toRecord } from './naming.js';
import { plan } from './planning.js';

/** A synchronous or an asynchronous tuckaway. */
export type AnyTuckaway = Tuckaway | AsyncTuckaway;

/** The result of a call: the contract's record as JSON, or its error. */
export type Answer = { expect: Json } | { error: JsonObject };

/** Makes a call. Any error other than a {@link TuckawayError} is a bug in the package. */
export async function answer(tuckaway: AnyTuckaway, name: string, input: JsonObject): Promise<Answer> {
    try {
        return { expect: fromValue(await call(tuckaway, name, input)) };
    } catch (error) {
        if (error instanceof TuckawayError) {
            return { error: fromFailure(error) as JsonObject };
        }
        throw error;
    }
}

function call(tuckaway: AnyTuckaway, name: string, input: JsonObject): unknown {
    const policy = () => parsePolicy(input.policy);
    switch (name) {
        case 'decide':
            return tuckaway.decide(parseOutput(input.output), parseTurn(input.turn), policy());
        case 'process':
            return tuckaway.process(parseOutput(input.output), parseTurn(input.turn), policy());
        case 'process_turn':
            return tuckaway.processTurn(list(input.outputs).map(parseOutput), parseTurn(input.turn), policy());
        case 'infer_shape':
            return tuckaway.inferShape(textOrBytes(input), maxBytes(input).maxBytes);
        case 'truncate':
            return tuckaway.truncate(textOrBytes(input), toNumber(input.max_bytes ?? malformed('there is no max_bytes')));
        case 'read':
            return tuckaway.read(text(input.id), readOptions(input));
        case 'grep':
            return tuckaway.grep(text(input.id), text(input.pattern), grepOptions(input));
        case 'grep_all':
            return tuckaway.grepAll(text(input.pattern), grepOptions(input));
        case 'jq':
            return tuckaway.jq(text(input.id), text(input.filter), jqOptions(input));
        case 'list_artifacts':
            return tuckaway.listArtifacts();
        case 'definitions':
            return definitions(tuckaway, list(input.tools) as ArtifactTool[], {
                dialect: (input.dialect ?? 'artifact') as Dialect,
                isFinalTurn: input.is_final_turn === true,
                isDetailed: input.is_detailed === true,
            });
        case 'default_policy':
            return tuckaway.defaultPolicy((input.dialect ?? 'artifact') as Dialect);
        case 'call':
            return tuckaway.callTool(text(input.name), toolArguments(input.arguments), maxBytes(input));
        default:
            return HISTORY_CALLS.includes(name)
                ? histories(tuckaway, name, input)
                : EXTRACTION_CALLS.includes(name)
                  ? extraction(tuckaway, name, input)
                  : plan(tuckaway, name, input);
    }
}

/** Returns the bytes of each output of the input, with its blocks concatenated. */
export function outputsOf(name: string, input: JsonObject): Uint8Array[] {
    const outputs = name === 'process_turn' ? list(input.outputs) : input.output === undefined ? [] : [input.output];
    return outputs.map((output) => {
        const { blocks = [output] } = output as JsonObject;
        return join(list(blocks).map((block) => {
            const { text, bytes: raw, stored } = block as JsonObject;
            return stored === undefined ? bytes(text ?? raw) : new Uint8Array();
        }));
    });
}

/** Returns the definitions with their schemas as text, as in case files. */
async function definitions(
    tuckaway: AnyTuckaway,
    tools: ArtifactTool[],
    options: DefinitionOptions,
): Promise<unknown> {
    const definitions = await tuckaway.toolDefinitions(tools, options);
    return definitions.map((each) => ({ ...each, inputSchema: JSON.stringify(each.inputSchema) }));
}

function parseOutput(value: Json | undefined): ToolOutput {
    if (!isObject(value)) {
        return malformed('this is not a valid output', value ?? 'nothing');
    }
    const common = {
        tool: value.tool === undefined ? 'tool' : text(value.tool),
        ...(value.is_error === true && { isError: true }),
        ...(value.structured !== undefined && { structured: text(value.structured) }),
    };
    return value.blocks === undefined
        ? { ...common, ...parseBlock(value) }
        : { ...common, blocks: list(value.blocks).map(parseBlock) };
}

function parseBlock(value: Json): Block {
    if (!isObject(value)) {
        return malformed('this is not a valid block', value);
    }
    return {
        content: parseContent(value),
        ...(value.media_type !== undefined && { mediaType: text(value.media_type) }),
    };
}

function parseContent(block: JsonObject): Content {
    if (block.text !== undefined) {
        return text(block.text);
    }
    if (block.bytes !== undefined) {
        return bytes(block.bytes);
    }
    return block.stored === undefined ? malformed('this is not a valid block', block) : { stored: text(block.stored) };
}

function parseTurn(turn: Json = {}): Turn {
    return isObject(turn) ? toRecord(turn) : malformed('this is not a valid turn', turn);
}

function parsePolicy(policy: Json | undefined): Partial<Policy> | undefined {
    if (policy === undefined) {
        return undefined;
    }
    if (!isObject(policy)) {
        return malformed('this is not a valid policy', policy);
    }
    const { overrides, ...rest } = policy;
    return { ...toRecord(rest), ...(overrides !== undefined && { overrides: parseOverrides(overrides) }) };
}

function parseOverrides(overrides: Json): Policy['overrides'] {
    // `repeat` and `times` stand for many overrides.
    const all = isObject(overrides)
        ? Array.from({ length: toNumber(overrides.times ?? 0) }, () => overrides.repeat as Json)
        : list(overrides);
    return all.map((each) => {
        const { tools, ...rest } = each as JsonObject;
        return { ...toRecord(rest), tools: text(tools) };
    });
}

function readOptions(input: JsonObject): ReadOptions {
    const { lines, last_lines, bytes: range, cursor } = isObject(input.range) ? input.range : {};
    return {
        ...(lines !== undefined && { lines: ends(lines) }),
        ...(last_lines !== undefined && { lastLines: toNumber(last_lines) }),
        ...(range !== undefined && { bytes: ends(range) }),
        ...(cursor !== undefined && { cursor: text(cursor) }),
        ...(input.line_numbers !== undefined && { lineNumbers: input.line_numbers as boolean }),
        ...maxBytes(input),
    };
}

function grepOptions(input: JsonObject): GrepOptions {
    const { id: _id, pattern: _pattern, of: _of, ...rest } = input;
    return inCamelCase(rest);
}

function jqOptions(input: JsonObject): JqOptions {
    const { id: _id, filter: _filter, of: _of, variables, ...rest } = input;
    const named = (variable: Json) => {
        const { name, artifact } = isObject(variable) ? variable : malformed('this is not a variable', variable);
        return [text(name), text(artifact)];
    };
    return {
        ...inCamelCase(rest),
        ...(variables !== undefined && { variables: Object.fromEntries(list(variables).map(named)) }),
    };
}

/** Returns arguments as an object, as a provider parses them, or as a text if they are a recipe. */
function toolArguments(value: Json | undefined): string | object {
    return isObject(value) && !isRecipe(value) ? value : text(value);
}

/** Returns the content to reduce: `text`, or `bytes` of any kind. */
function textOrBytes(input: JsonObject): string | Uint8Array {
    return input.bytes === undefined ? text(input.text) : bytes(input.bytes);
}

function maxBytes(input: JsonObject): { maxBytes?: number } {
    return input.max_bytes === undefined ? {} : { maxBytes: toNumber(input.max_bytes) };
}

function ends(range: Json): { start: number; end: number } {
    const { start, end } = isObject(range) ? range : malformed('this is not a valid range', range);
    return {
        start: toNumber(start ?? malformed('a range has two ends')),
        end: toNumber(end ?? malformed('a range has two ends')),
    };
}

function list(value: Json | undefined): Json[] {
    return Array.isArray(value) ? value : malformed('this is not a valid list', value ?? 'nothing');
}
