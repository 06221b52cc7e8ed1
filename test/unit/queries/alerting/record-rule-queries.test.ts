import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTelemetryQueries } from '../../../../src/queries/telemetry/telemetry-queries.js';
import type { QueryAlertRule } from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { EVALUATION_DELAY_MS } from '../../../../src/diagnostics/alerting/record-rule-evaluator.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { compileQuery } from '../../../../src/queries/query/query-compiler.js';
import { findRuleQueryErrors, toRuleQueryDefinition } from '../../../../src/queries/alerting/rule-query.js';
import type { TableAnswer } from '../../../../src/queries/query/query-model.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import { after, logs, queryRule, spanEnding, T0 } from './given-rules.js';

describe('alert rules on a query', () => {
  let world: TelemetryWorld;
  beforeEach(async () => (world = await TelemetryWorld.empty()));

  const evaluate = async (rule: QueryAlertRule, minute: number): Promise<[string, object | undefined, unknown][]> => {
    const queries = createTelemetryQueries(world.store, world.bodies);
    const evaluations = await queries.evaluateRecordRule(GRID, rule, after(minute));
    return evaluations.map(({ serviceName, labels, value }) => [serviceName, labels, value]);
  };
  const backtest = async (rule: QueryAlertRule, from: number, to: number, nowMs = after(to) + EVALUATION_DELAY_MS) => {
    const range = { fromMs: after(from), toMs: after(to) };
    const { firings, perWeek } = await createTelemetryQueries(world.store, world.bodies).backtestRecordRule(
      GRID,
      rule,
      range,
      nowMs,
    );
    const minuteOf = (ms: number | null): number | null => ms && (ms - T0) / MINUTE_MS;
    return {
      perWeek,
      firings: firings.map(({ serviceName, labels, firedAt, resolvedAt, peakValue }) => ({
        ...{ serviceName, labels, peakValue },
        firedAt: minuteOf(firedAt),
        resolvedAt: minuteOf(resolvedAt),
      })),
    };
  };

  it('count the records of the window, which ends before the moment', async () => {
    await world.addLogs([...logs(0, 3), ...logs(1, 2)]);
    assert.deepEqual(await evaluate(queryRule(), 0), []);
    assert.deepEqual(await evaluate(queryRule(), 1), [['', undefined, 3]]);
    assert.deepEqual(await evaluate(queryRule(), 2), []);
    assert.deepEqual(await evaluate(queryRule({}, { windowMinutes: 2 }), 2), [['', undefined, 5]]);
  });

  it('have an alert for each group, the worst first, with the service and the other fields apart', async () => {
    await world.addLogs([
      ...logs(0, 3, { tier: 'gold' }),
      ...logs(0, 5, { tier: 'free' }),
      ...logs(0, 4),
      ...logs(0, 2, { tier: 'few' }),
    ]);
    assert.deepEqual(await evaluate(queryRule({ groupBy: ['service', 'tier'] }), 1), [
      ['checkout', { tier: 'free' }, 5],
      ['checkout', undefined, 4],
      ['checkout', { tier: 'gold' }, 3],
    ]);
  });

  it('carry long values of labels in short, and keep them apart', async () => {
    const long = 'x'.repeat(1_000);
    await world.addLogs([...logs(0, 3, { tier: `${long}a` }), ...logs(0, 4, { tier: `${long}b` })]);
    const found = await evaluate(queryRule({ groupBy: ['tier'] }), 1);
    const tiers = found.map(([, labels]) => (labels as { tier: string }).tier);
    assert.equal(new Set(tiers).size, 2);
    assert.ok(tiers.every((tier) => tier.length <= 256 && tier.startsWith('xxx')));
  });

  it('are narrowed to the service of the rule, which is that of the alert', async () => {
    await world.addLogs([...logs(0, 3), ...logs(0, 9).map((log) => ({ ...log, service: 'cart' }))]);
    assert.deepEqual(await evaluate(queryRule({}, { serviceName: 'checkout' }), 1), [['checkout', undefined, 3]]);
  });

  it('fire without any records where they ask for fewer than one', async () => {
    const absent = queryRule({}, { operator: '<', threshold: 1 });
    assert.deepEqual(await evaluate(absent, 1), [['', undefined, 0]]);
    await world.addLogs(logs(0, 1));
    assert.deepEqual(await evaluate(absent, 1), []);
    assert.deepEqual(
      await evaluate(queryRule({ select: [{ fn: 'avg', field: 'x', as: '' }] }, { operator: '<' }), 1),
      [],
    );
    assert.deepEqual(await evaluate({ ...absent, minRequests: 1 }, 5), []);
  });

  it('notice a group that falls silent, for an hour', async () => {
    const absent = queryRule({ groupBy: ['service'] }, { operator: '<', threshold: 1 });
    await world.addLogs(logs(0, 1));
    assert.deepEqual(await evaluate(absent, 1), []);
    for (const minute of [2, 61]) assert.deepEqual(await evaluate(absent, minute), [['checkout', undefined, 0]]);
    assert.deepEqual(await evaluate(absent, 62), []);
  });

  it('count spans by their end, however long they took', async () => {
    await world.addSpans([spanEnding(10, 9 * MINUTE_MS), spanEnding(10, 20), spanEnding(12, 20)]);
    const rule = queryRule(
      { signal: 'spans', where: 'kind = server', select: [{ fn: 'max', field: 'duration', as: '' }] },
      { threshold: 1_000 },
    );
    for (const minute of [2, 10]) assert.deepEqual(await evaluate(rule, minute), []);
    assert.deepEqual(await evaluate(rule, 11), [['', undefined, 9 * MINUTE_MS]]);
    assert.deepEqual(await evaluate(rule, 12), []);
  });

  it('wait until the condition has held', async () => {
    await world.addLogs([0, 1, 2, 4, 5].flatMap((minute) => logs(minute, 3)));
    const rule = queryRule({}, { forMinutes: 2 });
    assert.deepEqual(await evaluate(rule, 2), []);
    assert.deepEqual(await evaluate(rule, 3), [['', undefined, 3]]);
    assert.deepEqual(await evaluate(rule, 6), []);
    assert.deepEqual((await backtest(rule, 0, 8)).firings, [
      { serviceName: '', labels: undefined, firedAt: 3, resolvedAt: 6, peakValue: 3 },
    ]);
  });

  it('are backtested over more minutes than are read at a time', async () => {
    for (const minute of [3, 59, 60, 61, 130])
      await world.addLogs(logs(minute, minute === 60 ? 7 : 3, { tier: 'gold' }));
    const { firings, perWeek } = await backtest(queryRule({ groupBy: ['tier'] }), 0, 140);
    const of = { serviceName: '', labels: { tier: 'gold' } };
    assert.deepEqual(firings, [
      { ...of, firedAt: 4, resolvedAt: 7, peakValue: 3 },
      { ...of, firedAt: 60, resolvedAt: 65, peakValue: 7 },
      { ...of, firedAt: 131, resolvedAt: 134, peakValue: 3 },
    ]);
    assert.equal(perWeek, 216);
  });

  it('are not backtested over a minute whose records may still be on their way', async () => {
    await world.addLogs(logs(0, 3));
    const silent = queryRule({}, { operator: '<', threshold: 1 });
    const { firings } = await backtest(silent, 1, 2, after(2) + EVALUATION_DELAY_MS - 1);
    assert.deepEqual(firings, []);
    assert.equal((await backtest(silent, 1, 2)).firings[0].firedAt, 2);
  });

  it('have at most 100 alerts at a time; the others fire when one has ended', async () => {
    await world.addLogs(Array.from({ length: 103 }, (_, i) => logs(0, i < 3 ? 3 : 4, { tier: `t${i}` })).flat());
    await world.addLogs(Array.from({ length: 3 }, (_, i) => logs(3, 3, { tier: `t${i}` })).flat());
    const { firings } = await backtest(queryRule({ groupBy: ['tier'] }), 0, 10);
    const at = (minute: number): unknown[] => firings.filter(({ firedAt }) => firedAt === minute);
    assert.deepEqual([at(1).length, at(4).length], [100, 3]);
    assert.ok(firings.filter(({ firedAt }) => firedAt === 1).every(({ peakValue }) => peakValue === 4));
  });

  it('give over a window what a query over the same time gives', async () => {
    const times = fc.array(fc.record({ minute: fc.nat(9), value: fc.double({ noNaN: true, min: -1e9, max: 1e9 }) }), {
      maxLength: 40,
    });
    const fn = fc.constantFrom('count', 'rate', 'errorRate', 'sum', 'avg', 'min', 'max', 'p50', 'p99', 'countDistinct');
    await fc.assert(
      fc.asyncProperty(times, fn, fc.integer({ min: 1, max: 9 }), async (given, name, windowMinutes) => {
        world = await TelemetryWorld.empty();
        await world.addLogs(given.flatMap(({ minute, value }) => logs(minute, 1, { value })));
        const takesField = !['count', 'rate', 'errorRate'].includes(name);
        const select = [{ fn: name, field: takesField ? 'value' : '', as: '' }];
        const rule = queryRule({ select }, { windowMinutes, operator: '>=', threshold: -Number.MAX_VALUE });
        const compiled = compileQuery(toRuleQueryDefinition(rule.query));
        if ('errors' in compiled) assert.fail(JSON.stringify(compiled.errors));
        const range = { fromUs: after(10 - windowMinutes) * 1_000, toUs: after(10) * 1_000 };
        const query = { ...compiled.plan, gridId: GRID, range, nowUs: range.toUs };
        const { rows } = (await world.queries().runQuery(query, 'q')) as TableAnswer;
        const [found] = await evaluate(rule, 10);
        const expected = rows[0][0] as number | null;
        if (expected === null) assert.equal(found, undefined);
        else assert.ok(Math.abs((found[2] as number) - expected) <= Math.max(1e-4, Math.abs(expected) * 1e-3));
      }),
      { numRuns: 60 },
    );
  });

  it('must give a number', () => {
    const [error] = findRuleQueryErrors({ signal: 'spans', select: [{ fn: 'max', field: 'time' }] });
    assert.equal(error.field, 'select[0].fn');
    assert.deepEqual(findRuleQueryErrors({ signal: 'spans', select: [{ fn: 'max', field: 'duration' }] }), []);
  });
});
