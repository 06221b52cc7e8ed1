import assert from 'node:assert/strict';
import { ProjectionLagMonitor } from '../../../../src/http/otlp/projection-lag-monitor.js';

const MAX_LAG_MS = 60_000;

describe('projection lag monitor', () => {
  let lagMs: number | Error;
  let measured: string[];
  let lines: string[];
  let monitor: ProjectionLagMonitor;

  beforeEach(() => {
    [lagMs, measured, lines] = [0, [], []];
    monitor = new ProjectionLagMonitor({
      maxLagMs: MAX_LAG_MS,
      // Grids a1, a2 … are in shard 97, b1 in shard 98.
      shardFor: (gridId) => gridId.charCodeAt(0),
      measureLag: async (gridId) => {
        measured.push(gridId);
        if (lagMs instanceof Error) throw lagMs;
        return lagMs;
      },
      logger: { warn: (text) => void lines.push(text), info: (text) => void lines.push(text) },
    });
  });

  const isAdmitted = (gridId: string): boolean => monitor.decide({ ownerId: 'owner', gridId }).admit;
  async function measure(lag: number | Error, ...senders: string[]): Promise<void> {
    for (const gridId of senders) isAdmitted(gridId);
    lagMs = lag;
    await monitor.measure();
  }

  it('admits everybody below the limit, and before anything is measured', async () => {
    assert.ok(isAdmitted('a1'));
    await measure(MAX_LAG_MS - 1);
    assert.ok(isAdmitted('a1'));
    assert.deepEqual(lines, []);
  });

  it('refuses the senders of a shard at the limit, and says why and for how long', async () => {
    await measure(MAX_LAG_MS, 'a1');
    assert.deepEqual(monitor.decide({ ownerId: 'owner', gridId: 'a1' }), {
      admit: false,
      retryAfterMs: 10_000,
      reason: 'the projection of telemetry is more than 60 s behind; retry later',
    });
    assert.ok(isAdmitted('b1'), 'of another shard');
    assert.equal(lines.length, 1);
  });

  it('admits Grids that send less than the average of their shard', async () => {
    await measure(MAX_LAG_MS, 'a1', 'a1', 'a1', 'a2');
    assert.deepEqual(['a1', 'a2', 'a3'].map(isAdmitted), [false, true, true]);
  });

  it('counts refused requests as well: who is refused does not fall below the average', async () => {
    await measure(MAX_LAG_MS, 'a1', 'a1', 'a1', 'a2');
    await measure(MAX_LAG_MS, 'a1', 'a1', 'a1', 'a2');
    assert.deepEqual(['a1', 'a2'].map(isAdmitted), [false, true]);
  });

  it('admits everybody again while the projector catches up, and refuses when it stops doing so', async () => {
    await measure(5 * MAX_LAG_MS, 'a1');
    await measure(4 * MAX_LAG_MS, 'a1');
    assert.ok(isAdmitted('a1'));
    await measure(4 * MAX_LAG_MS, 'a1');
    assert.ok(!isAdmitted('a1'));
    await measure(0, 'a1');
    assert.ok(isAdmitted('a1'));
    assert.equal(lines.length, 4);
  });

  it('refuses nobody while the lag cannot be measured', async () => {
    await measure(MAX_LAG_MS, 'a1');
    await measure(new Error('the read store is away'), 'a1');
    assert.ok(isAdmitted('a1'));
  });

  it('measures the shards that receive telemetry, once each, and forgets the others', async () => {
    await measure(MAX_LAG_MS, 'a1', 'a2', 'b1');
    assert.deepEqual(measured, ['a1', 'b1']);
    await measure(MAX_LAG_MS, 'b1');
    assert.deepEqual(measured, ['a1', 'b1', 'b1']);
    assert.ok(isAdmitted('a1'));
  });
});
