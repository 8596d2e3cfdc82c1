/** The knobs as a form: each field shows its default until it is changed. */

import type { Dialect, Policy } from 'tuckaway';

import type { App } from '../app.js';
import { byId, element, remember, remembered } from '../dom.js';
import { ARTIFACT_TOOLS, DEFAULT_KNOBS, dialectOf, type Knobs, type POLICY_NUMBERS } from '../knobs.js';
import { checkField, checkGroup, numberField, selectField, textField, type Field } from './fields.js';
import { overridesField } from './overrides.js';

/** Up to this width, the page is too narrow to show the knobs next to the result. */
const NARROW = '(max-width: 60rem)';

type PolicyNumber = (typeof POLICY_NUMBERS)[number];

export function mountKnobs(app: App): { focus(): void } {
    const policyNumber = (
        name: PolicyNumber,
        label: string,
        hint: string,
        more: { unit?: string; range?: boolean } = {},
    ): Field =>
        numberField({
            name, label, hint, ...more,
            get: ({ policy }) => policy[name] ?? undefined,
            byDefault: (defaults) => defaults?.[name] ?? undefined,
            set: (value) => turnPolicy(name, value),
        });

    /** Sets a member of the policy. A member with the default value is omitted. */
    function turnPolicy<Name extends keyof Policy>(name: Name, value: Policy[Name] | undefined): void {
        const { [name]: _, ...others } = app.state.knobs.policy;
        const isDefault = value === undefined || value === app.state.defaults?.[name];
        app.turn({ policy: isDefault ? others : { ...others, [name]: value } });
    }

    const main: Field[] = [
        selectField({
            name: 'dialect', label: 'Dialect',
            options: { artifact: 'artifact', cache: 'cache', handle: 'handle', file: 'file' },
            get: (knobs) => dialectOf(knobs),
            set: (dialect) => {
                const { dialect: _, ...others } = app.state.knobs.policy;
                app.turn({ policy: dialect === 'artifact' ? others : { dialect: dialect as Dialect, ...others } });
            },
        }),
        numberField({
            name: 'contextWindow', label: 'Window', unit: 'tokens', hint: 'Total size of the model’s context window',
            presets: [8_192, 32_768, 128_000, 200_000, 1_000_000],
            get: differing('contextWindow'), byDefault: () => DEFAULT_KNOBS.contextWindow,
            set: (value) => app.turn({ contextWindow: value ?? DEFAULT_KNOBS.contextWindow }),
        }),
        numberField({
            name: 'usedTokens', label: 'Used', unit: 'tokens', hint: 'Already used by the conversation',
            range: ({ contextWindow }) => [contextWindow, contextWindow / 100],
            get: differing('usedTokens'), byDefault: () => DEFAULT_KNOBS.usedTokens,
            set: (value) => app.turn({ usedTokens: value ?? DEFAULT_KNOBS.usedTokens }),
        }),
        policyNumber(
            'contextPercentage', 'Per output', 'Outputs with a larger share of the window are reduced', { range: true },
        ),
    ];
    const turn: Field[] = [
        textField({
            name: 'tool', label: 'Tool', hint: 'The tool’s name as the model called it',
            get: ({ tool }) => tool, placeholder: () => app.state.subject?.tool ?? 'tool',
            set: (tool) => app.turn({ tool }),
        }),
        checkGroup({
            name: 'tools', label: 'The model can', options: ARTIFACT_TOOLS,
            get: ({ tools }) => tools,
            set: (tools) => app.turn({ tools: ARTIFACT_TOOLS.filter((each) => tools.includes(each)) }),
        }),
        checkField({
            name: 'isError', label: 'The output is an error', get: ({ isError }) => isError,
            set: (isError) => app.turn({ isError }),
        }),
        selectField({
            name: 'counter', label: 'Count tokens with', options: { gpt: 'o200k_base', estimate: 'estimate' },
            get: ({ counter }) => counter, set: (counter) => app.turn({ counter: counter as Knobs['counter'] }),
        }),
    ];
    const policy: Field[] = [
        selectField({
            name: 'mode', label: 'Mode', options: { auto: 'auto', artifact: 'artifact', truncate: 'truncate' },
            get: (knobs, defaults) => knobs.policy.mode ?? defaults?.mode ?? 'auto',
            set: (mode) => turnPolicy('mode', mode as Policy['mode']),
        }),
        policyNumber(
            'headroomPercentage', 'Headroom', 'Outputs that would fill the window further are reduced', { range: true },
        ),
        policyNumber('minThresholdBytes', 'Floor', 'Smaller outputs always pass', { unit: 'bytes' }),
        policyNumber('maxThresholdBytes', 'Ceiling', 'Larger outputs never pass', { unit: 'bytes' }),
        policyNumber('maxOutputTokens', 'Token cap', 'Outputs with more tokens are reduced', { unit: 'tokens' }),
        policyNumber('maxViewBytes', 'View limit', 'Maximum size of a reduced view', { unit: 'bytes' }),
        policyNumber('previewBytes', 'Preview', 'Maximum size of the preview in an envelope', { unit: 'bytes' }),
        policyNumber('imageTokens', 'Per image', 'Headroom taken by an image that is passed on', { unit: 'tokens' }),
        policyNumber('bytesPerToken', 'Bytes per token', 'Used when only the size is known'),
        checkField({
            name: 'enabled', label: 'Enabled',
            get: (knobs, defaults) => knobs.policy.enabled ?? defaults?.enabled ?? true,
            set: (enabled) => turnPolicy('enabled', enabled),
        }),
        checkField({
            name: 'keepAll', label: 'Keep all, even outputs that fit',
            get: (knobs, defaults) => knobs.policy.keepAll ?? defaults?.keepAll ?? false,
            set: (keepAll) => turnPolicy('keepAll', keepAll),
        }),
        overridesField({
            get: (knobs) => knobs.policy.overrides ?? [],
            set: (overrides) => turnPolicy('overrides', overrides.length === 0 ? undefined : overrides),
        }),
    ];

    const problem = element('p', { class: 'error', id: 'knobs-problem' });
    const reset = element('button', { type: 'button', onclick: () => app.resetKnobs() }, 'Reset all');
    const group = (title: string, fields: Field[]): HTMLElement =>
        element('fieldset', {}, element('legend', {}, title), ...fields.map((field) => field.element));
    const form = byId('knobs');
    const more = element('details', { id: 'knobs-more', class: 'more' },
        element('summary', {}, 'All other knobs'), group('Turn', turn), group('Policy', policy));
    form.append(problem, element('fieldset', {}, ...main.map((field) => field.element)), more, reset);
    form.addEventListener('submit', (event) => event.preventDefault());

    app.listen((state, changed) => {
        if (changed.has('knobs') || changed.has('defaults') || changed.has('subject')) {
            [...main, ...turn, ...policy].forEach((field) => field.show(state.knobs, state.defaults));
            const count = countChanged(state.knobs);
            byId('knobs-changed').textContent = count === 0 ? 'all defaults' : `${count} changed`;
            reset.disabled = count === 0;
        }
        if (changed.has('problem')) {
            problem.textContent = state.problem?.kind === 'invalid_input' ? state.problem.message : '';
        }
    });
    mountFold();
    mountMore(more);
    return {
        focus: () => {
            byId<HTMLDetailsElement>('knobs-fold').open = true;
            form.querySelector('input')?.focus();
        },
    };
}

function differing(name: 'contextWindow' | 'usedTokens'): (knobs: Knobs) => number | undefined {
    return (knobs) => (knobs[name] === DEFAULT_KNOBS[name] ? undefined : knobs[name]);
}

function countChanged({ policy, tool, tools, ...plain }: Knobs): number {
    const changed = (['isError', 'counter', 'contextWindow', 'usedTokens'] as const)
        .filter((name) => plain[name] !== DEFAULT_KNOBS[name]).length;
    const isFewer = tools.length < ARTIFACT_TOOLS.length;
    return changed + Number(tool !== undefined) + Number(isFewer) + Object.keys(policy).length;
}

/** Keeps all but the main knobs folded, unless they were unfolded before. */
function mountMore(more: HTMLDetailsElement): void {
    more.open = remembered('knobs') === 'all';
    more.addEventListener('toggle', () => remember('knobs', more.open ? 'all' : null));
}

/** Keeps the knobs open next to the result, and folds them when they are above the result. */
function mountFold(): void {
    const narrow = matchMedia(NARROW);
    const fold = byId<HTMLDetailsElement>('knobs-fold');
    const apply = (): void => {
        fold.open = !narrow.matches;
    };
    narrow.addEventListener('change', apply);
    apply();
}
