import assert from 'node:assert/strict';
import fc from 'fast-check';
import { extractTimes } from '../../../../../src/assistant/analyst/time/time-extractor.js';
import { at, NOW } from '../../shop.js';

const HOUR = 3_600_000;
const range = (fromMs: number, toMs: number, last?: string) => ({
  kind: 'range',
  fromMs,
  toMs,
  ...(last !== undefined && { last }),
});
const moment = (atMs: number, side: 'at' | 'before' = 'at') => ({ kind: 'moment', atMs, side });

/** Now is Friday, 2026-11-20 14:37 UTC. */
const TIMES: Readonly<Record<string, object | undefined>> = {
  'in the last 10 minutes': range(NOW - 600_000, NOW, '10 minutes'),
  'lst 10 mins': range(NOW - 600_000, NOW, '10 minutes'),
  'past 2h': range(NOW - 2 * HOUR, NOW, '2h'),
  'the previous 30 minutes': range(NOW - HOUR / 2, NOW, '30 minutes'),
  'over the last hour': range(NOW - HOUR, NOW, 'hour'),
  'last half hour': range(NOW - HOUR / 2, NOW, '30 minutes'),
  'within an hour': range(NOW - HOUR, NOW, 'hour'),
  'last week': range(NOW - 7 * 24 * HOUR, NOW, 'week'),
  yesterday: range(at(0, 0, 19), at(0, 0)),
  today: range(at(0, 0), NOW),
  'since yesterday': range(at(0, 0, 19), NOW),
  'this morning': range(at(6, 0), at(12, 0)),
  'since this morning': range(at(6, 0), NOW),
  'yesterday evening': range(at(18, 0, 19), at(0, 0)),
  'last night': range(at(18, 0, 19), at(6, 0)),
  'this week': range(at(0, 0, 16), NOW),
  'on Monday': range(at(0, 0, 16), at(0, 0, 17)),
  'from 13:00 to 14:00': range(at(13, 0), at(14, 0)),
  'between 13:00 and 14:00': range(at(13, 0), at(14, 0)),
  'between 2 and 3 pm': range(at(14, 0), at(15, 0)),
  'between 12 and 13': range(at(12, 0), at(13, 0)),
  'yesterday between 13:00 and 14:00': range(at(13, 0, 19), at(14, 0, 19)),
  'since 14:00': range(at(14, 0), NOW),
  'after 14:00': range(at(14, 0), NOW),
  'at 14:05': moment(at(14, 5)),
  'around 2 pm': moment(at(14, 0)),
  'at noon': moment(at(12, 0)),
  'since midnight': range(at(0, 0), NOW),
  'at midnight': moment(at(0, 0)),
  'before midnight': moment(at(0, 0), 'before'),
  'between midnight and 2am': range(at(0, 0), at(2, 0)),
  'between 22:00 and midnight': range(at(22, 0, 19), at(0, 0)),
  'since 9': range(at(9, 0), NOW),
  'at 2': moment(at(2, 0)),
  'on Sunday at 10:00': moment(at(10, 0, 15)),
  'yesterday at 14:00': moment(at(14, 0, 19)),
  'two hours ago': moment(NOW - 2 * HOUR),
  'before 14:00': moment(at(14, 0), 'before'),
  'until 9am': moment(at(9, 0), 'before'),
  // A future time of day means yesterday.
  'at 23:00': moment(at(23, 0, 19)),
  'from 20:00 to 21:00': range(at(20, 0, 19), at(21, 0, 19)),
  // Whole days; weekdays mean the most recent ones.
  'from Tuesday to Thursday': range(at(0, 0, 17), at(0, 0, 20)),
  'from Monday to Monday': range(at(0, 0, 16), at(0, 0, 17)),
  'in the 10 minutes before 13:55': range(at(13, 45), at(13, 55)),
  'the hour before noon': range(at(11, 0), at(12, 0)),
  'in the half an hour after yesterday at 14:00': range(at(14, 0, 19), at(14, 30, 19)),
  'at half past one': moment(at(13, 30)),
  'at quarter to three': moment(at(2, 45)),
  'at a quarter to three pm': moment(at(14, 45, 19)),
  'at half past one this afternoon': moment(at(13, 30)),
  'at half past seven yesterday evening': moment(at(19, 30, 19)),
  'at half past seven tomorrow evening': moment(at(19, 30, 21)),
  'at quarter past two this morning': moment(at(2, 15)),
  'at 13:45 this afternoon': moment(at(13, 45)),
  'since one pm': range(at(13, 0), NOW),
  'from ten to eleven': undefined,
  'since ten past two': range(at(14, 10), NOW),
  "at nine o'clock": moment(at(9, 0)),
  'around noon, at 12:45': moment(at(12, 45)),
  'around lunch, say between 12:00 and 13:00': range(at(12, 0), at(13, 0)),
  'since the last deployment': { kind: 'deployment', side: 'since' },
  'before the release': { kind: 'deployment', side: 'before' },
  'right now': undefined,
  'may I see that': undefined,
  'version 1.4.2': undefined,
  'POST /orders in 500 ms': undefined,
};

