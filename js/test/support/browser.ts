/**
 * Tests in a browser: a static server for the package, Chromium, and modules that run in it.
 *
 * A module is a TypeScript file that is bundled with esbuild. Its imports from `tuckaway` are loaded from `dist/`,
 * unbundled, according to the exports map. Its exported functions are called by name with JSON values. If it
 * exports `tests`, an object of named functions, {@link runTests} runs each as a subtest.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve, sep } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { Plugin } from 'esbuild';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

import { type Answer, bundle, functionsOf } from './bundle.js';

/** The folder of the package, `js/`. */
export const packageRoot = fileURLToPath(new URL('.', import.meta.resolve('tuckaway/package.json')));

export interface SiteOptions {
    /** Folders by the path at which they are served. Default: the package at `/`. */
    roots?: Record<string, string>;
    /** The `Content-Security-Policy` of every response. Default: none. */
    csp?: string;
}

/** A static server on 127.0.0.1, which browsers treat as a secure origin. */
export interface Site {
    /** Its origin, such as `http://127.0.0.1:40123`. */
    origin: string;
    /** Files by path, which take precedence over the roots. More can be added at any time. */
    files: Map<string, string | Uint8Array>;
    /** The paths that were requested and not found. */
    missing: string[];
    close(): Promise<void>;
}

const MIME_TYPES: Record<string, string> = {
    '.css': 'text/css; charset=utf-8',
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.json': 'application/json',
    '.svg': 'image/svg+xml',
    '.wasm': 'application/wasm',
};

/** An empty page, for modules to run in. */
const BLANK = '/blank.html';

/** Starts a server. */
export async function serve({ roots = { '/': packageRoot }, csp }: SiteOptions = {}): Promise<Site> {
    const files = new Map<string, string | Uint8Array>([
        [BLANK, '<!doctype html><link rel="icon" href="data:,"><title>tuckaway</title>'],
    ]);
    const missing: string[] = [];
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
        const headers: Record<string, string> = {
            'content-type': MIME_TYPES[extname(path)] ?? 'application/octet-stream',
            'cache-control': 'no-store',
        };
        if (csp !== undefined) {
            headers['content-security-policy'] = csp;
        }
        find(path).then(
            (content) => response.writeHead(200, headers).end(content),
            () => {
                missing.push(path);
                response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
            },
        );
    });

    async function find(path: string): Promise<string | Uint8Array> {
        const made = files.get(path);
        if (made !== undefined) {
            return made;
        }
        const prefixes = Object.keys(roots).filter((each) => path.startsWith(each));
        const prefix = prefixes.sort((a, b) => b.length - a.length)[0];
        if (prefix === undefined) {
            throw new Error(`no root serves ${path}`);
        }
        const root = resolve(roots[prefix] as string);
        const file = resolve(join(root, path.slice(prefix.length)));
        if (!file.startsWith(root + sep)) {
            throw new Error(`${path} is outside of its root`);
        }
        return readFile(file);
    }

    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return {
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        files,
        missing,
        close: () => new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
        }),
    };
}

/** Chromium with its own profile on the disk, which is removed at the end. */
export interface Browser {
    context: BrowserContext;
    close(): Promise<void>;
}

/** Starts the browser that TUCKAWAY_CHROMIUM names. Default: Debian's Chromium. */
export async function launch(): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'tuckaway-chromium-'));
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: process.env.TUCKAWAY_CHROMIUM ?? '/usr/bin/chromium',
        args: [
            '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync',
        ],
    });
    return {
        context,
        close: async () => {
            await context.close();
            await rm(profile, { recursive: true, force: true, maxRetries: 5 });
        },
    };
}

/** Starts a server and a browser, which are closed after the test. */
export async function startBrowser(
    test: TestContext,
    options?: SiteOptions,
): Promise<{ site: Site; browser: Browser }> {
    const site = await serve(options);
    test.after(() => site.close());
    const browser = await launch();
    test.after(() => browser.close());
    return { site, browser };
}

