/** The contract, with the additional promises of this package's stores. */

import { limitsContract, storeContract, type EmptyStore, type Tests } from 'tuckaway/store-contract';

import { fails, ok, same } from '../support/expect.js';

export { ids, noise, put, utf8 } from '../../src/store-contract/artifacts.js';

/** Returns the tests for one kind of store. */
export function contract(empty: EmptyStore): Tests {
    return {
        ...storeContract(empty),
        ...limitsContract(empty),

        'an id contains the name of the tool': async () => {
            const id = await (await empty()).create('SQL query', '');
            ok(/^art_sql_query_([a-z0-9]{10}|[a-z0-9]{16})$/.test(id), id);
        },

        'lone surrogates in a name are replaced': async () => {
            const store = await empty();
            const id = await store.create('\ud83e tool', 'text/\udd80');
            const sealed = await store.seal(id, 0);
            same([sealed.tool, sealed.mediaType], ['\ufffd tool', 'text/\ufffd']);
            same(await store.stat(id), sealed);
            same(await store.listArtifacts(), [sealed]);
        },

        'an unsealed artifact that was deleted is gone': async () => {
            const store = await empty({ quotaBytes: 100 });
            const id = await store.create('t', '');
            await store.append(id, new Uint8Array(100));
            await store.delete(id);
            await fails(() => store.append(id, new Uint8Array(1)), 'not_found');
            const next = await store.create('t', '');
            await store.append(next, new Uint8Array(100));
            same((await store.seal(next, 1)).sizeBytes, 100);
        },
    };
}
