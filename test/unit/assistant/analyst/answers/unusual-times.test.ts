import assert from 'node:assert/strict';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import { NOW } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

const QUESTIONS = [
  'errors',
  'compare',
  'what changed',
  'why is checkout slow',
  'traces of payment',
  'slow traces slower than',
  'logs containing "x"',
  'what happened',
  'memory of payment',
  'p50 of payment',
  'is payment slower than',
  'which alerts',
  'is payment getting worse',
];
/** Times in the future, too long, without length, or invalid. */
const TIMES = [
  'in the last 0 minutes',
  'in the last 10 days',
  'in the last 999999999999 days',
  'since tomorrow',
  'before 1970',
  'since 1900',
  'on 2026-12-31',
  'next week',
  'last year',
  'between 14:00 and 13:00',
  'between 14:00 and 14:00',
  'in the last 0.001 seconds',
  'with the 10 days before',
  'with the 100000000000 hours before',
  'with last year',
  'than in 2 hours',
  '99999999999999999999 s',
  'on 9999-12-31T23:59:59Z',
  'from 2020-01-01 to 2030-01-01',
  'from now to now',
];

describe('the analyst, asked for odd times', () => {
  const analyst = createAnalyst(shopQueries({}).queries);
  for (const question of QUESTIONS) {
    it(`answers “${question} …”`, async () => {
      for (const time of TIMES) {
        const prompt = {
          text: `${question} ${time}`,
          gridId: 'g',
          userId: 'u',
          mayAdminister: true,
          turns: [],
          nowMs: NOW + 25_123,
          maxSources: 9,
        };
        const { response } = await analyst.answer(prompt, new AbortController().signal);
        assert.doesNotMatch(response, /NaN|undefined|Invalid|Infinity/, prompt.text);
      }
    });
  }
});
