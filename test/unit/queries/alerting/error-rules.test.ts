import assert from 'node:assert/strict';
import type { ErrorAlertRule } from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { createTelemetryQueries } from '../../../../src/queries/telemetry/telemetry-queries.js';
import { changeErrorGroup, resolvedIn } from '../errors/support/error-group-changes.js';
import { createSlowQueries } from '../errors/support/slow-queries.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import { after, errorRule, failedLog, failedSpan } from './given-rules.js';

const US_PER_MS = 1_000;

describe('alert rules on new errors', () => {
  let world: TelemetryWorld;
  beforeEach(async () => (world = await TelemetryWorld.empty()));

  /** Service, type and count of each group in breach. */
  const evaluate = async (minute: number, changes: Partial<ErrorAlertRule> = {}) => {
    const queries = createTelemetryQueries(world.store, world.bodies);
    const found = await queries.evaluateRecordRule(GRID, errorRule(changes), after(minute));
    return found.map(({ serviceName, labels, value }) => [serviceName, labels?.['error.type'], value]);
  };
  const findGroupId = async (type: string): Promise<string> => {
    const range = { fromUs: after(-100) * US_PER_MS, toUs: after(100) * US_PER_MS };
    const query = { gridId: GRID, range, orderBy: 'count', page: 1, pageSize: 10 } as const;
    const { groups } = await world.queries().findErrorGroups(query, 'list');
    return groups.find((group) => group.type === type)!.groupId;
  };
  const resolve = async (minute: number, fixedIn = '', knownVersions: readonly string[] = []): Promise<void> =>
    changeErrorGroup(
      world,
      await findGroupId('Timeout'),
      resolvedIn(after(minute) / 1_000 + 45, fixedIn, knownVersions),
    );

  it('find a group while its first exception is in the window, with all of its exceptions there', async () => {
    await world.addLogs([failedLog(0), failedLog(0), failedLog(1), failedLog(2)]);
    assert.deepEqual(await evaluate(0), []);
    assert.deepEqual(await evaluate(1), [['checkout', 'Timeout', 2]]);
    assert.deepEqual(await evaluate(2), [['checkout', 'Timeout', 3]]);
    assert.deepEqual(await evaluate(3), []);
  });

  it('name the group, as the list of groups does', async () => {
    await world.addLogs([failedLog(0)]);
    const [{ labels }] = await createTelemetryQueries(world.store, world.bodies).evaluateRecordRule(
      GRID,
      errorRule(),
      after(1),
    );
    assert.deepEqual(labels, { 'error.type': 'Timeout', 'error.group': await findGroupId('Timeout') });
  });

  it('find no group that has occurred before, however long ago', async () => {
    await world.addSpans([failedSpan(-5_000, 20)]);
    await world.addLogs([failedLog(0), failedLog(0, { type: 'Other' })]);
    assert.deepEqual(await evaluate(1), [['checkout', 'Other', 1]]);
  });

  it('compare the number of exceptions with the threshold', async () => {
    await world.addLogs([failedLog(0), failedLog(1), failedLog(1, { type: 'Other' })]);
    assert.deepEqual(await evaluate(2, { threshold: 1, operator: '>' }), [['checkout', 'Timeout', 2]]);
    assert.deepEqual(await evaluate(2, { minRequests: 3 }), []);
  });

  it('look at one service where the rule names it', async () => {
    await world.addLogs([failedLog(-60, { service: 'cart' }), failedLog(0), failedLog(0, { service: 'cart' })]);
    assert.deepEqual(await evaluate(1), []);
    assert.deepEqual(await evaluate(1, { serviceName: 'checkout' }), [['checkout', 'Timeout', 1]]);
    assert.deepEqual(await evaluate(1, { serviceName: 'cart' }), []);
  });

  it('find the exception of a long span when it ends', async () => {
    await world.addSpans([failedSpan(20, 19 * MINUTE_MS)]);
    assert.deepEqual(await evaluate(2), []);
    assert.deepEqual(await evaluate(21), [['checkout', 'Timeout', 1]]);
  });

  it('count an exception once that a log record and its span report', async () => {
    const span = failedSpan(1, 20);
    const { traceId, spanId } = span;
    await world.addSpans([span]);
    // Written before the span ended.
    await world.addLogs([{ ...failedLog(0, { second: 59 }), traceId, spanId }]);
    assert.deepEqual(await evaluate(1), [['checkout', 'Timeout', 1]]);
    assert.deepEqual(await evaluate(2), [['checkout', 'Timeout', 1]]);
    assert.deepEqual(await evaluate(3), []);
  });

  it('find a resolved group that occurs again, and not while nobody has resolved it', async () => {
    await world.addLogs([failedLog(-50), failedLog(10), failedLog(20), failedLog(30)]);
    assert.deepEqual(await evaluate(11), []);
    await resolve(15);
    assert.deepEqual(await evaluate(11), []);
    assert.deepEqual(await evaluate(21), [['checkout', 'Timeout', 1]]);
    assert.deepEqual(await evaluate(31), []);
  });

  it('find a group that was resolved in a version when a later one reports it', async () => {
    const given = [-50, 20, 22, 24].map((minute) => failedLog(minute, { version: minute === 24 ? '3' : '1' }));
    await world.addLogs(given);
    await resolve(15, '2', ['1']);
    assert.deepEqual(await evaluate(21), []);
    assert.deepEqual(await evaluate(23), []);
    assert.deepEqual(await evaluate(25), [['checkout', 'Timeout', 1]]);
  });

  it('leave a group alone from the moment on in which somebody resolves it', async () => {
    await world.addLogs([failedLog(0)]);
    await resolve(0);
    assert.deepEqual(await evaluate(1, { windowMinutes: 15 }), []);
  });

  it('read all that is stored once for a new group, not every minute, whatever is backtested in between', async () => {
    for (let minute = -40; minute < 0; minute++) await world.addLogs([failedLog(minute, { type: 'Known' })]);
    await world.addLogs([failedLog(0)]);
    const { queries, readSeconds } = createSlowQueries(world, 1_000_000);
    const costs: number[] = [];
    for (const minute of [1, 2, 3]) {
      const before = readSeconds();
      await queries.evaluateRecordRule(GRID, errorRule({ windowMinutes: 10 }), after(minute));
      costs.push(readSeconds() - before);
      const quietRange = { fromMs: after(-90), toMs: after(-60) };
      await queries.backtestRecordRule(GRID, errorRule({ windowMinutes: 10 }), quietRange, after(40));
    }
    assert.ok(costs[0] >= 40, costs.join());
    assert.ok(costs[1] <= 20 && costs[2] <= 20, costs.join());
  });

  it('take no earlier exception for the first one after the window of the rule has grown', async () => {
    await world.addLogs([0, 10, -300].map((minute) => failedLog(minute)));
    const queries = createTelemetryQueries(world.store, world.bodies);
    for (const windowMinutes of [2, 15, 60, 2])
      assert.deepEqual(await queries.evaluateRecordRule(GRID, errorRule({ windowMinutes }), after(11)), []);
  });

  it('find the first exception again after the window of the rule has grown', async () => {
    await world.addLogs([0, 10].map((minute) => failedLog(minute)));
    const queries = createTelemetryQueries(world.store, world.bodies);
    const found: number[] = [];
    for (const windowMinutes of [2, 15, 2])
      found.push((await queries.evaluateRecordRule(GRID, errorRule({ windowMinutes }), after(11))).length);
    assert.deepEqual(found, [0, 1, 0]);
  });

  it('are backtested without regard to other backtests', async () => {
    await world.addLogs([0, 10, -300].map((minute) => failedLog(minute)));
    const queries = createTelemetryQueries(world.store, world.bodies);
    const rule = errorRule({ id: 'backtest' });
    for (const from of [5, -60, -302]) {
      const range = { fromMs: after(from), toMs: after(30) };
      const { firings } = await queries.backtestRecordRule(GRID, rule, range, after(40));
      assert.deepEqual(
        firings.map(({ firedAt }) => firedAt),
        from === -302 ? [after(-299)] : [],
      );
    }
  });

  it('end for lack of time rather than fire for a group that may have occurred before', async () => {
    for (let minute = -40; minute < 0; minute++) await world.addLogs([failedLog(minute, { type: 'Known' })]);
    await world.addLogs([failedLog(0)]);
    const { queries } = createSlowQueries(world, 20_000);
    await assert.rejects(queries.evaluateRecordRule(GRID, errorRule(), after(1)), { code: 'unavailable' });
  });
});
