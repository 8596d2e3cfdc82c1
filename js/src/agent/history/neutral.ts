/** The neutral form itself, for hosts that keep their conversations in it. */

import type { Message, TokenUsage, ToolSpec } from '../../conversation/model.js';
import { type Fields, type HistoryFormat, itemsOf, textOf, withChanges } from './format.js';
import { partsOf } from './parts.js';
import { reportOf, tokens } from './usage.js';

export const neutral: HistoryFormat = {
    list: 'messages',

    // The contents of a message are checked where they enter the component; a host may keep more in it.
    reader: () => (item) => {
        const { role, parts, tokens, pinned, inserted } = item as unknown as Message;
        const marks = { ...(tokens != null && { tokens }), ...(pinned && { pinned }), ...(inserted && { inserted }) };
        return { role, parts, ...marks };
    },

    // The tokens, if known, were counted for the old text.
    withResults: ({ tokens: _, ...item }, changes) => ({
        ...item,
        parts: withChanges(item.parts, changes, (part, { text, artifact }) => ({
            toolResult: { ...(part.toolResult as Fields), text, artifact },
        })),
    }),

    insertion: (role, text) => ({ role, parts: [{ text }], inserted: true }),

    prompt: (system) => {
        const parts = partsOf(system, 'system', (part, path) => ({ text: textOf(part.text, `${path}.text`) }));
        return parts.length === 0 ? [] : [{ role: 'system', parts }];
    },

    tools: (tools) => (tools == null ? [] : (itemsOf(tools, 'tools') as Fields[] as unknown as ToolSpec[])),

    usage: (reported): TokenUsage | undefined => {
        const usage = reportOf(reported, 'usage');
        const of = (name: string) => tokens(usage![name], `usage.${name}`);
        return usage === undefined
            ? undefined
            : {
                  inputTokens: of('inputTokens'),
                  outputTokens: of('outputTokens'),
                  cacheCreationTokens: of('cacheCreationTokens'),
                  cacheReadTokens: of('cacheReadTokens'),
              };
    },
};
