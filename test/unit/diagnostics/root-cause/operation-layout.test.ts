import assert from 'node:assert/strict';
import type { OperationRollup, ServiceRollup } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { flattenOperations } from '../../../../src/diagnostics/root-cause/operation-layout.js';
import { collectGarbage } from '../../../../src/thread-memory.js';

const MIB = 2 ** 20;
const OPERATIONS = 200;

/** A rollup of a service whose operations have these names. */
function rollupOf(names: readonly string[]): ServiceRollup {
  const operations = names.map((operation) => ({
    operation,
    kind: 2,
    entry: true,
    count: 1,
    durationNs: 5,
    selfNs: 5,
    originErrors: 0,
    calls: [{ service: 'cart', operation, count: 1 }],
  }));
  return { operations: operations as unknown as readonly OperationRollup[] } as ServiceRollup;
}

const namesOf = (minute: number): string[] =>
  Array.from({ length: OPERATIONS }, (_, n) => `GET /orders/${minute}/positions/${n}`);

describe('the layout of operations', () => {
  it('is shared by rollups that list the same', () => {
    const [one, same, other] = [rollupOf(['a', 'b']), rollupOf(['a', 'b']), rollupOf(['b', 'a'])].map(
      flattenOperations,
    );
    assert.equal(one.layout, same.layout);
    assert.notEqual(one.layout, other.layout);
    assert.deepEqual([...one.figures], [1, 5, 5, 0, 1, 1, 5, 5, 0, 1]);
  });

  it('lives no longer than the rollups that have it', async () => {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let minute = 0; minute < 1_500; minute++) flattenOperations(rollupOf(namesOf(minute)));
    // Weak references are cleared, and their keys removed, after the current task.
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < 8 * MIB, `${(grown / MIB).toFixed(1)} MiB are left`);
  });
});
