import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseKeyValue, formatKeyValue, toAttributeRecord } from '../../../../portal/src/format/key-value-pairs.js';
import { computeBar, computeAxisTicks } from '../../../../portal/src/pages/traces/waterfall-layout.js';
import {
  toTraceFilterChips,
  parseTraceFilters,
  NO_TRACE_FILTERS,
  toTraceParameters,
  type TraceFilters,
} from '../../../../portal/src/pages/traces/trace-filters.js';
import { resolveKeyAction } from '../../../../portal/src/pages/traces/waterfall-navigation.js';
import { buildDurationHistogram } from '../../../../portal/src/pages/traces/duration-histogram.js';

const key = fc.string({ minLength: 1 }).filter((text) => !text.includes('='));
const duration = fc.option(fc.nat(999_999_999), { nil: undefined });
const filters: fc.Arbitrary<TraceFilters> = fc.record(
  {
    service: fc.string(),
    operation: fc.string(),
    status: fc.constantFrom('' as const, 'OK' as const, 'ERROR' as const),
    min: duration,
    max: duration,
    tags: fc.uniqueArray(fc.tuple(key, fc.string()).map((pair) => formatKeyValue(...pair))),
  },
  { noNullPrototype: true },
);

function addressOf(given: TraceFilters): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(toTraceParameters(given))) {
    for (const each of typeof value === 'string' ? [value] : value) if (each !== '') parameters.append(name, each);
  }
  return parameters.toString();
}

describe('trace filters', () => {
  it('survive a round trip through the URL', () => {
    fc.assert(
      fc.property(filters, (given) =>
        assert.deepEqual(parseTraceFilters(new URLSearchParams(addressOf(given))), given),
      ),
    );
  });

  it('ignore invalid parameters', () => {
    assert.deepEqual(
      parseTraceFilters(new URLSearchParams('status=BAD&min=-1&max=2.5&tag=alone&tag==value')),
      NO_TRACE_FILTERS,
    );
  });

  it('can be removed one by one', () => {
    fc.assert(
      fc.property(filters, (given) => {
        let left = given;
        for (let count = toTraceFilterChips(given).length; count > 0; count -= 1) {
          assert.equal(toTraceFilterChips(left).length, count);
          left = toTraceFilterChips(left)[0].without;
        }
        assert.deepEqual(left, NO_TRACE_FILTERS);
      }),
    );
  });
});

describe('key-value pairs', () => {
  it('split at the first "="', () => {
    fc.assert(
      fc.property(key, fc.string(), (name, value) =>
        assert.deepEqual(parseKeyValue(formatKeyValue(name, value)), [name, value]),
      ),
    );
    assert.deepEqual(toAttributeRecord(['a=b=c', '=x', 'y']), { a: 'b=c' });
    assert.equal(toAttributeRecord([]), undefined);
  });
});

describe('duration histogram', () => {
  it('counts each duration once, in its bucket', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000_000)), (durations) => {
        const steps = buildDurationHistogram(durations);
        for (const { from, to, count } of steps)
          assert.equal(durations.filter((each) => each >= from && each < to).length, count);
        assert.equal(
          steps.reduce((sum, { count }) => sum + count, 0),
          durations.length,
        );
      }),
    );
  });
});

describe('trace axis', () => {
  it('keeps bars within its bounds', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), (at, length, from, more) => {
        const bar = computeBar(at, length, { from, to: from + more + 1 });
        if (bar === undefined) return assert.ok(at > from + more + 1 || at + length < from);
        assert.ok(bar.left >= 0 && bar.width > 0 && bar.left + bar.width <= 100 + 1e-9);
      }),
    );
  });

  it('has few ticks at round values', () => {
    assert.deepEqual(computeAxisTicks({ from: 0, to: 1_000 }, 5), [0, 200, 400, 600, 800, 1_000]);
    assert.deepEqual(computeAxisTicks({ from: 130, to: 300 }, 5), [150, 200, 250, 300]);
  });
});

describe('waterfall keys', () => {
  const rows = [
    { span: { spanId: 'a' }, parentId: undefined, below: 1 },
    { span: { spanId: 'b' }, parentId: 'a', below: 0 },
  ];
  const none = new Set<string>();

  it('move, but not past the ends', () => {
    assert.deepEqual(
      ['ArrowDown', 'j', 'End'].map((pressed) => resolveKeyAction(pressed, rows, 1, none)),
      Array(3).fill({ span: 'b' }),
    );
    assert.deepEqual(
      ['ArrowUp', 'k', 'Home'].map((pressed) => resolveKeyAction(pressed, rows, 0, none)),
      Array(3).fill({ span: 'a' }),
    );
    assert.deepEqual(resolveKeyAction('ArrowDown', rows, -1, none), { span: 'a' });
    assert.equal(resolveKeyAction('ArrowDown', [], -1, none), undefined);
  });

  it('collapse and expand as in a tree', () => {
    assert.deepEqual(resolveKeyAction('ArrowLeft', rows, 0, none), { span: 'a', fold: true });
    assert.deepEqual(resolveKeyAction('ArrowLeft', rows, 1, none), { span: 'a' });
    assert.deepEqual(resolveKeyAction('ArrowRight', rows, 0, none), { span: 'b' });
    assert.deepEqual(resolveKeyAction('ArrowRight', rows, 0, new Set(['a'])), { span: 'a', fold: false });
    assert.equal(resolveKeyAction('ArrowRight', rows, 1, none), undefined);
  });
});
