import assert from 'node:assert/strict';
import { toOrchestratorChanges } from '../../../../src/diagnostics/changes/orchestrator-events.js';
import { OrchestratorEventCache } from '../../../../src/queries/diagnostics/orchestrator-event-cache.js';
import { OrchestratorEventReader } from '../../../../src/queries/diagnostics/orchestrator-event-reader.js';
import { createDiagnosticsQueries } from '../../../../src/queries/diagnostics/diagnostics-queries.js';
import { BlockSnapshotReader } from '../../../../src/queries/telemetry/block-snapshots.js';
import type { GivenLog } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import { UnlimitedTimeSlice } from '../telemetry/support/unlimited-time-slice.js';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const MINUTE_MS = 60_000;
const HOUR = { fromMs: NOON_MS, toMs: NOON_MS + 60 * MINUTE_MS };
const MIB = 1024 * 1024;

function eventLog(atMs: number, reason: string, name: string, body: string, kind = 'Pod'): GivenLog {
  return {
    time: BigInt(NOON_MS + atMs) * 1_000_000n,
    body,
    service: 'unknown_service',
    attributes: { 'k8s.event.reason': reason, 'k8s.object.kind': kind, 'k8s.object.name': name },
  };
}

/** As the receiver `k8sobjects` writes an event that it lists: seen at `seenMs`, happened at `atMs`. */
function listedLog(seenMs: number, atMs: number, name: string, more: object = {}): GivenLog {
  const event = {
    kind: 'Event',
    metadata: { uid: `uid of ${name}` },
    reason: 'OOMKilling',
    message: `Killed ${name}`,
    involvedObject: { kind: 'Pod', name: `${name}-7d9f8b6c5-x2k4q` },
    lastTimestamp: new Date(NOON_MS + atMs).toISOString(),
    count: 1,
    ...more,
  };
  return {
    time: BigInt(NOON_MS + seenMs) * 1_000_000n,
    body: JSON.stringify(event),
    service: 'unknown_service',
    attributes: { 'k8s.resource.name': 'events' },
  };
}

