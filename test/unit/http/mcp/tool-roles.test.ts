import assert from 'node:assert/strict';
import { TOOLS } from '../../../../src/assistant/tools/tool-registry.js';
import { EVERY_ROLE, type Route } from '../../../../src/http/route.js';
import { ROUTES } from '../../../../src/http/routes.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { CallerName } from '../../../support/fake-access.js';

/** The operations of the API that answer what a tool answers. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  GetAlertRules: ['listAlertRules'],
  GetAlertSummary: ['listAlerts'],
  GetAvailableCharts: ['listCharts'],
  GetComparison: ['compareWindows'],
  GetDashboard: ['getDashboard'],
  GetDeploymentCorrelation: ['listChanges'],
  GetDiagnosis: ['listDiagnoses'],
  GetErrorGroup: ['getErrorGroup'],
  GetErrorGroups: ['listErrorGroups'],
  // The number of alert rules is left out for those who may not list them.
  GetGridInfo: ['getTraceFilters', 'getLogFilters', 'listMetrics', 'listDashboards'],
  GetIncident: ['getIncident'],
  GetIncidents: ['listIncidents'],
  GetIncidentTimeline: ['getTimeline'],
  GetLog: ['getLogDetail'],
  GetLogFilterFacets: ['getLogFilters'],
  GetLogs: ['searchLogs'],
  QueryTelemetry: ['runQuery'],
  GetMetrics: ['listMetrics'],
  GetObjectiveReport: ['getSloReport'],
  GetObjectives: ['assessSlos'],
  GetPressurePoints: ['listPressurePoints'],
  GetRangeData: ['getChartRangeData'],
  GetServiceDetail: ['getServiceDetail'],
  GetServiceMap: ['getServiceMap'],
  GetSilences: ['listSilences'],
  GetSlowestEndpoints: ['listSlowestEndpoints'],
  GetSystemHealth: ['getHealth'],
  GetTrace: ['getSpanDetail'],
  GetTraceErrors: ['getTraceErrors'],
  GetTraceFilterFacets: ['getTraceFilters'],
  GetTraceLogs: ['getTraceLogs'],
  GetTraceSpanEvents: ['getSpanEvents'],
  GetTraceSpanTags: ['getSpanTags'],
  GetTraceSpans: ['getTraceSpans'],
  GetTraces: ['searchTraces'],
  GetTrendAnalysis: ['getTrends'],
  GetUsage: ['getEnergy', 'getUsageStatus', 'getLimits'],
  GetUsageSummary: ['getUsageSummary'],
};

const CALLERS: readonly CallerName[] = ['owner', 'member', 'user', 'guest', 'application', 'key'];
const ADMINISTRATORS: readonly CallerName[] = ['owner', 'member', 'application'];

describe('who may call a tool', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  const findRoute = (operationId: string): Route =>
    ROUTES.find((route) => route.operationId === operationId) ?? assert.fail(`no operation ${operationId}`);

  it('is compared with the operations of the API, for each tool', () => {
    assert.deepEqual(TOOLS.map(({ name }) => name).sort(), Object.keys(OPERATIONS).sort());
  });

  for (const { name, forAdministrators } of TOOLS) {
    it(`${name}: the same as of ${(OPERATIONS[name] ?? []).join(' and ')}`, () => {
      for (const { roles, apiKeys } of (OPERATIONS[name] ?? []).map(findRoute)) {
        assert.deepEqual(roles, forAdministrators === true ? ['Member', 'Owner'] : EVERY_ROLE);
        assert.equal(apiKeys, forAdministrators === true ? false : undefined);
      }
    });
  }

  const send = async (as: CallerName, method: string, params: object): Promise<Record<string, unknown>> => {
    const headers = { Accept: 'application/json, text/event-stream' };
    const reply = await api.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, { as, version: null, headers });
    assert.equal(reply.status, 200, reply.text);
    return reply.json()['result'] as Record<string, unknown>;
  };

  for (const caller of CALLERS) {
    const isAdministrator = ADMINISTRATORS.includes(caller);

    it(`${caller} ${isAdministrator ? 'reads alert rules' : 'is told which role reads alert rules'}`, async () => {
      const { isError, content } = await send(caller, 'tools/call', { name: 'GetAlertRules', arguments: {} });
      const { text } = (content as { text: string }[])[0];
      assert.equal(isError === true, !isAdministrator, text);
      assert.match(text, isAdministrator ? /"rules":\[\{/ : /GetAlertRules requires the role Member or Owner/);
      const listed = (await send(caller, 'tools/list', {}))['tools'] as { name: string }[];
      assert.equal(
        listed.some(({ name }) => name === 'GetAlertRules'),
        isAdministrator,
      );
    });

    it(`${caller} ${isAdministrator ? 'learns' : 'does not learn'} how many alert rules there are`, async () => {
      const { content } = await send(caller, 'tools/call', { name: 'GetGridInfo', arguments: {} });
      assert.equal((content as { text: string }[])[0].text.includes('alertRuleCount'), isAdministrator);
    });
  }
});
