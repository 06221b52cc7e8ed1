import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alertRulesDecider } from '../../../../src/commands/alert-rules/alert-rule-decider.js';
import { chartsDecider } from '../../../../src/commands/charts/chart-decider.js';
import { gridDecider } from '../../../../src/commands/grids/grid-decider.js';
import { limitsDecider } from '../../../../src/commands/limits/limits-decider.js';
import {
  exportIncidentFile,
  findGridId,
  type ExportOptions,
} from '../../../../src/operations/incident-files/incident-export.js';
import {
  importIncidentFile,
  type ImportResult,
  type ImportOptions,
  type ImportTarget,
} from '../../../../src/operations/incident-files/incident-import.js';
import { foldDeciderState } from '../../../../src/operations/incident-files/grid-snapshot.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import { reassembleBody } from '../../../../src/streams/telemetry-body.js';
import { START, type NewEvent, type RecordedEvent } from '../../../../src/streams/event-store.js';
import {
  createDefaultAlertRules,
  createDefaultCharts,
  createDefaultDashboards,
} from '../../../../src/streams/events/grid-defaults.js';
import type { TelemetryReceived } from '../../../../src/streams/events/telemetry-events.js';
import { alertsStream, gridStream, telemetryStream } from '../../../../src/streams/stream-names.js';
import { GRID, logsReceived, spansReceived } from '../../projections/engine/support/requests.js';

const MINUTE_MS = 60_000;
/** Start and end of the exported time range. */
const FROM = 1_800_000_000_000;
const TO = FROM + 15 * MINUTE_MS;

