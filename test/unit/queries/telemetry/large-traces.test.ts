import assert from 'node:assert/strict';
import { EarliestSpanTable } from '../../../../src/queries/traces/earliest-span-table.js';
import { findSpanNearestRoot } from '../../../../src/queries/traces/nearest-root-span.js';
import type { SpanLocation } from '../../../../src/queries/traces/span-location.js';
import { processorMs, shortest } from '../../../support/undisturbed.js';
import { PatientTurn } from './support/turns.js';

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

/** Work is counted by looks at the clock: one for each step. */
describe('large traces', () => {
  it('have their depths worked out once, though every span of a long chain matches', async () => {
    const turn = new PatientTurn();
    const chain = Array.from({ length: MANY }, (_, n) => chained(n, n === 0 ? undefined : n - 1)).reverse();
    assert.equal(await findSpanNearestRoot(chain, () => true, turn), chain.at(-1));
    assert.ok(turn.looks <= MANY * 4, `${turn.looks} looks`);
  });

  it('have their depths worked out once, though all spans go round in a circle', async () => {
    const turn = new PatientTurn();
    const circle = Array.from({ length: MANY }, (_, n) => chained(n, (n + 1) % MANY));
    assert.equal(await findSpanNearestRoot(circle, ({ startUs }) => startUs >= 7, turn), circle[7]);
    assert.ok(turn.looks <= MANY * 4, `${turn.looks} looks`);
  });

  it('keep all spans that start at once as candidates, in a time that grows with their number only', async () => {
    let spans = new EarliestSpanTable();
    const offer = (): void => {
      spans = new EarliestSpanTable();
      for (let row = 0; row < MANY; row++) spans.offer(0, 5, 0, row % 8_192);
      assert.equal(spans.candidates(0).length, MANY);
    };
    const ms = await shortest(1_000, () => processorMs(offer));
    assert.ok(ms < 1_000, `${Math.round(ms)} ms`);
    spans.offer(0, 4, 1, 9);
    assert.equal(spans.candidates(0).length, 1);
  });
});
