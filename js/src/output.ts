/** Converts the component's answers for callers: to numbers, and without members that have no value. */

import type * as Artifacts from '../generated/interfaces/tuckaway-context-artifacts.js';
import type * as Offload from '../generated/interfaces/tuckaway-context-offload.js';
import type * as Reduce from '../generated/interfaces/tuckaway-context-reduce.js';
import type * as Store from '../generated/interfaces/tuckaway-context-store.js';
import type * as Tools from '../generated/interfaces/tuckaway-context-tools.js';
import { inJavaScript } from './error.js';
import type { Artifact } from './ports.js';
import type { Decision, Matches, Outputs, Page, Policy, Shape, ToolDefinition, ToolOverride, View } from './types.js';
import { U64_MAX } from './validate.js';

const S64_MAX = 2n ** 63n - 1n;
const S64_MIN = -(2n ** 63n);

/** Converts a size. The largest one is `Infinity`, as in what callers pass. */
export function size(value: bigint): number {
    return value === U64_MAX ? Infinity : Number(value);
}

export function optionalSize(value: bigint | undefined): number | undefined {
    return value === undefined ? undefined : size(value);
}

/** Converts a signed size. The largest and the smallest are infinite. */
function signedSize(value: bigint | undefined): number | undefined {
    return value === S64_MAX ? Infinity : value === S64_MIN ? -Infinity : optionalSize(value);
}

/** Omits the members that are undefined. */
export function omitUndefined<T extends object>(record: { [Name in keyof T]: T[Name] | undefined }): T {
    return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

export function artifact({ id, tool, mediaType, sizeBytes, lineCount, createdAt }: Store.Artifact): Artifact {
    return {
        id,
        tool,
        mediaType,
        sizeBytes: size(sizeBytes),
        lineCount: size(lineCount),
        createdAt: size(createdAt),
    };
}

export function artifacts(list: Store.Artifact[]): Artifact[] {
    return list.map(artifact);
}

/** Converts a policy and freezes it: changing it would not affect calls. */
export function policy(policy: Offload.Policy): Policy {
    const overrides = policy.overrides.map((each) =>
        Object.freeze(omitUndefined<ToolOverride>({ ...each, maxThresholdBytes: optionalSize(each.maxThresholdBytes) })),
    );
    const copy = omitUndefined<Policy>({
        ...policy,
        minThresholdBytes: size(policy.minThresholdBytes),
        maxThresholdBytes: size(policy.maxThresholdBytes),
        maxOutputTokens: optionalSize(policy.maxOutputTokens),
        maxViewBytes: optionalSize(policy.maxViewBytes),
        overrides: Object.freeze(overrides),
    });
    return Object.freeze(copy);
}

export function decision(decision: Offload.Decision): Decision {
    return omitUndefined<Decision>({
        ...decision,
        sizeBytes: size(decision.sizeBytes),
        lineCount: size(decision.lineCount),
        tokenCount: optionalSize(decision.tokenCount),
        minThresholdBytes: size(decision.minThresholdBytes),
        thresholdBytes: size(decision.thresholdBytes),
        maxThresholdBytes: size(decision.maxThresholdBytes),
        maxOutputTokens: optionalSize(decision.maxOutputTokens),
        headroomTokens: signedSize(decision.headroomTokens),
        keptTokens: optionalSize(decision.keptTokens),
    });
}

export function view(view: Offload.View): View {
    return {
        text: view.text,
        kept: [...view.kept],
        artifacts: artifacts(view.artifacts),
        decision: decision(view.decision),
    };
}

export function views(list: Offload.View[]): View[] {
    return list.map(view);
}

export function shape({ mediaType, json }: Reduce.Shape): Shape {
    return { mediaType, json };
}

export function page(page: Artifacts.Page): Page {
    return omitUndefined<Page>(page as { text: string; next: string | undefined });
}

export function matches({ matches, total, matchCount, next }: Artifacts.Matches): Matches {
    const found = matches.map((match) => ({
        ...match,
        line: size(match.line),
        column: size(match.column),
        byteOffset: size(match.byteOffset),
    }));
    const counts = { total: optionalSize(total), matchCount: optionalSize(matchCount) };
    return omitUndefined<Matches>({ matches: found, ...counts, next });
}

export function outputs({ text, next, failure, hint, parsedAs }: Artifacts.Outputs): Outputs {
    return omitUndefined<Outputs>({
        text,
        next,
        failure: failure && { ...failure, message: inJavaScript(failure.message) },
        hint,
        parsedAs: parsedAs && inJavaScript(parsedAs),
    });
}

export function toolDefinitions(list: Tools.ToolDefinition[]): ToolDefinition[] {
    return list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: JSON.parse(inputSchema) }));
}
