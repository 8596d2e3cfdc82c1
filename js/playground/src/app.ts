/** The state of the page, and the actions that change it. */

import type { Artifact, Policy } from 'tuckaway';

import { Engine, EngineError } from './engine.js';
import { DEFAULT_KNOBS, dialectOf, knobsFrom, writeKnobs, type Knobs } from './knobs.js';
import { readAddress, setHash } from './link.js';
import type { Answer, Argument, Comparison, FreshOrigin, Measured, Offloaded, Opened, Origin } from './protocol.js';
import { questionFrom, writeQuestion, type Question } from './question.js';
import { DEFAULT_SAMPLE, sampleFrom, SAMPLES } from './samples.js';
import type { RecordedCall } from './transcript.js';

/** The output that the page shows. */
export interface Subject {
    /** The title: the name of a file or a sample. */
    title: string;
    /** The tool that returned it, unless a knob names another one. */
    tool: string;
    /** Whether a transcript marks it as an error. */
    isError?: boolean;
    origin: Origin;
    /** Unique for each output, and for each name under which it is stored. */
    key: number;
    /** The artifact that contains it, once it is stored. */
    artifact?: string;
}

/** A transcript of a conversation, and the measurements of its outputs. */
export interface Transcript {
    title: string;
    /** The whole text. */
    text: string;
    calls: readonly RecordedCall[];
    /** One for each call, after they were measured. */
    measured?: readonly Measured[];
}

export interface State {
    knobs: Knobs;
    /** The default policy of the dialect, after the worker has sent it. */
    defaults?: Policy;
    opened?: Pick<Opened, 'store' | 'why'>;
    subject?: Subject;
    /** The last view, and the knobs it was made with. */
    result?: Offloaded & { knobs: Knobs };
    /** The reason why there is no result, or no result for the current knobs. */
    problem?: EngineError;
    artifacts: Artifact[];
    /** The question for the consoles; a new object each time it is asked. */
    question?: Question;
    transcript?: Transcript;
    /** The number of pending calls. */
    busy: number;
}

type Listener = (state: State, changed: ReadonlySet<keyof State>) => void;

/** The delay between a change of a knob and the request for a new view. */
const SETTLE_MILLISECONDS = 80;

export class App {
    readonly #engine = new Engine((busy) => this.#set({ busy }));
    readonly #listeners: Listener[] = [];
    #policies: Opened['policies'] | undefined;
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

    /** Applies the address, and starts the worker. */
    async start(): Promise<void> {
        const address = readAddress();
        this.#setKnobs(knobsFrom(address));
        await this.#opening(this.#engine.start());
        // The user may have chosen an output in the meantime.
        if (this.#state.opened !== undefined && this.#state.subject === undefined) {
            this.#openSubject(address, { kind: 'sample', ...DEFAULT_SAMPLE });
        }
    }

    /** Applies the address after the user has edited it. */
    readAddress(): void {
        const address = readAddress();
        this.#setKnobs(knobsFrom(address));
        this.#offloadSoon();
        this.#openSubject(address);
    }

