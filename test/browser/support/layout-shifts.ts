import type { Page } from 'playwright-core';

/** What the browser tells of a shift: how much of the window moved how far (https://web.dev/articles/cls), and what. */
export interface LayoutShift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Also of what was moved before the script of the page ran. A person's own click or key is no reason to leave a shift out: pages answer later. */
const RECORDER = `globalThis.layoutShifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) layoutShifts.push({ value, moved: sources.map(({ node, previousRect, currentRect }) => \`\${node?.nodeName} "\${(node?.textContent ?? '').slice(0, 40)}" \${JSON.stringify(previousRect)} to \${JSON.stringify(currentRect)}\`) });
}).observe({ type: 'layout-shift', buffered: true });`;

/** From the next page on that is loaded. */
export const recordLayoutShifts = (page: Page): Promise<unknown> => page.addInitScript(RECORDER);

/** All so far: they are told with the frame that follows. */
export const layoutShifts = (page: Page): Promise<readonly LayoutShift[]> =>
  page.evaluate<readonly LayoutShift[]>(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(layoutShifts)))))',
  );
