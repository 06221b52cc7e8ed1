import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  toLogFilterChips,
  parseLogFilters,
  NO_LOG_FILTERS,
  toLogParameters,
  type LogFilters,
} from '../../../../portal/src/pages/logs/log-filters.js';
import { formatJson, highlightWords } from '../../../../portal/src/pages/logs/log-body-text.js';
import { mergeTailEntries, countUnseenEntries } from '../../../../portal/src/pages/logs/tail-entries.js';

const hits = (text: string, words: string): readonly string[] =>
  highlightWords(text, words)
    .filter(({ isHit }) => isHit)
    .map((piece) => piece.text);

describe('highlighted search words', () => {
  it('never change the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, words) => {
        assert.equal(
          highlightWords(text, words)
            .map((piece) => piece.text)
            .join(''),
          text,
        );
      }),
    );
  });

  it('match whole words, ignoring case', () =>
    assert.deepEqual(hits('Timeout: no timeouts, TIMEOUT', 'timeout'), ['Timeout', 'TIMEOUT']));
  it('match prefixes', () => assert.deepEqual(hits('pay payment repay', 'pay*'), ['pay', 'payment']));
  it('keep a phrase together', () =>
    assert.deepEqual(hits('card declined, card; declined', '"card declined"'), ['card declined', 'card; declined']));
  it('do not interpret patterns', () => assert.deepEqual(hits('abc', '. .* [a-c] (b|c)'), []));
  it('are absent without words', () => assert.deepEqual(highlightWords('abc', ' '), [{ text: 'abc', isHit: false }]));
});

describe('JSON body', () => {
  it('is indented, other text is not', () => {
    assert.equal(formatJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
    assert.deepEqual([formatJson('{no'), formatJson('12'), formatJson('said {}')], [undefined, undefined, undefined]);
  });
});

describe('live tail', () => {
  const entries = fc.uniqueArray(
    fc.record({ id: fc.nat(40).map(String), timestamp: fc.nat(1_000).map((ms) => new Date(ms).toISOString()) }),
    { selector: ({ id }) => id },
  );

  it('keeps each entry once, newest first, up to a limit', () => {
    fc.assert(
      fc.property(entries, entries, fc.integer({ min: 1, max: 60 }), (first, second, most) => {
        const all = mergeTailEntries(mergeTailEntries([], first, most), second, most);
        assert.ok(all.length <= most);
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
        all.forEach(({ timestamp }, index) => assert.ok(index === 0 || timestamp <= all[index - 1].timestamp));
      }),
    );
  });

  it('returns the same list without new entries', () => {
    const kept = mergeTailEntries([], [{ id: '1', timestamp: '2026-01-01T00:00:00.000Z' }], 9);
    assert.equal(mergeTailEntries(kept, kept, 9), kept);
  });

  it('counts entries missing in a paused list', () => {
    fc.assert(
      fc.property(entries, entries, (still, came) => {
        assert.equal(
          countUnseenEntries(mergeTailEntries(still, came, 1_000), still),
          new Set([...still, ...came].map(({ id }) => id)).size - still.length,
        );
      }),
    );
  });
});

describe('log filters', () => {
  const key = fc.string({ minLength: 1 }).filter((text) => !text.includes('='));
  const filters: fc.Arbitrary<LogFilters> = fc.record(
    {
      words: fc.string(),
      severity: fc.constantFrom('' as const, 'Error' as const, 'Trace' as const),
      service: fc.string(),
      trace: fc.string(),
      span: fc.string(),
      attributes: fc.uniqueArray(fc.tuple(key, fc.string()).map(([name, value]) => `${name}=${value}`)),
    },
    { noNullPrototype: true },
  );

  it('survive a round trip through the URL', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const parameters = new URLSearchParams();
        for (const [name, value] of Object.entries(toLogParameters(given))) {
          for (const each of typeof value === 'string' ? [value] : value)
            if (each !== '') parameters.append(name, each);
        }
        assert.deepEqual(parseLogFilters(new URLSearchParams(parameters.toString())), given);
      }),
    );
  });

  it('can be removed one by one', () => {
    fc.assert(
      fc.property(filters, (given) => {
        let left = given;
        for (let count = toLogFilterChips(given).length; count > 0; count -= 1) {
          assert.equal(toLogFilterChips(left).length, count);
          left = toLogFilterChips(left)[0].without;
        }
        assert.deepEqual(left, NO_LOG_FILTERS);
      }),
    );
  });

  it('ignore an unknown severity', () =>
    assert.deepEqual(parseLogFilters(new URLSearchParams('severity=Bad&attr=alone')), NO_LOG_FILTERS));
});
