/** Artifact ids, for stores. */

/**
 * Maximum characters of a tool's name in an id: with `art_`, `_` and the random ones, an id has at most 64 characters.
 */
const MAX_SLUG = 49;

/** Random characters in an id: with 36^10 ids per slug, no id can be guessed or minted twice. */
const RANDOM_CHARACTERS = 10;

/** Random characters in an id that is minted by a store that cannot check whether an id is taken. */
const MORE_RANDOM_CHARACTERS = 16;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a new id for an output of `tool`, which may be any text: `art_sql_query_9k2x7m4q1c`. */
export function mint(tool: string): string {
    return minted(tool, RANDOM_CHARACTERS);
}

/**
 * Like {@link mint}, with enough random characters that no id is minted twice, even in a store that many machines
 * share.
 */
export function mintUnchecked(tool: string): string {
    return minted(tool, MORE_RANDOM_CHARACTERS);
}

function minted(tool: string, characters: number): string {
    let id = `art_${slug(tool, MAX_SLUG - (characters - RANDOM_CHARACTERS))}_`;
    let drawn = 0;
    while (drawn < characters) {
        for (const byte of crypto.getRandomValues(new Uint8Array(24))) {
            // 252 is the largest multiple of 36 in a byte: larger values would make some characters more likely.
            if (byte < 252 && drawn < characters) {
                id += ALPHABET.charAt(byte % ALPHABET.length);
                drawn += 1;
            }
        }
    }
    return id;
}

/** Returns whether a text is an artifact id: 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
export function isArtifactId(id: string): boolean {
    return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

/** Returns whether an id could have come from {@link mint}. A store that cleans up touches nothing else. */
export function isMinted(id: string): boolean {
    return isArtifactId(id) && /^art_.+_[a-z0-9]{10}$/.test(id);
}

/** Returns a tool's name in lowercase ASCII letters, digits and single underscores. */
function slug(tool: string, maxLength: number): string {
    const words = tool.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_/, '');
    return words.slice(0, maxLength).replace(/_$/, '').toLowerCase() || 'tool_output';
}
