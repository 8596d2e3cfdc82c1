/** Names for artifacts, for those who write stores. */

/** Characters of a tool's name that go into an id: with `art_`, `_` and the random ones that makes 64 at most. */
const MAX_SLUG = 49;

/** Random characters in an id: 36^10 ids to a slug, so that none is guessed and none is minted twice. */
const RANDOM = 10;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new id for an output of `tool`, which may be any text: `art_sql_query_9k2x7m4q1c`. */
export function mint(tool: string): string {
    let id = `art_${slug(tool)}_`;
    let drawn = 0;
    while (drawn < RANDOM) {
        for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
            // 252 is the largest multiple of 36 in a byte: above it some characters would be likelier than others.
            if (byte < 252 && drawn < RANDOM) {
                id += ALPHABET.charAt(byte % ALPHABET.length);
                drawn += 1;
            }
        }
    }
    return id;
}

/** Whether a text is an artifact id: 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
export function isArtifactId(id: string): boolean {
    return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

/** Whether an id could have come from {@link mint}; a store that cleans up touches nothing else. */
export function isMinted(id: string): boolean {
    return isArtifactId(id) && /^art_.+_[a-z0-9]{10}$/.test(id);
}

/** A tool's name in lowercase ASCII letters, digits and single underscores. */
function slug(tool: string): string {
    const words = tool.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_/, '');
    return words.slice(0, MAX_SLUG).replace(/_$/, '').toLowerCase() || 'tool_output';
}
