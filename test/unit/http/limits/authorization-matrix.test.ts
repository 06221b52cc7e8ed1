import assert from 'node:assert/strict';
import { ROUTES } from '../../../../src/http/routes.js';
import type { Route } from '../../../../src/http/route.js';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { API_KEY } from '../../../support/fake-administration.js';
import { CALLERS, GRID_A, GRID_B, GRID_INACTIVE, GRID_UNKNOWN, type CallerName } from '../../../support/fake-access.js';
import { RULE } from '../../../support/fake-alert-rules.js';
import { NEW_SLO, SLO } from '../../../support/fake-slos.js';
import { VIEW } from '../../../support/fake-views.js';
import { INCIDENT } from '../../../support/fake-incidents.js';
import { CHANNEL, NEW_CHANNEL, NEW_ROUTE, NEW_SILENCE, ROUTE, SILENCE } from '../../../support/fake-notifications.js';
import { CHART, DASHBOARD, NEW_CHART } from '../../../support/sample-charts.js';
import { BASELINE_TRACE_ID, ERROR_GROUP_ID, ROOT_SPAN_ID, TRACE_ID } from '../../../support/fake-telemetry.js';
import { INSTANCE_EXPIRED, INSTANCE_INACTIVE, INSTANCE_UNKNOWN, instanceOf } from '../../../support/fake-usage.js';

const GRIDS = {
  own: GRID_A,
  inactive: GRID_INACTIVE,
  foreign: GRID_B,
  unknown: GRID_UNKNOWN,
  malformed: 'not-a-uuid',
} as const;
type Target = keyof typeof GRIDS;

const ROLE_IN_A: Partial<Record<CallerName, string>> = {
  owner: 'Owner',
  member: 'Member',
  user: 'User',
  guest: 'Guest',
  application: 'Member',
  key: 'Member',
};
/** The same, but for the key, which is of A. */
const ROLE_IN_INACTIVE: typeof ROLE_IN_A = { ...ROLE_IN_A, key: undefined };
const ROLE_IN_B: Partial<Record<CallerName, string>> = { 'owner-of-b': 'Owner', 'key-of-b': 'Member' };
const ROLES: Partial<Record<Target, typeof ROLE_IN_A>> = {
  own: ROLE_IN_A,
  inactive: ROLE_IN_INACTIVE,
  foreign: ROLE_IN_B,
};
const NO_PRIMARY: readonly CallerName[] = ['anonymous', 'revoked-key'];

