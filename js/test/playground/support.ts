/** The built playground in Chromium, and helpers for its tests. */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after } from 'node:test';

import type { Page } from 'playwright-core';
import { build } from 'vite';

import { packageRoot, startBrowser, type Browser, type Site } from '../support/browser.js';

/** Time limit for everything but a large file on a slow machine. */
export const PATIENCE = { timeout: 30_000 };

/** The policy in the built page's meta element. Every response has it, too: workers obey only the response's. */
const CSP = /http-equiv="Content-Security-Policy" content="([^"]+)"/;

export interface Playground {
    site: Site;
    browser: Browser;
    /** Offences of a page: violating its policy, throwing, or sending requests to another origin. */
    offences: string[];
    open(hash?: string): Promise<Page>;
    /** Opens another page than the first one. */
    openPage(name: string): Promise<Page>;
}

let built: Promise<string> | undefined;
after(async () => {
    await built?.then((folder) => rm(folder, { recursive: true, force: true }));
});

/** Builds the pages, once in a process. Returns their folder. */
function builtPages(): Promise<string> {
    built ??= (async () => {
        const outDir = await mkdtemp(join(tmpdir(), 'tuckaway-playground-'));
        const root = join(packageRoot, 'playground');
        await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'error', build: { outDir } });
        return outDir;
    })();
    return built;
}

/** Builds and serves the page, and at the end fails the test if there were offences. */
export async function startPlayground(test: TestContext): Promise<Playground> {
    const outDir = await builtPages();
    const csp = CSP.exec(await readFile(join(outDir, 'index.html'), 'utf8'))?.[1];
    assert.ok(csp !== undefined, 'the page has no Content-Security-Policy');

    const { site, browser } = await startBrowser(test, { roots: { '/': outDir }, csp: csp.replaceAll('&#39;', "'") });
    const offences: string[] = [];
    browser.context.on('request', (request) => {
        // An image that a tool returned is a blob of the page.
        if (!request.url().replace(/^blob:/, '').startsWith(`${site.origin}/`)) offences.push(`requested ${request.url()}`);
    });
    browser.context.on('console', (message) => {
        if (message.type() === 'error') offences.push(`console: ${message.text()}`);
    });
    browser.context.on('weberror', (error) => offences.push(`threw ${error.error().message}`));
    test.after(() => {
        assert.deepEqual(offences, []);
        assert.deepEqual(site.missing, []);
    });
    const openPage = async (name: string): Promise<Page> => {
        const page = await browser.context.newPage();
        page.setDefaultTimeout(PATIENCE.timeout);
        await page.goto(`${site.origin}/${name}`);
        return page;
    };
    return {
        site,
        browser,
        offences,
        openPage,
        open: async (hash = '') => {
            const page = await openPage(`index.html${hash}`);
            await page.locator('#store-kind', { hasText: /store$/ }).waitFor();
            await settled(page);
            return page;
        },
    };
}

/** Removes the artifacts of earlier tests. */
export async function emptyStore(page: Page): Promise<void> {
    const buttons = page.locator('#artifacts .delete');
    for (let left = await buttons.count(); left > 0; left -= 1) {
        await buttons.first().click();
        await page.waitForFunction((count) => document.querySelectorAll('#artifacts .delete').length === count, left - 1);
    }
}

/** Drops files from the disk on the page, as a mouse does. */
export async function drop(page: Page, ...files: string[]): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
    }
    await session.detach();
}

/** Picks a sample and waits for its view. */
export async function takeSample(page: Page, name: string, bytes = 64_000): Promise<void> {
    await page.selectOption('#sample-size', String(bytes));
    await page.click(`[data-sample=${name}]`);
    await settled(page);
}

/** Waits for a view, and for the answers that the page requests about it. */
export async function settled(page: Page): Promise<void> {
    await page.waitForFunction(
        () => document.querySelector('.is-deciding') !== null && document.querySelector('main')?.ariaBusy === 'false',
        null,
        PATIENCE,
    );
}

