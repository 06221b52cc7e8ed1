import type { Page } from 'playwright-core';

/** A layout shift reported by the browser: its score (https://web.dev/articles/cls) and the moved elements. */
export interface LayoutShift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Includes shifts before the page's script ran, and shifts shortly after user input, since responses arrive later. */
const RECORDER = `globalThis.layoutShifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) layoutShifts.push({ value, moved: sources.map(({ node, previousRect, currentRect }) => \`\${node?.nodeName} "\${(node?.textContent ?? '').slice(0, 40)}" \${JSON.stringify(previousRect)} to \${JSON.stringify(currentRect)}\`) });
}).observe({ type: 'layout-shift', buffered: true });`;

/** Records shifts from the next page load on. */
export const recordLayoutShifts = (page: Page): Promise<unknown> => page.addInitScript(RECORDER);

/** All shifts so far; the browser reports them with the next frame. */
export const layoutShifts = (page: Page): Promise<readonly LayoutShift[]> =>
  page.evaluate<readonly LayoutShift[]>(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(layoutShifts)))))',
  );
