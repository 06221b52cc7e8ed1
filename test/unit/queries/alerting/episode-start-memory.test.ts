import assert from 'node:assert/strict';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { EpisodeStartMemory } from '../../../../src/queries/alerting/episode-start-memory.js';
import type { EpisodeStarts } from '../../../../src/queries/errors/error-episode-search.js';

function starts(count: number): EpisodeStarts {
  return new Map(Array.from({ length: count }, (_, at) => [`${at} new`, { knownUs: at, isFirst: true }]));
}

describe('the memory of rules on new errors', () => {
  it('gives back what was kept of a rule, in place of what was kept before', () => {
    const memory = new EpisodeStartMemory();
    memory.keep('a', starts(1_000), 0);
    memory.keep('a', starts(2), 0);
    const { size } = memory;
    assert.deepEqual(memory.open('a'), starts(2));
    assert.deepEqual(memory.open('b'), new Map());
    memory.keep('a', memory.open('a'), MINUTE_MS);
    assert.equal(memory.size, size);
  });

  it('forgets rules that are not evaluated any more', () => {
    const memory = new EpisodeStartMemory();
    for (let minute = 0; minute <= 90; minute++)
      for (const [key, last] of Object.entries({ deleted: 10, other: 89, live: 90 }))
        if (minute <= last) memory.keep(key, starts(5), minute * MINUTE_MS);
    assert.deepEqual(
      ['deleted', 'other', 'live'].map((key) => memory.open(key).size),
      [0, 5, 5],
    );
  });

  it('stays within its limit, at the cost of the rules with the most groups', () => {
    const limit = 1_000_000;
    const memory = new EpisodeStartMemory(limit);
    const counts = [10, 900, 20, 2_500, 30, 800, 40, 700, 50, 1_000_000];
    for (const minute of [0, 1, 2])
      for (const count of counts) {
        memory.keep(`of ${count}`, starts(count), minute * MINUTE_MS);
        assert.ok(memory.size <= limit);
      }
    const kept = counts.filter((count) => memory.open(`of ${count}`).size === count);
    for (const small of [10, 20, 30, 40, 50]) assert.ok(kept.includes(small), kept.join());
    assert.ok(!kept.includes(1_000_000));
  });
});
