import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countUnaccounted, NO_RECORDS, type RecordOutcomes } from '../../../src/accounting/record-account.js';
import { readRecordSources, type RecordSource } from '../../../src/projections/record-account-reader.js';
import { PROJECTIONS, readActiveVersion } from '../../../src/read-models/documents/projection-documents.js';
import { recordAccountCollection } from '../../../src/read-models/documents/record-account-documents.js';
import type { ReadModelReader } from '../../../src/read-models/read-model-store.js';
import { tracesProjection } from '../../../src/projections/traces-projection.js';
import { metricRollupCollections, ROLLUP_BLOB } from '../../../src/read-models/documents/rollup-documents.js';
import { decodeMetricRollup } from '../../../src/read-models/rollups/metric-rollup-codec.js';
import type { NewEvent } from '../../../src/streams/event-store.js';
import type { TelemetryReceived } from '../../../src/streams/events/telemetry-events.js';
import { telemetryStream } from '../../../src/streams/stream-names.js';
import { ShardMap } from '../../../src/streams/shard-map.js';
import { SIGNALS, type Signal } from '../../../src/telemetry/signals.js';
import { ProjectedLog } from './engine/support/projected.js';
import {
  GRID,
  logsReceived,
  metricsReceived,
  spansReceived,
  type TestPoint,
  type TestSpan,
} from './engine/support/requests.js';
import { MEMORY, STORAGES } from './engine/support/storages.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OTHER_GRID = '99999999-2222-4333-8444-555555555555';
/** No decoder gets through this. */
const UNREADABLE = Uint8Array.of(0x0a, 0xff);

/** The request with the records at these ordinals rejected. */
function rejecting(event: NewEvent, ...rejected: number[]): NewEvent {
  const data = event.data as TelemetryReceived;
  return { ...event, data: { ...data, rejected, accepted: data.accepted - rejected.length } };
}

/** The request with a body that cannot be projected. */
function spoiled(event: NewEvent): NewEvent {
  return { ...event, body: UNREADABLE.slice() };
}

async function readSource(log: ProjectedLog): Promise<RecordSource> {
  await log.settle();
  const [source] = await readRecordSources(log.store, new ShardMap(1));
  return source;
}

