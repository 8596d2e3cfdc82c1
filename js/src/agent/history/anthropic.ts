/** The messages of Anthropic's Messages API. */

import type { Part } from '../../conversation/model.js';
import { type Fields, type HistoryFormat, roleOf, textOf, withChanges } from './format.js';
import { json, partsOf, plainPart, resultContent, withText } from './parts.js';
import { spec, specsOf } from './specs.js';
import { reportOf, tokens } from './usage.js';

/** Tools that Anthropic defines and the host runs. */
const RUN_BY_HOST = /^(?:custom$|(?:bash|text_editor|computer|memory)_)/;

export const anthropic: HistoryFormat = {
    list: 'messages',

    reader: () => (message, path) => {
        // Media in a result follow its text, so that parts and blocks have the same indexes.
        const inResults: Part[] = [];
        const parts = partsOf(message.content, `${path}.content`, (block, at) => {
            if (block.type === 'tool_use') {
                const [id, name] = [textOf(block.id, `${at}.id`), textOf(block.name, `${at}.name`)];
                return { toolCall: { id, name, arguments: json(block.input ?? {}) } };
            }
            if (block.type === 'tool_result') {
                const { text, media } = resultContent(block.content, `${at}.content`);
                inResults.push(...media);
                const callId = textOf(block.tool_use_id, `${at}.tool_use_id`);
                return { toolResult: { callId, text, isError: block.is_error === true } };
            }
            return plainPart(block);
        });
        const isTool = parts.length > 0 && parts.every((part) => 'toolResult' in part);
        const blocks = (Array.isArray(message.content) ? message.content : []) as Fields[];
        const isCompaction = blocks.some(({ type }) => type === 'compaction');
        const role = isTool ? 'tool' : roleOf(message.role, path);
        // Content that the provider has compacted is in no other message.
        return { role, parts: [...parts, ...inResults], ...(isCompaction && { pinned: true }) };
    },

    withResults: (message, changes) => ({
        ...message,
        content: withChanges(message.content, changes, (block, { text }) => ({
            ...block,
            content: withText(block.content, text),
        })),
    }),

    insertion: (role, text) => ({ role, content: text }),

    prompt: (system) => {
        const parts = partsOf(system, 'system', plainPart);
        return parts.length === 0 ? [] : [{ role: 'system', parts }];
    },

    tools: (tools) =>
        specsOf(tools, (tool, path) => {
            const type = tool.type == null ? 'custom' : textOf(tool.type, `${path}.type`);
            return spec(typeof tool.name === 'string' ? tool.name : type, tool, !RUN_BY_HOST.test(type));
        }),

    usage: (reported) => {
        const usage = reportOf(reported, 'usage');
        if (usage === undefined) {
            return undefined;
        }
        const of = (name: string) => tokens(usage[name], `usage.${name}`);
        return {
            inputTokens: of('input_tokens'),
            outputTokens: of('output_tokens'),
            cacheCreationTokens: of('cache_creation_input_tokens'),
            cacheReadTokens: of('cache_read_input_tokens'),
        };
    },
};
