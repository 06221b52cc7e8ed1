import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Tool } from '../../../../src/assistant/tool.js';
import { presentIncident, presentIncidentDetail } from '../../../../src/http/api/incident-presenters.js';
import { presentErrorGroupDetail, presentErrorGroups } from '../../../../src/http/api/error-presenters.js';
import { presentReport } from '../../../../src/http/api/slo-presenters.js';
import { TOOLS } from '../../../../src/assistant/tools/tool-registry.js';
import { ERROR_GROUP, ERROR_GROUP_ID } from '../../../support/fake-telemetry.js';
import { INCIDENT_DETAIL } from '../../../support/fake-incidents.js';
import { REPORT, SLO } from '../../../support/fake-slos.js';
import { at, NOW, TRACE } from '../shop.js';
import { shopQueries } from '../shop-queries.js';

const tool = (name: string): Tool => TOOLS.find((each) => each.name === name)!;
const context = () => {
  const { queries, calls: asked } = shopQueries();
  return { asked, context: { queries, gridId: 'g-1', userId: 'u-1', mayAdminister: true, nowMs: NOW } };
};

const HOUR = { rangeStart: '2026-11-20T14:00:00Z', rangeEnd: '2026-11-20T15:00:00+00:00' };
/** Valid arguments for each tool; tools that are not listed take none. */
const GIVEN: Readonly<Record<string, object>> = {
  GetServiceDetail: { serviceName: 'payment' },
  GetComparison: {
    currentStart: HOUR.rangeStart,
    currentEnd: HOUR.rangeEnd,
    baselineStart: '2026-11-19T14:00:00Z',
    baselineEnd: '2026-11-19T15:00:00Z',
  },
  GetTraces: { ...HOUR, status: 'ERROR', minDuration: 10, page: 1, pageSize: 5 },
  GetLogs: { ...HOUR, severityLevel: 'Error', body: 'declined', traceId: TRACE.toUpperCase() },
  GetTrace: { spanId: TRACE.slice(0, 16) },
  GetTraceSpanTags: { spanId: TRACE.slice(0, 16) },
  GetTraceSpanEvents: { spanId: TRACE.slice(0, 16) },
  GetTraceSpans: { traceId: TRACE.toUpperCase() },
  GetTraceLogs: { traceId: TRACE },
  GetTraceErrors: { traceId: TRACE },
  GetLog: { id: `payment-${at(14, 35)}` },
  GetRangeData: { chartId: 'C1' },
  GetDashboard: { dashboardId: 'd1' },
  QueryTelemetry: { ...HOUR, signal: 'spans', where: 'status = ERROR', select: [{ fn: 'count' }] },
  GetErrorGroup: { groupId: ERROR_GROUP_ID.toUpperCase() },
  GetErrorGroups: { ...HOUR, orderBy: 'lastSeen', serviceName: 'checkout' },
  GetIncident: { incidentId: 'an-incident' },
  GetObjectiveReport: { sloId: SLO.id, month: '2026-11', zone: 'Europe/Berlin' },
  GetUsageSummary: { from: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z' },
};

describe('tools', () => {
  it('refuse lists of a query that are too long, and items with members that are not known', () => {
    const { validate } = tool('QueryTelemetry');
    const query = { ...HOUR, signal: 'spans', select: [{ fn: 'count' }] };
    assert.match(
      validate({ ...query, orderBy: Array.from({ length: 25 }, () => ({ by: 'count' })) }) ?? '',
      /^orderBy must be a list of 1 to 24 items/,
    );
    assert.match(
      validate({ ...query, select: [{ fn: 'count', of: 'x' }] }) ?? '',
      /^select must be .* fn, field, as\.$/,
    );
    assert.match(validate({ ...query, orderBy: [{ by: 'count', desc: true }] }) ?? '', /^orderBy must be .* by, desc/);
  });

  it('answer with incidents as the API does', async () => {
    const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const one = await tool('GetIncident').run(context().context, { incidentId: 'an-incident' });
    assert.deepEqual(asJson(one.data), { answer: asJson(presentIncidentDetail(INCIDENT_DETAIL)) });
    const all = await tool('GetIncidents').run(context().context, {});
    const incidents = [asJson(presentIncident(INCIDENT_DETAIL))];
    assert.deepEqual(asJson(all.data), { answer: { incidents, totalCount: 1 } });
  });

  it('report on an objective as the API does, and refuse what is no month or zone', async () => {
    const { context: asking, asked } = context();
    const { validate, run } = tool('GetObjectiveReport');
    const { data } = await run(asking, { sloId: SLO.id.toUpperCase(), month: '2026-11', asOf: HOUR.rangeStart });
    const { isMet, isOver, markdown } = presentReport(REPORT);
    assert.deepEqual(data, { answer: { isMet, isOver, markdown } });
    assert.deepEqual(asked[0].with, ['g-1', SLO.id, { month: '2026-11', zone: 'UTC', asOfMs: at(14, 0) }]);
    await assert.rejects(run(asking, { sloId: 'another', month: '2026-11' }), /No objective of this id/);
    assert.match(validate({ sloId: SLO.id, month: '2026-13' }) ?? '', /^month must be a month such as 2026-11/);
    assert.match(validate({ sloId: SLO.id, month: '2026-11', zone: 'Mars' }) ?? '', /^zone must be a time zone/);
  });

  it('answer with error groups as the API does', async () => {
    const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const one = await tool('GetErrorGroup').run(context().context, { groupId: ERROR_GROUP_ID });
    assert.deepEqual(asJson(one.data), asJson(presentErrorGroupDetail(ERROR_GROUP)));
    const all = await tool('GetErrorGroups').run(context().context, HOUR);
    const page = { groups: [ERROR_GROUP], totalCount: 1, exceptionCount: 3, page: 1, pageSize: 20 };
    assert.deepEqual(asJson(all.data), asJson(presentErrorGroups(page)));
  });

  it('pass the range, service and order of error groups on', async () => {
    const { context: asking, asked } = context();
    await tool('GetErrorGroups').run(asking, { asOf: HOUR.rangeStart, serviceName: 'payment', orderBy: 'lastSeen' });
    const toUs = at(14, 0) * 1000;
    const range = { fromUs: toUs - 15 * 60_000_000, toUs, knownByUs: toUs };
    assert.deepEqual(asked[0].with[0], {
      ...{ gridId: 'g-1', range, serviceName: 'payment', orderBy: 'lastSeen', page: 1, pageSize: 20 },
    });
    await assert.rejects(tool('GetErrorGroup').run(asking, { groupId: 'another' }), /No exception of this group/);
  });

  it('ask queries of any length of time', () => {
    const { validate } = tool('QueryTelemetry');
    const query = { signal: 'spans', rangeStart: '2026-10-01T00:00:00Z', rangeEnd: '2026-11-20T00:00:00Z' };
    assert.equal(validate(query), undefined);
    assert.match(validate({ ...query, rangeEnd: query.rangeStart }) ?? '', /rangeEnd must be after rangeStart/);
  });

  it('are known by the names that agents know, each once', () => {
    assert.deepEqual(TOOLS.map(({ name }) => name).sort(), [
      'GetAlertRules',
      'GetAlertSummary',
      'GetAvailableCharts',
      'GetComparison',
      'GetDashboard',
      'GetDeploymentCorrelation',
      'GetDiagnosis',
      'GetErrorGroup',
      'GetErrorGroups',
      'GetGridInfo',
      'GetIncident',
      'GetIncidentTimeline',
      'GetIncidents',
      'GetLog',
      'GetLogFilterFacets',
      'GetLogs',
      'GetMetrics',
      'GetObjectiveReport',
      'GetObjectives',
      'GetPressurePoints',
      'GetRangeData',
      'GetServiceDetail',
      'GetServiceMap',
      'GetSilences',
      'GetSlowestEndpoints',
      'GetSystemHealth',
      'GetTrace',
      'GetTraceErrors',
      'GetTraceFilterFacets',
      'GetTraceLogs',
      'GetTraceSpanEvents',
      'GetTraceSpanTags',
      'GetTraceSpans',
      'GetTraces',
      'GetTrendAnalysis',
      'GetUsage',
      'GetUsageSummary',
      'QueryTelemetry',
    ]);
  });

  for (const each of TOOLS) {
    const given = GIVEN[each.name] ?? {};

    it(`${each.name} answers plain data with a source`, async () => {
      assert.equal(each.validate(given), undefined);
      const { data, source } = await each.run(context().context, given);
      assert.deepEqual(JSON.parse(JSON.stringify(data)), data);
      assert.match(source.type, /^[a-z-]+$/);
      assert.ok(source.description.length > 0 && !/undefined|NaN|object/.test(source.description), source.description);
    });

    it(`${each.name} tells of its own Grid alone`, async () => {
      const { context: asking, asked } = context();
      await each.run(asking, given);
      for (const {
        name,
        with: [first],
      } of asked.filter((question) => !['energy', 'promptsToday'].includes(question.name))) {
        assert.equal(
          typeof first === 'object' && first !== null && 'gridId' in first ? first.gridId : first,
          'g-1',
          name,
        );
      }
    });

    it(`${each.name} describes arguments as it checks them`, () => {
      const { properties, required, additionalProperties } = each.parameters as {
        properties: object;
        required: string[];
        additionalProperties: boolean;
      };
      assert.equal(additionalProperties, false);
      assert.ok(Object.keys(given).every((name) => name in properties));
      assert.match(each.validate({ ...given, gridId: 'g-2' }) ?? '', /"gridId" is not an argument of this tool\./);
      for (const name of required)
        assert.match(each.validate({ ...given, [name]: undefined }) ?? '', new RegExp(`^${name} is required\\.`));
      for (const name of Object.keys(properties))
        assert.match(each.validate({ ...given, [name]: [] }) ?? '', new RegExp(`${name} must be `));
      for (const wrong of [null, undefined, 'text', 7, []])
        assert.equal(each.validate(wrong), 'The arguments must be an object.');
      assert.ok(each.description.split(/\.\s/).length <= 2, 'two sentences at most');
    });

    it(`${each.name} never throws at what it is given`, () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.anything(),
            fc.dictionary(
              fc.constantFrom(...Object.keys(each.parameters.properties as object), 'x', '__proto__'),
              fc.anything(),
            ),
          ),
          (anything) => {
            assert.match(typeof each.validate(anything), /^(string|undefined)$/);
          },
        ),
        { numRuns: 50 },
      );
    });
  }

  it('print times as the API does', async () => {
    const { data } = await tool('GetDiagnosis').run(context().context, {});
    assert.equal((data as { answer: { firstDetected: string }[] }).answer[0].firstDetected, '2026-11-20T14:09:00.000Z');
    const { data: found } = await tool('GetTraces').run(context().context, HOUR);
    assert.equal((found as { items: { startTime: string }[] }).items[0].startTime, '2026-11-20T14:35:00.000Z');
  });

  it('pass moments and windows on', async () => {
    const { context: asking, asked } = context();
    await tool('GetSystemHealth').run(asking, { asOf: '2026-11-20T14:00:00+01:00' });
    await tool('GetSystemHealth').run(asking, HOUR);
    assert.deepEqual(
      asked.map((question) => question.with[1]),
      [{ asOfMs: at(13, 0) }, { range: { fromMs: at(14, 0), toMs: at(15, 0) } }],
    );
  });

  it('pass the conditions of a search on', async () => {
    const { context: asking, asked } = context();
    await tool('GetTraces').run(asking, {
      ...HOUR,
      serviceName: 'payment',
      minDuration: 5,
      maxDuration: 9,
      status: 'OK',
      tags: { a: 'b' },
      pageSize: 7,
      page: 2,
    });
    const range = { fromUs: at(14, 0) * 1000, toUs: at(15, 0) * 1000 };
    assert.deepEqual(asked[0].with[0], {
      gridId: 'g-1',
      serviceName: 'payment',
      minDurationMs: 5,
      maxDurationMs: 9,
      status: 'OK',
      tags: { a: 'b' },
      range,
      page: 2,
      pageSize: 7,
    });
    await tool('GetLogs').run(asking, { ...HOUR, traceId: 'ABC', attributes: { k: 'v' } });
    assert.deepEqual(asked[1].with[0], {
      gridId: 'g-1',
      traceId: 'abc',
      attributes: { k: 'v' },
      range,
      page: 1,
      pageSize: 20,
    });
  });

  const FAULTS: readonly (readonly [string, object, RegExp])[] = [
    ['GetSystemHealth', { asOf: HOUR.rangeStart, ...HOUR }, /asOf must not be given together with a range/],
    ['GetSystemHealth', { rangeStart: HOUR.rangeStart }, /A range has both ends/],
    ['GetSystemHealth', { rangeStart: HOUR.rangeEnd, rangeEnd: HOUR.rangeStart }, /rangeEnd must be after rangeStart/],
    ['GetSystemHealth', { rangeStart: '2026-11-01T00:00:00Z', rangeEnd: '2026-11-08T00:00:01Z' }, /at most 7 days/],
    ['GetSystemHealth', { asOf: '2026-11-20' }, /asOf must be an ISO 8601 datetime with Z or an offset/],
    ['GetSystemHealth', { asOf: '2026-11-20T14:00:00' }, /asOf must be an ISO 8601 datetime/],
    ['GetSystemHealth', { asOf: '2026-02-30T14:00:00Z' }, /asOf must be an ISO 8601 datetime/],
    ['GetTraces', { ...HOUR, pageSize: 101 }, /pageSize must be a whole number from 1 to 100/],
    ['GetTraces', { ...HOUR, status: 'BROKEN' }, /status must be one of OK, ERROR/],
    ['GetTraces', { ...HOUR, tags: { a: 1 } }, /tags must be an object of at most 64 texts/],
    ['GetTraces', { rangeStart: HOUR.rangeEnd, rangeEnd: HOUR.rangeStart }, /rangeEnd must be after rangeStart/],
    [
      'GetComparison',
      { ...GIVEN.GetComparison, baselineEnd: '2026-11-19T13:00:00Z' },
      /baselineEnd must be after baselineStart/,
    ],
    ['GetUsageSummary', { from: '2026-11-20T00:00:00Z', to: '2026-11-19T00:00:00Z' }, /to must not be before from/],
    ['GetUsageSummary', { from: '2026-01-01T00:00:00Z', to: '2026-11-19T00:00:00Z' }, /at most 31 days/],
    ['GetServiceDetail', { serviceName: 'x'.repeat(5000) }, /serviceName must be a string of at most 4096 characters/],
  ];
  for (const [name, given, expected] of FAULTS)
    it(`${name} tells the fault of ${JSON.stringify(given).slice(0, 80)}`, () =>
      assert.match(tool(name).validate(given) ?? '', expected));

  it('reject with not-found what nobody knows', async () => {
    const unknown: Readonly<Record<string, object>> = {
      GetServiceDetail: { serviceName: 'x' },
      GetTraceSpans: { traceId: 'x' },
      GetTrace: { spanId: 'x' },
      GetLog: { id: 'AB' },
      GetRangeData: { chartId: 'x' },
      GetDashboard: { dashboardId: 'x' },
    };
    for (const [name, given] of Object.entries(unknown))
      await assert.rejects(tool(name).run(context().context, given), { code: 'not-found' }, name);
  });

  it('report what is left of the assistant', async () => {
    const { data, source } = await tool('GetUsage').run(context().context, {});
    assert.deepEqual(data, {
      energy: {
        currentEnergy: 73,
        maxEnergy: 100,
        regenerationRate: 10,
        regenerationIntervalMinutes: 60,
        nextRegenerationAt: '2026-11-20T15:27:00.000Z',
      },
      promptsUsedToday: 12,
      promptLimitToday: 100,
      promptsLeftToday: 88,
      promptsResetAt: '2026-11-21T00:00:00.000Z',
      monthlySpeechMinutes: 60,
      monthlySpeechMinutesUsed: 1.5833,
      maxConcurrentSessions: 10,
      activeSessions: 2,
    });
    assert.deepEqual(source, { type: 'usage', description: '12 of 100 prompts today' });
  });
});
