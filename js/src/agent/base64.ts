/** Returns bytes in base64. */
export function inBase64(bytes: Uint8Array): string {
    let characters = '';
    // A call has a limited number of arguments.
    for (let at = 0; at < bytes.length; at += 0x8000) {
        characters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    }
    return btoa(characters);
}
