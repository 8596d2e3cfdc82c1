/** The question of a sample, with the answers from the artifact and from its plain truncation. */

import { engineError, type App } from '../app.js';
import { byId, element } from '../dom.js';
import { number } from '../format.js';
import type { Comparison, Finding } from '../protocol.js';
import { SAMPLES, type Puzzle, type SampleName } from '../samples.js';

/** The question is asked automatically for samples up to this size. */
const ASKED_BYTES = 2_000_000;

const INVITATION = 'Each sample has a question whose answer is between its head and its tail.';

export function mountPuzzle(app: App): void {
    const ask = byId<HTMLButtonElement>('puzzle-ask');
    let shown: { puzzle: Puzzle; artifact: string | undefined } | undefined;

    ask.addEventListener('click', () => {
        if (shown !== undefined) app.pose(shown.puzzle.question);
    });

    app.listen(({ subject, result }, changed) => {
        if (!changed.has('subject') && !changed.has('result')) {
            return;
        }
        const puzzle = subject?.origin.kind === 'sample' ? puzzleOf(subject.origin.sample) : undefined;
        const artifact = subject?.artifact;
        ask.disabled = puzzle === undefined || artifact === undefined;
        byId('puzzle-words').textContent = puzzle?.words ?? INVITATION;
        if (puzzle === undefined || artifact === undefined) {
            shown = undefined;
            const isPassed = puzzle !== undefined && result !== undefined;
            showAnswers(isPassed ? 'in the output, which is passed on unchanged' : '—', '—');
        } else if (shown?.puzzle !== puzzle || shown.artifact !== artifact) {
            shown = { puzzle, artifact };
            const { bytes } = subject!.origin as { bytes: number };
            if (bytes <= ASKED_BYTES) void compare(artifact, puzzle);
            else showAnswers('not run yet: the sample is large; run the query below', '—');
        }
    });

    async function compare(artifact: string, puzzle: Puzzle): Promise<void> {
        showAnswers('…', '…');
        try {
            const comparison = await app.compare(artifact, puzzle.question);
            if (shown?.artifact === artifact) showComparison(puzzle, comparison);
        } catch (error) {
            if (shown?.artifact === artifact) showAnswers(engineError(error).message, '—');
        }
    }
}

const puzzleOf = (sample: SampleName): Puzzle => SAMPLES[sample].puzzle;

function showComparison({ question }: Puzzle, { whole, plain }: Comparison): void {
    const { console, values } = question;
    const query = element('code', {}, `${console} '${values.filter ?? values.pattern}'`);
    showAnswers(
        element('span', {}, element('strong', {}, readable(whole)), ' ', query),
        plain.text === whole.text ? `also ${readable(plain)}`
            : plain.failed ? 'no answer: the remaining 16 KB cannot be queried'
            : `${readable(plain)}, by the same query on the remaining 16 KB`,
    );
}

const readable = ({ text }: Finding): string => (/^\d+$/.test(text) ? number(Number(text)) : text);

function showAnswers(ours: Node | string, plain: string): void {
    byId('puzzle-answers').replaceChildren(
        element('div', {}, element('dt', {}, 'tuckaway'), element('dd', { 'data-answer': 'whole' }, ours)),
        element('div', {}, element('dt', {}, 'Plain truncation'), element('dd', { 'data-answer': 'plain' }, plain)),
    );
}