describe('incident files on a log in memory', () => {
  let folder: string;
  let file: string;
  let now: number;
  let log: MemoryEventStore;
  let span: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindsight-slices-'));
    file = join(folder, 'slice.gz');
    log = new MemoryEventStore({ clock: () => now });
    span = 0;
    now = FROM - 200 * MINUTE_MS;
    await grid('GridCreated.v1', { name: 'shop' });
    await grid('MemberSet.v1', { userId: 'ann@example.org', role: 'Owner' });
    await grid('ApiKeyIssued.v1', { keyId: 'k1', name: 'k', secretHash: 'ab'.repeat(32) });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const grid = (type: string, data: object) =>
    log.append(gridStream(GRID), 'any', [
      { id: randomUUID(), type, data: { gridId: GRID, actor: 'ann@example.org', at: now, ...data } },
    ]);
  const alert = (type: string, alertId: string, more: object = {}) =>
    log.append(alertsStream(GRID), 'any', [
      { id: randomUUID(), type, data: { gridId: GRID, alertId, at: now, ...more } },
    ]);
  const send = (event: NewEvent) => log.append(telemetryStream(GRID), 'any', [event]);
  /** A span in this minute of the time range, sent some minutes later. */
  async function sendSpan(minute: number, lateMinutes = 0): Promise<NewEvent> {
    now = Math.max(now, FROM + (minute + lateMinutes) * MINUTE_MS);
    const event = spansReceived([
      { trace: ++span, span, start: FROM + minute * MINUTE_MS, operation: `minute ${minute};` },
    ]);
    await send(event);
    return event;
  }

  function exported(more: Partial<ExportOptions> = {}) {
    return exportIncidentFile(log, file, {
      gridId: GRID,
      fromMs: FROM,
      toMs: TO,
      baselineMs: 75 * MINUTE_MS,
      lateMs: 60 * MINUTE_MS,
      strip: ['password'],
      now: TO,
      hindsight: '1.2.3',
      onProgress: () => undefined,
      ...more,
    });
  }

  function targetOf(store: MemoryEventStore, more: Partial<ImportTarget> = {}): ImportTarget {
    return {
      maxAppendBytes: store.maxAppendBytes,
      append: (...given) => store.append(...given),
      readStream: (...given) => store.readStream(...given),
      readAll: (...given) => store.readAll(...given),
      waitUntilVisible: () => Promise.resolve(),
      freeBytes: () => Promise.resolve(2 ** 40),
      ...more,
    };
  }

  function imported(target: ImportTarget, more: Partial<ImportOptions> = {}): Promise<ImportResult> {
    return importIncidentFile(file, target, {
      owner: 'bob',
      actor: 'operator:root',
      now: TO + 1,
      newId: randomUUID,
      onProgress: () => undefined,
      ...more,
    });
  }

  async function operations(store: MemoryEventStore, gridId: string): Promise<string[]> {
    const events = (await store.readStream(telemetryStream(gridId))) as RecordedEvent<TelemetryReceived>[];
    const bodies = await Promise.all(
      events.filter(({ type }) => type === 'TracesReceived.v1').map((event) => reassembleBody(store, event)),
    );
    return bodies.map((body) => /(minute -?\d+);/.exec(Buffer.from(body ?? []).toString('latin1'))?.[1] ?? '');
  }

  it('contain requests by the times of their records, including late ones, from the baseline on', async () => {
    for (const minute of [-77, -75, -1, 0, 14, 15]) await sendSpan(minute);
    await sendSpan(3, 40);
    await sendSpan(4, 90);
    await exported();
    const elsewhere = new MemoryEventStore();
    const { gridId, records } = await imported(targetOf(elsewhere));
    assert.deepEqual(await operations(elsewhere, gridId), [
      'minute -75',
      'minute -1',
      'minute 0',
      'minute 14',
      'minute 3',
    ]);
    assert.equal(records, 5);
  });

  it('contain a duplicate request once, and equal requests that both counted twice', async () => {
    const event = await sendSpan(1);
    now += 5 * MINUTE_MS;
    await send({ ...event, id: randomUUID() });
    now += 11 * MINUTE_MS;
    await send({ ...event, id: randomUUID() });
    await exported();
    const elsewhere = new MemoryEventStore();
    const { gridId } = await imported(targetOf(elsewhere));
    assert.deepEqual(await operations(elsewhere, gridId), ['minute 1', 'minute 1']);
    const identities = (
      (await elsewhere.readStream(telemetryStream(gridId))) as RecordedEvent<TelemetryReceived>[]
    ).map(({ data }) => data.identity);
    assert.equal(new Set(identities).size, 2, 'a projector counts each');
  });

  it('keep times, and omit actors, API keys and members', async () => {
    now = FROM;
    const { data } = await sendSpan(1);
    await exported();
    const elsewhere = new MemoryEventStore();
    const { gridId } = await imported(targetOf(elsewhere));
    const [event] = (await elsewhere.readStream(telemetryStream(gridId))) as RecordedEvent<TelemetryReceived>[];
    const { receivedAt, keyId } = event.data;
    assert.deepEqual(
      { receivedAt, keyId, gridId: event.data.gridId },
      { receivedAt: (data as TelemetryReceived).receivedAt, keyId: 'import', gridId },
    );
    const state = foldDeciderState(gridDecider, await elsewhere.readStream(gridStream(gridId)));
    assert.deepEqual([...state.members.keys()], ['bob']);
    assert.equal(state.apiKeys.size, 0);
    const all = JSON.stringify(await elsewhere.readStream(gridStream(gridId)));
    assert.ok(!all.includes('ann@') && !all.includes('k1'));
  });

  it('import settings, limits, rules, charts and dashboards as at the end, with new ids', async () => {
    const [kept, changed, deleted] = createDefaultAlertRules(GRID);
    const own = { ...kept, id: randomUUID(), name: 'ours' };
    const [chart] = createDefaultCharts(GRID);
    const chartId = randomUUID();
    const [dashboard] = createDefaultDashboards(GRID);
    await grid('GridSettingsChanged.v1', {
      changes: { apdexThresholdMs: 300, retentionDays: 3, errorRateThreshold: 7 },
    });
    await grid('AlertRuleChanged.v3', { rule: { ...changed, threshold: 9 } });
    await grid('AlertRuleDeleted.v1', { ruleId: deleted.id });
    await grid('AlertRuleCreated.v3', { rule: own });
    await grid('ChartCreated.v2', { chart: { ...chart, id: chartId, title: 'Ours' } });
    await grid('DashboardChanged.v2', { dashboard: { ...dashboard, charts: [{ ...dashboard.charts[0], chartId }] } });
    await grid('ChartDeleted.v1', { chartId: chart.id });
    await grid('LimitsUpdated.v1', { changes: { dailyPromptLimit: 5 } });
    now = TO + 2 * 3_600_000;
    await grid('GridSettingsChanged.v1', { changes: { name: 'renamed later' } });
    await exported();
    const elsewhere = new MemoryEventStore();
    const { gridId, name } = await imported(targetOf(elsewhere));
    const events = await elsewhere.readStream(gridStream(gridId));
    const { settings } = foldDeciderState(gridDecider, events);
    assert.equal(name, 'shop');
    assert.deepEqual(settings, {
      name: 'shop',
      apdexThresholdMs: 300,
      errorRateThreshold: 7,
      apdexHealthThreshold: 0.7,
      retentionDays: 0,
      subscriptionActive: true,
    });
    assert.equal(foldDeciderState(limitsDecider, events)?.dailyPromptLimit, 5);
    const rules = [...(foldDeciderState(alertRulesDecider, events)?.values() ?? [])];
    const defaults = createDefaultAlertRules(gridId);
    assert.deepEqual(
      rules.map(({ id, name: called, threshold }) => [defaults.findIndex((rule) => rule.id === id), called, threshold]),
      [
        [0, kept.name, kept.threshold],
        [1, changed.name, 9],
        [3, 'Resource under pressure', 90],
        [-1, 'ours', kept.threshold],
      ],
    );
    const { charts, dashboards } = foldDeciderState(chartsDecider, events) ?? {};
    assert.equal(charts?.size, createDefaultCharts(GRID).length);
    const [placed] = [...(dashboards?.values() ?? [])][0].charts;
    assert.equal(charts?.get(placed.chartId)?.title, 'Ours');
    for (const id of [chartId, own.id, GRID])
      assert.ok(!JSON.stringify(events).includes(id), 'no id of the Grid that it came from');
  });

  it('import changes of the Apdex threshold between the same requests', async () => {
    await grid('GridSettingsChanged.v1', { changes: { apdexThresholdMs: 300 } });
    await sendSpan(2);
    await grid('GridSettingsChanged.v1', { changes: { apdexThresholdMs: 900, name: 'renamed' } });
    await sendSpan(4);
    await exported();
    const elsewhere = new MemoryEventStore();
    const { gridId } = await imported(targetOf(elsewhere));
    const thresholds = (await elsewhere.readAll(START, { limit: 1_000 })).flatMap(
      ({ type, data }): (string | number)[] => {
        if (type === 'TracesReceived.v1') return ['request'];
        const { changes } = data as { changes?: { apdexThresholdMs?: number } };
        return changes?.apdexThresholdMs === undefined ? [] : [changes.apdexThresholdMs];
      },
    );
    assert.deepEqual(thresholds, [300, 'request', 900, 'request']);
    assert.equal(
      foldDeciderState(gridDecider, await elsewhere.readStream(gridStream(gridId))).settings?.name,
      'renamed',
    );
  });

  it('import alerts that were open, in their state at the end', async () => {
    const fired = {
      ruleId: createDefaultAlertRules(GRID)[0].id,
      ruleName: 'r',
      serviceName: 's',
      condition: 'c',
      severity: 'warning',
      value: 1,
    };
    const at = async (minute: number, type: string, id: string, more: object = {}): Promise<void> => {
      now = FROM + minute * MINUTE_MS;
      await alert(type, id, more);
    };
    await at(-100, 'AlertFired.v2', 'over', fired);
    await at(-99, 'AlertFired.v2', 'open before', fired);
    await at(-90, 'AlertResolved.v1', 'over', { reason: 'cleared' });
    await at(3, 'AlertFired.v2', 'fired in it', fired);
    await at(3.5, 'AlertAcknowledged.v1', 'open before', { actor: 'member' });
    await at(4, 'AlertResolved.v1', 'open before', { reason: 'cleared' });
    await at(16, 'AlertResolved.v1', 'fired in it', { reason: 'cleared' });
    await at(17, 'AlertFired.v2', 'later', fired);
    await exported();
    const elsewhere = new MemoryEventStore();
    const { gridId } = await imported(targetOf(elsewhere));
    const events = await elsewhere.readStream(alertsStream(gridId));
    assert.deepEqual(
      events.map(({ type, data }) => [type, ((data as { at: number }).at - FROM) / MINUTE_MS]),
      [
        ['AlertFired.v2', -99],
        ['AlertFired.v2', 3],
        ['AlertAcknowledged.v1', 3.5],
        ['AlertResolved.v1', 4],
      ],
    );
    const [first, second, acknowledged, resolved] = events.map(
      ({ data }) => data as { alertId: string; ruleId: string; gridId: string; actor?: string },
    );
    assert.equal(first.alertId, resolved.alertId);
    assert.notEqual(first.alertId, second.alertId);
    assert.equal(acknowledged.alertId, first.alertId);
    assert.notEqual(acknowledged.actor, 'member', 'a user of another service');
    assert.deepEqual([first.ruleId, first.gridId], [createDefaultAlertRules(gridId)[0].id, gridId]);
  });

  it('hide an incomplete Grid, and complete it with the same file', async () => {
    for (let minute = 0; minute < 15; minute++) for (let n = 0; n < 40; n++) await sendSpan(minute);
    await exported();
    for (const failAt of [1, 2, 3, 4]) {
      const elsewhere = new MemoryEventStore();
      let appends = 0;
      const failing = targetOf(elsewhere, {
        append: (...given) =>
          ++appends > failAt ? Promise.reject(new Error('the disk is full')) : elsewhere.append(...given),
      });
      await assert.rejects(imported(failing), /the disk is full/);
      assert.equal(
        (await elsewhere.readAll(START, { limit: 10_000 })).some(({ type }) => type === 'MemberSet.v1'),
        false,
        'nobody is a member',
      );
      const { gridId, resumed } = await imported(targetOf(elsewhere));
      assert.equal(resumed, (failAt - 1) * 200);
      assert.equal((await operations(elsewhere, gridId)).length, 600);
      assert.equal(
        (await elsewhere.readStream(gridStream(gridId))).filter(({ type }) => type === 'GridCreated.v1').length,
        1,
      );
      const again = await imported(targetOf(elsewhere));
      assert.deepEqual([again.gridId === gridId, again.resumed], [false, 0], 'one that is complete is left alone');
    }
  });

  it('reject concurrent imports of the same file', async () => {
    for (let n = 0; n < 500; n++) await sendSpan(1);
    await exported();
    const elsewhere = new MemoryEventStore();
    const outcomes = await Promise.allSettled([imported(targetOf(elsewhere)), imported(targetOf(elsewhere))]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const grids = (await elsewhere.readAll(START, { prefixes: ['grid-'], limit: 1_000 })).filter(
      ({ type }) => type === 'GridCreated.v1',
    );
    assert.equal(grids.length, 1);
    assert.equal((await operations(elsewhere, (grids[0].data as { gridId: string }).gridId)).length, 500);
  });

  it('import bodies that were stored in parts', async () => {
    const operation = 'x'.repeat(40_000);
    now = FROM;
    await send(logsReceived([{ time: FROM + 1, body: operation }]));
    await exported();
    const elsewhere = new MemoryEventStore({ maxAppendBytes: 16_384 });
    const { gridId } = await imported(targetOf(elsewhere));
    const events = (await elsewhere.readStream(telemetryStream(gridId))) as RecordedEvent<TelemetryReceived>[];
    assert.ok(events.length > 2);
    assert.ok(Buffer.from((await reassembleBody(elsewhere, events[events.length - 1])) ?? []).includes(operation));
  });

  it('abort and hide the Grid when the file changes between both reads', async () => {
    await sendSpan(1);
    await exported();
    const elsewhere = new MemoryEventStore();
    const changing = targetOf(elsewhere, {
      freeBytes: async () => {
        await rm(file);
        await sendSpan(2);
        await exported();
        return 2 ** 40;
      },
    });
    await assert.rejects(imported(changing), { code: 'conflict', message: /changed during the import/ });
    assert.equal(
      (await elsewhere.readAll(START, { limit: 1_000 })).some(({ type }) => type === 'MemberSet.v1'),
      false,
    );
  });

  it('use appends within the limits of the log, including its overhead', async () => {
    now = FROM;
    for (let n = 0; n < 40; n++) await sendSpan(n % 14);
    await exported();
    const elsewhere = new MemoryEventStore({ maxAppendBytes: 2_000 });
    const sizes: number[] = [];
    const target = targetOf(elsewhere, {
      append: (stream, expected, events) => {
        sizes.push(
          events.reduce((sum, { data, body }) => sum + JSON.stringify(data).length + (body?.byteLength ?? 0), 0),
        );
        return elsewhere.append(stream, expected, events);
      },
    });
    const { gridId } = await imported(target);
    assert.equal((await operations(elsewhere, gridId)).length, 40);
    const [, ...ofTelemetry] = sizes.slice(0, -1);
    assert.ok(
      ofTelemetry.length < 40 && ofTelemetry.every((size) => size <= 1_500),
      `${ofTelemetry.join(', ')} of 2,000 bytes`,
    );
  });

  it('wait for the read models every 20,000 records, and at the end', async () => {
    now = FROM;
    for (let n = 0; n < 25; n++)
      await send(
        spansReceived(
          Array.from({ length: 1_000 }, (_, i) => ({
            trace: n + 1,
            span: i + 1,
            start: FROM,
            operation: 'x'.repeat(60),
          })),
        ),
      );
    await exported();
    const elsewhere = new MemoryEventStore();
    let settled = 0;
    await imported(targetOf(elsewhere, { waitUntilVisible: async () => void settled++ }));
    assert.equal(settled, 2);
  });

  it('contain the initial settings when the Grid is newer than the telemetry', async () => {
    log = new MemoryEventStore({ clock: () => now });
    now = TO + 5 * MINUTE_MS;
    await grid('GridCreated.v1', { name: 'young' });
    await sendSpan(1);
    assert.equal((await exported()).gridName, 'young');
  });

  it('append nothing without disk space or without a file', async () => {
    await sendSpan(1);
    await exported();
    const elsewhere = new MemoryEventStore();
    await assert.rejects(imported(targetOf(elsewhere, { freeBytes: () => Promise.resolve(2 ** 20) })), {
      code: 'unavailable',
      message: /MiB of free disk space/,
    });
    await rm(file);
    await assert.rejects(imported(targetOf(elsewhere)), { code: 'not-found' });
    assert.equal(await elsewhere.head(), '');
  });

  it('leave nothing behind after a failed export, and replace no file', async () => {
    await sendSpan(1);
    const damaged = {
      readStream: log.readStream.bind(log),
      readEvent: log.readEvent.bind(log),
      readAll: () => Promise.reject(new Error('the disk is broken')),
    };
    const options = {
      gridId: GRID,
      fromMs: FROM,
      toMs: TO,
      baselineMs: 0,
      lateMs: 0,
      strip: [],
      now: TO,
      hindsight: '1',
      onProgress: () => undefined,
    };
    await assert.rejects(exportIncidentFile(damaged, file, options), /the disk is broken/);
    assert.deepEqual(await readdir(folder), []);
    await exported();
    await assert.rejects(exported(), /already exists/);
    await assert.rejects(exportIncidentFile(log, join(folder, 'no', 'folder', 'slice.gz'), options), /ENOENT/);
    assert.ok(existsSync(file));
  });

  it('find a Grid by its id or name', async () => {
    assert.equal(await findGridId(log, 'shop'), GRID);
    assert.equal(await findGridId(log, GRID), GRID);
    await grid('GridSettingsChanged.v1', { changes: { name: 'store' } });
    await assert.rejects(findGridId(log, 'shop'), { code: 'not-found' });
    await log.append('grid-other', 'any', [
      { id: randomUUID(), type: 'GridCreated.v1', data: { gridId: 'other', name: 'store', actor: 'a', at: now } },
    ]);
    await assert.rejects(findGridId(log, 'store'), { code: 'conflict' });
  });
});
