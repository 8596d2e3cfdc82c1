/** The tool names of each dialect, as the component defines them. */

import type { Dialect } from './contract/types.js';

/** The names of the tools of each dialect, in the order read, grep, jq. */
export const TOOL_NAMES: Readonly<Record<Dialect, readonly string[]>> = {
    artifact: ['artifact_read', 'artifact_grep', 'artifact_jq'],
    cache: ['tool_output_cache', 'tool_output_cache_grep'],
    handle: ['tool_output'],
    file: ['read_large_output', 'search_large_output', 'query_large_output'],
};

/** All dialects. */
export const DIALECTS = Object.keys(TOOL_NAMES) as readonly Dialect[];
