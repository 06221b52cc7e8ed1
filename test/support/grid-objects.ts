import assert from 'node:assert/strict';
import { ErrorGroupKeys } from '../../src/diagnostics/error-groups/error-group-key.js';
import { logsOf, spansOf, KIND, STATUS, spanId, traceId } from './otlp-requests.js';
import { waitUntil } from './wait-until.js';
import { CANARY, type CallerName, type GridName, type TwoGrids } from './two-grids.js';

/** Ids and names of the objects of a Grid by path parameter. */
export type GridObjects = Readonly<Record<string, string>>;

/** A trace and span id that exists in both Grids, with different texts. */
export const SHARED = { traceId: traceId(7), spanId: spanId(7) } as const;

/** Longest time (ms) until a request has fired an alert and the alert has opened an incident. */
const INCIDENT_TIMEOUT_MS = 60_000;

const OWNERS: Readonly<Record<GridName, CallerName>> = { a: 'owner', b: 'owner-of-b' };

/** Creates one of every object in a Grid, with its canary in every text, and returns their ids. */
export async function fillGrid(two: TwoGrids, name: GridName): Promise<GridObjects> {
  const canary = CANARY[name];
  await sendTelemetry(two, name);
  const { id } = two.grids[name];
  const create = async (what: string, body: object): Promise<string> =>
    String((await callSuccessfully(two, OWNERS[name], 'POST', `/admin/grids/${id}/${what}`, body, 201))['id']);
  const chart = { title: `Chart ${canary}`, chartType: 'line', metric: 'request_rate', serviceName: `shop-${canary}` };
  const chartId = await create('charts', chart);
  const position = { row: 0, col: 0, width: 6, height: 4 };
  const dashboardId = await create('dashboards', {
    title: `Board ${canary}`,
    description: canary,
    charts: [{ chartId, title: chart.title, chartType: 'line', position }],
  });
  const ruleId = await create('alert-rules', {
    name: `Rule ${canary}`,
    metric: 'error_rate',
    operator: '>',
    threshold: 5,
    severity: 'warning',
    serviceName: `shop-${canary}`,
  });
  const viewId = await create('views', { name: `View ${canary}`, description: canary, signal: 'logs', where: canary });
  const sloId = await create('slos', {
    name: `Objective ${canary}`,
    indicator: { type: 'availability', serviceName: `shop-${canary}` },
    objective: 99,
  });
  const channel = { name: `Channel ${canary}`, type: 'webhook', url: `https://hooks.example/${canary}` };
  const channelId = await create('channels', channel);
  const routeId = await create('routes', { name: `Route ${canary}`, channelIds: [channelId] });
  const matchers = [{ label: 'service', operator: '=', value: canary }];
  const silence = { matchers, reason: `Silence ${canary}`, endsAt: '2099-01-01T00:00:00Z' };
  const silenceId = await create('silences', silence);
  const of = name === 'a' ? 1 : 2;
  return {
    traceId: traceId(of),
    spanId: spanId(of),
    logId: await logIdOf(two, name),
    serviceName: `shop-${canary}`,
    ruleId,
    chartId,
    channelId,
    routeId,
    silenceId,
    alertId: `alert-${canary}`,
    incidentId: `incident-${canary}`,
    groupId: new ErrorGroupKeys().find({ type: canary, message: canary, stackTrace: canary }).groupId,
    chartSecondaryId: chartId,
    dashboardId,
    dashboardSecondaryId: dashboardId,
    viewId,
    sloId,
    keyId: two.grids[name].keyId,
    userId: name === 'a' ? 'guest' : `member-${canary}`,
  };
}

/** Fires an alert of the service with the canary, and returns the id of the incident that is opened for it. */
export async function openIncident(two: TwoGrids, name: GridName): Promise<string> {
  const { id, apiKey } = two.grids[name];
  const serviceName = `shop-${CANARY[name]}`;
  const rule = {
    name: `Any request ${CANARY[name]}`,
    metric: 'request_rate',
    operator: '>',
    threshold: 0,
    severity: 'critical',
    serviceName,
    minRequests: 1,
  };
  await callSuccessfully(two, OWNERS[name], 'POST', `/admin/grids/${id}/alert-rules`, rule, 201);
  const [start, end] = [2_000, 1_000].map((ms) => BigInt(Date.now() - ms) * 1_000_000n);
  const span = { traceId: traceId(9), spanId: spanId(9), kind: KIND.server, start, end };
  assert.equal(await two.send('traces', spansOf(serviceName, span), { 'api-key': apiKey }), 200);
  let incidentId: string | undefined;
  const findIncident = async (): Promise<boolean> => {
    const listed = await callSuccessfully(two, OWNERS[name], 'GET', `/apm/incidents/${id}`, undefined, 200);
    [{ id: incidentId } = { id: undefined }] = listed['incidents'] as readonly { readonly id?: string }[];
    return incidentId !== undefined;
  };
  await waitUntil(findIncident, `an incident of ${serviceName} is open`, INCIDENT_TIMEOUT_MS);
  return String(incidentId);
}