    /** Shows the output that an address names, or else `otherwise`, and asks the question in the address. */
    #openSubject(address: URLSearchParams, otherwise?: FreshOrigin): void {
        const id = address.get('artifact');
        const sample = sampleFrom(address);
        const question = questionFrom(address);
        const { origin } = this.#state.subject ?? {};
        if (id !== null) {
            this.#openArtifact(id);
        } else if (sample === undefined) {
            if (otherwise !== undefined) this.take(otherwise);
        } else if (!(origin?.kind === 'sample' && origin.sample === sample.sample && origin.bytes === sample.bytes)) {
            this.take({ kind: 'sample', ...sample });
        }
        if (question !== undefined) this.pose(question);
    }

    #openArtifact(id: string): void {
        if (id === this.#state.subject?.artifact) {
            return;
        }
        if (this.#state.artifacts.some((each) => each.id === id)) {
            this.choose(id);
        } else {
            const why = `${id} is not in the store of this browser; it may have been deleted. `
                + 'Links to samples work in every browser, links to artifacts only in the one that stored them.';
            this.#set({ problem: new EngineError(why) });
        }
    }

    /** Shows a new output. */
    take(origin: FreshOrigin): void {
        this.#set({ transcript: undefined });
        this.#show({ ...namesOf(origin), origin, key: (this.#keys += 1) });
    }

    /** Measures the outputs in a transcript, and shows the longest. */
    takeTranscript(title: string, text: string, calls: readonly RecordedCall[]): void {
        this.#set({ transcript: { title, text, calls } });
        const longest = calls.reduce((best, call) => (call.text.length > best.text.length ? call : best));
        this.takeCall(calls.indexOf(longest));
        void this.#measure();
    }

    /** Shows the output of a call of the transcript. */
    takeCall(index: number): void {
        const call = this.#state.transcript?.calls[index];
        if (call !== undefined) {
            const origin: Origin = { kind: 'text', text: call.text };
            const { tool, isError } = call;
            this.#show({ title: `Call ${index + 1}`, tool, isError, origin, key: (this.#keys += 1) });
        }
    }

    async #measure(): Promise<void> {
        const { transcript, knobs: { contextWindow, usedTokens, tools, policy, counter } } = this.#state;
        if (transcript === undefined) {
            return;
        }
        try {
            const turn = { contextWindow, usedTokens, tools };
            const { calls } = transcript;
            const measured = await this.#engine.call('measure', { calls, turn, policy, counter });
            if (this.#state.transcript?.calls === calls) {
                this.#set({ transcript: { ...transcript, measured } });
            }
        } catch (error) {
            const failure = engineError(error);
            if (failure.kind !== 'stopped') this.#set({ problem: failure });
        }
    }

    /** Shows an output from the store. */
    choose(id: string): void {
        const artifact = this.#state.artifacts.find((each) => each.id === id);
        if (artifact !== undefined) {
            const origin: Origin = { kind: 'stored', id };
            this.#show({ title: id, tool: artifact.tool, origin, key: (this.#keys += 1), artifact: id });
        }
    }

    /** Deletes an artifact. If the page shows it, the page becomes empty. */
    async remove(id: string): Promise<void> {
        if ((await this.#delete(id)) && this.#state.subject?.artifact === id) {
            this.#set({ subject: undefined, result: undefined, problem: undefined, question: undefined });
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

    /** Changes knobs, and updates the view. */
    turn(knobs: Partial<Knobs>): void {
        const tool = this.tool;
        this.#setKnobs({ ...this.#state.knobs, ...knobs });
        if (this.tool !== tool) {
            void this.#renamed();
        }
        this.#writeAddress();
        this.#offloadSoon();
    }

    /** Resets all knobs to their defaults. */
    resetKnobs(): void {
        this.turn({ ...DEFAULT_KNOBS, tool: undefined });
    }

    /** Asks the consoles a question, and saves it in the address. */
    pose(question: Question): void {
        this.#set({ question: { ...question } });
        this.#writeAddress();
    }

    /** Runs the same query on an artifact and on its plain truncation. */
    async compare(id: string, question: Question): Promise<Comparison> {
        return this.#engine.call('compare', { id, question });
    }

    /** Queries an artifact. */
    async ask<M extends 'read' | 'grep' | 'jq'>(method: M, argument: Argument<M>): Promise<Answer<M>> {
        return this.#engine.call(method, argument);
    }

    /** Stops the current call; waiting calls continue. Artifacts in OPFS are kept. */
    async stop(): Promise<void> {
        if (this.#state.busy > 0) {
            // Earlier changes of knobs or outputs must not repeat the stopped request.
            clearTimeout(this.#timer);
            this.#runAgain = false;
            this.#set({ question: undefined });
            this.#writeAddress();
            await this.#opening(this.#engine.stop());
            this.#offloadAgain();
        }
    }

    /** Offloads the output again if possible: a store in memory is lost with its worker. */
    #offloadAgain(): void {
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
            const { policies, artifacts, ...opened } = await opening;
            this.#policies = policies;
            this.#set({ defaults: policies[dialectOf(this.#state.knobs)], artifacts, opened });
        } catch (error) {
            if (!(error instanceof EngineError && error.kind === 'stopped')) {
                this.#set({ problem: engineError(error) });
            }
        }
    }

    /** Deletes the artifact of an output whose tool has changed: it will be stored under the new name. */
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

    #show(subject: Subject): void {
        this.#set({ subject, result: undefined, problem: undefined, question: undefined });
        this.#writeAddress();
        void this.#offload();
    }

    #offloadSoon(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            void this.#offload();
            void this.#measure();
        }, SETTLE_MILLISECONDS);
    }

    /** Requests the view of the subject with the current knobs. Requests made in the meantime are merged into one. */
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
                isError: knobs.isError || subject.isError === true,
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
            // A stop is reported even if another output was chosen in the meantime.
            const stopped = error instanceof EngineError && error.kind === 'stopped' && !this.#runAgain;
            if (this.#state.subject?.key === key || stopped) {
                this.#set({ problem: engineError(error) });
            }
        }
    }

    #writeAddress(): void {
        const address = new URLSearchParams();
        writeKnobs(this.#state.knobs, address);
        const { subject, question } = this.#state;
        if (subject?.origin.kind === 'sample') {
            address.set('sample', subject.origin.sample);
            address.set('size', String(subject.origin.bytes));
        } else if (subject?.artifact !== undefined) {
            address.set('artifact', subject.artifact);
        }
        if (question !== undefined) writeQuestion(question, address);
        setHash(address);
    }

    /** Sets the knobs, and the defaults of their dialect. */
    #setKnobs(knobs: Knobs): void {
        this.#set({ knobs, defaults: this.#policies?.[dialectOf(knobs)] });
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

/** Converts any thrown value to an error of the engine. */
export function engineError(error: unknown): EngineError {
    return error instanceof EngineError ? error : new EngineError(String(error));
}
