import assert from 'node:assert/strict';
import { asyncScheduler } from 'rxjs';
import { SILENT_LOGGER, type Logger } from '../../../src/self-telemetry/logger.js';
import { RetentionPolicy, type RetentionParts } from '../../../src/policies/retention-policy.js';
import type { AppendResult, Position } from '../../../src/streams/event-store.js';
import { until } from '../projections/engine/support/until.js';

const NOW = Date.UTC(2026, 5, 20, 12);
const GRID = { gridId: 'grid', retentionDays: 7, expiredBefore: 0, refusedBefore: 0 };
/** Its telemetry is old enough to be marked. */
const OLD = { ...GRID, oldestMs: 0 };
const APPENDED: AppendResult = { ok: true, position: '1' as Position, revision: 0 };

type Call = 'observe' | 'ages' | 'marks' | 'append' | 'truncate' | 'vacuum';

/** What a policy calls; one of the calls answers only when it is told to. */
class Stores {
  readonly begun: Call[] = [];
  answer: () => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  constructor(private readonly slow?: Call) {}

  parts(age = GRID, log: Logger = SILENT_LOGGER): RetentionParts {
    return {
      events: {
        append: (_stream, _expected, events) =>
          events.length === 0 ? Promise.resolve(APPENDED) : this.call('append', APPENDED),
        readStream: () => this.call('marks', []),
        truncate: () => this.call('truncate', { events: 0, bytes: 0 }),
      },
      clock: {
        observe: () => this.call('observe', { trusted: NOW }),
        truncate: () => Promise.resolve(),
      },
      readTelemetryAges: () => this.call('ages', [age, age]),
      vacuum: () => this.call('vacuum', 5),
      defaultDays: 7,
      log,
      newId: () => 'id',
      scheduler: { now: () => NOW, schedule: asyncScheduler.schedule.bind(asyncScheduler) },
    };
  }

  private call<T>(name: Call, answer: T): Promise<T> {
    this.begun.push(name);
    if (name !== this.slow) return Promise.resolve(answer);
    return new Promise((resolve, reject) => {
      this.answer = () => resolve(answer);
      this.fail = reject;
    });
  }
}

describe('retention policy', () => {
  it('reports the bytes freed in the read models', async () => {
    const freed: number[] = [];
    await new RetentionPolicy({ ...new Stores().parts(), reportFreedBytes: (bytes) => freed.push(bytes) }).enforce();
    assert.deepEqual(freed, [5]);
  });

  it('goes on with other Grids when one fails, and says which', async () => {
    const complaints: unknown[] = [];
    const truncated: string[] = [];
    const parts = new Stores().parts(GRID, {
      ...SILENT_LOGGER,
      error: (message, fields) => complaints.push([message, fields?.gridId]),
    });
    const policy = new RetentionPolicy({
      ...parts,
      readTelemetryAges: async () => [{ ...GRID, gridId: 'damaged' }, GRID],
      events: {
        ...parts.events,
        readStream: async (stream) => {
          if (stream.includes('damaged')) throw new Error('The event at position 3 is damaged.');
          return [];
        },
        truncate: async (stream) => (truncated.push(stream), { events: 0, bytes: 0 }),
      },
    });
    await policy.enforce();
    assert.deepEqual(complaints, [['Retention failed; retrying in an hour', 'damaged']]);
    assert.equal(truncated.length, 1);
  });

  for (const slow of ['observe', 'ages', 'marks', 'truncate', 'vacuum'] as const) {
    it(`stops without waiting for its stores, and starts nothing more: ${slow}`, async () => {
      const stores = new Stores(slow);
      const complaints: string[] = [];
      const policy = new RetentionPolicy({
        ...stores.parts(GRID, { ...SILENT_LOGGER, error: (message) => complaints.push(message) }),
        reportFreedBytes: () => assert.fail('nothing was given back'),
      });
      policy.start();
      await until(() => Promise.resolve(stores.begun.includes(slow)));
      const begun = [...stores.begun];
      await policy.stop();
      await policy.stop();
      stores.fail(new Error('the store is closed'));
      await new Promise(setImmediate);
      assert.deepEqual(stores.begun, begun);
      assert.deepEqual(complaints, []);
    });
  }

  it('finishes the watermark that it is writing, and starts nothing more', async () => {
    const stores = new Stores('append');
    const policy = new RetentionPolicy(stores.parts(OLD));
    policy.start();
    await until(() => Promise.resolve(stores.begun.includes('append')));
    let stopped = false;
    const stopping = policy.stop().then(() => (stopped = true));
    await new Promise(setImmediate);
    assert.equal(stopped, false);
    stores.answer();
    await stopping;
    assert.deepEqual(stores.begun, ['observe', 'ages', 'append']);
  });
});