for (const storage of STORAGES)
  describe(`record accounts over ${storage.name}`, () => {
    let log: ProjectedLog;
    let noon: number;

    beforeEach(() => {
      log = new ProjectedLog(undefined, { graceMs: 0 }, storage);
      noon = log.now;
    });
    afterEach(() => log.remove());

    const span = (number: number, start = noon): TestSpan => ({ trace: 1, span: number, start });
    const point = (minute: number, value = 1): TestPoint => ({ time: noon + minute * 60_000, value });

    /** Figures other than 0 of a signal, and that they add up. */
    async function outcomes(signal: Signal, gridId = GRID): Promise<Partial<RecordOutcomes>> {
      const { accounts } = await readSource(log);
      const account = accounts.find((each) => each.signal === signal && each.gridId === gridId);
      if (account === undefined) return {};
      assert.equal(countUnaccounted(account), 0, JSON.stringify(account));
      const figures = Object.keys(NO_RECORDS) as (keyof RecordOutcomes)[];
      return Object.fromEntries(figures.filter((each) => account[each] !== 0).map((each) => [each, account[each]]));
    }

    it('count what was received, rejected and is searchable, by Grid and signal', async () => {
      await log.append(rejecting(spansReceived([span(1), span(2), span(3)]), 1));
      await log.append(logsReceived([{ time: noon, body: 'x' }]));
      await log.append(logsReceived([{ time: noon, body: 'x' }], OTHER_GRID));
      await log.append(metricsReceived([point(0), point(1)]));
      assert.deepEqual(await outcomes('traces'), { received: 3, rejected: 1, searchable: 2 });
      assert.deepEqual(await outcomes('logs'), { received: 1, searchable: 1 });
      assert.deepEqual(await outcomes('logs', OTHER_GRID), { received: 1, searchable: 1 });
      assert.deepEqual(await outcomes('metrics'), { received: 2, searchable: 2 });
      assert.deepEqual(await outcomes('traces', OTHER_GRID), {});
    });

    it('count repeated requests and repeated records apart', async () => {
      const request = rejecting(spansReceived([span(1), span(2), span(3)]), 2);
      await log.append(request);
      await log.append({ ...request, id: 'again', body: request.body!.slice() });
      await log.append(spansReceived([span(2), span(4), span(4)]));
      assert.deepEqual(await outcomes('traces'), {
        received: 9,
        rejected: 2,
        searchable: 3,
        duplicateRequests: 2,
        duplicateRecords: 2,
      });
    });

    it('count what arrives from before the retention watermark, and what expires later', async () => {
      await log.append(spansReceived([span(1, noon - 1), span(2)]));
      await log.append(logsReceived([{ time: noon - 1, body: 'old' }]));
      await log.append(metricsReceived([point(-1), point(0)]));
      await log.settle();
      await log.expire(noon);
      await log.append(spansReceived([span(3, noon - 1), span(4)]));
      await log.append(logsReceived([{ time: noon - 1, body: 'late' }]));
      await log.append(metricsReceived([point(-2), point(1)]));
      assert.deepEqual(await outcomes('traces'), { received: 4, searchable: 2, expired: 1, expiredOnArrival: 1 });
      assert.deepEqual(await outcomes('logs'), { received: 2, expired: 1, expiredOnArrival: 1 });
      assert.deepEqual(await outcomes('metrics'), { received: 4, searchable: 2, expired: 1, expiredOnArrival: 1 });
      await log.expire(noon + HOUR);
      assert.deepEqual(await outcomes('traces'), { received: 4, expired: 3, expiredOnArrival: 1 });
      assert.deepEqual(await outcomes('metrics'), { received: 4, expired: 3, expiredOnArrival: 1 });
    });

    it('count data points without a finite value', async () => {
      await log.append(metricsReceived([point(0, NaN), point(1, Infinity), point(2), point(2)]));
      assert.deepEqual(await outcomes('metrics'), {
        received: 4,
        searchable: 1,
        withoutValue: 2,
        duplicateRecords: 1,
      });
    });

    it('count the records of dead letters until they can be projected', async () => {
      await log.append(spansReceived([span(1)]));
      await log.append(rejecting(spoiled(spansReceived([span(2), span(3), span(4)])), 0));
      await log.append(spansReceived([span(5)]));
      const before = { received: 5, rejected: 1, searchable: 2, deadLetters: 2 };
      assert.deepEqual(await outcomes('traces'), before);
      const projector = await log.settle();
      await projector.rebuild('logs', () => undefined);
      assert.deepEqual(await outcomes('traces'), before, 'a rebuild of another signal changes nothing');
    });

    it('are the same after a restart and after a rebuild, which both go on counting', async () => {
      await log.append(spansReceived([span(1, noon - 1), span(2)]));
      await log.append(metricsReceived([point(-1), point(0)]));
      await log.expire(noon);
      await log.append(spansReceived([span(2), span(3)]));
      const traces = await outcomes('traces');
      const metrics = await outcomes('metrics');
      await log.restart();
      assert.deepEqual([await outcomes('traces'), await outcomes('metrics')], [traces, metrics]);
      const projector = await log.settle();
      for (const name of ['traces', 'metrics']) await projector.rebuild(name, () => undefined);
      assert.deepEqual([await outcomes('traces'), await outcomes('metrics')], [traces, metrics]);
      await log.append(spansReceived([span(4)]));
      await log.append(metricsReceived([point(1)]));
      assert.equal((await outcomes('traces')).searchable, 3);
      assert.equal((await outcomes('metrics')).searchable, 2);
      await log.expire(noon + HOUR);
      assert.equal((await outcomes('metrics')).expired, 3);
    });

    it('add up after retention truncated the log and a rebuild counted the rest', async () => {
      await log.append(spansReceived([span(1, noon - 1)]));
      await log.expire(noon);
      await log.settle();
      log.now += DAY;
      await log.events.truncate(telemetryStream(GRID), log.now);
      await log.append(spansReceived([span(2)]));
      assert.deepEqual(await outcomes('traces'), { received: 2, searchable: 1, expired: 1 });
      const projector = await log.settle();
      await projector.rebuild('traces', () => undefined);
      assert.deepEqual(await outcomes('traces'), { received: 1, searchable: 1 });
    });

    it('name signals whose read model another version wrote', async () => {
      await log.append(spansReceived([span(1)]));
      assert.deepEqual((await readSource(log)).rebuilding, []);
      await log.stop();
      const document = (await log.store.get(PROJECTIONS, 'traces'))!;
      const outdated = { ...document, schema: document.schema - 1 };
      await log.store.commit([{ kind: 'put', collection: PROJECTIONS, id: 'traces', document: outdated }], []);
      const [source] = await readRecordSources(log.store, new ShardMap(1));
      assert.deepEqual(source.rebuilding, ['traces']);
      assert.deepEqual(
        source.accounts.filter(({ signal }) => signal === 'traces'),
        [],
      );
    });
  });

describe('record accounts', () => {
  it('are read again when a rebuilt version takes over between two reads, at the same position', async () => {
    let reads = 0;
    const account = { ...NO_RECORDS, gridId: GRID, since: 1, received: 5, searchable: 5 };
    const store = {
      get: (_collection: unknown, name: string) =>
        Promise.resolve(
          name === 'traces' ? { active: reads++ === 0 ? 1 : 2, schema: tracesProjection.schema } : undefined,
        ),
      readCheckpoint: () => Promise.resolve('0001'),
      find: ({ name }: { readonly name: string }) =>
        Promise.resolve(name === recordAccountCollection('traces', 2).name ? [{ id: 'a', document: account }] : []),
    } as unknown as ReadModelReader;
    const [{ accounts }] = await readRecordSources(store, new ShardMap(1));
    assert.deepEqual(
      accounts.map(({ received }) => received),
      [5],
    );
  });
});

