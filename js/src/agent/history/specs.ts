/** Definitions of tools in the neutral form. */

import type { ToolSpec } from '../../conversation/model.js';
import { TOOL_NAMES } from '../../dialects.js';
import { invalid } from '../../validate.js';
import { type Fields, fieldsOf } from './format.js';
import { json } from './parts.js';

/** Tuckaway's own tools, in each dialect. They are kept, because removed content can only be read with them. */
const OWN_TOOLS = Object.values(TOOL_NAMES).flat();

/** Returns the definition of a tool. `isHosted`: the provider runs it, and its calls are not visible as tool calls. */
export function spec(name: string, definition: unknown, isHosted: boolean): ToolSpec {
    const isPinned = isHosted || OWN_TOOLS.includes(name);
    return { name, definition: json(definition), ...(isPinned && { pinned: true }) };
}

/** Reads an array of tools. */
export function specsOf(tools: unknown, read: (tool: Fields, path: string) => ToolSpec): ToolSpec[] {
    if (tools === undefined || tools === null) {
        return [];
    }
    if (!Array.isArray(tools)) {
        throw invalid('tools', tools, 'an array of definitions');
    }
    return Array.from(tools, (tool, index) => read(fieldsOf(tool, `tools[${index}]`), `tools[${index}]`));
}
