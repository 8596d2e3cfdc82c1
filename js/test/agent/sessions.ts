/** Sessions of agents from a seeded generator, in four formats. */

/** An event in a session, independent of formats. */
type Event =
    | { user: string; image?: boolean }
    | { thought?: string; text?: string; calls: { id: string; name: string; args: object; output: string; image?: boolean }[] };

type Item = { [name: string]: any };

/** A random number generator: equal seeds give equal numbers (mulberry32). */
export function seeded(seed: number): (below: number) => number {
    return (below) => {
        seed = (seed + 0x6d2b79f5) | 0;
        let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
    };
}

const TOOLS = ['read_file', 'grep', 'run_tests', 'fetch_page'];
const WORDS = 'the build failed because a module was missing from src and tests passed after that fix'.split(' ');

/** Returns a session of some turns. `bytes`: the maximum size of an output. */
export function session(random: (below: number) => number, turns: number, bytes: number): Event[] {
    const words = (most: number) =>
        Array.from({ length: 1 + random(most) }, () => WORDS[random(WORDS.length)]).join(' ');
    const output = () => {
        const line = `${random(1000)} ${words(12)}`;
        return random(8) === 0 ? line : Array(1 + Math.floor(random(bytes) / line.length)).fill(line).join('\n');
    };
    let ids = 0;
    return Array.from({ length: turns }, (): Event[] => {
        const steps = Array.from({ length: random(4) }, (): Event => ({
            ...(random(2) === 0 && { thought: words(20) }),
            ...(random(2) === 0 && { text: words(10) }),
            calls: Array.from({ length: 1 + random(3) }, () => ({
                id: `call_${(ids += 1)}`,
                name: TOOLS[random(TOOLS.length)]!,
                args: { path: `src/${words(1)}.ts` },
                output: output(),
                ...(random(6) === 0 && { image: true }),
            })),
        }));
        const answer: Event = { ...(random(3) === 0 && { thought: words(20) }), text: words(30), calls: [] };
        return [{ user: words(30), ...(random(6) === 0 && { image: true }) }, ...steps, answer];
    }).flat();
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** Returns a session as messages of Chat Completions. */
export function asChat(events: readonly Event[]): Item[] {
    const items: Item[] = [{ role: 'system', content: 'You are an agent.' }];
    for (const event of events) {
        if ('user' in event) {
            const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };
            items.push({ role: 'user', content: event.image ? [{ type: 'text', text: event.user }, image] : event.user });
            continue;
        }
        const tool_calls = event.calls.map(({ id, name, args }) => ({
            id, type: 'function', function: { name, arguments: JSON.stringify(args) },
        }));
        items.push({
            role: 'assistant', content: event.text ?? null, refusal: null,
            ...(event.thought !== undefined && { reasoning_content: event.thought }),
            ...(tool_calls.length > 0 && { tool_calls }),
        });
        items.push(...event.calls.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output })));
    }
    return items;
}

/** Returns a session as input items of Responses. */
export function asResponses(events: readonly Event[]): Item[] {
    const items: Item[] = [{ role: 'developer', content: 'You are an agent.' }];
    for (const event of events) {
        if ('user' in event) {
            const image = { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PIXEL}` };
            items.push({ role: 'user', content: event.image ? [{ type: 'input_text', text: event.user }, image] : event.user });
            continue;
        }
        if (event.thought !== undefined) {
            items.push({ type: 'reasoning', id: `rs_${items.length}`, summary: [], encrypted_content: event.thought });
        }
        if (event.text !== undefined) {
            const content = [{ type: 'output_text', text: event.text, annotations: [] }];
            items.push({ type: 'message', id: `msg_${items.length}`, role: 'assistant', status: 'completed', content });
        }
        items.push(...event.calls.map(({ id, name, args }) => ({
            type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(args), status: 'completed',
        })));
        items.push(...event.calls.map(({ id, output, image }) => ({
            type: 'function_call_output',
            call_id: id,
            output: image
                ? [{ type: 'input_text', text: output }, { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` }]
                : output,
        })));
    }
    return items;
}

/** Returns a session as messages of Anthropic, without the system prompt, which is a parameter. */
export function asAnthropic(events: readonly Event[]): Item[] {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
    return events.flatMap((event): Item[] => {
        if ('user' in event) {
            return [{ role: 'user', content: event.image ? [image, { type: 'text', text: event.user }] : event.user }];
        }
        const content: Item[] = [
            ...(event.thought === undefined ? [] : [{ type: 'thinking', thinking: event.thought, signature: 'c2lnbmF0dXJl' }]),
            ...(event.text === undefined ? [] : [{ type: 'text', text: event.text }]),
            ...event.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
        ];
        const results = event.calls.map((call) => ({
            type: 'tool_result',
            tool_use_id: call.id,
            content: call.image ? [{ type: 'text', text: call.output }, image] : call.output,
        }));
        return [{ role: 'assistant', content }, ...(results.length > 0 ? [{ role: 'user', content: results }] : [])];
    });
}

/** Returns a session as model messages of the AI SDK. */
export function asAiSdk(events: readonly Event[]): Item[] {
    const items: Item[] = [{ role: 'system', content: 'You are an agent.' }];
    for (const event of events) {
        if ('user' in event) {
            const image = { type: 'image', image: new Uint8Array(8), mediaType: 'image/png' };
            items.push({ role: 'user', content: event.image ? [{ type: 'text', text: event.user }, image] : event.user });
            continue;
        }
        const content: Item[] = [
            ...(event.thought === undefined ? [] : [{ type: 'reasoning', text: event.thought, providerOptions: { x: { signature: 's' } } }]),
            ...(event.text === undefined ? [] : [{ type: 'text', text: event.text }]),
            ...event.calls.map(({ id, name, args }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: args })),
        ];
        items.push({ role: 'assistant', content });
        const results = event.calls.map(({ id, name, output, image }) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: name,
            output: image
                ? { type: 'content', value: [{ type: 'text', text: output }, { type: 'image-data', data: PIXEL, mediaType: 'image/png' }] }
                : { type: 'text', value: output },
        }));
        items.push(...(results.length > 0 ? [{ role: 'tool', content: results }] : []));
    }
    return items;
}
