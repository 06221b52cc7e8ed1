import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toLogPosition, toPosition } from '../../../../../src/streams/adapters/eventstoredb/event-wire-format.js';
import { START } from '../../../../../src/streams/event-store.js';

/** All but the one that means "unknown". */
const place = fc.bigInt({ min: 0n, max: 2n ** 64n - 2n });
const implicit = place.map((commit) => ({ commit: String(commit), prepare: String(commit) }));
const explicit = fc
  .tuple(place, place)
  .map(([a, b]) => ({ commit: String(a > b ? a : b), prepare: String(a > b ? b : a) }));

describe('EventStoreDB positions', () => {
  it('are ordered like the log as strings, after START', () => {
    fc.assert(
      fc.property(implicit, implicit, (a, b) => {
        assert.ok(START < toPosition(a));
        assert.equal(toPosition(a) < toPosition(b), BigInt(a.commit) < BigInt(b.commit));
      }),
    );
    fc.assert(
      fc.property(explicit, explicit, (a, b) => {
        if (a.commit !== b.commit) assert.equal(toPosition(a) < toPosition(b), BigInt(a.commit) < BigInt(b.commit));
      }),
    );
  });

  it('survive a round trip', () => {
    fc.assert(
      fc.property(fc.oneof(implicit, explicit), (position) =>
        assert.deepEqual(toLogPosition(toPosition(position)), position),
      ),
    );
    assert.equal(toLogPosition(START), undefined);
  });

  it('require a server that reports them', () => {
    const unknown = '18446744073709551615';
    assert.throws(() => toPosition({ commit: unknown, prepare: unknown }), /22\.6/);
  });
});
