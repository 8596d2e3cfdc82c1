/** The state of the page, and what changes it. */

import type { Artifact, Policy } from 'tuckaway';

import { Engine, EngineError } from './engine.js';
import { DEFAULT_KNOBS, knobsFrom, writeKnobs, type Knobs } from './knobs.js';
import type { Answer, Argument, FreshOrigin, Offloaded, Opened, Origin } from './protocol.js';
import { SAMPLES } from './samples.js';

/** The output that the page is about. */
export interface Subject {
    /** What it is called: a file's name, a sample's. */
    title: string;
    /** The tool that it comes with, for want of a knob. */
    tool: string;
    origin: Origin;
    /** A new one for each output, and for each name under which it is stored. */
    key: number;
    /** What holds it, once something does. */
    artifact?: string;
}

export interface State {
    knobs: Knobs;
    /** The defaults; none until the worker has said so. */
    defaults?: Policy;
    opened?: Pick<Opened, 'store' | 'why'>;
    subject?: Subject;
    /** The last view, and the knobs that it was made with. */
    result?: Offloaded & { knobs: Knobs };
    /** Why there is no result, or why it is not that of these knobs. */
    problem?: EngineError;
    artifacts: Artifact[];
    /** Calls under way. */
    busy: number;
}

type Listener = (state: State, changed: ReadonlySet<keyof State>) => void;

/** Turning a knob asks for a new view after this pause. */
const SETTLE_MILLISECONDS = 80;

export class App {
    readonly #engine = new Engine((busy) => this.#set({ busy }));
    readonly #listeners: Listener[] = [];
    #state: State = { knobs: DEFAULT_KNOBS, artifacts: [], busy: 0 };
    #keys = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #running = false;
    #runAgain = false;

    get state(): State {
        return this.#state;
    }

    /** The tool that returned the output. */
    get tool(): string {
        return this.#state.knobs.tool ?? this.#state.subject?.tool ?? 'tool';
    }

    /** Calls the listener now and after each change, with the members that changed. */
    listen(listener: Listener): void {
        this.#listeners.push(listener);
        listener(this.#state, new Set(Object.keys(this.#state) as (keyof State)[]));
    }

    /** Takes up what the address says, and starts the worker. */
    async start(): Promise<void> {
        const address = new URLSearchParams(location.hash.slice(1));
        this.#set({ knobs: knobsFrom(address) });
        await this.#opening(this.#engine.start());
        // An output may have come in meanwhile.
        if (this.#state.subject === undefined) {
            this.#lookAt(address.get('artifact'));
        }
    }

    /** Takes up what the address says, after it was changed by hand. */
    readAddress(): void {
        const address = new URLSearchParams(location.hash.slice(1));
        this.#set({ knobs: knobsFrom(address) });
        this.#offloadSoon();
        this.#lookAt(address.get('artifact'));
    }

    #lookAt(id: string | null): void {
        if (id === null || id === this.#state.subject?.artifact) {
            return;
        }
        if (this.#state.artifacts.some((each) => each.id === id)) {
            this.choose(id);
        } else {
            const why = `${id} is not in the store of this browser; it may have been deleted.`;
            this.#set({ problem: new EngineError(why) });
        }
    }

    /** An output comes in. */
    take(origin: FreshOrigin): void {
        this.#look({ ...namesOf(origin), origin, key: (this.#keys += 1) });
    }

    /** Goes back to an output that is in the store. */
    choose(id: string): void {
        const artifact = this.#state.artifacts.find((each) => each.id === id);
        if (artifact !== undefined) {
            const origin: Origin = { kind: 'stored', id };
            this.#look({ title: id, tool: artifact.tool, origin, key: (this.#keys += 1), artifact: id });
        }
    }

    /** Deletes an artifact. If the page was about it, it is about nothing then. */
    async remove(id: string): Promise<void> {
        if ((await this.#delete(id)) && this.#state.subject?.artifact === id) {
            this.#set({ subject: undefined, result: undefined, problem: undefined });
            this.#writeAddress();
        }
    }

    async #delete(id: string): Promise<boolean> {
        try {
            this.#set({ artifacts: await this.#engine.call('remove', { id }) });
            return true;
        } catch (error) {
            this.#set({ problem: engineError(error) });
            return false;
        }
    }

    /** Turns knobs; the view follows. */
    turn(knobs: Partial<Knobs>): void {
        const tool = this.tool;
        this.#set({ knobs: { ...this.#state.knobs, ...knobs } });
        if (this.tool !== tool) {
            void this.#renamed();
        }
        this.#writeAddress();
        this.#offloadSoon();
    }

    /** Turns all knobs back to their defaults. */
    resetKnobs(): void {
        this.turn({ ...DEFAULT_KNOBS, tool: undefined });
    }

    /** Asks the artifact that the page is about. */
    async ask<M extends 'read' | 'grep' | 'jq'>(method: M, argument: Argument<M>): Promise<Answer<M>> {
        return this.#engine.call(method, argument);
    }

