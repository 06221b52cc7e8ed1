import type { Route } from '../../src/http/route.js';

/** What a call of an operation takes besides ids, so that nothing but the caller's rights decides. */
export interface RouteRequest {
  readonly query?: string;
  readonly body?: object;
  readonly form?: () => FormData;
  /** Where an admitted call is answered otherwise than by the route's status. */
  readonly admitted?: number;
}

const RANGE = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };
const RULE = { name: 'Slow', metric: 'latency_p95', operator: '>', threshold: 1_500, severity: 'warning' };
const CHART = { title: 'Requests', chartType: 'line', metric: 'request_rate' };

/** By operation, of those that need something. */
const REQUESTS: Readonly<Record<string, RouteRequest>> = {
  searchTraces: { body: RANGE },
  searchLogs: { body: RANGE },
  createAlertRule: { body: RULE },
  replaceAlertRule: { body: RULE },
  backtestAlertRule: { body: { rule: RULE, ...RANGE } },
  createChart: { body: CHART },
  replaceChart: { body: CHART },
  createDashboard: { body: { title: 'Board' } },
  replaceDashboard: { body: { title: 'Board' } },
  chat: { body: { prompt: 'Is anything broken?' } },
  // Speaking and listening take seconds of a core: a text and a sound that are refused at the end of all checks do not.
  synthesizeSpeech: { body: { text: 'Fine.', voice: 'nobody' }, admitted: 400 },
  recognizeSpeech: { form: () => silence(), admitted: 415 },
  createGrid: { body: { name: 'Another' } },
  changeGrid: { body: { apdexThresholdMs: 500 } },
  setMember: { body: { role: 'User' } },
  issueApiKey: { body: { name: 'Another' } },
  updateLimits: { body: { dailyPromptLimit: 100_000 } },
  getUsageSummary: { query: '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z' },
  compareWindows: {
    query:
      '?currentStart=2026-01-02T00:00:00Z&currentEnd=2026-01-02T01:00:00Z&baselineStart=2026-01-01T00:00:00Z&baselineEnd=2026-01-01T01:00:00Z',
  },
};

/** A valid request of the operation. Throws for a route that needs a body or a form of which nothing is known here. */
export function requestOf(route: Route): RouteRequest {
  const request = REQUESTS[route.operationId] ?? {};
  if (route.body !== undefined && request.body === undefined)
    throw new Error(`${route.operationId} needs a body in test/support/route-requests.ts`);
  if (route.file !== undefined && request.form === undefined)
    throw new Error(`${route.operationId} needs a form in test/support/route-requests.ts`);
  return request;
}

/** Address of the operation with these ids. Throws where one is missing. */
export function pathOf(route: Route, ids: Readonly<Record<string, string>>): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const id = route.operationId === 'getLogDetail' && name === 'spanId' ? ids['logId'] : ids[name];
    if (id === undefined) throw new Error(`${route.operationId} needs a ${name} in its path`);
    return encodeURIComponent(id);
  });
  return path + (requestOf(route).query ?? '');
}

/** A stream would not end: of that, the head alone. */
export function methodOf(route: Route): string {
  return route.mediaType === 'text/event-stream' ? 'HEAD' : route.method;
}

function silence(): FormData {
  const form = new FormData();
  form.append('audio', new Blob(['no sound']), 'question.wav');
  return form;
}
