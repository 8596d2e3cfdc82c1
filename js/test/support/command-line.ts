/** The Rust command line, for tests that compare with it. */

/** Returns the path of the command line. Throws if `TUCKAWAY_CLI` does not name it. */
export function commandLine(): string {
    const path = process.env['TUCKAWAY_CLI'];
    if (path === undefined || path === '') {
        throw new Error(
            'this test compares with the Rust command line. Run `cargo build -p tuckaway-cli` and set TUCKAWAY_CLI '
                + 'to the path of target/debug/tuckaway; `cargo xtask test` does both',
        );
    }
    return path;
}