/** Opens an empty page of a site. */
export async function openPage(site: Site, browser: Browser): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(site.origin + BLANK);
    return page;
}

/** The environment of a module. */
export type Environment = 'page' | 'worker';

/** A module that was loaded in a page, or in a dedicated worker of one. */
export interface Loaded {
    /** Calls a function that the module exports. Arguments and result are JSON. Rethrows its errors. */
    call(name: string, ...args: unknown[]): Promise<unknown>;
}

/** Bundles the module `js/test/<file>` and loads it. */
export async function load(site: Site, page: Page, file: string, environment: Environment): Promise<Loaded> {
    const path = `/bundled/${file.replace(/\.ts$/, '.js')}`;
    if (!site.files.has(path)) {
        site.files.set(path, await callable(join(packageRoot, 'test', file)));
    }
    const key = await page.evaluate(startModule, { path, environment });
    return {
        call: async (name, ...args) => {
            const { value, error } = await page.evaluate(callModule, { key, name, args });
            if (error !== undefined) {
                throw new Error(error);
            }
            return value;
        },
    };
}

/** Runs the `tests` of a module, each as a subtest. */
export async function runTests(test: TestContext, module: Loaded): Promise<void> {
    for (const name of (await module.call('testNames')) as string[]) {
        await test.test(name, async () => {
            await module.call('runTest', name);
        });
    }
}

/** A page with the modules that were loaded in it. */
type ModulePage = typeof globalThis & {
    loaded?: ((name: string, args: unknown[]) => Promise<Answer>)[];
};

/** Runs in the page. */
async function startModule({ path, environment }: { path: string; environment: Environment }): Promise<number> {
    const loaded = ((globalThis as ModulePage).loaded ??= []);
    if (environment === 'page') {
        return loaded.push((await import(path)).call) - 1;
    }
    const worker = new Worker(path, { type: 'module' });
    const waiting = new Map<number, (answer: Answer) => void>();
    let calls = 0;
    worker.onmessage = ({ data }) => {
        waiting.get(data.call)?.(data.answer);
        waiting.delete(data.call);
    };
    worker.onerror = (event) => {
        for (const answered of waiting.values()) {
            answered({ error: `the worker failed: ${event.message || 'its script could not be loaded'}` });
        }
    };
    return loaded.push((name, args) => new Promise((answered) => {
        calls += 1;
        waiting.set(calls, answered);
        worker.postMessage({ call: calls, name, args });
    })) - 1;
}

/** Runs in the page. */
function callModule({ key, name, args }: { key: number; name: string; args: unknown[] }): Promise<Answer> {
    const module = (globalThis as ModulePage).loaded?.[key];
    return module?.(name, args) ?? Promise.reject(new Error('the page has been reloaded'));
}

/** Bundles a test module and the code that answers its calls into one script. */
async function callable(file: string): Promise<string> {
    const entry = `
        ${functionsOf(file)}
        if (typeof DedicatedWorkerGlobalScope === 'function') {
            onmessage = async ({ data }) => {
                postMessage({ call: data.call, answer: await call(data.name, data.args) });
            };
        }
    `;
    return bundle(entry, { plugins: [await packageByAddress()] });
}

/** Returns a plugin that leaves imports of the package to the browser, with the site's addresses. */
async function packageByAddress(): Promise<Plugin> {
    const { exports } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
        exports: Record<string, { default: string }>;
    };
    return {
        name: 'package-by-address',
        setup(build) {
            build.onResolve({ filter: /^tuckaway(\/|$)/ }, ({ path }) => {
                const entry = exports[path.replace('tuckaway', '.')];
                if (entry === undefined) {
                    return { errors: [{ text: `the exports map has no ${path}` }] };
                }
                return { path: entry.default.slice(1), external: true };
            });
        },
    };
}
