import assert from 'node:assert/strict';
import { extractTimes } from '../../../../../src/assistant/analyst/time/time-extractor.js';
import { at, NOW } from '../../shop.js';

/** Now is Friday, 2026-11-20 14:37 UTC. */
const range = (fromMs: number, toMs: number) => ({ kind: 'range', fromMs, toMs });

describe('a time range on both sides', () => {
  const TEXTS: Readonly<Record<string, readonly [baseline: object, time: object]>> = {
    'compare the 10 minutes before 13:55 with the 10 after': [
      range(at(13, 45), at(13, 55)),
      range(at(13, 55), at(14, 5)),
    ],
    'compare the 10 mins before 13:55 with the 10 mins after it': [
      range(at(13, 45), at(13, 55)),
      range(at(13, 55), at(14, 5)),
    ],
    'payment 10 min before 14:00 and 10 min after 14:00': [range(at(13, 50), at(14, 0)), range(at(14, 0), at(14, 10))],
    'payment 5 minutes after 14:00 vs the 5 before': [range(at(13, 55), at(14, 0)), range(at(14, 0), at(14, 5))],
    'errors half an hour before and after 2pm': [range(at(13, 30), at(14, 0)), range(at(14, 0), at(14, 30))],
    // The range ends now instead of in the future.
    'an hour before and after 14:00': [range(at(13, 0), at(14, 0)), range(at(14, 0), NOW)],
  };
  for (const [text, [baseline, time]] of Object.entries(TEXTS)) {
    it(`of a time of day: “${text}”`, () =>
      assert.deepEqual([extractTimes(text, NOW).baseline, extractTimes(text, NOW).time], [baseline, time]));
  }

  for (const text of [
    '10 minutes before and after the deployment',
    '10 min before the deployment vs 10 min after',
    'payment 10 minutes before the last release with the 10 minutes after',
  ]) {
    it(`of a deployment: “${text}”`, () => {
      const { time, baseline, rest } = extractTimes(text, NOW);
      assert.deepEqual(
        [time, baseline],
        [
          { kind: 'deployment', side: 'since', lengthMs: 600_000 },
          { kind: 'preceding', lengthMs: 600_000 },
        ],
      );
      assert.doesNotMatch(rest, /\d|before|after|deployment|release/);
    });
  }

  it('is around its own moment, whatever else is spoken of', () => {
    const aside = extractTimes('was it the deployment? compare the 10 minutes before 13:55 with the 10 after', NOW);
    assert.deepEqual([aside.baseline, aside.time], [range(at(13, 45), at(13, 55)), range(at(13, 55), at(14, 5))]);
    const ofDeployment = extractTimes(
      'it began at 13:55: compare the 10 minutes before the deployment with the 10 after',
      NOW,
    );
    assert.deepEqual(ofDeployment.time, { kind: 'deployment', side: 'since', lengthMs: 600_000 });
    const yesterday = extractTimes('10 minutes before and after 13:55 yesterday', NOW);
    assert.deepEqual(yesterday.time, range(at(13, 55, 19), at(14, 5, 19)));
  });

  const LENGTHS: Readonly<Record<string, readonly [before: number, after: number]>> = {
    'the 10 minutes before 13:55 with the 30 minutes after': [10, 30],
    'the 10 minutes before 13:55 with the 30 after': [10, 30],
    'the 10 minutes before and 30 minutes after 13:55': [10, 30],
    'the 20 minutes after 13:55 vs the 10 before': [10, 20],
    'the 10 minutes before 13:55 with half an hour after': [10, 30],
    'half an hour before 13:55 and half an hour after': [30, 30],
    'the 30 minutes before 13:55 with the minutes after': [30, 30],
  };
  for (const [text, [before, after]] of Object.entries(LENGTHS)) {
    it(`is of ${before} and ${after} minutes: “${text}”`, () => {
      const { baseline, time } = extractTimes(text, NOW);
      assert.deepEqual(
        [baseline, time],
        [range(at(13, 55 - before), at(13, 55)), range(at(13, 55), at(13, 55 + after))],
      );
    });
  }

  it('of a deployment is of two lengths, too', () => {
    const { baseline, time } = extractTimes('the 10 minutes before the deployment with the 30 after', NOW);
    assert.deepEqual(
      [baseline, time],
      [
        { kind: 'preceding', lengthMs: 600_000 },
        { kind: 'deployment', side: 'since', lengthMs: 1_800_000 },
      ],
    );
  });

  it('is no time range around two moments', () => {
    assert.notDeepEqual(
      extractTimes('10 minutes before 13:55 with the 10 minutes after 14:10', NOW).time,
      range(at(13, 55), at(14, 5)),
    );
  });
});
