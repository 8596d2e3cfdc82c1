/** Equivalent code for Rust, with the knobs that differ from the defaults. */

import type { Policy, ToolOverride } from 'tuckaway';

import { ARTIFACT_TOOLS, dialectOf, type Knobs } from '../knobs.js';
import { capital, grouped, snake } from './words.js';

/** Returns Rust code for the body of an async function that returns a `Result`. */
export function rustCode(knobs: Knobs, tool: string): string {
    const { contextWindow, usedTokens, isError, counter, tools, policy } = knobs;
    const fields = Object.entries(policy).filter(([name]) => name !== 'dialect')
        .map(([name, value]) => `${snake(name)}: ${rustValue(name as keyof Policy, value)}`);
    const defaults = policy.dialect
        ? `Policy::for_dialect(Dialect::${capital(dialectOf(knobs))})`
        : 'Policy::default()';
    const rustCounter = counter === 'gpt' ? 'Tiktoken::default()' : 'Estimate';
    const isAll = tools.length === ARTIFACT_TOOLS.length;
    const callable = isAll
        ? 'ArtifactTool::ALL.to_vec()'
        : `vec![${tools.map((each) => `ArtifactTool::${capital(each)}`).join(', ')}]`;
    const turn = [
        `context_window: ${rustInteger(contextWindow)}`,
        `used_tokens: ${rustInteger(usedTokens)}`,
        `tools: ${callable}`,
    ];
    const used = [
        ...(isAll || tools.length > 0 ? ['ArtifactTool'] : []), 'Block', 'Content',
        ...(policy.dialect ? ['Dialect'] : []), ...(counter === 'gpt' ? [] : ['Estimate']), ...(/Mode::/.test(fields.join()) ? ['Mode'] : []), 'Policy',
        ...(counter === 'gpt' ? ['Tiktoken'] : []), 'ToolOutput', ...(policy.overrides ? ['ToolOverride'] : []),
        'Tuckaway', 'Turn',
    ];
    return [
        `use tuckaway_host::{${used.join(', ')}};`,
        '',
        `let tuckaway = Tuckaway::builder().tokens(${rustCounter}).build()?;`,
        'let blocks = vec![Block { content: Content::Text(output), media_type: None }];',
        `let output = ToolOutput { tool: ${rustString(tool)}.into(), is_error: ${isError}, blocks, structured: None };`,
        `let turn = Turn { ${turn.join(', ')} };`,
        ...(fields.length === 0
            ? [`let view = tuckaway.process(&output, &turn, &${defaults}).await?;`]
            : [
                `let policy = Policy { ${fields.join(', ')}, ..${defaults} };`,
                'let view = tuckaway.process(&output, &turn, &policy).await?;',
            ]),
        '',
    ].join('\n');
}

function rustValue(name: keyof Policy, value: unknown): string {
    switch (name) {
        case 'enabled':
        case 'keepAll': return String(value);
        case 'dialect': return `Dialect::${capital(String(value))}`;
        case 'mode': return `Mode::${capital(String(value))}`;
        case 'contextPercentage':
        case 'headroomPercentage':
        case 'bytesPerToken': return Number.isInteger(value) ? `${value}.0` : String(value);
        case 'maxOutputTokens':
        case 'maxViewBytes': return `Some(${rustInteger(value as number)})`;
        case 'minThresholdBytes':
        case 'maxThresholdBytes':
        case 'imageTokens':
        case 'previewBytes': return rustInteger(value as number);
        case 'overrides': return `vec![${(value as ToolOverride[]).map(rustOverride).join(', ')}]`;
    }
}

function rustOverride({ tools, exempt, mode, maxThresholdBytes }: ToolOverride): string {
    const option = (value: string | undefined): string => (value === undefined ? 'None' : `Some(${value})`);
    const ceiling = typeof maxThresholdBytes === 'number' ? rustInteger(maxThresholdBytes) : undefined;
    return `ToolOverride { tools: ${rustString(tools)}.into(), exempt: ${exempt === true}, ` +
        `mode: ${option(mode ? `Mode::${capital(mode)}` : undefined)}, ` +
        `max_threshold_bytes: ${option(ceiling)} }`;
}

function rustString(text: string): string {
    const escaped = text.replace(/[\\"]/g, '\\$&');
    const unicode = (control: string): string => `\\u{${control.charCodeAt(0).toString(16)}}`;
    return `"${escaped.replace(/[\u0000-\u001f\u007f-\u009f]/g, unicode)}"`;
}

const rustInteger = (value: number): string => (value === Infinity ? 'u64::MAX' : grouped(value));
