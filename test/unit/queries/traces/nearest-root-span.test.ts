import assert from 'node:assert/strict';
import { EarliestSpanTable } from '../../../../src/queries/traces/earliest-span-table.js';
import { findSpanNearestRoot } from '../../../../src/queries/traces/nearest-root-span.js';
import type { SpanLocation } from '../../../../src/queries/traces/span-location.js';
import { UnlimitedTimeSlice } from '../telemetry/support/unlimited-time-slice.js';

const MANY = 100_000;

function chained(n: number, parent: number | undefined): SpanLocation {
  return {
    startUs: n,
    startNs: 0,
    spanId: `s${n}`,
    traceId: '',
    parentId: parent === undefined ? '' : `s${parent}`,
  } as SpanLocation;
}

/** Work is measured by the number of yield checks, one per step. */
describe('large traces', () => {
  it('have their depths worked out once, though every span of a long chain matches', async () => {
    const timeSlice = new UnlimitedTimeSlice();
    const chain = Array.from({ length: MANY }, (_, n) => chained(n, n === 0 ? undefined : n - 1)).reverse();
    assert.equal(await findSpanNearestRoot(chain, () => true, timeSlice), chain.at(-1));
    assert.ok(timeSlice.yieldChecks <= MANY * 4, `${timeSlice.yieldChecks} looks`);
  });

  it('have their depths worked out once, though all spans go round in a circle', async () => {
    const timeSlice = new UnlimitedTimeSlice();
    const circle = Array.from({ length: MANY }, (_, n) => chained(n, (n + 1) % MANY));
    assert.equal(await findSpanNearestRoot(circle, ({ startUs }) => startUs >= 7, timeSlice), circle[7]);
    assert.ok(timeSlice.yieldChecks <= MANY * 4, `${timeSlice.yieldChecks} looks`);
  });

  it('keep all spans that start at once as candidates until an earlier one comes', () => {
    const spans = new EarliestSpanTable();
    for (let row = 0; row < MANY; row++) spans.offer(0, 5, 0, row % 8_192);
    assert.equal(spans.candidates(0).length, MANY);
    spans.offer(0, 4, 1, 9);
    assert.equal(spans.candidates(0).length, 1);
  });
});
