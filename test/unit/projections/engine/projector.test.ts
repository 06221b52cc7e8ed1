import assert from 'node:assert/strict';
import {
  findTraceFilterOptions,
  findLogFilterOptions,
} from '../../../../src/queries/telemetry/filter-option-queries.js';
import { readActiveVersion } from '../../../../src/read-models/documents/projection-documents.js';
import { LIVE_DEAD_LETTERS } from '../../../../src/read-models/documents/dead-letter-documents.js';
import { PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import type { DocumentChange, Checkpoint, CommitResult } from '../../../../src/read-models/read-model-store.js';
import type { CommitReport } from '../../../../src/projections/engine/projector-types.js';
import { GRID, logsReceived, received, spansReceived } from './support/requests.js';
import { deafFeed, ProjectedLog } from './support/projected.js';
import { until } from './support/until.js';

describe('projector', () => {
  let log: ProjectedLog;

  beforeEach(() => {
    log = new ProjectedLog();
  });
  afterEach(() => log.stop());

  const span = (number: number) => ({ trace: 1, span: number, start: log.now + number });

  it('projects existing and new events', async () => {
    await log.append(spansReceived([span(1)]));
    await log.settle();
    assert.equal((await log.spans()).length, 1);
    await log.append(spansReceived([span(2)]));
    await log.settle();
    assert.equal((await log.spans()).length, 2);
  });

  it('finds events without a hint', async () => {
    await log.stop();
    log = new ProjectedLog(undefined, { feed: deafFeed() });
    await log.settle();
    await log.append(spansReceived([span(1)]));
    await log.settle();
    assert.equal((await log.spans()).length, 1);
  });

  it('gives memory back between two commits, and continues as if it had not', async () => {
    for (let round = 1; round <= 4; round++) {
      await log.append(spansReceived([span(round)]));
      await log.append(logsReceived([{ time: log.now, body: `round ${round}` }]));
      const projector = await log.settle();
      await projector.releaseMemory();
      await projector.releaseMemory();
    }
    const projector = await log.settle();
    for (const name of ['traces', 'logs']) assert.ok((await projector.verify(name)).equal, name);
  });

  it('reports for each commit what left the backlog, including repeated requests', async () => {
    const commits: CommitReport[] = [];
    log = new ProjectedLog(undefined, { onProjected: (projected) => commits.push(projected) });
    const request = spansReceived([span(1), span(2)]);
    await log.append(request);
    await log.append({ ...request, id: 'again', body: request.body?.slice() });
    await log.append(received(GRID, 'metrics', 5, new Uint8Array(3)));
    const position = await log.append(logsReceived([{ time: log.now, body: 'x' }]));
    await log.settle();
    const telemetry = commits.filter(({ group }) => group === 'telemetry');
    const sum = (signal: 'traces' | 'logs' | 'metrics') =>
      telemetry.reduce((total, { records }) => total + records[signal], 0);
    assert.deepEqual([sum('traces'), sum('logs'), sum('metrics')], [4, 1, 5]);
    assert.equal(telemetry.at(-1)?.position, position);
    assert.ok((telemetry[0].lagMs ?? 0) > 0);
    assert.ok(telemetry[0].busyMs > 0);
  });

  it('continues from its checkpoint after a restart', async () => {
    await log.append(spansReceived([span(1)]));
    await log.settle();
    await log.stop();
    await log.append(spansReceived([span(2)]));
    await log.restart();
    assert.equal((await log.spans()).length, 2);
    assert.ok((await (await log.settle()).verify('traces')).equal);
  });

  it('moves an event that cannot be decoded to the dead letters, and projects the rest', async () => {
    const whole = spansReceived([span(1)]);
    const bad = received(GRID, 'traces', 1, Uint8Array.of(0x0a, 0xff));
    await log.append(whole);
    const position = await log.append(bad);
    await log.append(spansReceived([span(2)]));
    await log.settle();
    assert.equal((await log.spans()).length, 2);
    const [deadLetters, ...more] = await log.store.find(LIVE_DEAD_LETTERS, {});
    assert.equal(more.length, 0);
    assert.equal(deadLetters.document.position, position);
    assert.equal(deadLetters.document.projection, 'telemetry');
    assert.equal(deadLetters.document.at, log.now);
    assert.match(deadLetters.document.error, /\S/);
  });

  it('reports the number of dead letters, each once however often it is rebuilt', async () => {
    const commits: CommitReport[] = [];
    log = new ProjectedLog(undefined, { onProjected: (projected) => commits.push(projected) });
    await log.append(spansReceived([span(1)]));
    for (let i = 0; i < 2; i++) await log.append(received(GRID, 'traces', 1, Uint8Array.of(0x0a, 0xff, i)));
    const projector = await log.settle();
    assert.equal((await projector.listDeadLetters()).length, 2);
    assert.equal(
      commits.reduce((sum, { deadLetters }) => sum + deadLetters, 0),
      2,
    );
    await projector.rebuild('traces', () => undefined);
    assert.equal((await projector.listDeadLetters()).length, 2);
  });

  it('retries from the checkpoint when the store fails, and loses and repeats nothing', async () => {
    const store = new FailingStore();
    log = new ProjectedLog(store);
    for (let i = 0; i < 5; i++) {
      store.failures = i % 3;
      await log.append(spansReceived([span(i)]));
      await log.settle();
    }
    assert.equal((await log.spans()).length, 5);
    assert.equal((await log.store.find(LIVE_DEAD_LETTERS, {})).length, 0);
  });

  it('counts and reports once what was committed although the store reported a failure', async () => {
    const store = new FailingStore(true);
    const commits: CommitReport[] = [];
    log = new ProjectedLog(store, { onProjected: (projected) => commits.push(projected) });
    await log.settle();
    store.failures = 2;
    await log.append(spansReceived([span(1)]));
    await log.settle();
    assert.equal((await log.spans()).length, 1);
    assert.equal(
      commits.reduce((sum, { records }) => sum + records.traces, 0),
      1,
    );
    assert.ok((await (await log.settle()).verify('traces')).equal);
  });

  it('stops when another projector has moved a checkpoint', async () => {
    const projector = await log.settle();
    const rival = { projection: 'traces.v1', expected: undefined, position: 'f'.repeat(16) as never };
    await log.store.commit([], [rival]);
    await log.append(spansReceived([span(1)]));
    await until(async () => !(await projector.check()).ok);
    assert.match(JSON.stringify(await projector.check()), /another projector/);
    assert.equal((await log.spans()).length, 0);
  });

  it('is unhealthy while a store keeps failing, and healthy after the next commit', async () => {
    const store = new FailingStore();
    log = new ProjectedLog(store);
    const projector = await log.settle();
    assert.deepEqual(await projector.check(), { ok: true });
    store.failures = Infinity;
    await log.append(spansReceived([span(1)]));
    await until(async () => !(await projector.check()).ok);
    assert.ok(store.refused >= 3);
    assert.match(JSON.stringify(await projector.check()), /telemetry failed \d times in a row: disk full/);
    store.failures = 0;
    await log.settle();
    await until(async () => (await projector.check()).ok);
  });

  it('is unhealthy while a rebuild makes no progress, and after one failed until one succeeds', async () => {
    const store = new FailingStore();
    log = new ProjectedLog(store);
    await log.append(spansReceived([span(1)]));
    const projector = await log.settle();
    store.failures = 4;
    const rebuilding = projector.rebuild('traces', () => undefined);
    await until(async () => !(await projector.check()).ok);
    assert.match(JSON.stringify(await projector.check()), /telemetry\/traces\.v2 failed \d times in a row: disk full/);
    await rebuilding;
    assert.deepEqual(await projector.check(), { ok: true });
    const { get } = store;
    store.get = () => Promise.reject(new Error('no such device'));
    await assert.rejects(projector.rebuild('logs', () => undefined));
    store.get = get;
    assert.deepEqual(await projector.check(), { ok: false, reason: 'the last rebuild of logs failed: no such device' });
    await projector.rebuild('logs', () => undefined);
    assert.deepEqual(await projector.check(), { ok: true });
  });

  it('returns no digest while the store fails, and rejects in time', async () => {
    const store = new FailingStore();
    log = new ProjectedLog(store, { idleTimeoutMs: 20 });
    const projector = await log.settle();
    store.failures = Infinity;
    await log.append(spansReceived([span(1)]));
    await until(() => Promise.resolve(store.refused > 0));
    await assert.rejects(projector.digest('traces'), { code: 'unavailable' });
    await assert.rejects(projector.verify('traces'), { code: 'unavailable' });
    store.failures = 0;
    await log.settle();
    assert.ok((await projector.verify('traces')).equal);
  });

  it('offers the names that telemetry used', async () => {
    await log.append(
      spansReceived([
        { ...span(1), service: 'cart', operation: 'add', attributes: { color: 'red' } },
        { ...span(2), service: 'bank', operation: 'pay' },
        { ...span(3), service: 'cart', operation: 'pay' },
      ]),
    );
    await log.append(
      logsReceived([
        { time: log.now, body: 'a', service: 'bank', severity: 17 },
        { time: log.now, body: 'b', service: 'bank', severity: 1, attributes: { user: 'x' } },
      ]),
    );
    await log.settle();
    assert.deepEqual(await findTraceFilterOptions(log.store, GRID), {
      serviceNames: ['bank', 'cart'],
      operationNames: ['add', 'pay'],
      statusValues: ['OK', 'ERROR'],
      tagKeys: ['color', 'service.name'],
    });
    assert.deepEqual(await findLogFilterOptions(log.store, GRID), {
      severityLevels: ['Trace', 'Error'],
      serviceNames: ['bank'],
      attributeKeys: ['service.name', 'user'],
    });
    assert.deepEqual((await findTraceFilterOptions(log.store, 'nobody')).serviceNames, []);
  });

  it('writes no names while telemetry is steady', async () => {
    await log.append(spansReceived([span(1)]));
    await log.settle();
    const { changes } = spied(log.store);
    for (let i = 2; i < 6; i++) {
      await log.append(spansReceived([span(i)]));
      await log.settle();
    }
    assert.deepEqual(
      changes.filter(({ collection }) => collection.name.includes('names')),
      [],
    );
  });

  it('rebuilds what another release wrote', async () => {
    await log.append(spansReceived([span(1)]));
    await log.settle();
    await log.stop();
    await log.store.commit(
      [{ kind: 'put', collection: PROJECTIONS, id: 'traces', document: { active: 1, schema: 0 } }],
      [],
    );
    const projector = await log.start();
    await until(async () => (await readActiveVersion(log.store, 'traces')) === 2);
    await log.append(spansReceived([span(2)]));
    await until(async () => projector.waitForPosition('traces', await log.events.head(), 100));
    assert.equal((await log.spans()).length, 2);
  });
});

/** Rejects the next commits, before or after they were done. */
class FailingStore extends MemoryReadModelStore {
  failures = 0;
  refused = 0;

  constructor(private readonly afterwards = false) {
    super();
  }

  override async commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    if (checkpoints.length === 0 || this.failures === 0) return super.commit(changes, checkpoints);
    this.failures--;
    this.refused++;
    if (this.afterwards) await super.commit(changes, checkpoints);
    throw new Error('disk full');
  }
}

function spied(store: {
  commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult>;
}): { readonly changes: DocumentChange[] } {
  const changes: DocumentChange[] = [];
  const commit = store.commit.bind(store);
  store.commit = (more, checkpoints) => {
    changes.push(...more);
    return commit(more, checkpoints);
  };
  return { changes };
}
