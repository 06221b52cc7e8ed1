import type { Route } from '../../src/http/route.js';

/** Valid request parts of an operation besides ids, so that only authorization decides. */
export interface RouteRequest {
  readonly query?: string;
  readonly body?: object;
  readonly form?: () => FormData;
  /** Expected status of an authorized call, if different from the status of the route. */
  readonly admitted?: number;
}

const RANGE = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };
const RULE = { name: 'Slow', metric: 'latency_p95', operator: '>', threshold: 1_500, severity: 'warning' };
const CHART = { title: 'Requests', chartType: 'line', metric: 'request_rate' };

const CHANNEL = { name: 'On call', type: 'webhook', url: 'https://hooks.example/alerts' };
/** Its channel exists in no Grid. */
const ROUTE = { name: 'Everything', channelIds: ['7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'] };
const SILENCE = {
  matchers: [{ label: 'service', operator: '=', value: 'nobody' }],
  reason: 'Upgrade',
  endsAt: '2099-01-01T00:00:00Z',
};

const SLO = { name: 'Available', indicator: { type: 'availability', serviceName: 'checkout' }, objective: 99.9 };

/** Request parts by operation. */
const REQUESTS: Readonly<Record<string, RouteRequest>> = {
  searchTraces: { body: RANGE },
  searchLogs: { body: RANGE },
  runQuery: { body: { signal: 'spans', ...RANGE } },
  findDifferences: { body: { signal: 'spans', selection: 'status = ERROR', ...RANGE } },
  createView: { body: { name: 'Slow', signal: 'spans' } },
  replaceView: { body: { name: 'Slow', signal: 'spans' } },
  createSlo: { body: SLO },
  replaceSlo: { body: SLO },
  getSloReport: { query: '?month=2026-01' },
  renderSloReport: { query: '?month=2026-01' },
  backtestSlo: { body: { indicator: SLO.indicator } },
  createAlertRule: { body: RULE },
  replaceAlertRule: { body: RULE },
  backtestAlertRule: { body: { rule: RULE, ...RANGE } },
  createChart: { body: CHART },
  replaceChart: { body: CHART },
  createDashboard: { body: { title: 'Board' } },
  replaceDashboard: { body: { title: 'Board' } },
  resolveErrorGroup: { body: {} },
  acknowledgeAlert: { admitted: 404 },
  getIncident: { admitted: 404 },
  acknowledgeIncident: { admitted: 404 },
  resolveIncident: { body: {}, admitted: 404 },
  assignIncidentCommander: { body: { userId: 'owner' }, admitted: 404 },
  addIncidentNote: { body: { text: 'Restarted' }, admitted: 404 },
  mergeIncident: { body: { incidentId: 'another' }, admitted: 404 },
  splitIncident: { body: { alertIds: ['one'] }, admitted: 404 },
  createChannel: { body: CHANNEL },
  replaceChannel: { body: CHANNEL },
  createNotificationRoute: { body: ROUTE, admitted: 400 },
  replaceNotificationRoute: { body: ROUTE, admitted: 400 },
  createSilence: { body: SILENCE },
  replaceSilence: { body: SILENCE },
  chat: { body: { prompt: 'Is anything broken?' } },
  // Speech takes seconds of processor time, so use input that is rejected after all checks.
  synthesizeSpeech: { body: { text: 'Fine.', voice: 'nobody' }, admitted: 400 },
  recognizeSpeech: { form: () => silence(), admitted: 415 },
  createGrid: { body: { name: 'Another' } },
  changeGrid: { body: { apdexThresholdMs: 500 } },
  setMember: { body: { role: 'User' } },
  issueApiKey: { body: { name: 'Another' } },
  updateLimits: { body: { dailyPromptLimit: 100_000 } },
  getUsageSummary: { query: '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z' },
  compareTraces: { query: '?baselineTraceId=0af7651916cd43dd8448eb211c80319c', admitted: 404 },
  compareWindows: {
    query:
      '?currentStart=2026-01-02T00:00:00Z&currentEnd=2026-01-02T01:00:00Z&baselineStart=2026-01-01T00:00:00Z&baselineEnd=2026-01-01T01:00:00Z',
  },
};

/** A valid request of the operation. Throws if the route needs a body or form that is not listed here. */
export function requestOf(route: Route): RouteRequest {
  const request = REQUESTS[route.operationId] ?? {};
  if (route.body !== undefined && request.body === undefined)
    throw new Error(`${route.operationId} needs a body in test/support/route-requests.ts`);
  if (route.file !== undefined && request.form === undefined)
    throw new Error(`${route.operationId} needs a form in test/support/route-requests.ts`);
  return request;
}

/** Path of the operation with these ids. Throws if one is missing. */
export function pathOf(route: Route, ids: Readonly<Record<string, string>>): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const id = route.operationId === 'getLogDetail' && name === 'spanId' ? ids['logId'] : ids[name];
    if (id === undefined) throw new Error(`${route.operationId} needs a ${name} in its path`);
    return encodeURIComponent(id);
  });
  return path + (requestOf(route).query ?? '');
}

/** HEAD for live streams, which would not end. */
export function methodOf(route: Route): string {
  return route.mediaType === 'text/event-stream' ? 'HEAD' : route.method;
}

function silence(): FormData {
  const form = new FormData();
  form.append('audio', new Blob(['no sound']), 'question.wav');
  return form;
}
