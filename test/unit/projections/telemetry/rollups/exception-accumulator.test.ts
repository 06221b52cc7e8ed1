import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OTHER_NAME, ROLLUP_BOUNDS } from '../../../../../src/diagnostics/rollups/rollup-types.js';
import {
  ExceptionAccumulator,
  hashException,
} from '../../../../../src/projections/telemetry/rollups/exception-accumulator.js';

describe('exception accumulator', () => {
  it('counts by type and message, and distinguishes their parts', () => {
    const accumulator = new ExceptionAccumulator();
    accumulator.add('ab', 'c', 1);
    accumulator.add('a', 'bc', 2);
    accumulator.add('a', 'bc', 2);
    accumulator.add('a', 'bc');
    assert.deepEqual(accumulator.toRollups(), [
      { type: 'ab', message: 'c', count: 1, ids: [1] },
      { type: 'a', message: 'bc', count: 3, ids: [2] },
    ]);
  });

  it('counts what comes past the bound as __other__', () => {
    const accumulator = new ExceptionAccumulator();
    for (let i = 0; i < ROLLUP_BOUNDS.exceptions + 3; i++) accumulator.add('E', `m${i}`, i);
    accumulator.add('E', 'm0', 9_999);
    const rollup = accumulator.toRollups();
    assert.equal(rollup.length, ROLLUP_BOUNDS.exceptions + 1);
    assert.deepEqual(
      rollup.find(({ type }) => type === OTHER_NAME),
      { type: OTHER_NAME, message: '', count: 3, ids: [200, 201, 202] },
    );
    assert.equal(rollup[0].count, 2);
  });

  it('selects the same identities in any order, also when stored in between', () => {
    const ids = Array.from({ length: 3 * ROLLUP_BOUNDS.exceptionIds }, (_, i) => i * 7);
    fc.assert(
      fc.property(fc.shuffledSubarray(ids, { minLength: ids.length }), fc.nat({ max: ids.length }), (order, restAt) => {
        let accumulator = new ExceptionAccumulator();
        order.forEach((id, i) => {
          if (i === restAt) accumulator = new ExceptionAccumulator(accumulator.toRollups());
          accumulator.add('E', '', id);
        });
        const [{ count, ids: kept }] = accumulator.toRollups();
        assert.equal(count, ids.length);
        assert.deepEqual(kept, ids.slice(0, ROLLUP_BOUNDS.exceptionIds));
      }),
      { numRuns: 20 },
    );
  });
});

describe('identity of an exception', () => {
  const traces = new Uint8Array(32).fill(7, 16);
  const spans = new Uint8Array(16).fill(9, 8);

  it('is 48 bits of span, type and message', () => {
    const id = hashException(traces, spans, 1, 'E', 'm');
    assert.ok(Number.isInteger(id) && id >= 0 && id < 2 ** 48);
    assert.equal(hashException(traces.slice(16), spans.slice(8), 0, 'E', 'm'), id, 'wherever the ids stand');
    const others = [
      hashException(traces, spans, 0, 'E', 'm'),
      hashException(traces, spans, 1, 'Em', ''),
      hashException(traces, spans, 1, 'E', 'n'),
    ];
    assert.equal(new Set([id, ...others]).size, 4);
  });

  it('does not change: it is stored', () => {
    assert.equal(
      hashException(new Uint8Array(16).fill(1), new Uint8Array(8).fill(2), 0, 'TypeError', 'ünknown'),
      199_929_881_499_933,
    );
  });
});
