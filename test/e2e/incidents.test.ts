import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { STATUS } from '../support/otlp-requests.js';
import { PastMinutes } from '../support/past-requests.js';
import { signIn, signInAutomation } from '../support/sign-in.js';
import type { ApiClient } from '../support/api-client.js';
import { waitUntil } from '../support/wait-until.js';

/** Longest time (ms) until a cause is confirmed, and until an incident is resolved after the end of its alerts. */
const CONFIRMED_MS = 90_000;
const RESOLVED_MS = 240_000;
/** Minutes of normal requests, and of those with the faults. */
const NORMAL_MINUTES = 70;
const FAULT_MINUTES = 6;

interface Incident {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly endedAt: string | null;
  readonly cause: { readonly serviceName: string; readonly kind: string } | null;
  readonly alerts: readonly { readonly serviceName: string; readonly acknowledgedBy?: string }[];
  readonly timeline: readonly { readonly type: string; readonly description: string }[];
  readonly reopenedCount: number;
  readonly acknowledgedBy?: string;
}

describe('incidents of a running service', function () {
  this.timeout(600_000);
  let box: BlackBox;
  let member: ApiClient;
  before(async () => {
    box = await BlackBox.start();
    member = await signInAutomation(box.service.apiUrl);
    await recordTwoFaults(box);
  });
  after(() => box.dispose());

  const path = (...parts: readonly string[]): string => ['/apm/incidents', box.gridId, ...parts].join('/');
  async function list(query = ''): Promise<readonly Incident[]> {
    const { status, body } = await member.get<{ incidents: Incident[]; totalCount: number }>(path() + query);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.totalCount, body.incidents.length);
    return body.incidents;
  }
  const ofService = (all: readonly Incident[], service: string): Incident | undefined =>
    all.find(({ cause, alerts }) => (cause?.serviceName ?? alerts[0]?.serviceName) === service);
  const untilOf = async (service: string, isReached: (incident: Incident) => boolean, ms = CONFIRMED_MS) => {
    let found: Incident | undefined;
    const isThere = async (): Promise<boolean> => {
      found = ofService(await list(), service);
      return found !== undefined && isReached(found);
    };
    await waitUntil(isThere, `the incident of ${service}`, ms);
    return found!;
  };
  async function act(id: string, action: string, body?: object): Promise<void> {
    const { status, body: answer } = await member.post(path(id, action), body);
    assert.ok(status === 200 || status === 201, `${action}: ${status} ${JSON.stringify(answer)}`);
  }
  async function restart(): Promise<void> {
    await box.service.signal('SIGKILL');
    await box.service.start();
    member = await signInAutomation(box.service.apiUrl);
  }

  it('are one for each of two faults, also after a kill', async () => {
    const first = await untilOf('payment', () => true);
    await restart();
    const payment = await untilOf('payment', ({ cause }) => cause?.kind === 'errors');
    const search = await untilOf('search', ({ cause }) => cause !== null);
    assert.equal(payment.id, first.id);
    assert.notEqual(payment.id, search.id);
    assert.deepEqual((await list()).map(({ cause }) => cause?.serviceName).sort(), ['payment', 'search']);
    assert.ok(payment.alerts.every(({ serviceName }) => serviceName === 'payment'));
  });

  it('are acknowledged with their alerts, noted and resolved, in the timeline and the audit', async () => {
    const { id } = await untilOf('payment', ({ alerts }) => alerts.length > 0);
    const before = new Date().toISOString();
    await act(id, 'acknowledge');
    await act(id, 'commander', { userId: 'owner' });
    await act(id, 'notes', { text: 'Restarted the pods; no change' });
    const isTakenCareOf = ({ alerts }: Incident): boolean =>
      alerts.every(({ acknowledgedBy }) => acknowledgedBy === 'hindsight-automation');
    const acknowledged = await untilOf('payment', isTakenCareOf);
    assert.equal(acknowledged.status, 'acknowledged');
    assert.equal(ofService(await list(`?asOf=${before}`), 'payment')?.status, 'open');
    const { body: detail } = await member.get<Incident>(path(id));
    const types = detail.timeline.map(({ type }) => type);
    for (const type of ['opened', 'acknowledged', 'commander-assigned', 'noted']) assert.ok(types.includes(type), type);
    const search = await untilOf('search', () => true);
    await act(search.id, 'resolve', { note: 'Index rebuilt' });
    assert.deepEqual(
      (await list('?status=resolved')).map((each) => each.id),
      [search.id],
    );
    const owner = await signIn(box.service.apiUrl, 'owner');
    const audit = await owner.get<{ entries: { action: string }[] }>(`/admin/grids/${box.gridId}/audit?pageSize=100`);
    const actions = new Set(audit.body.entries.map(({ action }) => action));
    for (const action of ['acknowledged', 'commander-assigned', 'noted', 'resolved'])
      assert.ok(actions.has(`incident.${action}`), action);
  });

  it('are read by every role, and changed by those who are on call; by nobody of another Grid', async () => {
    const { id } = await untilOf('payment', () => true);
    const [guest, user, outsider] = await Promise.all(
      (['guest', 'user', 'outsider'] as const).map((name) => signIn(box.service.apiUrl, name)),
    );
    assert.equal((await guest.get(path(id))).status, 200);
    assert.equal((await guest.post(path(id, 'notes'), { text: 'No' })).status, 403);
    assert.equal((await user.post(path(id, 'notes'), { text: 'Yes' })).status, 201);
    for (const each of [path(), path(id)]) assert.equal((await outsider.get(each)).status, 403);
    const { body: other } = await outsider.post<{ gridSecondaryId: string }>('/admin/grids', { name: 'other' });
    const elsewhere = `/apm/incidents/${other.gridSecondaryId}`;
    assert.deepEqual((await outsider.get<{ incidents: [] }>(elsewhere)).body.incidents, []);
    assert.equal((await outsider.get(`${elsewhere}/${id}`)).status, 404);
    for (const [action, body] of [
      ['acknowledge', undefined],
      ['notes', { text: 'Mine' }],
      ['merge', { incidentId: id }],
    ] as const)
      assert.equal((await outsider.post(`${elsewhere}/${id}/${action}`, body)).status, 404);
  });

  it('without a known cause end with their alert, and are reopened when it fires again, whatever is killed', async () => {
    const rules = `/admin/grids/${box.gridId}/alert-rules`;
    const rule = { name: 'Busy', metric: 'request_rate', operator: '>', threshold: 0, severity: 'warning' };
    const busy = { ...rule, minRequests: 1, serviceName: 'batch' };
    const { body: created } = await member.post<{ id: string }>(rules, busy);
    const { id } = await untilOf('batch', ({ status }) => status === 'open');
    await member.put(`${rules}/${created.id}`, { ...busy, enabled: false });
    await untilOf('batch', ({ status }) => status === 'recovering');
    await restart();
    await untilOf('batch', ({ status }) => status === 'resolved', RESOLVED_MS);
    await member.put(`${rules}/${created.id}`, { ...busy, enabled: true });
    const reopened = await untilOf('batch', ({ status }) => status === 'open');
    assert.deepEqual([reopened.id, reopened.reopenedCount], [id, 1]);
    assert.equal(ofService(await list(), 'search')?.status, 'resolved', 'what a person has resolved stays so');
    assert.equal((await list()).length, 3);
  });
});

/** An hour of three services, two of which have a fault of their own in the last minutes. */
async function recordTwoFaults(box: BlackBox): Promise<void> {
  const past = new PastMinutes();
  const minutes = Array.from({ length: NORMAL_MINUTES }, (_, index) => NORMAL_MINUTES - index);
  const requests = minutes.flatMap((minute) => {
    const isFaulty = minute <= FAULT_MINUTES;
    const failed = past.requests('payment', minute, { count: 24, more: { status: { code: STATUS.error } } });
    return [
      past.requests('payment', minute, { count: isFaulty ? 16 : 40 }),
      ...(isFaulty ? [failed] : []),
      past.requests('search', minute, { count: 40, ms: isFaulty ? 3_000 : 20 }),
      past.requests('batch', minute, { count: 40 }),
    ];
  });
  await box.record('traces', ...requests);
}
