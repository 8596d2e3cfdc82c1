/**
 * All gates in the order in which they are checked, and the values that each compared, as in `tuckaway offload
 * --explain`.
 */

import type { Decision, Gate, Policy } from 'tuckaway';

import type { App, State } from '../app.js';
import { byId, element } from '../dom.js';
import { number } from '../format.js';
import { DIALECTS, dialectOf } from '../knobs.js';

const GATES = [
    'disabled', 'exempt', 'artifact_tool', 'below_floor', 'ceiling', 'per_output', 'token_cap', 'headroom', 'fits',
] as const satisfies readonly Gate[];

export function mountGates(app: App): void {
    app.listen((state, changed) => {
        if (changed.has('result') || changed.has('defaults')) {
            byId('gates').replaceChildren(...rows(state, app.tool));
            byId('gates-verdict').textContent = verdict(state);
            byId('failures').replaceChildren(
                ...(state.result?.decision.failures ?? []).map(({ kind, message }) =>
                    element('li', {}, element('code', {}, kind), ` ${message}`),
                ),
            );
        }
    });
}

/** Returns one row for each gate. The first that applies decides; those after it were not checked. */
function rows(state: State, tool: string): HTMLElement[] {
    const decision = state.result?.decision;
    const deciding = decision === undefined ? -1 : GATES.indexOf(decision.gate);
    return GATES.map((gate, index) => {
        const applies = decision === undefined ? '—'
            : index < deciding ? 'no' : index === deciding ? 'yes' : 'not checked';
        const kind = applies === 'yes' ? 'is-deciding' : applies === 'not checked' ? 'is-unchecked' : null;
        return element('tr', { class: kind, 'data-gate': gate },
            element('th', { scope: 'row' }, gate),
            element('td', {},
                state.result === undefined ? '' : compared(gate, state.result, state.defaults, tool)),
            element('td', {}, applies),
        );
    });
}

function verdict({ result }: State): string {
    if (result === undefined) {
        return '';
    }
    const { knobs, decision: { action, gate } } = result;
    const done = { inline: 'passed on', artifact: 'stored', truncate: 'truncated' }[action];
    if (action === 'truncate' && knobs.tools.length === 0 && result.decision.failures.length === 0) {
        return `${gate}: ${done}, because the model has no tools to query with`;
    }
    return `${gate}: ${done}`;
}

function compared(
    gate: Gate,
    { knobs, decision }: NonNullable<State['result']>,
    defaults: State['defaults'],
    tool: string,
): string {
    const policy = { ...defaults, ...knobs.policy } as Policy;
    const size = number(decision.sizeBytes);
    switch (gate) {
        case 'disabled': return `enabled is ${policy.enabled}`;
        case 'exempt': return exempted(policy, tool, decision.matchedOverride);
        case 'artifact_tool': {
            const isOne = (DIALECTS[dialectOf(knobs)] as readonly string[]).includes(tool);
            return `${tool} is ${isOne ? '' : 'not '}an artifact tool`;
        }
        case 'below_floor': return `${size} bytes < ${number(decision.minThresholdBytes)}`;
        case 'ceiling': return `${size} bytes > ${number(decision.maxThresholdBytes)}`;
        case 'per_output':
            return `${size} bytes > ${number(decision.thresholdBytes)} (${policy.contextPercentage} × ` +
                `${number(knobs.contextWindow)} tokens × ${policy.bytesPerToken} bytes)`;
        case 'token_cap':
            return decision.maxOutputTokens === undefined
                ? 'no cap is set'
                : `${counted(decision)} > ${number(decision.maxOutputTokens)}`;
        case 'headroom':
            return decision.headroomTokens === undefined
                ? 'the gate is off'
                : `${counted(decision)} > ${number(decision.headroomTokens)} (${policy.headroomPercentage} × ` +
                    `${number(knobs.contextWindow)} tokens − ${number(knobs.usedTokens)} used)`;
        case 'fits': return 'no other gate applies';
    }
}

function exempted(policy: Policy, tool: string, matched: string | undefined): string {
    if (matched === undefined) {
        return `no override applies to ${tool}`;
    }
    const isExempt = policy.overrides.find(({ tools }) => tools === matched)?.exempt === true;
    return isExempt
        ? `override “${matched}” exempts ${tool}`
        : `override “${matched}” applies but does not exempt it`;
}

/** Formats the token count. Tokens are counted only if that can change the decision. */
function counted({ tokenCount, tokensEstimated }: Decision): string {
    if (tokenCount === undefined) {
        return 'tokens (not counted)';
    }
    return `${number(tokenCount)} tokens${tokensEstimated ? ' (estimated)' : ''}`;
}