/** Bodies that pass, for the routes that need one: a new one without an entry here fails. */
const BODIES: Record<string, object> = {
  searchTraces: { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' },
  searchLogs: { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' },
  runQuery: { signal: 'spans', rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' },
  findDifferences: {
    signal: 'spans',
    selection: 'status = ERROR',
    rangeStart: '2026-01-01T00:00:00Z',
    rangeEnd: '2026-01-02T00:00:00Z',
  },
  createAlertRule: RULE,
  replaceAlertRule: RULE,
  createChart: NEW_CHART,
  replaceChart: NEW_CHART,
  createSlo: NEW_SLO,
  replaceSlo: NEW_SLO,
  backtestSlo: { indicator: NEW_SLO.indicator },
  createView: { name: 'Slow', signal: 'spans' },
  replaceView: { name: 'Slow', signal: 'spans' },
  createDashboard: DASHBOARD,
  replaceDashboard: DASHBOARD,
  createChannel: NEW_CHANNEL,
  replaceChannel: NEW_CHANNEL,
  createNotificationRoute: NEW_ROUTE,
  replaceNotificationRoute: NEW_ROUTE,
  resolveErrorGroup: { serviceVersion: '2.4.1' },
  resolveIncident: { note: 'Rolled back' },
  assignIncidentCommander: { userId: 'owner' },
  addIncidentNote: { text: 'Restarted' },
  mergeIncident: { incidentId: 'another' },
  splitIncident: { alertIds: ['alert-1'] },
  createSilence: NEW_SILENCE,
  replaceSilence: NEW_SILENCE,
  chat: { prompt: 'Is anything broken?' },
  synthesizeSpeech: { text: 'Nothing is broken.' },
  updateLimits: { dailyPromptLimit: 5 },
  createGrid: { name: 'shop' },
  changeGrid: { apdexThresholdMs: 300 },
  setMember: { role: 'User' },
  issueApiKey: { name: 'checkout' },
  backtestAlertRule: { rule: RULE, rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' },
};

/** Forms, likewise. */
const FORMS: Record<string, () => FormData> = {
  recognizeSpeech() {
    const form = new FormData();
    form.append('audio', new Blob(['RIFF']), 'question.wav');
    return form;
  },
};

/** And queries. */
const QUERIES: Record<string, string> = {
  getSloReport: '?month=2026-01',
  renderSloReport: '?month=2026-01',
  getUsageSummary: '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
  compareTraces: `?baselineTraceId=${BASELINE_TRACE_ID}`,
  compareWindows:
    '?currentStart=2026-01-02T00:00:00Z&currentEnd=2026-01-02T01:00:00Z&baselineStart=2026-01-01T00:00:00Z&baselineEnd=2026-01-01T01:00:00Z',
};

function expectedStatus(route: Route, caller: CallerName, target: Target): number {
  if (NO_PRIMARY.includes(caller)) return 401;
  if (target === 'malformed') return 400;
  const role = ROLES[target]?.[caller];
  if (role === undefined || (target === 'inactive' && route.whileInactive !== true)) return 403;
  if (route.apiKeys === false && caller.includes('key')) return 403;
  return route.roles.some((admitted) => admitted === role) ? (route.status ?? 200) : 403;
}

const IDS: Record<string, string> = {
  spanId: ROOT_SPAN_ID,
  traceId: TRACE_ID,
  groupId: ERROR_GROUP_ID,
  serviceName: 'checkout',
  ruleId: RULE.id,
  chartSecondaryId: CHART.id,
  chartId: CHART.id,
  dashboardSecondaryId: DASHBOARD.id,
  dashboardId: DASHBOARD.id,
  viewId: VIEW.id,
  sloId: SLO.id,
  userId: 'guest',
  keyId: API_KEY.keyId,
  channelId: CHANNEL.id,
  routeId: ROUTE.id,
  silenceId: SILENCE.id,
  alertId: RULE.id,
  incidentId: INCIDENT.id,
};

const pathOf = (route: Route, id: string): string =>
  route.path
    .replace(/\{(grid|instance)SecondaryId\}/, id)
    .replace(/\{(\w+)\}/g, (whole, name: string) => IDS[name] ?? whole) + (QUERIES[route.operationId] ?? '');

/** A stream would not end: of that, the head alone. */
const methodOf = (route: Route): string => (route.mediaType === 'text/event-stream' ? 'HEAD' : route.method);

describe('authorization matrix', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  it('covers the operations of the table', () => {
    assert.equal(ROUTES.length, 2 + 4 + 6 + 11 + 12 + 18 + 6 + 8 + 10 + 12 + 4 + 3 + 4 + 1 + 11 + 8);
    for (const route of ROUTES) {
      assert.equal(
        route.body === undefined,
        BODIES[route.operationId] === undefined,
        `${route.operationId} needs a body here, or none`,
      );
      assert.equal(
        route.file === undefined,
        FORMS[route.operationId] === undefined,
        `${route.operationId} needs a form here, or none`,
      );
      assert.doesNotMatch(
        pathOf(route, GRID_A),
        /[{}]/,
        `${route.operationId} has a parameter that this test does not fill`,
      );
    }
  });

  const statusFor = async (route: Route, id: string, caller: CallerName): Promise<[CallerName, number]> => {
    const body = BODIES[route.operationId] ?? FORMS[route.operationId]?.();
    return [caller, (await api.call(methodOf(route), pathOf(route, id), { as: caller, ...(body && { body }) })).status];
  };

  for (const route of ROUTES.filter(({ grid }) => grid === 'path')) {
    for (const target of Object.keys(GRIDS) as Target[]) {
      it(`${route.operationId} on a Grid that is ${target}: each of ${CALLERS.length} callers`, async () => {
        for (const caller of CALLERS)
          assert.deepEqual(await statusFor(route, GRIDS[target], caller), [
            caller,
            expectedStatus(route, caller, target),
          ]);
      });
    }
  }

  for (const route of ROUTES.filter(({ grid }) => grid === 'none')) {
    it(`${route.operationId}: each of ${CALLERS.length} callers`, async () => {
      for (const caller of CALLERS) {
        const refused =
          caller === 'application-without-permission' || (route.apiKeys === false && caller.includes('key'));
        assert.deepEqual(await statusFor(route, '', caller), [
          caller,
          NO_PRIMARY.includes(caller) ? 401 : refused ? 403 : (route.status ?? 200),
        ]);
      }
    });
  }

  for (const route of ROUTES.filter(({ grid }) => grid === 'instance')) {
    /** Who is known and permitted gets 404 for whatever is not theirs. */
    const statusOfUnusable = (caller: CallerName): number =>
      NO_PRIMARY.includes(caller) ? 401 : caller === 'application-without-permission' ? 403 : 404;

    for (const [target, id] of [
      ['unknown', INSTANCE_UNKNOWN],
      ['expired', INSTANCE_EXPIRED],
      ['malformed', 'not-a-uuid'],
      ['a Grid', GRID_A],
    ] as const) {
      it(`${route.operationId} by an instance that is ${target}: each of ${CALLERS.length} callers`, async () => {
        for (const caller of CALLERS)
          assert.deepEqual(await statusFor(route, id, caller), [caller, statusOfUnusable(caller)]);
      });
    }

    for (const user of CALLERS) {
      it(`${route.operationId} by an instance of ${user}: each of ${CALLERS.length} callers`, async () => {
        const ofUser = user === 'outsider' ? 403 : (route.status ?? 200);
        for (const caller of CALLERS)
          assert.deepEqual(await statusFor(route, instanceOf(user), caller), [
            caller,
            statusOfUnusable(caller) === 404 && caller === user ? ofUser : statusOfUnusable(caller),
          ]);
      });
    }

    it(`${route.operationId} by an instance in a Grid without subscription: its user is told, nobody else`, async () => {
      for (const caller of CALLERS)
        assert.deepEqual(await statusFor(route, INSTANCE_INACTIVE, caller), [
          caller,
          caller === 'owner' ? 403 : statusOfUnusable(caller),
        ]);
    });
  }

  it('answers a foreign Grid and one that does not exist alike, but for the path', async () => {
    for (const caller of ['outsider', 'owner', 'key', 'application'] as const) {
      const [foreign, unknown] = await Promise.all(
        [GRID_B, GRID_UNKNOWN].map((grid) => api.get(`/apm/traces/${grid}/filters`, { as: caller })),
      );
      assert.ok(foreign && unknown);
      assertProblem(foreign, { status: 403, slug: 'forbidden' });
      assert.deepEqual({ ...foreign.json(), instance: '' }, { ...unknown.json(), instance: '' });
      const shown = (reply: typeof foreign): string[] =>
        [...reply.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date').map(String);
      assert.deepEqual(shown(foreign), shown(unknown));
    }
  });

  it('asks the queries only for the Grid of the path, in lower case', async () => {
    api.telemetry.asked.length = 0;
    assert.equal((await api.get(`/apm/traces/${GRID_A.toUpperCase()}/filters`)).status, 200);
    assert.deepEqual(api.telemetry.asked, [{ name: 'traceFilterOptions', with: [GRID_A] }]);
  });

  it('lets nothing but the record of a Grid be read and changed while its subscription is inactive', () => {
    assert.deepEqual(
      ROUTES.filter(({ whileInactive }) => whileInactive).map(({ operationId }) => operationId),
      ['getGrid', 'changeGrid'],
    );
  });

  it('lets no API key administer', () => {
    const open = ROUTES.filter(({ path, apiKeys }) => path.startsWith('/admin/') && apiKeys !== false);
    assert.deepEqual(
      open.map(({ operationId }) => operationId),
      [],
    );
  });

  it('lets a changed membership count at the next call', async () => {
    const path = `/apm/logs/${GRID_A}/filters`;
    const own = await startApi();
    try {
      own.access.roles.delete(`${GRID_A} user`);
      assert.equal((await own.get(path, { as: 'user' })).status, 403);
      own.access.keys.delete('hs_key_secret');
      assert.equal((await own.get(path, { as: 'key' })).status, 401);
    } finally {
      await own.stop();
    }
  });

  it('gives each of many concurrent callers its own answer', async () => {
    const calls = Array.from(
      { length: 300 },
      (_, i) => (['owner', 'outsider', 'anonymous'] as const)[i % 3] ?? 'owner',
    );
    const replies = await Promise.all(calls.map((as) => api.get(`/apm/traces/${GRID_A}/filters`, { as })));
    const expected = { owner: 200, outsider: 403, anonymous: 401 };
    assert.deepEqual(
      replies.map((reply) => reply.status),
      calls.map((as) => expected[as]),
    );
  });
});