describe('events of an orchestrator in log blocks', () => {
  let world: TelemetryWorld;
  let cache: OrchestratorEventCache;
  let reader: OrchestratorEventReader;

  beforeEach(async () => {
    world = await TelemetryWorld.empty();
    cache = new OrchestratorEventCache(4 * MIB);
    reader = createReader();
  });

  const createReader = (): OrchestratorEventReader =>
    new OrchestratorEventReader(new BlockSnapshotReader(() => world.store), world.bodies, cache);
  const readChanges = async (): Promise<unknown> =>
    toOrchestratorChanges(await reader.read(GRID, HOUR, new UnlimitedTimeSlice()), new Set());
  const readTexts = async (): Promise<unknown> =>
    ((await readChanges()) as { description: string }[]).map(({ description }) => description);
  const mergeBlocks = async (): Promise<void> => {
    await world.commit(world.logShelf.merge([...world.logShelf.blocks.keys()]));
    reader = createReader();
  };

  it('are the same before and after a merge, however many there are', async () => {
    for (let block = 0; block < 4; block++)
      await world.addLogs(
        Array.from({ length: 300 }, (_, i) =>
          eventLog(block * MINUTE_MS + i, 'Unhealthy', `web-7d9f8b6c5-x2k4${'bcdfg'[i % 5]}`, 'Readiness probe failed'),
        ),
      );
    const scaled = (direction: string, set: string): GivenLog =>
      eventLog(
        5 * MINUTE_MS,
        'ScalingReplicaSet',
        'web',
        `Scaled ${direction} replica set web-${set} from 0 to 1`,
        'Deployment',
      );
    await world.addLogs([scaled('up', 'new'), scaled('down', 'old')]);
    const before = await readChanges();
    await mergeBlocks();
    assert.deepEqual(await readChanges(), before);
    assert.deepEqual(
      (before as { type: string; description: string }[]).map(({ type, description }) => [type, description]),
      [
        ['probe_failure', 'Readiness probe failed (1200 events)'],
        ['deployment', 'Scaled down replica set web-old from 0 to 1 (2 events)'],
      ],
    );
  });

  for (const [what, seenMinute, atMinute, isReported] of [
    ['seen after the end of the window', 95, 55, true],
    ['seen an hour after they happened', 119, 59, true],
    ['seen more than an hour after they happened', 61, 0, false],
    ['seen in the window, from before it', 5, -5, false],
    ['seen before the window by a slow clock', -1, 3, true],
    ['seen five minutes before they happened', -5, 0, true],
    ['seen more than five minutes before they happened', 10, 16, false],
    ['that happen after the window, seen in it by a slow clock', 59, 60, false],
  ] as const)
    it(`are the same before and after a merge, with a time in their bodies: ${what}`, async () => {
      await world.addLogs([eventLog(30 * MINUTE_MS, 'BackOff', 'cart', 'Back-off')]);
      await world.addLogs([listedLog(seenMinute * MINUTE_MS, atMinute * MINUTE_MS, 'web')]);
      const expected = isReported ? ['Back-off', 'Out of memory: Killed web'] : ['Back-off'];
      assert.deepEqual(((await readTexts()) as string[]).sort(), expected);
      await mergeBlocks();
      assert.deepEqual(((await readTexts()) as string[]).sort(), expected);
    });

  it('count once, however often they are listed', async () => {
    const more = { count: 2, lastTimestamp: new Date(NOON_MS + 25 * MINUTE_MS).toISOString() };
    for (let minute = 10; minute <= 60; minute += 10)
      await world.addLogs([
        listedLog(minute * MINUTE_MS, 5 * MINUTE_MS, 'web'),
        listedLog(
          minute * MINUTE_MS,
          0,
          'cart',
          minute < 30 ? { lastTimestamp: new Date(NOON_MS + 5 * MINUTE_MS).toISOString() } : more,
        ),
      ]);
    const expected = ['Out of memory: Killed cart', 'Out of memory: Killed cart', 'Out of memory: Killed web'];
    assert.deepEqual(((await readTexts()) as string[]).sort(), expected);
    await mergeBlocks();
    assert.deepEqual(((await readTexts()) as string[]).sort(), expected);
  });

  it('are deployments by the name of the event, in the field for it or as an attribute', async () => {
    const log = { time: BigInt(NOON_MS) * 1_000_000n, body: 'v2 is out' };
    await world.addLogs([
      { ...log, service: 'pay', eventName: 'deployment', attributes: { 'service.version': '2' } },
      { ...log, service: 'cart', attributes: { 'event.name': 'deployment' } },
      { ...log, service: 'stock', eventName: 'deployment.checked' },
      { ...log, service: 'mail', attributes: { eventName: 'deployment' } },
    ]);
    assert.deepEqual(
      (await reader.read(GRID, HOUR, new UnlimitedTimeSlice()))
        .map(({ reason, serviceName, version }) => [reason, serviceName, version])
        .sort(),
      [
        ['deployment', 'cart', ''],
        ['deployment', 'pay', '2'],
      ],
    );
  });

  it('are read in the time of their query', async () => {
    await world.addLogs([eventLog(0, 'BackOff', 'web', 'Back-off'), eventLog(1, 'BackOff', 'cart', 'Back-off')]);
    let clockMs = 0;
    const bodies = {
      body: (gridId: string, revision: number) => {
        clockMs += 10_000;
        return world.bodies.body(gridId, revision);
      },
    };
    const { queries } = createDiagnosticsQueries({
      store: world.store,
      live: world.store,
      now: () => NOON_MS + 10 * MINUTE_MS,
      bodies,
      limits: { timeoutMs: 5_000, clock: () => clockMs },
    });
    await assert.rejects(queries.changes(GRID, { asOfMs: NOON_MS + 5 * MINUTE_MS }), { code: 'unavailable' });
  });

  it('keep the beginning of a text, and nothing else of it', async () => {
    const text = 'x'.repeat(300_000);
    await world.addLogs(Array.from({ length: 20 }, (_, i) => eventLog(i, 'BackOff', `${text}${i}`, `${i} ${text}`)));
    const events = await reader.read(GRID, HOUR, new UnlimitedTimeSlice());
    for (const { message, objectName } of events) assert.ok(message.length <= 500 && objectName.length <= 500);
    assert.ok(cache.size < 100_000, `${cache.size} bytes`);
  });

  it('are read of each block once, until their memory is released', async () => {
    await world.addLogs([eventLog(0, 'BackOff', 'web', 'Back-off')]);
    const first = await reader.read(GRID, HOUR, new UnlimitedTimeSlice());
    assert.deepEqual(await reader.read(GRID, HOUR, new UnlimitedTimeSlice()), first);
    assert.equal(world.reads.length, 1);
    assert.ok(cache.size > 0);
    cache.releaseUnused();
    cache.releaseUnused();
    assert.equal(cache.size, 0);
    assert.deepEqual(await reader.read(GRID, HOUR, new UnlimitedTimeSlice()), first);
    assert.equal(world.reads.length, 2);
  });

  it('take no more memory than the limit, and leave the rest to other Grids', async () => {
    cache = new OrchestratorEventCache(40_000);
    reader = createReader();
    const other = cache.open('other');
    for (let block = 0; block < 20; block++)
      await world.addLogs(
        Array.from({ length: 5 }, (_, i) => eventLog(i, 'BackOff', `pod-${block}-${i}`, 'm'.repeat(200))),
      );
    await reader.read(GRID, HOUR, new UnlimitedTimeSlice());
    assert.ok(cache.size > 500 && cache.size <= 11_000, `${cache.size} bytes`);
    assert.equal(cache.open('other'), other);
    assert.equal((await reader.read(GRID, HOUR, new UnlimitedTimeSlice())).length, 100);
  });
});
