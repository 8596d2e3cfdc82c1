import { basename } from 'node:path';

import { defineConfig } from 'vite';

import { PAGE_FILES, withHeader } from './header.js';

/** Allows the page to run its own code and the component, and to connect to its own origin. */
const CONTENT_SECURITY_POLICY = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    // For images that tools return.
    "img-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
].join('; ');

/** The page of extractions also connects to the endpoint that its user gives. */
const EXTRACTION_POLICY = CONTENT_SECURITY_POLICY.replace("connect-src 'self'", "connect-src 'self' https: http:");

/** Returns the policy of a file. */
const policyOf = (path: string) => (path.includes('/extraction') ? EXTRACTION_POLICY : CONTENT_SECURITY_POLICY);

export default defineConfig({
    root: import.meta.dirname,
    base: './',
    worker: { format: 'es' },
    build: {
        target: 'es2022', cssTarget: ['chrome123', 'firefox120', 'safari17.5'], outDir: 'dist', emptyOutDir: true,
        assetsInlineLimit: 0, chunkSizeWarningLimit: 4096,
        rolldownOptions: { input: PAGE_FILES.map((page) => `${import.meta.dirname}/${page}`) },
    },
    // The package finds its wasm next to its own modules, so it is served unchanged.
    optimizeDeps: { exclude: ['tuckaway', 'tuckaway/extraction', 'tuckaway/gpt-tokens'] },
    plugins: [
        {
            name: 'header',
            transformIndexHtml: { order: 'pre', handler: (html, { path }) => withHeader(html, basename(path)) },
        },
        {
            name: 'content-security-policy',
            // A worker has the policy of its own response. It does not inherit one from its page's meta element.
            configurePreviewServer({ middlewares }) {
                middlewares.use(({ url = '' }, response, next) => {
                    response.setHeader('Content-Security-Policy', policyOf(url));
                    next();
                });
            },
            transformIndexHtml(_html, { server, path }) {
                const policy = policyOf(path);
                // The development server injects styles into the page.
                const content = server
                    ? policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
                    : policy;
                const attrs = { 'http-equiv': 'Content-Security-Policy', content };
                return [{ tag: 'meta', attrs, injectTo: 'head-prepend' }];
            },
        },
    ],
});
