import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { RetentionClock } from '../../../../src/policies/retention-clock.js';
import { withdrawWatermark } from '../../../../src/policies/retention-watermark-withdrawal.js';
import { RetentionPolicy } from '../../../../src/policies/retention-policy.js';
import {
  findLogFilterOptions,
  findTraceFilterOptions,
} from '../../../../src/queries/telemetry/filter-option-queries.js';
import { findNewestLogTime, findTelemetryAges } from '../../../../src/queries/telemetry/telemetry-age-queries.js';
import { metricRollupCollections } from '../../../../src/read-models/documents/rollup-documents.js';
import { spanCollections } from '../../../../src/read-models/documents/block-documents.js';
import { SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import { START } from '../../../../src/streams/event-store.js';
import type { GridEvent } from '../../../../src/streams/events/grid-events.js';
import { gridStream, retentionStream, telemetryStream } from '../../../../src/streams/stream-names.js';
import { GRID, logsReceived, metricsReceived, spansReceived } from './support/requests.js';
import { ProjectedLog } from './support/projected.js';
import { STORAGES } from './support/storages.js';
import { until } from './support/until.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

for (const storage of STORAGES)
  describe(`retention over ${storage.name}`, () => {
    let log: ProjectedLog;
    let noon: number;

    beforeEach(() => {
      log = new ProjectedLog(undefined, {}, storage);
      noon = log.now;
    });
    afterEach(() => log.remove());

    const span = (number: number, start: number, service = 'shop') => ({ trace: 1, span: number, start, service });
    const generation = async () => (await log.store.get(spanCollections(1).catalogs, GRID))?.generation ?? 0;

    it('removes whole blocks and parts of blocks, to the millisecond', async () => {
      await log.append(spansReceived([span(1, noon - HOUR), span(2, noon - 1)]));
      await log.settle();
      await log.append(spansReceived([span(3, noon - 1), span(4, noon), span(5, noon + 1)]));
      await log.append(
        logsReceived([
          { time: noon - 1, body: 'old' },
          { time: noon, body: 'new' },
        ]),
      );
      await log.settle();
      await log.expire(noon);
      await log.settle();
      assert.deepEqual(await log.spans(), [`1/4@${noon}`, `1/5@${noon + 1}`]);
      assert.deepEqual(await log.logs(), [noon]);
    });

    it('leaves the same as a replay of the rest of the log', async () => {
      await log.append(spansReceived([span(1, noon - HOUR), span(2, noon - 1)]));
      await log.append(logsReceived([{ time: noon - 1, body: 'old' }]));
      await log.settle();
      await log.expire(noon + HOUR); // the whole last minute
      const projector = await log.settle();
      log.now += DAY;
      await log.events.truncate(telemetryStream(GRID), log.now);
      for (const name of ['traces', 'logs']) assert.equal((await projector.verify(name)).equal, true, name);
    });

    it('informs readers that blocks were removed, once', async () => {
      await log.append(spansReceived([span(1, noon - 1)]));
      await log.expire(noon);
      await log.settle();
      assert.equal(await generation(), 1);
      await log.expire(noon + HOUR);
      await log.settle();
      assert.equal(await generation(), 1, 'nothing left with the second watermark');
    });

    it('does not store again what is older than the retention watermark', async () => {
      await log.expire(noon);
      await log.append(spansReceived([span(1, noon - 1), span(2, noon)]));
      await log.append(logsReceived([{ time: noon - 1, body: 'late' }]));
      await log.settle();
      assert.deepEqual(await log.spans(), [`1/2@${noon}`]);
      assert.deepEqual(await log.logs(), []);
      await log.restart();
      await log.append(spansReceived([span(3, noon - 1)]));
      await log.settle();
      assert.deepEqual(await log.spans(), [`1/2@${noon}`]);
    });

    it('never uses the number of a block again', async () => {
      await log.append(spansReceived([span(1, noon - 1)]));
      await log.expire(noon);
      await log.settle();
      await log.append(spansReceived([span(2, noon)]));
      await log.restart();
      const [{ document }] = await log.store.find(spanCollections(1).blocks, {});
      assert.equal(document.seq, 1);
    });

    it('removes names that no stored telemetry has', async () => {
      await log.append(spansReceived([span(1, noon - 1, 'gone'), span(2, noon, 'kept')]));
      await log.append(
        logsReceived([
          { time: noon - 1, body: 'x', service: 'gone', severity: 21 },
          { time: noon, body: 'x', service: 'kept' },
        ]),
      );
      await log.expire(noon);
      await log.settle();
      const options = await findTraceFilterOptions(log.store, GRID);
      assert.deepEqual(options.serviceNames, ['kept']);
      assert.deepEqual(options.operationNames, ['buy']);
      const logOptions = await findLogFilterOptions(log.store, GRID);
      assert.deepEqual([logOptions.serviceNames, logOptions.severityLevels], [['kept'], ['Information']]);
    });

    it('leaves other Grids alone', async () => {
      await log.append(spansReceived([span(1, noon - 1)]));
      await log.expire(noon, '99999999-2222-4333-8444-555555555555');
      await log.settle();
      assert.equal((await log.spans()).length, 1);
    });

    it('gives the same read models live and replayed', async () => {
      await log.append(spansReceived([span(1, noon - 1), span(2, noon)]));
      await log.settle();
      await log.expire(noon);
      await log.append(spansReceived([span(3, noon - 1)]));
      const projector = await log.settle();
      for (const name of await projector.projections()) assert.ok((await projector.verify(name)).equal, name);
    });
  });

for (const storage of STORAGES)
  describe(`retention policy over ${storage.name}`, () => {
    let log: ProjectedLog;
    let freed: number[];

    beforeEach(async () => {
      log = new ProjectedLog(undefined, {}, storage);
      freed = [];
      await governed({ type: 'GridCreated.v1', data: { actor: 'owner', at: log.now, gridId: GRID, name: 'shop' } });
    });
    afterEach(() => log.remove());

    const governed = (event: GridEvent) => log.events.append(gridStream(GRID), 'any', [{ id: randomUUID(), ...event }]);

    /** A policy of a process that starts now. */
    function policy(clockJump = () => 0): RetentionPolicy {
      const startedAt = log.now;
      const clock = new RetentionClock({
        events: log.events,
        readNewestLogTime: () => findNewestLogTime(log.store),
        now: () => log.now + clockJump(),
        uptime: () => ({ machineStart: String(startedAt), ms: log.now - startedAt }),
        newId: randomUUID,
      });
      return new RetentionPolicy({
        events: log.events,
        clock,
        readTelemetryAges: () => findTelemetryAges(log.store),
        vacuum: () => log.store.vacuum(),
        defaultDays: 7,
        log: SILENT_LOGGER,
        reportFreedBytes: (bytes) => freed.push(bytes),
        newId: randomUUID,
      });
    }

    /** A round of the policy at this time of the log, and what the projector makes of it. */
    async function enforce(at: number): Promise<void> {
      log.now = at;
      await log.settle();
      await policy().enforce();
      await log.settle();
    }

    /** Goes on to this time of the log as a service that runs does: with a round a day. */
    async function runUntil(at: number): Promise<void> {
      while (log.now + DAY < at) await enforce(log.now + DAY);
      await enforce(at);
    }

    const watermarks = () => log.events.readStream(retentionStream(GRID));
    const telemetry = () => log.events.readStream(telemetryStream(GRID));

    it('expires telemetry after its days, and cuts the log a day later', async () => {
      const sent = log.now;
      await log.append(spansReceived([{ trace: 1, span: 1, start: sent }]));
      await runUntil(sent + 7 * DAY);
      assert.equal((await log.spans()).length, 1);
      await runUntil(sent + 7 * DAY + HOUR);
      assert.deepEqual(await log.spans(), []);
      assert.equal((await telemetry()).length, 1);
      await log.append(spansReceived([{ trace: 1, span: 2, start: log.now }]));
      await runUntil(sent + 8 * DAY + HOUR);
      assert.equal((await telemetry()).length, 1, 'the older event has left the log, the younger stays');
      assert.equal(freed.length, 9, 'once a round');
    });

    it('appends a watermark once an hour at most, and only if something has expired', async () => {
      const sent = log.now;
      await runUntil(sent + 30 * DAY);
      assert.equal((await watermarks()).length, 0);
      log.now = sent;
      await log.append(
        spansReceived([
          { trace: 1, span: 1, start: sent },
          { trace: 1, span: 2, start: sent + 20 * DAY },
        ]),
      );
      for (const minutes of [0, 20, 59]) await runUntil(sent + 10 * DAY + minutes * 60_000);
      assert.equal((await watermarks()).length, 1);
    });

    it('expires data points where there is nothing else', async () => {
      const sent = log.now;
      await log.append(metricsReceived([{ time: sent, value: 1 }]));
      await runUntil(sent + 7 * DAY + HOUR);
      assert.equal(await log.store.count(metricRollupCollections(1).minutes), 0);
      assert.equal((await watermarks()).length, 1);
    });

    it('keeps Grid administration', async () => {
      await runUntil(log.now + 100 * DAY);
      assert.equal((await log.events.readStream(gridStream(GRID))).length, 1);
      assert.equal((await findTelemetryAges(log.store)).length, 1);
    });

    it("follows the Grid's own days", async () => {
      const sent = log.now;
      await governed({
        type: 'GridSettingsChanged.v1',
        data: { actor: 'owner', at: sent, gridId: GRID, changes: { retentionDays: 0 } },
      });
      await log.append(spansReceived([{ trace: 1, span: 1, start: sent }]));
      await runUntil(sent + 100 * DAY);
      assert.equal((await log.spans()).length, 1);
      assert.equal((await telemetry()).length, 1);
    });

    it('expires nothing when a process starts with a clock that is weeks ahead, however often', async () => {
      const sent = log.now;
      await log.append(spansReceived([{ trace: 1, span: 1, start: sent }]));
      await enforce(sent + HOUR);
      for (let start = 0; start < 3; start++) {
        await enforce(sent + 30 * DAY + start * HOUR);
        assert.equal((await log.spans()).length, 1);
        assert.deepEqual(await watermarks(), []);
      }
      log.now = sent + 2 * HOUR;
      await log.append(spansReceived([{ trace: 1, span: 2, start: log.now }]));
      await enforce(log.now);
      assert.equal((await log.spans()).length, 2, 'telemetry that arrives by the right clock is stored');
    });

    it('expires nothing when a clock is set weeks ahead while the process runs', async () => {
      const sent = log.now;
      let jump = 0;
      await log.append(spansReceived([{ trace: 1, span: 1, start: sent }]));
      await log.settle();
      const running = policy(() => jump);
      await running.enforce();
      jump = 30 * DAY;
      for (let hour = 0; hour < 30; hour++) {
        log.now += HOUR;
        await running.enforce();
      }
      await log.settle();
      assert.equal((await log.spans()).length, 1);
      assert.deepEqual(await watermarks(), []);
      for (let day = 0; day < 6; day++) {
        log.now += DAY;
        await running.enforce();
      }
      await log.settle();
      assert.deepEqual(await log.spans(), [], 'seven days by the time that has passed');
    });

    it('expires nothing of a log that was written before clocks were observed', async () => {
      await log.append(spansReceived([{ trace: 1, span: 1, start: log.now }]));
      await enforce(log.now + 30 * DAY);
      assert.equal((await log.spans()).length, 1);
    });

    it('keeps in the log for a day what a shorter retention expires', async () => {
      const sent = log.now;
      await log.append(spansReceived([{ trace: 1, span: 1, start: sent }]));
      await runUntil(sent + 4 * DAY);
      await governed({
        type: 'GridSettingsChanged.v1',
        data: { actor: 'owner', at: log.now, gridId: GRID, changes: { retentionDays: 1 } },
      });
      await log.append(spansReceived([{ trace: 1, span: 2, start: log.now }]));
      await enforce(sent + 4 * DAY + HOUR);
      assert.equal((await log.spans()).length, 1);
      assert.equal((await telemetry()).length, 2);
      await enforce(sent + 5 * DAY + HOUR);
      assert.equal((await telemetry()).length, 1);
    });

    const withdraw = () =>
      withdrawWatermark(
        {
          events: log.events,
          readTelemetryAges: () => findTelemetryAges(log.store),
          defaultDays: 7,
          newId: randomUUID,
        },
        GRID,
        'operator:ops',
        log.now,
      );

    async function rebuild(): Promise<void> {
      const projector = await log.settle();
      for (const name of ['traces', 'logs', 'metrics']) await projector.rebuild(name, () => undefined);
    }

    async function assertVerified(): Promise<void> {
      const projector = await log.settle();
      for (const name of await projector.projections()) assert.ok((await projector.verify(name)).equal, name);
    }

    it('restores, when a watermark is moved back, what it had expired and what was dropped because of it', async () => {
      const sent = log.now;
      const points = () => log.store.count(metricRollupCollections(2).minutes);
      await log.append(spansReceived([{ trace: 1, span: 1, start: sent }]));
      await log.append(logsReceived([{ time: sent, body: 'first' }]));
      await log.append(metricsReceived([{ time: sent, value: 1 }]));
      await log.expire(sent + 23 * DAY);
      await log.append(spansReceived([{ trace: 1, span: 2, start: sent + 1 }]));
      await log.append(logsReceived([{ time: sent + 1, body: 'second' }]));
      await log.settle();
      assert.deepEqual([await log.spans(), await log.logs()], [[], []]);
      assert.deepEqual(await withdraw(), { gridId: GRID, from: sent + 23 * DAY, to: sent - 7 * DAY });
      await rebuild();
      assert.equal((await log.spans()).length, 2);
      assert.equal((await log.logs()).length, 2);
      assert.equal(await points(), 1);
      await assertVerified();
      await log.restart();
      await log.append(spansReceived([{ trace: 1, span: 3, start: sent }]));
      await log.settle();
      assert.equal((await log.spans()).length, 3, 'new telemetry counts again');
      await assertVerified();
      await log.expire(sent + 1);
      await log.settle();
      assert.equal((await log.spans()).length, 1, 'a later watermark holds');
      await assertVerified();
    });

    it('admits what a longer retention allows again, once the watermark of the shorter one is moved back', async () => {
      const sent = log.now;
      const keepFor = (retentionDays: number) =>
        governed({
          type: 'GridSettingsChanged.v1',
          data: { actor: 'owner', at: log.now, gridId: GRID, changes: { retentionDays } },
        });
      await log.append(spansReceived([{ trace: 1, span: 1, start: sent }]));
      await runUntil(sent + 3 * DAY);
      await keepFor(1);
      await enforce(sent + 3 * DAY + HOUR);
      assert.deepEqual(await log.spans(), []);
      await assert.rejects(withdraw(), { code: 'invalid-request', message: /not later than the retention/ });
      await keepFor(30);
      await log.settle();
      const { to } = await withdraw();
      await rebuild();
      assert.equal((await log.spans()).length, 1);
      const [age] = await findTelemetryAges(log.store);
      assert.deepEqual([age.expiredBefore, age.refusedBefore], [to, to]);
      assert.equal(to, sent - 27 * DAY + HOUR);
      await enforce(sent + 3 * DAY + 2 * HOUR);
      assert.equal((await log.spans()).length, 1);
      await assertVerified();
    });

    it('does not affect other Grids when a watermark is moved back', async () => {
      const other = '99999999-2222-4333-8444-555555555555';
      const sent = log.now;
      await log.append(spansReceived([{ trace: 1, span: 1, start: sent }]));
      await log.append(spansReceived([{ trace: 1, span: 2, start: sent }], other));
      for (const gridId of [GRID, other]) await log.expire(sent + DAY, gridId);
      await log.settle();
      await withdraw();
      await rebuild();
      assert.equal((await log.spans()).length, 1);
      await assertVerified();
    });

    it('survives a round that fails', async () => {
      let rounds = 0;
      const failing = new RetentionPolicy({
        events: log.events,
        clock: { observe: () => Promise.resolve({ trusted: log.now }), truncate: () => Promise.resolve() },
        readTelemetryAges: () => {
          rounds++;
          return Promise.reject(new Error('away'));
        },
        vacuum: () => Promise.resolve(0),
        defaultDays: 7,
        log: SILENT_LOGGER,
        newId: randomUUID,
      });
      failing.start();
      await until(() => Promise.resolve(rounds > 0));
      await failing.stop();
      assert.equal(rounds, 1);
      assert.ok((await log.events.readAll(START, { limit: 10 })).length > 0);
    });
  });