type Step =
  | { readonly kind: 'receive' | 'spoil'; readonly request: NewEvent }
  | { readonly kind: 'repeat'; readonly nth: number }
  | { readonly kind: 'expire'; readonly before: number }
  | { readonly kind: 'settle' | 'restart' | 'rebuild' };

const START = Date.UTC(2026, 5, 20, 12);
const gridId = fc.constantFrom(GRID, OTHER_GRID);
const time = fc.integer({ min: 0, max: 16 }).map((quarters) => START + (quarters * HOUR) / 4);
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 5 });
const spans = list(fc.record({ trace: fc.constant(1), span: fc.nat(12), start: time }));
const points = list(fc.record({ time, value: fc.constantFrom(1, 2, NaN) }));
const request = fc
  .oneof(
    fc.tuple(spans, gridId).map(([records, grid]) => spansReceived(records, grid)),
    fc.tuple(points, gridId).map(([records, grid]) => metricsReceived(records, grid)),
    fc.tuple(list(time), gridId).map(([times, grid]) =>
      logsReceived(
        times.map((each) => ({ time: each, body: 'x' })),
        grid,
      ),
    ),
  )
  .chain((event) =>
    fc
      .subarray(Array.from({ length: (event.data as TelemetryReceived).accepted }, (_, n) => n))
      .map((rejected) => rejecting(event, ...rejected)),
  );
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: request.map((event): Step => ({ kind: 'receive', request: event })) },
  { weight: 1, arbitrary: request.map((event): Step => ({ kind: 'spoil', request: event })) },
  { weight: 2, arbitrary: fc.nat().map((nth): Step => ({ kind: 'repeat', nth })) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 4 }).map((hours): Step => ({ kind: 'expire', before: START + hours * HOUR })),
  },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ kind: 'settle' }, { kind: 'restart' }, { kind: 'rebuild' }) },
);

describe('record accounts after any sequence of requests, repetitions, expiry, dead letters and rebuilds', () => {
  it('add up to what the log received, and agree with what the read models hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const log = new ProjectedLog(undefined, { graceMs: 0 }, MEMORY);
        try {
          const sent: NewEvent[] = [];
          for (const each of steps) await take(each, log, sent);
          const { accounts, unreadable } = await readSource(log);
          assert.deepEqual(unreadable, []);
          for (const grid of [GRID, OTHER_GRID])
            for (const signal of SIGNALS) {
              const account = accounts.find((each) => each.signal === signal && each.gridId === grid);
              const { received, searchable } = account ?? NO_RECORDS;
              assert.equal(countUnaccounted(account ?? NO_RECORDS), 0, JSON.stringify(account));
              assert.equal(received, countSent(sent, signal, grid), `${signal} received`);
              assert.equal(searchable, await countStored(log, signal, grid), `${signal} searchable`);
            }
        } finally {
          await log.remove();
        }
      }),
      { numRuns: 60 },
    );
  });
});

async function take(each: Step, log: ProjectedLog, sent: NewEvent[]): Promise<void> {
  switch (each.kind) {
    case 'receive':
      return appendTo(log, sent, each.request);
    case 'spoil':
      return appendTo(log, sent, spoiled(each.request));
    case 'repeat':
      return sent.length === 0 ? undefined : appendTo(log, sent, sent[each.nth % sent.length]);
    case 'expire':
      return log.expire(each.before);
    case 'settle':
      return void (await log.settle());
    case 'restart':
      return void (await log.restart());
    case 'rebuild':
      return void (await (await log.settle()).rebuild('traces', () => undefined));
  }
}

async function appendTo(log: ProjectedLog, sent: NewEvent[], event: NewEvent): Promise<void> {
  const own = { ...event, id: `event ${sent.length}`, body: event.body?.slice() };
  sent.push({ ...own, body: event.body?.slice() });
  await log.append(own);
}

function countSent(sent: readonly NewEvent[], signal: Signal, grid: string): number {
  return sent
    .map(({ data }) => data as TelemetryReceived)
    .filter((data) => data.signal === signal && data.gridId === grid)
    .reduce((sum, { accepted, rejected }) => sum + accepted + rejected.length, 0);
}

/** Counts what the blocks and rollups hold, without the accounts. */
async function countStored(log: ProjectedLog, signal: Signal, grid: string): Promise<number> {
  if (signal === 'traces') return (await log.spans(grid)).length;
  if (signal === 'logs') return (await log.logs(grid)).length;
  const { minutes } = metricRollupCollections((await readActiveVersion(log.store, 'metrics')) ?? 0);
  let held = 0;
  for (const { id, document } of await log.store.find(minutes, {})) {
    const blob = document.gridId === grid ? await log.store.readBlob(minutes, id, ROLLUP_BLOB) : undefined;
    if (blob !== undefined) held += decodeMetricRollup(blob).series.reduce((sum, each) => sum + each.points, 0);
  }
  return held;
}
