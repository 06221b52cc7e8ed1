import assert from 'node:assert/strict';
import {
  ChartRangeModel,
  validateChartSelection,
  toChartSelection,
} from '../../../../src/http/requests/chart-requests.js';
import { parseRequest } from '../../../../src/http/requests/request-parser.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const at = (ms: number): string => new Date(ms).toISOString();
const HOUR = 3_600_000;
const DAYS_31 = 31 * 24 * HOUR;

function faultsOf(sent: object): string[] {
  const { value, errors } = parseRequest(ChartRangeModel, sent);
  return [...errors, ...validateChartSelection(value, NOW)].map(({ message }) => message);
}

describe('ChartRangeModel', () => {
  const right: [string, object, object][] = [
    ['nothing', {}, {}],
    ['null for nothing', { rangeStart: null, rangeEnd: null, asOf: null }, {}],
    ['a start alone', { rangeStart: at(NOW - HOUR) }, { fromMs: NOW - HOUR }],
    ['an end alone', { rangeEnd: at(NOW) }, { toMs: NOW }],
    ['an end alone of any age', { rangeEnd: '1970-01-01T00:00:00Z' }, { toMs: 0 }],
    [
      'both',
      { rangeStart: at(NOW - 2 * HOUR), rangeEnd: at(NOW - HOUR) },
      { fromMs: NOW - 2 * HOUR, toMs: NOW - HOUR },
    ],
    [
      'an end in the future, after a start before now',
      { rangeStart: at(NOW), rangeEnd: at(NOW + HOUR) },
      { fromMs: NOW, toMs: NOW + HOUR },
    ],
    [
      '31 days',
      { rangeStart: at(NOW - DAYS_31 - HOUR), rangeEnd: at(NOW - HOUR) },
      { fromMs: NOW - DAYS_31 - HOUR, toMs: NOW - HOUR },
    ],
    ['a start 31 days ago', { rangeStart: at(NOW - DAYS_31) }, { fromMs: NOW - DAYS_31 }],
    ['a moment', { asOf: at(NOW - HOUR) }, { asOfMs: NOW - HOUR }],
    ['a clock that is a minute ahead', { asOf: at(NOW + 60_000) }, { asOfMs: NOW + 60_000 }],
    ['a blank filter', { filter: ' ' }, {}],
    ['a filter', { filter: ' region = eu ' }, { filter: { where: 'region = eu' } }],
    ['a service', { filter: 'service = cart' }, { filter: { where: 'service = cart', serviceName: 'cart' } }],
    ['an attribute of that name', { filter: 'span.service = cart' }, { filter: { where: 'span.service = cart' } }],
    ['all but a service', { filter: 'service != cart' }, { filter: { where: 'service != cart' } }],
    ['no service', { filter: 'service = ""' }, { filter: { where: 'service = ""' } }],
    ['words that only logs have', { filter: 'timeout' }, { filter: { where: 'timeout' } }],
    ['two services', { filter: 'service in (a, b)' }, { filter: { where: 'service in (a, b)' } }],
    [
      'fractions, widened to ms',
      { rangeStart: '2026-01-01T00:00:00.0019Z', rangeEnd: '2026-01-01T00:00:00.0021Z' },
      { fromMs: Date.UTC(2026, 0, 1) + 1, toMs: Date.UTC(2026, 0, 1) + 3 },
    ],
  ];
  for (const [what, sent, when] of right) {
    it(`takes ${what}`, () => {
      assert.deepEqual(faultsOf(sent), []);
      assert.deepEqual(toChartSelection(parseRequest(ChartRangeModel, sent).value), when);
    });
  }

  const wrong: [string, object, string[]][] = [
    [
      'an end that is its start',
      { rangeStart: at(NOW - HOUR), rangeEnd: at(NOW - HOUR) },
      ['rangeEnd must be after rangeStart'],
    ],
    [
      'more than 31 days',
      { rangeStart: at(NOW - DAYS_31 - 1), rangeEnd: at(NOW) },
      ['rangeEnd must be at most 31 days after rangeStart'],
    ],
    [
      'a start more than 31 days ago without an end',
      { rangeStart: at(NOW - DAYS_31 - 1) },
      ['rangeStart must be at most 31 days ago when rangeEnd is omitted'],
    ],
    ['a start in the future', { rangeStart: at(NOW + 60_001) }, ['rangeStart must not be in the future']],
    [
      'a range in the future',
      { rangeStart: at(NOW + HOUR), rangeEnd: at(NOW + 2 * HOUR) },
      ['rangeStart must not be in the future'],
    ],
    ['an end alone in the future', { rangeEnd: at(NOW + HOUR) }, ['rangeEnd must not be in the future']],
    ['a moment in the future', { asOf: at(NOW + HOUR) }, ['asOf must not be in the future']],
    [
      'a moment and a start',
      { asOf: at(NOW), rangeStart: at(NOW) },
      ['asOf cannot be combined with a range', 'rangeStart cannot be combined with asOf'],
    ],
    [
      'a moment and an end',
      { asOf: at(NOW), rangeEnd: at(NOW) },
      ['asOf cannot be combined with a range', 'rangeEnd cannot be combined with asOf'],
    ],
    ['a filter that is no condition', { filter: 'service = ' }, ['is wrong at position 11: expected a value']],
    ['what is no time', { rangeStart: 'an hour ago' }, ['rangeStart must be an ISO 8601 datetime with Z or an offset']],
  ];
  for (const [what, sent, messages] of wrong) it(`refuses ${what}`, () => assert.deepEqual(faultsOf(sent), messages));
});
