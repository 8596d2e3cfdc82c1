/** Bundles test modules for environments other than Node. */

import { build, type BuildOptions } from 'esbuild';

/** Bundles a program, which names other files by their absolute paths, into one module. */
export async function bundle(program: string, options: Pick<BuildOptions, 'external' | 'plugins'>): Promise<string> {
    const built = await build({
        // Any folder: the program has absolute paths.
        stdin: { contents: program, resolveDir: process.cwd(), loader: 'js' },
        bundle: true,
        write: false,
        format: 'esm',
        target: 'es2022',
        sourcemap: 'inline',
        logLevel: 'silent',
        ...options,
    });
    return (built.outputFiles[0] as { text: string }).text;
}
