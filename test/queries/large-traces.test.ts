import assert from 'node:assert/strict';
import { EarliestSpans } from '../../src/queries/spans/earliest-spans.js';
import { nearestRoot } from '../../src/queries/spans/nearest-root.js';
import type { SpanPlace } from '../../src/queries/spans/span-place.js';
import { processorMs, shortest } from '../support/undisturbed.js';
import { PatientTurn } from './support/turns.js';

const MANY = 100_000;

function chained(n: number, parent: number | undefined): SpanPlace {
  return { startUs: n, startNs: 0, spanId: `s${n}`, traceId: '', parentId: parent === undefined ? '' : `s${parent}` } as SpanPlace;
}

/** Work is counted by looks at the clock: one for each step. */
describe('large traces', () => {
  it('have their depths worked out once, though every span of a long chain matches', async () => {
    const turn = new PatientTurn();
    const chain = Array.from({ length: MANY }, (_, n) => chained(n, n === 0 ? undefined : n - 1)).reverse();
    assert.equal(await nearestRoot(chain, () => true, turn), chain.at(-1));
    assert.ok(turn.looks <= MANY * 4, `${turn.looks} looks`);
  });

  it('have their depths worked out once, though all spans go round in a circle', async () => {
    const turn = new PatientTurn();
    const circle = Array.from({ length: MANY }, (_, n) => chained(n, (n + 1) % MANY));
    assert.equal(await nearestRoot(circle, ({ startUs }) => startUs >= 7, turn), circle[7]);
    assert.ok(turn.looks <= MANY * 4, `${turn.looks} looks`);
  });

  it('keep all spans that start at once as candidates, in a time that grows with their number only', async () => {
    let spans = new EarliestSpans();
    const offer = (): void => {
      spans = new EarliestSpans();
      for (let row = 0; row < MANY; row++) spans.offer(0, 5, 0, row % 8_192);
      assert.equal(spans.candidates(0).length, MANY);
    };
    const ms = await shortest(1_000, () => processorMs(offer));
    assert.ok(ms < 1_000, `${Math.round(ms)} ms`);
    spans.offer(0, 4, 1, 9);
    assert.equal(spans.candidates(0).length, 1);
  });
});
