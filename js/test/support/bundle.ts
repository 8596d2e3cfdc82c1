/** Bundles test modules for environments other than Node. */

import { build, type BuildOptions } from 'esbuild';

/** The result of a call of a function in another environment. */
export interface Answer {
    value?: unknown;
    /** The stack of an error. */
    error?: string;
}

/**
 * Returns a program that exports `call(name, args)`, which calls a function of a module and returns its {@link Answer}.
 * If the module exports `tests`, an object of named functions, `testNames` and `runTest` are such functions too.
 */
export function functionsOf(file: string): string {
    return `
        import * as module from ${JSON.stringify(file)};
        const functions = {
            testNames: () => Object.keys(module.tests),
            runTest: (name) => module.tests[name](),
            ...module,
        };
        export async function call(name, args) {
            try {
                return { value: await functions[name](...args) };
            } catch (error) {
                return { error: error instanceof Error ? error.stack ?? String(error) : String(error) };
            }
        }
    `;
}

/** Bundles a program, which names other files by their absolute paths, into one module. */
export async function bundle(program: string, options: Pick<BuildOptions, 'external' | 'plugins'>): Promise<string> {
    const built = await build({
        // Any folder: the program has absolute paths.
        stdin: { contents: program, resolveDir: process.cwd(), loader: 'js' },
        bundle: true,
        write: false,
        format: 'esm',
        target: 'es2022',
        // Deno does not parse the escapes in place of other characters after a lone surrogate.
        charset: 'utf8',
        sourcemap: 'inline',
        logLevel: 'silent',
        ...options,
    });
    return (built.outputFiles[0] as { text: string }).text;
}
