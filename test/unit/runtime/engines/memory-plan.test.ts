import assert from 'node:assert/strict';
import { MIN_MEMORY_LIMIT, PROCESS_ROLES, type ProcessRole } from '../../../../src/config/settings.js';
import { DEFAULT_MEMORY_LIMIT, planMemory, resolveMemoryLimit } from '../../../../src/runtime/engines/memory-plan.js';

const MIB = 2 ** 20;
const ALL = new Set(PROCESS_ROLES);

describe('the memory of a process', () => {
  it('is what MEMORY_LIMIT says; else nine tenths of the control group; else a gibibyte', () => {
    assert.equal(resolveMemoryLimit(700 * MIB, 10_000 * MIB), 700 * MIB);
    assert.equal(resolveMemoryLimit(undefined, 10_000 * MIB), 9_000 * MIB);
    assert.equal(resolveMemoryLimit(undefined, 100 * MIB), MIN_MEMORY_LIMIT);
    assert.equal(resolveMemoryLimit(undefined, undefined), DEFAULT_MEMORY_LIMIT);
    assert.deepEqual(planMemory(undefined, ALL), planMemory(DEFAULT_MEMORY_LIMIT, ALL));
  });

  for (const roles of [ALL, new Set<ProcessRole>(['ingest']), new Set<ProcessRole>(['project', 'api'])]) {
    it(`is divided among parts that never exceed the limit: ${[...roles].join(', ')}`, () => {
      for (let limit = MIN_MEMORY_LIMIT; limit < 2 ** 36; limit *= 1.5) {
        const { programBytes, projectorBytes, requestBytes, queryBytes, caches } = planMemory(limit, roles);
        const parts = [programBytes, projectorBytes, requestBytes, queryBytes, ...Object.values(caches)];
        assert.ok(parts.every((part) => part >= 0));
        assert.ok(parts.reduce((sum, part) => sum + part, 0) <= limit, `${limit}: ${parts.join()}`);
      }
    });
  }

  it('has room for one request of the largest size, and for every cache, at the lowest limit', () => {
    const { requestBytes, caches } = planMemory(MIN_MEMORY_LIMIT, ALL);
    assert.ok(requestBytes >= 128 * MIB);
    for (const [name, bytes] of Object.entries(caches)) assert.ok(bytes >= MIB, name);
  });

  it('grows with the limit in every part, up to a size that makes nothing faster', () => {
    const [less, more] = [planMemory(1024 * MIB, ALL), planMemory(2048 * MIB, ALL)];
    for (const [name, bytes] of Object.entries(less.caches))
      assert.ok(
        Object.entries(more.caches).some(([other, larger]) => other === name && larger > bytes),
        name,
      );
    assert.deepEqual(planMemory(2 ** 36, ALL).caches, planMemory(2 ** 37, ALL).caches);
  });

  it('goes to the parts that the roles of the process have', () => {
    const ingest = planMemory(1024 * MIB, new Set(['ingest']));
    assert.deepEqual([ingest.projectorBytes, ingest.caches.rollups, ingest.caches.searchBlocks], [0, 0, 0]);
    const project = planMemory(1024 * MIB, new Set(['project']));
    assert.equal(project.requestBytes, 0);
    // Projectors evaluate alert rules on queries, which read blocks.
    assert.ok(project.caches.searchBlocks > 0 && project.caches.bodies > 0);
    assert.ok(project.caches.rollups > planMemory(1024 * MIB, ALL).caches.rollups);
  });
});
