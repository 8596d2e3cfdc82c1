/** The header of all pages, which the build writes into each. */

const PAGES = [
    ['index.html', 'Output'],
    ['conversation.html', 'Conversation'],
    ['extraction.html', 'Extraction'],
] as const;

export const PAGE_FILES = PAGES.map(([file]) => file);

/** Completes the header of a page: its title and links come first, then the page's own controls. */
export function withHeader(html: string, file: string): string {
    return html.replace(/<header class="top">(.*?)<\/header>/s, (_, own: string) => `<header class="top">
    <p class="brand"><img src="./icon.svg" alt="" width="20" height="20"> tuckaway <span>playground</span></p>
    <nav class="pages" aria-label="Pages">
      ${PAGES.map(([to, label]) => `<a href="./${to}"${to === file ? ' aria-current="page"' : ''}>${label}</a>`).join('\n      ')}
    </nav>${own.trimEnd()}
    <button id="copy-link" type="button" class="small">Copy link</button>
    <button id="theme" type="button" class="quiet"></button>
  </header>`);
}
