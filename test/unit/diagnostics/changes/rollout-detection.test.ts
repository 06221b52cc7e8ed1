import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OrchestratorEvent } from '../../../../src/diagnostics/changes/orchestrator-event.js';
import { findRollouts } from '../../../../src/diagnostics/changes/rollout-detection.js';

const MINUTE_MS = 60_000;

interface GivenScaling {
  readonly minute: number;
  readonly owner: string;
  readonly set: string;
  readonly direction: string;
}

function scaled({ minute, owner, set, direction }: GivenScaling): OrchestratorEvent {
  return {
    atMs: minute * MINUTE_MS,
    lastMs: minute * MINUTE_MS,
    count: 1,
    reason: 'ScalingReplicaSet',
    objectKind: 'Deployment',
    objectName: owner,
    serviceName: '',
    version: '',
    message: `Scaled ${direction} replica set ${set} from 1 to 2`,
    occurrence: '',
  };
}

describe('rollouts', () => {
  it('are replica sets of one owner of which one grows while another shrinks within half an hour', () => {
    const given = fc.record({
      minute: fc.integer({ min: 0, max: 120 }),
      owner: fc.constantFrom('web', 'cart'),
      set: fc.constantFrom('a', 'b', 'c'),
      direction: fc.constantFrom('up', 'down'),
    });
    fc.assert(
      fc.property(fc.array(given, { maxLength: 20 }), (scalings) => {
        const ascending = [...scalings].sort((a, b) => a.minute - b.minute);
        const events = ascending.map(scaled);
        const expected = events.filter((_, i) =>
          ascending.some(
            (other) =>
              other.owner === ascending[i].owner &&
              other.set !== ascending[i].set &&
              other.direction !== ascending[i].direction &&
              Math.abs(other.minute - ascending[i].minute) <= 30,
          ),
        );
        assert.deepEqual([...findRollouts(events)].sort(byTime), expected.sort(byTime));
      }),
    );
  });

  for (const [name, opposite] of [
    ['of one direction', []],
    ['of one replica set in both directions', [{ minute: 1, owner: 'web', set: 'same', direction: 'down' }]],
  ] as const)
    it(`are found among many events ${name} without comparing each with all others`, () => {
      let reads = 0;
      const events = Array.from({ length: 4_000 }, (_, i) =>
        scaled(opposite[i % 2] ?? { minute: 1, owner: 'web', set: 'same', direction: 'up' }),
      ).map((event): OrchestratorEvent => ({
        ...event,
        get atMs() {
          reads++;
          return event.atMs;
        },
        get objectName() {
          reads++;
          return event.objectName;
        },
      }));
      assert.equal(findRollouts(events).size, 0);
      assert.ok(reads > 0 && reads < 10 * events.length, `${reads} reads`);
    });
});

const byTime = (a: OrchestratorEvent, b: OrchestratorEvent): number =>
  a.atMs - b.atMs || (`${a.objectName} ${a.message}` < `${b.objectName} ${b.message}` ? -1 : 1);