/** Unfolds all knobs. */
export async function unfoldKnobs(page: Page): Promise<void> {
    await page.$eval('#knobs-more', (more) => ((more as HTMLDetailsElement).open = true));
}

/** Waits until an element's text matches, and returns the text. */
export async function textOf(page: Page, selector: string, matching: RegExp): Promise<string> {
    await page.waitForFunction(
        ([where, source, flags]) => new RegExp(source!, flags).test(document.querySelector(where!)?.textContent ?? ''),
        [selector, matching.source, matching.flags],
        PATIENCE,
    ).catch(async () => assert.match((await page.textContent(selector)) ?? '', matching));
    return (await page.textContent(selector)) ?? '';
}

/**
 * Stops the current call as soon as the page shows that it is working. This runs in the page: from here, on a busy
 * machine, it could come too late. Call it before the work begins, and await it afterwards.
 *
 * @returns the text of the button that runs a filter at that moment
 */
export function stopOnceWorking(page: Page, how: 'Escape' | 'button'): Promise<string> {
    return page.evaluate((how) => new Promise<string>((resolve) => {
        const activity = document.querySelector('#activity')!;
        const observer = new MutationObserver(() => {
            observer.disconnect();
            resolve(document.querySelector('[data-console=jq] button[type=submit]')!.textContent ?? '');
            if (how === 'button') {
                document.querySelector<HTMLElement>('#stop')!.click();
            } else {
                document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
            }
        });
        observer.observe(activity, { childList: true, characterData: true, subtree: true });
    }), how);
}

/** Returns the controls in sight that have no name. */
export function namelessControls(page: Page): Promise<string[]> {
    return page.$$eval('button, input, select, textarea, [tabindex="0"]', (all) =>
        all.filter((each) => each.checkVisibility() && !(
            each.ariaLabel || each.textContent?.trim() || (each as HTMLInputElement).labels?.length
            || each.getAttribute('aria-labelledby')
        )).map((each) => each.outerHTML));
}

/** Returns the gate that decided. */
export async function decidingGate(page: Page): Promise<string | null> {
    return page.getAttribute('.is-deciding', 'data-gate');
}

/** Runs a query in a console and waits for the answer. */
export async function ask(page: Page, name: 'read' | 'grep' | 'jq', query?: string): Promise<string> {
    await page.click(`#tab-${name}`);
    const root = `[data-console=${name}]`;
    if (query !== undefined) {
        await page.fill(`${root} .grow`, query);
    }
    await page.click(`${root} button[type=submit]`);
    await textOf(page, `${root} .status`, / ms$| s$|^Failed$/);
    return (await page.textContent(`${root} .answer`)) ?? '';
}

/** Runs in the page: returns descriptions of the texts whose contrast is below 4.5. */
export function faintTexts(): string[] {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    type Colour = [number, number, number, number];
    const parse = (css: string): Colour => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = css;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r!, g!, b!, a! / 255];
    };
    const over = (top: Colour, under: Colour): Colour =>
        [0, 1, 2].map((i) => top[i]! * top[3] + under[i]! * (1 - top[3])).concat(1) as Colour;
    const luminance = ([r, g, b]: Colour): number => {
        const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * x! + 0.7152 * y! + 0.0722 * z!;
    };
    const ground = (element: Element): Colour => {
        const own = parse(getComputedStyle(element).backgroundColor);
        return own[3] === 1 || element.parentElement === null ? own : over(own, ground(element.parentElement));
    };
    const faint: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement!;
        const isShown = walker.currentNode.nodeValue!.trim() !== '' && element.checkVisibility({ visibilityProperty: true });
        // A disabled control is exempt.
        if (isShown && element.closest(':disabled, .off') === null) {
            const [text, under] = [parse(getComputedStyle(element).color), ground(element)];
            const [light, dark] = [luminance(over(text, under)), luminance(under)].sort((a, b) => b - a);
            const ratio = (light! + 0.05) / (dark! + 0.05);
            const words = walker.currentNode.nodeValue!.trim().slice(0, 40);
            if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${element.className} “${words}”`);
        }
    }
    return faint;
}
