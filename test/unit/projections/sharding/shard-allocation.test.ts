import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hasCode } from '../../../../src/errors.js';
import {
  createAllocation,
  decodeAllocation,
  encodeAllocation,
  type ShardAllocation,
} from '../../../../src/projections/sharding/shard-allocation.js';

const ids = ['a', 'b', 'c'];
const grant = fc.option(
  fc.record({ owner: fc.constantFrom(...ids), token: fc.maxSafeNat() }, { noNullPrototype: true }),
  { nil: undefined },
);
const allocations: fc.Arbitrary<ShardAllocation> = fc.record({
  era: fc.string(),
  settled: fc.boolean(),
  lastToken: fc.maxSafeNat(),
  members: fc.tuple(
    ...ids.map((id) =>
      fc.record({ id: fc.constant(id), name: fc.string(), beat: fc.nat() }, { noNullPrototype: true }),
    ),
  ),
  grants: fc.array(grant, { minLength: 1, maxLength: 256 }),
});

describe('An encoded allocation', () => {
  it('decodes to what was encoded', () => {
    fc.assert(
      fc.property(allocations, (allocation) =>
        assert.deepEqual(decodeAllocation(encodeAllocation(allocation)), { ...allocation }),
      ),
      { numRuns: 30 },
    );
  });

  it('is small enough for a heartbeat: 100 members in 16 KiB', () => {
    const members = Array.from({ length: 100 }, (_none, i) => ({
      id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      name: `projector-${i}:12345`,
      beat: 1e6 + i,
    }));
    const grants = createAllocation(256, 'e', 0).grants.map((_none, i) => ({
      owner: members[i % 100].id,
      token: 1_800_000_000_000 + i,
    }));
    assert.ok(encodeAllocation({ ...createAllocation(256, 'e', 1), members, grants }).length < 16_384);
  });

  const damaged = [
    '',
    '{',
    'null',
    '[]',
    '{"format":2}',
    encodeAllocation(createAllocation(256, 'e', 0)).replace('-1', '0'),
    encodeAllocation(createAllocation(256, 'e', 0)).replace('-1,', ''),
  ];
  for (const text of damaged) {
    it(`is refused as ${text.slice(0, 20) || 'nothing'}…`, () =>
      assert.throws(
        () => decodeAllocation(text),
        (error) => hasCode(error, 'unavailable'),
      ));
  }
});
