import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveComparedWindows } from '../../../../../src/assistant/analyst/time/comparison-windows.js';
import { extractTimes } from '../../../../../src/assistant/analyst/time/time-extractor.js';
import { formatInterval } from '../../../../../src/assistant/analyst/time/window-resolver.js';
import { at } from '../../shop.js';

const MINUTE = 60_000;
/** 14:37:25 UTC: deliberately not at the start of a minute. */
const NOW = at(14, 37) + 25_000;

/** Both windows as named in an answer. */
function compared(text: string): readonly [current: string, baseline: string] {
  const { current, baseline } = resolveComparedWindows(extractTimes(text, NOW), NOW);
  return [formatInterval(current, NOW), formatInterval(baseline, NOW)];
}

describe('compared ranges', () => {
  const QUESTIONS: Readonly<Record<string, readonly [string, string]>> = {
    'compare the last 5 minutes with the 5 minutes before': ['the last 5 minutes', '14:27 to 14:32 UTC'],
    'were there more errors in the last 5 minutes than in the 5 minutes before': [
      'the last 5 minutes',
      '14:27 to 14:32 UTC',
    ],
    'compare the last minute with the minute before': ['the last minute', '14:35 to 14:36 UTC'],
    'compare the last hour with yesterday': ['the last hour', '2026-11-19 13:37 to 14:37 UTC'],
    'compare the last hour': ['the last hour', '12:37 to 13:37 UTC'],
    'compare the last 10 days with the 10 days before': [
      'the time since 2026-11-13 14:37 UTC',
      '2026-11-06 14:37 to 2026-11-13 14:37 UTC',
    ],
    'compare the last hour with the 100000000000 hours before': [
      'the last hour',
      '2026-11-13 13:37 to 2026-11-20 13:37 UTC',
    ],
    'compare 13:00-13:30 with 12:00-12:30': ['13:00 to 13:30 UTC', '12:00 to 12:30 UTC'],
    'is payment slower than 5 minutes ago': ['the last 5 minutes', '14:27 to 14:32 UTC'],
    'is payment slower than 1 minute ago': ['the last minute', '14:35 to 14:36 UTC'],
    'is payment slower than 2 hours ago': ['the last 15 minutes', '12:22 to 12:37 UTC'],
    'is payment slower than the last hour': ['the last 15 minutes', '13:37 to 14:22 UTC'],
    'is payment slower than the last 20 minutes': ['the last 5 minutes', '14:17 to 14:32 UTC'],
    'is payment slower than the last 2 minutes': ['the last 2 minutes', '14:34 to 14:35 UTC'],
  };
  for (const [text, windows] of Object.entries(QUESTIONS)) {
    it(`of “${text}”`, () => assert.deepEqual(compared(text), windows));
  }

  it('of windows that meet, have no minute in common, and the length that was asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400_000 }), fc.integer({ min: 1, max: 600 }), (ms, minutes) => {
        const nowMs = at(0, 0) + ms;
        const { current, baseline } = resolveComparedWindows(
          extractTimes(`compare the last ${minutes} minutes with the ${minutes} minutes before`, nowMs),
          nowMs,
        );
        assert.equal(baseline.toMs, Math.floor(current.fromMs / MINUTE) * MINUTE);
        assert.equal(baseline.toMs - baseline.fromMs, minutes * MINUTE);
      }),
    );
  });
});
