import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { until } from '../../support/service.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
/** Themes differ in colours alone, see `tokens.css`. */
const RULES = {
  dark: TAGS,
  light: `axe.getRules(${TAGS}).filter(({ tags }) => tags.includes('cat.color')).map(({ ruleId }) => ruleId)`,
} as const;
/** Of WCAG 1.4.10: what 1280 px become when everything is four times as large. */
const NARROW = { width: 320, height: 780 };
const ARRIVED =
  "document.querySelector('h1') !== null && document.querySelector('[data-skeleton], [aria-busy=true]') === null";

/** Waits until nothing of the page is still to come. */
export function hasArrived(page: Page, name: string): Promise<void> {
  return until(() => page.evaluate<boolean>(ARRIVED), `${name} has arrived`);
}

interface Violation {
  readonly rule: string;
  readonly where: readonly string[];
}

/** Nothing is wrong on the page by WCAG 2.2 AA, dark and light, and a phone shows it without scrolling sideways. */
export async function assertForEveryone(page: Page, name: string): Promise<void> {
  const desk = page.viewportSize()!;
  // Colours that are still changing would be judged half way.
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

/** Shown without scrolling sideways; the page stays that narrow. */
export async function assertFitsPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize(NARROW);
  // What measures its own width takes a frame or two to follow.
  await until(
    () => page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    `${name} is no wider than a phone`,
    3_000,
  );
}
