/** A program of a user with strict settings; it is compiled, not run. */
export const consumer = `
import {
    type Artifact, type Decision, type Matches, type Outputs, type Page, type Policy, type Shape, type Store,
    type TokenCounter, type ToolDefinition, type ToolOutput, type Tuckaway, type View,
    MemoryStore, StoreError, TuckawayError, createTuckaway, estimate,
} from 'tuckaway';
import { createTuckaway as createAsync, type AsyncStore, type AsyncTuckaway } from 'tuckaway/async';
import { gptTokens } from 'tuckaway/gpt-tokens';
import { createTuckaway as createInline } from 'tuckaway/inline';

class OwnStore implements Store {
    readonly #inner = new MemoryStore();
    create(tool: string, mediaType: string): string { return this.#inner.create(tool, mediaType); }
    append(id: string, bytes: Uint8Array): void { this.#inner.append(id, bytes); }
    seal(id: string, lineCount: number): Artifact { return this.#inner.seal(id, lineCount); }
    stat(id: string): Artifact { return this.#inner.stat(id); }
    read(id: string, offset: number, length: number): Uint8Array { return this.#inner.read(id, offset, length); }
    list(): Artifact[] { return this.#inner.list(); }
    delete(id: string): void { throw new StoreError('not-found'); }
}

const policy: Partial<Policy> = { mode: 'auto', overrides: [{ tools: 'skill_*', exempt: true }], maxOutputTokens: null };
const words: TokenCounter = (text) => text.split(' ').length;

export async function main(): Promise<void> {
    using tuckaway: Tuckaway = await createTuckaway({ store: new OwnStore(), tokens: words, policy, tools: ['read'], contextWindow: 8000 });
    const output: ToolOutput = { tool: 'sql', content: new Uint8Array(4), mediaType: 'application/json', isError: false };
    const view: View = tuckaway.process(output, { usedTokens: 10 }, policy);
    const views: View[] = tuckaway.processTurn([output, { tool: 'sql', blocks: [{ content: 'text' }, { content: { stored: 'id' } }] }]);
    const decision: Decision = tuckaway.decide(output);
    const failed: string | undefined = decision.failures[0]?.message;
    const shape: Shape = tuckaway.inferShape('{}', 256);
    const text: string = tuckaway.truncate('text', 512);
    const page: Page = tuckaway.read('id', { lines: [1], lineNumbers: true });
    const matches: Matches = tuckaway.grep('id', 'error', { ignoreCase: true, before: 2 });
    const outputs: Outputs = tuckaway.jq('id', '.rows', page.next === undefined ? {} : { cursor: page.next });
    const list: Artifact[] = tuckaway.list();
    const definitions: ToolDefinition[] = tuckaway.toolDefinitions(['read', 'grep']);
    const reply: string = tuckaway.callTool('artifact_jq', { artifact_id: 'id' }).text;
    const later: AsyncTuckaway = await createAsync({ tokens: async (text) => gptTokens(text) });
    const awaited: View = await later.process(output);
    const store: AsyncStore = new OwnStore();
    await createInline({ tokens: estimate });
    console.log(view, views, decision, failed, shape, text, matches, outputs, list, definitions, reply, awaited, store);
}

main().catch((error: unknown) => {
    if (error instanceof TuckawayError && error.kind === 'limit') {
        console.error(error.message);
    }
});
`;