/** Starts an assistant session for every permitted caller in its own Grid. */
export async function startSessions(two: TwoGrids): Promise<ReadonlyMap<CallerName, string>> {
  const sessions = new Map<CallerName, string>();
  const limits = { maxConcurrentSessions: 100_000, dailyPromptLimit: 100_000, monthlySpeechMinutes: 10_000 };
  for (const name of ['a', 'b'] as const)
    await callSuccessfully(two, OWNERS[name], 'PUT', `/assistant/limits/${two.grids[name].id}`, limits, 200);
  for (const caller of ['owner', 'member', 'user', 'guest', 'application', 'key', 'owner-of-b', 'key-of-b'] as const)
    sessions.set(caller, await startSession(two, caller));
  return sessions;
}

export async function startSession(two: TwoGrids, caller: CallerName): Promise<string> {
  const grid = two.grids[caller.endsWith('of-b') ? 'b' : 'a'].id;
  return String(
    (await callSuccessfully(two, caller, 'POST', `/assistant/sessions/${grid}`, undefined, 201))['instanceSecondaryId'],
  );
}

/** The response body of a call that must succeed. */
export async function callSuccessfully(
  two: TwoGrids,
  caller: CallerName,
  method: string,
  path: string,
  body: object | undefined,
  status: number,
): Promise<Record<string, unknown>> {
  const seen = await two.call(caller, method, path, body === undefined ? {} : { body });
  assert.equal(seen.status, status, `${method} ${path}: ${seen.text}`);
  return JSON.parse(seen.text) as Record<string, unknown>;
}

/** Headers and attributes that select the tenant in other products; in Hindsight only the key does. */
const CLAIMED_TENANT = (two: TwoGrids, name: GridName) => {
  const other = two.grids[name === 'a' ? 'b' : 'a'].id;
  return {
    headers: { 'x-scope-orgid': other, 'x-tenant': other },
    attributes: [
      ['grid.id', other],
      ['gridSecondaryId', other],
      ['tenant', other],
    ] as const,
  };
};

async function sendTelemetry(two: TwoGrids, name: GridName): Promise<void> {
  const canary = CANARY[name];
  const claimed = CLAIMED_TENANT(two, name);
  const headers = { 'api-key': two.grids[name].apiKey, ...claimed.headers };
  const at = BigInt(Date.now() - 90_000) * 1_000_000n;
  const resource = [
    ['service.name', `shop-${canary}`],
    ['service.version', canary],
    ['service.instance.id', canary],
    [`key.${canary}`, canary],
    ...claimed.attributes,
  ] as const;
  const exception = {
    name: 'exception',
    time: at,
    attributes: [
      ['exception.type', canary],
      ['exception.message', canary],
      ['exception.stacktrace', canary],
    ] as const,
  };
  const attributes = [
    [`attribute.${canary}`, canary],
    ['peer.service', `peer-${canary}`],
  ] as const;
  const texts = {
    name: `op ${canary}`,
    attributes,
    events: [exception],
    status: { code: STATUS.error, message: canary },
    start: at,
    end: at + 5_000_000n,
  };
  const of = name === 'a' ? 1 : 2;
  const spans = [
    { ...texts, traceId: traceId(of), spanId: spanId(of), kind: KIND.server },
    { ...texts, traceId: traceId(of), spanId: spanId(of + 10), parentSpanId: spanId(of), kind: KIND.client },
    { ...texts, ...SHARED, kind: KIND.server },
  ];
  const log = {
    time: at,
    severityNumber: 17,
    body: `log ${canary}`,
    traceId: traceId(of),
    spanId: spanId(of),
    attributes: [[`log.${canary}`, canary]] as const,
  };
  const point = {
    timeUnixNano: String(at),
    startTimeUnixNano: String(at - 60_000_000_000n),
    asDouble: 1,
    attributes: [{ key: `point.${canary}`, value: { stringValue: canary } }],
  };
  const metrics = {
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: `shop-${canary}` } }] },
        scopeMetrics: [{ metrics: [{ name: `metric.${canary}`, unit: '1', gauge: { dataPoints: [point] } }] }],
      },
    ],
  };
  assert.deepEqual(
    await Promise.all([
      two.send('traces', spansOf(resource, ...spans), headers),
      two.send('logs', logsOf(resource, ...(name === 'a' ? [log] : [log, log])), headers),
      two.send('metrics', metrics, headers),
    ]),
    [200, 200, 200],
  );
  await waitUntil(
    async () => (await two.call(OWNERS[name], 'GET', `/apm/metrics/${two.grids[name].id}`)).text.includes(canary),
    'telemetry shows',
  );
}

/** Log ids are numbers per Grid: the last one of Grid B does not exist in Grid A. */
async function logIdOf(two: TwoGrids, name: GridName): Promise<string> {
  const range = {
    rangeStart: new Date(Date.now() - 3_600_000).toISOString(),
    rangeEnd: new Date(Date.now() + 60_000).toISOString(),
  };
  const search = async () =>
    (await callSuccessfully(two, OWNERS[name], 'POST', `/apm/logs/${two.grids[name].id}`, range, 200))[
      'items'
    ] as readonly {
      readonly id: string;
    }[];
  await waitUntil(async () => (await search()).length > 0, 'the log is found');
  return (
    (await search())
      .map(({ id }) => id)
      .sort()
      .at(-1) ?? ''
  );
}
