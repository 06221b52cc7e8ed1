import assert from 'node:assert/strict';
import type { Route } from '../../../src/http/route.js';
import { ROUTES } from '../../../src/http/routes.js';
import { fillGrid, startSession, startSessions, type GridObjects } from '../../support/grid-objects.js';
import { methodOf, pathOf, requestOf } from '../../support/route-requests.js';
import { CALLERS, TwoGrids, type CallerName, type GridName, type CheckedResponse } from '../../support/two-grids.js';

const UNKNOWN = '0d0d0d0d-1111-4222-8333-0123456789ab';
const TARGETS = ['own', 'foreign', 'unknown', 'malformed'] as const;
type Target = (typeof TARGETS)[number];

const ROLES: Readonly<Record<'own' | 'foreign', Partial<Record<CallerName, string>>>> = {
  own: { owner: 'Owner', member: 'Member', user: 'User', guest: 'Guest', application: 'Member', key: 'Member' },
  foreign: { 'owner-of-b': 'Owner', 'key-of-b': 'Member' },
};
const NO_PRIMARY: readonly CallerName[] = ['anonymous', 'revoked-key'];

/** Operations that change or delete shared objects of this test: each permitted call gets its own object. */
const FRESH: Readonly<
  Record<
    string,
    {
      readonly param: string;
      readonly method: string;
      readonly under: (number: number) => string;
      readonly body: object | ((ids: GridObjects) => object);
      readonly id: string;
    }
  >
> = {
  deleteAlertRule: {
    param: 'ruleId',
    method: 'POST',
    under: () => 'alert-rules',
    body: { name: 'Fresh', metric: 'error_rate', operator: '>', threshold: 5, severity: 'warning' },
    id: 'id',
  },
  deleteChannel: {
    param: 'channelId',
    method: 'POST',
    under: () => 'channels',
    body: { name: 'Fresh', type: 'email', recipients: ['nobody@shop.example'] },
    id: 'id',
  },
  // A channel has one pending test at a time.
  testChannel: {
    param: 'channelId',
    method: 'POST',
    under: () => 'channels',
    body: { name: 'Fresh', type: 'email', recipients: ['nobody@shop.example'] },
    id: 'id',
  },
  deleteNotificationRoute: {
    param: 'routeId',
    method: 'POST',
    under: () => 'routes',
    body: ({ channelId }) => ({ name: 'Fresh', channelIds: [channelId] }),
    id: 'id',
  },
  deleteSilence: {
    param: 'silenceId',
    method: 'POST',
    under: () => 'silences',
    body: {
      matchers: [{ label: 'service', operator: '=', value: 'nobody' }],
      reason: 'Upgrade',
      endsAt: '2099-01-01T00:00:00Z',
    },
    id: 'id',
  },
  deleteChart: {
    param: 'chartId',
    method: 'POST',
    under: () => 'charts',
    body: { title: 'Fresh', chartType: 'line', metric: 'apdex' },
    id: 'id',
  },
  deleteDashboard: {
    param: 'dashboardId',
    method: 'POST',
    under: () => 'dashboards',
    body: { title: 'Fresh' },
    id: 'id',
  },
  deleteView: {
    param: 'viewId',
    method: 'POST',
    under: () => 'views',
    body: { name: 'Fresh', signal: 'spans' },
    id: 'id',
  },
  deleteSlo: {
    param: 'sloId',
    method: 'POST',
    under: () => 'slos',
    body: { name: 'Fresh', indicator: { type: 'availability', serviceName: 'nobody' }, objective: 99 },
    id: 'id',
  },
  regenerateApiKey: { param: 'keyId', method: 'POST', under: () => 'api-keys', body: { name: 'Fresh' }, id: 'keyId' },
  revokeApiKey: { param: 'keyId', method: 'POST', under: () => 'api-keys', body: { name: 'Fresh' }, id: 'keyId' },
  setMember: {
    param: 'userId',
    method: 'PUT',
    under: (number) => `members/fresh-${number}`,
    body: { role: 'Guest' },
    id: 'userId',
  },
  removeMember: {
    param: 'userId',
    method: 'PUT',
    under: (number) => `members/fresh-${number}`,
    body: { role: 'Guest' },
    id: 'userId',
  },
};

