/** The settings: policy, turn, tool and token counter. They are saved in the address of the page. */

import type { ArtifactTool, Dialect, Policy, ToolOverride } from 'tuckaway';

import type { Counter } from './protocol.js';

export const ARTIFACT_TOOLS = ['read', 'grep', 'jq'] as const satisfies readonly ArtifactTool[];
const MODES = ['auto', 'artifact', 'truncate'] as const satisfies readonly Policy['mode'][];

/** The tools of each dialect, for the rule that passes their outputs. */
export const DIALECTS = {
    artifact: ['artifact_read', 'artifact_grep', 'artifact_jq'],
    cache: ['tool_output_cache', 'tool_output_cache_grep'],
    handle: ['tool_output'],
    file: ['read_large_output', 'search_large_output', 'query_large_output'],
} as const satisfies Record<Dialect, readonly string[]>;

/** Returns the dialect of the knobs. */
export function dialectOf({ policy }: Knobs): Dialect {
    return policy.dialect ?? 'artifact';
}

export interface Knobs {
    /** The tool that returned the output. Default: the output's own tool. */
    tool?: string;
    isError: boolean;
    counter: Counter;
    contextWindow: number;
    usedTokens: number;
    tools: readonly ArtifactTool[];
    /** Members that differ from the defaults. */
    policy: Partial<Policy>;
}

export const DEFAULT_KNOBS: Knobs = {
    isError: false,
    counter: 'gpt',
    contextWindow: 200_000,
    usedTokens: 0,
    tools: ARTIFACT_TOOLS,
    policy: {},
};

/** The numeric members of a policy, which forms and addresses treat the same way. */
export const POLICY_NUMBERS = [
    'contextPercentage', 'headroomPercentage', 'minThresholdBytes', 'maxThresholdBytes', 'maxOutputTokens',
    'bytesPerToken', 'maxViewBytes', 'previewBytes', 'imageTokens',
] as const satisfies readonly (keyof Policy)[];

const POLICY_SWITCHES = ['enabled', 'keepAll'] as const satisfies readonly (keyof Policy)[];

/** Returns the knobs in an address. Missing or invalid ones have their defaults. */
export function knobsFrom(address: URLSearchParams): Knobs {
    const policy: Partial<Policy> = {};
    for (const name of POLICY_NUMBERS) {
        const value = numberFrom(address.get(name));
        if (value !== undefined) policy[name] = value;
    }
    for (const name of POLICY_SWITCHES) {
        const value = address.get(name);
        if (value === 'true' || value === 'false') policy[name] = value === 'true';
    }
    const mode = MODES.find((each) => each === address.get('mode'));
    if (mode !== undefined) policy.mode = mode;
    const dialect = address.get('dialect');
    if (dialect !== null && dialect !== 'artifact' && Object.hasOwn(DIALECTS, dialect)) {
        policy.dialect = dialect as Dialect;
    }
    const overrides = overridesFrom(address.get('overrides'));
    if (overrides.length > 0) policy.overrides = overrides;

    const tools = address.get('tools')?.split(',');
    return {
        ...(address.has('tool') ? { tool: address.get('tool')! } : {}),
        isError: address.get('isError') === 'true',
        counter: address.get('counter') === 'estimate' ? 'estimate' : 'gpt',
        contextWindow: numberFrom(address.get('contextWindow')) ?? DEFAULT_KNOBS.contextWindow,
        usedTokens: numberFrom(address.get('usedTokens')) ?? DEFAULT_KNOBS.usedTokens,
        tools: ARTIFACT_TOOLS.filter((each) => tools?.includes(each) ?? true),
        policy,
    };
}

/** Writes the knobs that differ from the defaults to an address. */
export function writeKnobs(knobs: Knobs, address: URLSearchParams): void {
    const { policy, tool, tools, ...plain } = knobs;
    for (const name of ['isError', 'counter', 'contextWindow', 'usedTokens'] as const) {
        if (plain[name] !== DEFAULT_KNOBS[name]) address.set(name, String(plain[name]));
    }
    if (tool !== undefined) address.set('tool', tool);
    if (tools.length < ARTIFACT_TOOLS.length) address.set('tools', tools.join(','));
    for (const [name, value] of Object.entries(policy)) {
        address.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    }
}

function numberFrom(text: string | null): number | undefined {
    const value = Number(text ?? NaN);
    return text === '' || Number.isNaN(value) ? undefined : value;
}

function overridesFrom(text: string | null): ToolOverride[] {
    try {
        const parsed: unknown = JSON.parse(text ?? '[]');
        return Array.isArray(parsed) ? parsed.filter((each) => typeof each?.tools === 'string') : [];
    } catch {
        return [];
    }
}
