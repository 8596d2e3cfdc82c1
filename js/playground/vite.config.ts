import { defineConfig } from 'vite';

/** Allows the page to run its own code and the component, and to connect to its own origin. */
const CONTENT_SECURITY_POLICY = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    // An image that a tool returned.
    "img-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
].join('; ');

export default defineConfig({
    root: import.meta.dirname,
    base: './',
    worker: { format: 'es' },
    build: {
        target: 'es2022', cssTarget: ['chrome123', 'firefox120', 'safari17.5'], outDir: 'dist', emptyOutDir: true,
        assetsInlineLimit: 0, chunkSizeWarningLimit: 4096,
        rolldownOptions: { input: ['index.html', 'conversation.html'].map((page) => `${import.meta.dirname}/${page}`) },
    },
    // The package finds its wasm next to its own modules, so it is served unchanged.
    optimizeDeps: { exclude: ['tuckaway', 'tuckaway/gpt-tokens', 'tuckaway/history'] },
    // A worker does not inherit the policy of its page's meta element, only that of its own response.
    preview: { headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } },
    plugins: [
        {
            name: 'content-security-policy',
            transformIndexHtml(_html, { server }) {
                // The development server injects styles into the page.
                const content = server
                    ? CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
                    : CONTENT_SECURITY_POLICY;
                const attrs = { 'http-equiv': 'Content-Security-Policy', content };
                return [{ tag: 'meta', attrs, injectTo: 'head-prepend' }];
            },
        },
    ],
});
