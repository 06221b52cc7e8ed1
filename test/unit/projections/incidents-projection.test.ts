import assert from 'node:assert/strict';
import { describeIncidentEntry } from '../../../src/queries/incidents/entry-description.js';
import { createIncidentQueries } from '../../../src/queries/incidents/incident-queries.js';
import type { IncidentQueries, IncidentSelection } from '../../../src/queries/incidents/incident-query-types.js';
import { incidentDecider, type IncidentCommand } from '../../../src/commands/incidents/incident-decider.js';
import { createCommandHandler, type CommandHandler } from '../../../src/commands/handle-command.js';
import { incidentsStream } from '../../../src/streams/stream-names.js';
import { alert, cause, ended, MINUTE, T0 } from '../commands/incidents/given-incidents.js';
import { ProjectedLog } from './engine/support/projected.js';

const PAYMENT = cause('payment', { affectedServices: ['checkout'] });
const ALL: IncidentSelection = { when: {}, page: 1, pageSize: 20 };

describe('incidents in the read model', () => {
  let log: ProjectedLog;
  let queries: IncidentQueries;
  let handle: CommandHandler<IncidentCommand, unknown>;
  let revision: number;
  beforeEach(() => {
    log = new ProjectedLog();
    queries = createIncidentQueries(log.store);
    handle = createCommandHandler(log.events, incidentDecider);
    revision = 0;
  });
  afterEach(() => log.remove());

  type Observed = Extract<IncidentCommand, { type: 'Observe' }>;
  const observe = (at: number, changes: readonly object[], causes: Observed['causes'] = [], gridId = 'a') => {
    const alerts = changes.map((change) => ({ ...change, revision: (revision += 1) })) as unknown as Observed['alerts'];
    return handle(incidentsStream(gridId), { type: 'Observe', gridId, at, alerts, causes });
  };
  const fired = (service: string, at: number) => ({
    change: 'fired',
    alert: alert(service, { alertId: `${service}-${at}`, firedAt: at }),
  });
  const list = async (selection: Partial<IncidentSelection> = {}, gridId = 'a') => {
    const { incidents, totalCount } = await queries.incidents(gridId, { ...ALL, ...selection });
    return [totalCount, ...incidents.map(({ incident: { title, status } }) => `${title}: ${status}`)];
  };

  it('are listed with those that last first, by status, of one Grid', async () => {
    await observe(T0, [fired('web', T0)]);
    await observe(T0 + MINUTE, [{ change: 'resolved', alertId: `web-${T0}` }]);
    await observe(T0 + 4 * MINUTE, []);
    await observe(T0 + 5 * MINUTE, [], [PAYMENT]);
    await observe(T0 + 6 * MINUTE, [fired('cart', T0 + 6 * MINUTE)], [PAYMENT]);
    await observe(T0, [fired('other', T0)], [], 'b');
    await log.settle();
    assert.deepEqual(await list(), [
      3,
      'cart: Error rate above 5 %: open',
      'payment fails: open',
      'web: Error rate above 5 %: resolved',
    ]);
    assert.deepEqual(await list({ statuses: ['resolved'] }), [1, 'web: Error rate above 5 %: resolved']);
    assert.deepEqual(await list({ statuses: ['recovering'] }), [0]);
    assert.deepEqual(await list({ page: 2, pageSize: 2 }), [3, 'web: Error rate above 5 %: resolved']);
    assert.deepEqual(await list({}, 'b'), [1, 'other: Error rate above 5 %: open']);
    assert.deepEqual([...(await queries.gridsWithOpenIncidents())].sort(), ['a', 'b']);
  });

  it('are as of any moment what they were then', async () => {
    await observe(T0, [fired('payment', T0)]);
    const [{ incident }] = (await (await settled(), queries.incidents('a', ALL))).incidents;
    await observe(T0 + 2 * MINUTE, [], [PAYMENT]);
    await handle(incidentsStream('a'), {
      type: 'Acknowledge',
      actor: 'ann',
      at: T0 + 3 * MINUTE,
      gridId: 'a',
      incidentId: incident.id,
    });
    await observe(T0 + 4 * MINUTE, [ended(`payment-${T0}`)], [{ ...PAYMENT, isOver: true }]);
    await observe(T0 + 7 * MINUTE, [], []);
    await settled();
    const as = async (at: number) => list({ when: { asOfMs: at } });
    assert.deepEqual(await as(T0 - 1), [0]);
    assert.deepEqual(await as(T0), [1, 'payment: Error rate above 5 %: open']);
    assert.deepEqual(await as(T0 + 2 * MINUTE), [1, 'payment fails: open']);
    assert.deepEqual(await as(T0 + 3 * MINUTE), [1, 'payment fails: acknowledged']);
    assert.deepEqual(await as(T0 + 4 * MINUTE), [1, 'payment fails: recovering']);
    assert.deepEqual(await as(T0 + 7 * MINUTE), [1, 'payment fails: resolved']);
    assert.equal(await queries.incident('a', incident.id, T0 - 1), undefined);
    assert.equal(await queries.incident('b', incident.id, undefined), undefined);
    const then = await queries.incident('a', incident.id, T0 + 2 * MINUTE);
    assert.equal(then?.incident.acknowledgedBy, undefined);
    assert.deepEqual(
      then?.timeline.map(({ kind }) => kind),
      ['opened', 'alert-added', 'cause-changed'],
    );
    const now = await queries.incident('a', incident.id, undefined);
    assert.deepEqual(now?.incident.affectedServices, ['payment', 'checkout']);
    assert.deepEqual([now?.incident.alertCount, now?.incident.firingCount, now?.timelineCount], [1, 0, 7]);
    const within = (fromMs: number, toMs: number) => list({ when: { range: { fromMs, toMs } } });
    assert.deepEqual(await within(T0 + 8 * MINUTE, T0 + 9 * MINUTE), [0]);
    assert.deepEqual(await within(T0 + 7 * MINUTE, T0 + 9 * MINUTE), [1, 'payment fails: resolved']);
    assert.deepEqual(await within(T0 - MINUTE, T0 + MINUTE), [1, 'payment: Error rate above 5 %: open']);
  });

  const settled = () => log.settle();

  it('are on the same pages as of a moment, whatever has changed since', async () => {
    for (let i = 0; i < 9; i++) {
      const at = T0 + i * MINUTE;
      await observe(at, [fired(`s${i}`, at)]);
      await observe(at + 1_000, [ended(`s${i}-${at}`)]);
      await observe(at + 3 * MINUTE, []);
    }
    await settled();
    const asOfMs = T0 + 30 * MINUTE;
    const before = await list({ when: { asOfMs }, pageSize: 100 });
    assert.equal(before[0], 9);
    for (const { incident } of (await queries.incidents('a', ALL)).incidents.filter((_, i) => i % 2 === 0)) {
      const noted = { type: 'Note', actor: 'ann', at: asOfMs + 1, gridId: 'a', noteId: 'n', text: 'Later' } as const;
      await handle(incidentsStream('a'), { ...noted, incidentId: incident.id });
    }
    await settled();
    const paged: unknown[] = [9];
    for (const page of [1, 2, 3, 4, 5]) paged.push(...(await list({ when: { asOfMs }, page, pageSize: 2 })).slice(1));
    assert.deepEqual(paged, before);
  });

  it('resemble earlier ones with the same cause or the same evidence', async () => {
    const conclude = async (at: number, one: typeof PAYMENT) => {
      await observe(at, [], [one]);
      await observe(at + MINUTE, []);
      await observe(at + 3 * MINUTE, []);
    };
    const evidence = ['p95 of it is 12 % above the hour before'];
    await conclude(T0, cause('cart', { evidence, cause: 'cart fails' }));
    await conclude(T0 + 60 * MINUTE, cause('web', { evidence: ['Something else'], cause: 'web fails' }));
    await conclude(T0 + 120 * MINUTE, { ...PAYMENT, evidence: ['Other words'] });
    const last = T0 + 300 * MINUTE;
    await observe(
      last,
      [],
      [cause('payment', { evidence: ['p95 of it is 340 % above the hour before'], firstDetected: last })],
    );
    await settled();
    const [{ incident }] = (await queries.incidents('a', ALL)).incidents;
    const detail = await queries.incident('a', incident.id, undefined);
    assert.deepEqual(
      detail?.similar.map(({ incident: { title }, similarity }) => `${title}: ${similarity}`),
      ['payment fails: same cause', 'cart fails: same evidence'],
    );
  });

  it('tell of an alert that concerns no service by its rule and its group', async () => {
    const labels = { customer: 'gold', region: 'eu' };
    const grouped = alert('', { alertId: 'logins', ruleName: 'Logins', condition: 'count of logs > 9', labels });
    await observe(T0, [{ change: 'fired', alert: grouped }]);
    await observe(T0, [{ change: 'severity', alertId: 'logins', severity: 'critical', value: 20 }, ended('logins')]);
    await settled();
    const [{ incident, timeline }] = (await queries.incidents('a', ALL)).incidents;
    assert.deepEqual(incident.affectedServices, []);
    assert.deepEqual(incident.alerts[0].labels, labels);
    assert.deepEqual(
      timeline.map((entry) => describeIncidentEntry(entry, incident)),
      [
        'Opened: Logins: count of logs > 9.',
        'Alert fired: Logins (customer = gold, region = eu), count of logs > 9 (warning).',
        'Alert became critical: Logins (customer = gold, region = eu), count of logs > 9.',
        'Alert ended: Logins (customer = gold, region = eu), count of logs > 9.',
        'Recovering: the cause is no longer detected, or the last alert has ended.',
      ],
    );
  });

  it('say of alerts that they were acknowledged with the incident', async () => {
    const acknowledged = (alertId: string) => ({ change: 'acknowledged', alertId, by: 'ann' }) as const;
    await observe(T0, [fired('web', T0)]);
    await observe(T0 + 1_000, [acknowledged(`web-${T0}`)]);
    await observe(T0 + MINUTE, [fired('web', T0 + MINUTE)]);
    await observe(T0 + MINUTE + 2_000, [acknowledged(`web-${T0 + MINUTE}`)]);
    await settled();
    const [{ incident, timeline }] = (await queries.incidents('a', ALL)).incidents;
    assert.deepEqual(
      timeline
        .map((entry) => describeIncidentEntry(entry, incident).split(':')[0])
        .filter((each) => /cknow/.test(each)),
      ['Alert was acknowledged by ann', 'Acknowledged by ann.', 'Alert was acknowledged by ann with the incident'],
    );
  });

  it('that became part of others are found, but not listed', async () => {
    await observe(T0, [fired('web', T0), fired('payment', T0)]);
    await settled();
    const web = (await queries.incidents('a', ALL)).incidents.find(({ incident }) => incident.title.startsWith('web'))!;
    await observe(T0 + MINUTE, [], [cause('payment', { affectedServices: ['web'] })]);
    await settled();
    assert.deepEqual(await list(), [1, 'payment fails: open']);
    const merged = await queries.incident('a', web.incident.id, undefined);
    assert.equal(merged?.incident.status, 'merged');
    const into = await queries.incident('a', merged?.incident.mergedInto ?? '', undefined);
    assert.deepEqual(into?.incident.alerts.map(({ serviceName }) => serviceName).sort(), ['payment', 'web']);
    assert.deepEqual([into?.incident.firingCount, merged?.incident.firingCount], [2, 0]);
  });
});
