import assert from 'node:assert/strict';
import { describeSteps } from '../../../../../src/assistant/analyst/question-query/step-sentences.js';
import type {
  QuestionMeasure,
  QuestionQuery,
} from '../../../../../src/assistant/analyst/question-query/question-query.js';

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 2, 14, 12, 0, 30);
const FIRST = Date.UTC(2026, 2, 14, 12, 0);

/** Steps of whole minutes, where the window has half of the first. */
function describeCounts(
  counts: readonly number[],
  measure: QuestionMeasure,
  more: Partial<QuestionQuery> = {},
): string {
  const query: QuestionQuery = {
    subject: 'requests',
    conditions: [],
    measures: [measure],
    groupBy: [],
    having: [],
    stepSeconds: 60,
    order: { measure, descending: true },
    ...more,
  };
  const steps = counts.map((count, at) => ({
    atMs: FIRST + at * MINUTE,
    figures: new Map([
      ['count()', count],
      ['failures()', count / 10],
      ['max(last)', count],
    ]),
  }));
  const toMs = FIRST + counts.length * MINUTE;
  return describeSteps(query, [{ name: '', steps }], { fromMs: FROM, toMs, words: 'since 12:00:30 UTC' }, toMs);
}

describe('figures of each minute', () => {
  it('end with the highest, the lowest whole minute, and the mean over the whole time', () => {
    const text = describeCounts([10, 60, 20, 60], { fn: 'count' });
    assert.match(text, /^Requests by minute since 12:00:30 UTC:/);
    assert.match(text, /Highest number: the minute of 12:01 UTC: 60 requests\./);
    assert.match(text, /Lowest number: the minute of 12:02 UTC: 20 requests\./);
    // 150 requests in 3.5 minutes.
    assert.match(text, /On average 42\.86 a minute over the whole time\.$/);
  });

  it('tell the lowest first where the question asks for it', () => {
    const order = { measure: { fn: 'count' }, descending: false } as const;
    assert.match(describeCounts([10, 60, 20], { fn: 'count' }, { order }), /Lowest[^\n]*\nHighest/);
  });

  it('tell failures in the same way', () => {
    assert.match(describeCounts([10, 60, 20, 60], { fn: 'failures' }), /On average 4\.29 failed a minute/);
  });

  it('tell only the last value where the question asks for that of now', () => {
    const text = describeCounts([3, 7, 0], { fn: 'max', field: 'last' }, { subject: 'metrics', isLatest: true });
    assert.match(text, /^Last values \(data points\):\n- 12:01 UTC: last 7$/);
  });
});