    /** Ends the call that is under way; those that wait go on. What is stored in OPFS stays. */
    async stop(): Promise<void> {
        if (this.#state.busy > 0) {
            // What is stopped is not asked for again, by a knob or an output that came before.
            clearTimeout(this.#timer);
            this.#runAgain = false;
            await this.#opening(this.#engine.stop());
            this.#putAwayAgain();
        }
    }

    /** A store in memory ended with its worker: what can be put away again is. */
    #putAwayAgain(): void {
        const { subject, artifacts } = this.#state;
        if (subject?.artifact !== undefined && artifacts.every(({ id }) => id !== subject.artifact)) {
            if (subject.origin.kind === 'stored') {
                this.#set({ subject: undefined, result: undefined });
            } else {
                const { artifact: _, ...unstored } = subject;
                this.#set({ subject: { ...unstored, key: (this.#keys += 1) } });
                this.#offloadSoon();
            }
        }
    }

    async #opening(opening: Promise<Opened>): Promise<void> {
        try {
            const { policy, artifacts, ...opened } = await opening;
            this.#set({ defaults: policy, artifacts, opened });
        } catch (error) {
            if (!(error instanceof EngineError && error.kind === 'stopped')) {
                this.#set({ problem: engineError(error) });
            }
        }
    }

    /** The same output in the name of another tool: what was stored in the name of the first makes room. */
    async #renamed(): Promise<void> {
        const { subject } = this.#state;
        if (subject === undefined || subject.origin.kind === 'stored') {
            return;
        }
        const { artifact, ...unstored } = subject;
        this.#set({ subject: { ...unstored, key: (this.#keys += 1) } });
        if (artifact !== undefined) {
            await this.#delete(artifact);
        }
    }

    #look(subject: Subject): void {
        this.#set({ subject, result: undefined, problem: undefined });
        this.#writeAddress();
        void this.#offload();
    }

    #offloadSoon(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#offload(), SETTLE_MILLISECONDS);
    }

    /** Asks for the view of the subject as the knobs stand; of many requests in a row, the last one counts. */
    async #offload(): Promise<void> {
        clearTimeout(this.#timer);
        if (this.#running) {
            this.#runAgain = true;
            return;
        }
        this.#running = true;
        do {
            this.#runAgain = false;
            await this.#offloadOnce();
        } while (this.#runAgain);
        this.#running = false;
    }

    async #offloadOnce(): Promise<void> {
        const { subject, knobs } = this.#state;
        if (subject === undefined) {
            return;
        }
        const { key, artifact } = subject;
        try {
            const result = await this.#engine.call('offload', {
                source: {
                    key,
                    origin: artifact === undefined ? subject.origin : { kind: 'stored', id: artifact },
                },
                tool: this.tool,
                isError: knobs.isError,
                turn: { contextWindow: knobs.contextWindow, usedTokens: knobs.usedTokens, tools: knobs.tools },
                policy: knobs.policy,
                counter: knobs.counter,
            });
            this.#set({ artifacts: result.artifacts });
            if (this.#state.subject?.key === key) {
                const id = result.artifact?.id;
                const known = id === undefined || id === artifact ? subject : { ...subject, artifact: id };
                this.#set({
                    result: { ...result, knobs },
                    problem: undefined,
                    ...(known === subject ? {} : { subject: known }),
                });
                this.#writeAddress();
            }
        } catch (error) {
            // Stopped is stopped, also if another output came in meanwhile.
            const stopped = error instanceof EngineError && error.kind === 'stopped' && !this.#runAgain;
            if (this.#state.subject?.key === key || stopped) {
                this.#set({ problem: engineError(error) });
            }
        }
    }

    #writeAddress(): void {
        const address = new URLSearchParams();
        writeKnobs(this.#state.knobs, address);
        if (this.#state.subject?.artifact !== undefined) {
            address.set('artifact', this.#state.subject.artifact);
        }
        const hash = address.toString();
        history.replaceState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`);
    }

    #set(change: { [Key in keyof State]?: State[Key] | undefined }): void {
        const changed = new Set<keyof State>();
        for (const name of Object.keys(change) as (keyof State)[]) {
            if (this.#state[name] !== change[name]) changed.add(name);
        }
        this.#state = { ...this.#state, ...change } as State;
        if (changed.size > 0) {
            this.#listeners.forEach((listener) => listener(this.#state, changed));
        }
    }
}

function namesOf(origin: FreshOrigin): Pick<Subject, 'title' | 'tool'> {
    switch (origin.kind) {
        case 'file': return { title: origin.file.name, tool: 'read_file' };
        case 'text': return { title: 'Pasted text', tool: 'run_command' };
        case 'sample': {
            const { label, tool } = SAMPLES[origin.sample];
            return { title: label, tool };
        }
    }
}

/** An error of the engine's, whatever was thrown. */
export function engineError(error: unknown): EngineError {
    return error instanceof EngineError ? error : new EngineError(String(error));
}
