/** Documents of the page of a conversation: parsed, and written again. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseDocument } from '../../playground/src/conversation/document.js';

const request = {
    model: 'gpt-5',
    previous_response_id: 'resp_1',
    input: [{ role: 'user', content: 'Hi' }, { type: 'reasoning', id: 'rs_1' }, { role: 'assistant', content: 'Hi.' }],
    tools: [{ type: 'web_search' }],
    usage: { input_tokens: 5, output_tokens: 1 },
};

test('an unchanged document is written as it was', () => {
    const { history, tools, write } = parseDocument(JSON.stringify(request));
    assert.deepEqual(JSON.parse(write(history, tools)), request);
    const list = parseDocument('[{"role":"user","parts":[{"text":"Hi"}],"tokens":null}]');
    assert.deepEqual(JSON.parse(list.write(list.history, undefined)), [{ role: 'user', parts: [{ text: 'Hi' }], tokens: null }]);
});

test('members that belong to the old history are omitted from a new one', () => {
    const { format, history, tools, write } = parseDocument(JSON.stringify(request));
    assert.equal(format, 'openai-responses');
    assert.deepEqual(JSON.parse(write(history.slice(0, 1), tools)), {
        model: 'gpt-5', input: request.input.slice(0, 1), tools: request.tools,
    });
    assert.deepEqual(JSON.parse(write(history, undefined)), { model: 'gpt-5', input: request.input });
});
