/** Converts histories and answers of callers into the component's form. */

import { arrayOf, boolean, json, oneOf, optional, record, smallSize, string, variant } from '../validate.js';

const format = oneOf(
    'openai-chat', 'openai-responses', 'anthropic', 'ai-sdk', 'ai-sdk-ui', 'gemini', 'bedrock', 'langchain', 'neutral',
);

const checkHistory = record({
    json: string,
    format: optional(format),
    usage: optional(json),
    artifacts: optional(arrayOf(record({ callId: string, text: optional(string), artifact: string }))),
    pinned: optional(arrayOf(smallSize)),
    isStrict: optional(boolean),
    withJson: optional(boolean),
});

/** Checks a history, and what is known about it. */
export function history(given: unknown) {
    const { artifacts = [], pinned = [], isStrict = false, withJson = false, ...rest } = checkHistory(given, 'history');
    return { ...rest, artifacts, pinned: Uint32Array.from(pinned), isStrict, withJson };
}

const checkAnswer = variant({ text: ['text', string], failed: ['failed', string] });

/** Checks the model's answer to a request. */
export function answer(given: unknown) {
    return checkAnswer(given, 'answer');
}
