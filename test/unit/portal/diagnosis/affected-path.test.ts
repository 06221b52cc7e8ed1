import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeAffectedPath } from '../../../../portal/src/pages/diagnosis/affected-path.js';

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const edge = fc.record({ source: name, target: name });

describe('affected path', () => {
  it('leads from callers to the root cause', () => {
    const edges = [
      { source: 'shop', target: 'orders' },
      { source: 'orders', target: 'db' },
      { source: 'admin', target: 'orders' },
      { source: 'mail', target: 'queue' },
    ];
    assert.deepEqual(computeAffectedPath('db', ['shop', 'orders', 'admin'], edges), [
      ['shop', 'admin'],
      ['orders'],
      ['db'],
    ]);
    assert.deepEqual(computeAffectedPath('db', ['shop', 'mail', 'orders'], edges), [
      ['shop', 'mail'],
      ['orders'],
      ['db'],
    ]);
  });

  it('puts services without a path before a root cause without callers', () => {
    assert.deepEqual(computeAffectedPath('db', ['mail'], []), [['mail'], ['db']]);
  });

  it('is one column without a root cause, and empty without services', () => {
    assert.deepEqual(computeAffectedPath(null, ['a', 'b'], [{ source: 'a', target: 'b' }]), [['a', 'b']]);
    assert.deepEqual(computeAffectedPath(null, [], []), []);
  });

  it('contains each service once and the root cause alone at the end, also with cyclic calls', () => {
    fc.assert(
      fc.property(name, fc.array(name), fc.array(edge), (rootCause, affected, edges) => {
        const columns = computeAffectedPath(rootCause, affected, edges);
        assert.deepEqual(columns.flat().sort(), [...new Set([rootCause, ...affected])].sort());
        assert.deepEqual(columns.at(-1), [rootCause]);
        assert.ok(columns.every((column) => column.length > 0));
      }),
    );
  });
});