describe('times in sentences', () => {
  for (const [text, time] of Object.entries(TIMES))
    it(`reads “${text}”`, () => assert.deepEqual(extractTimes(`what was it ${text}?`, NOW).time, time));

  it('takes the later of two windows for the one in question', () => {
    const { time, baseline } = extractTimes('compare yesterday with today', NOW);
    assert.deepEqual([time, baseline], [range(at(0, 0), NOW), range(at(0, 0, 19), at(0, 0))]);
  });

  it('keeps what is compared with apart', () => {
    assert.deepEqual(extractTimes('slower than yesterday', NOW).baseline, range(at(0, 0, 19), at(0, 0)));
    assert.deepEqual(extractTimes('the last hour with the same hour yesterday', NOW).baseline, {
      kind: 'earlier',
      shiftMs: 24 * HOUR,
    });
    assert.deepEqual(extractTimes('the last 30 minutes against the hour before', NOW).baseline, {
      kind: 'preceding',
      lengthMs: HOUR,
    });
  });

  it('sets a time beside now, up to where it ends', () => {
    const { time, baseline } = extractTimes('how much slower was it between 14:30 and 14:31 than now', NOW);
    assert.deepEqual([time, baseline], [range(NOW - 6 * 60_000, NOW, '6 minutes'), range(at(14, 30), at(14, 31))]);
    assert.deepEqual(extractTimes('slower at 13:00 vs now', NOW).time, range(NOW - HOUR / 4, NOW, '15 minutes'));
  });

  it('goes on with “and”, and compares nothing', () => {
    assert.deepEqual(
      [extractTimes('and at 13:30?', NOW).time, extractTimes('and an hour ago?', NOW).time],
      [moment(at(13, 30)), moment(NOW - HOUR)],
    );
    assert.deepEqual(extractTimes('and with yesterday?', NOW).baseline, range(at(0, 0, 19), at(0, 0)));
  });

  it('leaves the rest of the sentence without its times', () => {
    assert.equal(
      extractTimes('errors of checkout in the last 10 minutes', NOW).rest.trim().replace(/\s+/g, ' '),
      'errors of checkout in the',
    );
  });

  it('never ends before it begins, and never begins in the future', () => {
    const words = fc.constantFrom(
      'yesterday',
      'today',
      'at',
      '14:00',
      'before',
      'since',
      'last',
      '10 minutes',
      'from',
      'to',
      '9am',
      'between',
      'and',
      'Monday',
      'noon',
      'hour',
      'ago',
      '2026-11-19',
      'this morning',
      'payment',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), (said) => {
        const { time } = extractTimes(said.join(' '), NOW);
        if (time?.kind === 'range') assert.ok(time.fromMs <= time.toMs && time.fromMs <= NOW, said.join(' '));
      }),
      { numRuns: 5000 },
    );
  });
});