/** Expected response to a valid request of a caller (specification, sections 3 and 4). */
function expected(route: Route, caller: CallerName, target: Target): number {
  if (NO_PRIMARY.includes(caller)) return 401;
  if (caller === 'application-without-permission') return target === 'malformed' && route.grid === 'path' ? 400 : 403;
  const admitted = requestOf(route).admitted ?? route.status ?? 200;
  if (route.grid === 'none') return route.apiKeys === false && caller.includes('key') ? 403 : admitted;
  if (target === 'malformed') return 400;
  const role = target === 'own' || target === 'foreign' ? ROLES[target][caller] : undefined;
  if (role === undefined || (route.apiKeys === false && caller.includes('key'))) return 403;
  return route.roles.some((each) => each === role) ? admitted : 403;
}

describe('isolation of two Grids of a running service', function () {
  this.timeout(180_000);
  let two: TwoGrids;
  let objects: Readonly<Record<GridName, GridObjects>>;
  let sessions: ReadonlyMap<CallerName, string>;
  let cells = 0;
  let freshOnes = 0;

  before(async () => {
    two = await TwoGrids.start();
    objects = { a: await fillGrid(two, 'a'), b: await fillGrid(two, 'b') };
    sessions = await startSessions(two);
  });
  after(() => two.dispose());

  const call = (route: Route, caller: CallerName, ids: GridObjects): Promise<CheckedResponse> => {
    const { body, form } = requestOf(route);
    const sent = form?.() ?? body;
    cells++;
    return two.call(caller, methodOf(route), pathOf(route, ids), sent === undefined ? {} : { body: sent });
  };

  /** Ids for one call at a target; objects that it may change or delete were created for it. */
  const idsFor = async (route: Route, target: Target, caller: CallerName): Promise<GridObjects> => {
    const name = target === 'foreign' ? 'b' : 'a';
    const grid = { own: two.grids.a.id, foreign: two.grids.b.id, unknown: UNKNOWN, malformed: 'not-a-uuid' }[target];
    const ids = { ...objects[name], gridSecondaryId: grid };
    const fresh = FRESH[route.operationId];
    if (fresh === undefined || expected(route, caller, target) >= 300) return ids;
    const made = await two.call(
      name === 'a' ? 'owner' : 'owner-of-b',
      fresh.method,
      `/admin/grids/${grid}/${fresh.under(freshOnes++)}`,
      { body: typeof fresh.body === 'function' ? fresh.body(ids) : fresh.body },
    );
    const { [fresh.id]: id } = JSON.parse(made.text) as Readonly<Record<string, string>>;
    assert.ok(id, made.text);
    return { ...ids, [fresh.param]: id };
  };

  for (const route of ROUTES.filter(({ grid }) => grid === 'path')) {
    it(`${route.operationId}: ${TARGETS.length} targets × ${CALLERS.length} callers`, async () => {
      for (const target of TARGETS) {
        await Promise.all(
          CALLERS.map(async (caller) => {
            const seen = await call(route, caller, await idsFor(route, target, caller));
            assert.deepEqual(
              [target, caller, seen.status],
              [target, caller, expected(route, caller, target)],
              seen.text.slice(0, 300),
            );
          }),
        );
      }
    });
  }

  for (const route of ROUTES.filter(({ grid }) => grid === 'none')) {
    it(`${route.operationId}: ${CALLERS.length} callers`, async () => {
      for (const caller of CALLERS)
        assert.deepEqual([caller, (await call(route, caller, {})).status], [caller, expected(route, caller, 'own')]);
    });
  }

  for (const route of ROUTES.filter(({ grid }) => grid === 'instance')) {
    it(`${route.operationId}: sessions of each of ${CALLERS.length} callers, unknown and malformed`, async () => {
      for (const caller of CALLERS) {
        const refused = NO_PRIMARY.includes(caller) ? 401 : caller === 'application-without-permission' ? 403 : 404;
        for (const [owner, instanceSecondaryId] of [
          ...sessions,
          ['unknown', UNKNOWN],
          ['malformed', 'not-a-uuid'],
        ] as const) {
          if (owner === caller) continue;
          assert.deepEqual(
            [owner, caller, (await call(route, caller, { instanceSecondaryId })).status],
            [owner, caller, refused],
          );
        }
        if (!sessions.has(caller)) continue;
        const own = await call(route, caller, { instanceSecondaryId: await startSession(two, caller) });
        assert.equal(own.status, requestOf(route).admitted ?? route.status ?? 200, own.text);
      }
    });
  }

  it('covers every operation', () => {
    const ofPath = ROUTES.filter(({ grid }) => grid === 'path').length;
    assert.ok(cells >= ofPath * TARGETS.length * CALLERS.length, `${cells} cells`);
  });
});
