import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/wait-until.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
/** Themes differ in colours only (see `tokens.css`), so the light one is only checked for contrast. */
const RULES = {
  dark: TAGS,
  light: `axe.getRules(${TAGS}).filter(({ tags }) => tags.includes('cat.color')).map(({ ruleId }) => ruleId)`,
} as const;
/** WCAG 1.4.10 (reflow): a width of 1280 px at 400 % zoom. */
const NARROW = { width: 320, height: 780 };
const ARRIVED =
  "document.querySelector('h1') !== null && document.querySelector('[data-skeleton], [aria-busy=true]') === null";

/** Waits until the page has no loading placeholders. */
export function hasArrived(page: Page, name: string): Promise<void> {
  return waitUntil(() => page.evaluate<boolean>(ARRIVED), `${name} has loaded`);
}

interface Violation {
  readonly rule: string;
  readonly where: readonly string[];
}

/** Asserts that the page conforms to WCAG 2.2 AA (checked with axe) in both themes, and does not scroll sideways on a phone. */
export async function assertForEveryone(page: Page, name: string): Promise<void> {
  const desk = page.viewportSize()!;
  // Colours in transition would be checked too early.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await hasArrived(page, name);
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  for (const [theme, rules] of Object.entries(RULES)) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    const violations = await page.evaluate<Violation[]>(
      `axe.run(document, { runOnly: ${rules}, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ rule: id, where: nodes.map(({ target, failureSummary }) => target.join(' ') + ': ' + failureSummary) })))`,
    );
    assert.deepEqual(violations, [], `${name}, ${theme}`);
  }
  await assertFitsPhone(page, name);
  await page.setViewportSize(desk);
}

/** Asserts that the page does not scroll sideways on a phone; leaves the window narrow. */
export async function assertFitsPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize(NARROW);
  // Elements that measure their own width need a frame or two.
  await waitUntil(
    () => page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    `${name} is no wider than a phone`,
    3_000,
  );
}
