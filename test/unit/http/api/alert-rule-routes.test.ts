import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { assertProblem, faults, startApi, type TestApi } from '../../../support/api.js';
import { RULE } from '../../../support/fake-alert-rules.js';
import { GRID_A, GRID_B } from '../../../support/fake-access.js';
import { CREATED_ID } from '../../../support/created-id.js';
import { createDefaultAlertRules } from '../../../../src/streams/events/grid-defaults.js';
import type { AlertRule } from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { HindsightError } from '../../../../src/errors.js';
import type { Position } from '../../../../src/streams/event-store.js';

const RULES = `/admin/grids/${GRID_A}/alert-rules`;
const AT = '2026-01-01T00:00:00.123Z';
const { id: _, ...NEW } = RULE;
const LISTED = { ...RULE, isDefault: false };
const RANGE = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-08T00:00:00Z' };

const messages = (problem: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(faults(problem).map(({ field, message }) => [field, message]));

describe('alert rules', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  it('are listed, and read one by one, with the members of the contract', async () => {
    const [list, one] = await Promise.all([api.get(RULES), api.get(`${RULES}/${RULE.id}`)]);
    assert.deepEqual([list.status, list.json(), one.status, one.json()], [200, { rules: [LISTED] }, 200, LISTED]);
    assert.deepEqual(Object.keys(one.json()), [
      'id',
      'name',
      'metric',
      'operator',
      'threshold',
      'severity',
      'serviceName',
      'windowMinutes',
      'forMinutes',
      'minRequests',
      'enabled',
      'isDefault',
    ]);
  });

  it('are created: 201 with the record, once it shows', async () => {
    const reply = await api.post(RULES, NEW, { as: 'member' });
    assert.deepEqual([reply.status, reply.json()], [201, { ...LISTED, id: CREATED_ID }]);
    assert.deepEqual(
      api.alertRules.done.map(({ name, with: values }) => [name, ...values]),
      [
        ['create', 'member', GRID_A, NEW],
        ['waitForPosition', '7'],
      ],
    );
  });

  it('have the defaults of the contract', async () => {
    const { name, metric, operator, threshold, severity } = RULE;
    const reply = await api.post(RULES, { name, metric, operator, threshold, severity, serviceName: null });
    assert.deepEqual(reply.json(), {
      id: CREATED_ID,
      name,
      metric,
      operator,
      threshold,
      severity,
      windowMinutes: 15,
      forMinutes: 0,
      minRequests: 20,
      enabled: true,
      isDefault: false,
    });
  });

  it('are replaced as a whole: 200 with the record', async () => {
    const { serviceName: _gone, ...everywhere } = { ...NEW, enabled: false, criticalThreshold: 3_000 };
    const reply = await api.call('PUT', `${RULES}/${RULE.id}`, { body: everywhere });
    assert.deepEqual([reply.status, reply.json()], [200, { ...everywhere, id: RULE.id, isDefault: false }]);
    assert.deepEqual(
      api.alertRules.done.map(({ name }) => name),
      ['change', 'waitForPosition'],
    );
  });

  it('report which of them every new Grid starts with, by their ids in this Grid', async () => {
    const defaults = createDefaultAlertRules(GRID_A) as AlertRule[];
    const [foreign] = createDefaultAlertRules(GRID_B) as AlertRule[];
    const changed = { ...defaults[0], name: 'Renamed', threshold: 1, enabled: false };
    const rules = [changed, ...defaults.slice(1), RULE, { ...defaults[0], id: CREATED_ID }, foreign];
    api.diagnostics.alertRules = () => Promise.resolve(rules);
    const list = (await api.get(RULES)).json() as { rules: { id: string; isDefault: boolean }[] };
    assert.deepEqual(
      list.rules.map(({ isDefault }) => isDefault),
      [true, true, true, true, false, false, false],
    );
    for (const { id, isDefault } of list.rules)
      assert.equal((await api.get(`${RULES}/${id}`)).json()['isDefault'], isDefault, id);
  });

  it('stay defaults when they are replaced, also where the request says otherwise', async () => {
    const [rule] = createDefaultAlertRules(GRID_A) as AlertRule[];
    api.diagnostics.alertRules = () => Promise.resolve([rule]);
    api.alertRules.change = (_actor, _gridId, given) => Promise.resolve({ rule: given, position: '7' as Position });
    const read = await api.get(`${RULES}/${rule.id}`);
    const replaced = await api.call('PUT', `${RULES}/${rule.id}`, { body: { ...NEW, isDefault: false } });
    const unchanged = await api.call('PUT', `${RULES}/${rule.id}`, { body: rule });
    assert.deepEqual([replaced.status, replaced.json()], [200, { ...NEW, id: rule.id, isDefault: true }]);
    assert.equal(unchanged.headers.get('etag'), read.headers.get('etag'));
    assert.equal((await api.post(RULES, { ...NEW, isDefault: true })).json()['isDefault'], false);
  });

  it('are deleted: 204 without a body', async () => {
    const reply = await api.call('DELETE', `${RULES}/${RULE.id}`);
    assert.deepEqual([reply.status, reply.text, reply.headers.get('content-type')], [204, '', null]);
    assert.deepEqual(
      api.alertRules.done.map(({ name, with: values }) => [name, ...values]),
      [
        ['remove', 'owner', GRID_A, RULE.id],
        ['waitForPosition', '7'],
      ],
    );
  });

  it('are 404 where the id is unknown', async () => {
    for (const [method, body] of [['GET'], ['PUT', NEW], ['DELETE']] as const) {
      assertProblem(
        await api.call(method, `${RULES}/unknown`, { ...(body && { body }) }),
        { status: 404, slug: 'not-found' },
        `${RULES}/unknown`,
      );
    }
  });

  it('answer also where the read model does not get there', async () => {
    api.alertRules.arrives = () => Promise.reject(new Error('the projector is unavailable'));
    assert.equal((await api.post(RULES, NEW)).status, 201);
  });

  it('name all faults at once', async () => {
    assertProblem(await api.post(RULES, { ...NEW, threshold: { valueOf: 1, toString: 1 }, criticalThreshold: 5 }), {
      status: 400,
      slug: 'invalid-request',
      fields: ['threshold'],
    });
    const faulty = {
      name: '',
      metric: 'speed',
      operator: '=',
      threshold: '5',
      severity: 'bad',
      criticalThreshold: 'x',
      serviceName: '',
      windowMinutes: 61,
      forMinutes: -1,
      minRequests: 0.5,
      enabled: 'yes',
    };
    for (const reply of [
      await api.post(RULES, faulty),
      await api.call('PUT', `${RULES}/${RULE.id}`, { body: faulty }),
    ]) {
      assertProblem(reply, { status: 400, slug: 'invalid-request', fields: Object.keys(faulty) });
      const reported = messages(reply.json());
      assert.equal(reported['windowMinutes'], 'windowMinutes must be a whole number from 1 to 60');
      assert.equal(reported['operator'], 'operator must be one of >, >=, <, <=');
    }
    assertProblem(await api.post(RULES, {}), {
      status: 400,
      slug: 'invalid-request',
      fields: ['name', 'metric', 'operator', 'threshold', 'severity'],
    });
    assertProblem(await api.post(RULES, { ...NEW, metric: 'apdex', threshold: 1.5, windowminutes: 5 }), {
      status: 400,
      slug: 'invalid-request',
      fields: ['threshold', 'windowminutes'],
    });
    assert.deepEqual(api.alertRules.done, []);
  });

  it('are closed to API keys, and to Guests and Users', async () => {
    assertProblem(await api.get(RULES, { as: 'key' }), { status: 403, slug: 'forbidden' });
    assertProblem(await api.get(RULES, { as: 'guest' }), { status: 403, slug: 'role-required' });
    assertProblem(await api.call('DELETE', `${RULES}/${RULE.id}`, { as: 'user' }), {
      status: 403,
      slug: 'role-required',
    });
    assert.equal((await api.get(RULES, { as: 'application' })).status, 200);
  });
});

describe('backtest of an alert rule', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  it('asks for the rule over the range, and answers firings, their number a week, and what it would have missed', async () => {
    const reply = await api.post(`${RULES}/backtest`, { rule: NEW, ...RANGE });
    assert.equal(reply.status, 200);
    const missed = {
      id: 'a-1',
      ruleName: 'Low Apdex',
      serviceName: 'checkout',
      condition: 'apdex < 0.7',
      severity: 'warning',
      firedAt: AT,
    };
    assert.deepEqual(reply.json(), {
      firings: [
        { serviceName: 'checkout', firedAt: AT, resolvedAt: '2026-01-01T00:01:00.123Z', peakValue: 12.5 },
        { serviceName: 'payment', firedAt: AT, resolvedAt: null, peakValue: 7 },
      ],
      perWeek: 14,
      missed: [
        { ...missed, resolvedAt: '2026-01-01T00:01:30.123Z' },
        { ...missed, resolvedAt: null },
      ],
    });
    assert.deepEqual(api.diagnostics.asked, [
      {
        name: 'backtest',
        with: [
          GRID_A,
          { ...NEW, id: 'backtest' },
          { fromMs: Date.parse(RANGE.rangeStart), toMs: Date.parse(RANGE.rangeEnd) },
        ],
      },
    ]);
  });

  it('takes a rule as it is listed, and fills in what it lacks', async () => {
    const { name, metric, operator, threshold, severity } = RULE;
    for (const rule of [RULE, { name, metric, operator, threshold, severity }])
      assert.equal((await api.post(`${RULES}/backtest`, { rule, ...RANGE })).status, 200);
    assert.deepEqual(api.diagnostics.asked.at(-1)?.with[1], {
      id: 'backtest',
      name,
      metric,
      operator,
      threshold,
      severity,
      windowMinutes: 15,
      forMinutes: 0,
      minRequests: 20,
      enabled: true,
    });
  });

  const faulty: [object, string[]][] = [
    [{}, ['rule', 'rangeStart', 'rangeEnd']],
    [
      {
        rule: { ...NEW, threshold: -1, windowMinutes: 0, servicename: 'x' },
        rangeStart: 'yesterday',
        rangeEnd: RANGE.rangeEnd,
      },
      ['rule.threshold', 'rule.windowMinutes', 'rule.servicename', 'rangeStart'],
    ],
    [{ rule: {}, ...RANGE }, ['rule.name', 'rule.metric', 'rule.operator', 'rule.threshold', 'rule.severity']],
    [{ rule: [NEW], ...RANGE }, ['rule']],
    [{ rule: 'all', ...RANGE }, ['rule']],
    [{ rule: NEW, rangeStart: RANGE.rangeEnd, rangeEnd: RANGE.rangeStart }, ['rangeEnd']],
    [{ rule: NEW, ...RANGE, rangeEnd: '2026-01-08T00:00:00.001Z' }, ['rangeEnd']],
  ];
  for (const [body, fields] of faulty) {
    it(`names its faults: ${fields.join(', ')}`, async () => {
      assertProblem(await api.post(`${RULES}/backtest`, body), { status: 400, slug: 'invalid-request', fields });
    });
  }

  it('is no rule: its path takes POST alone', async () => {
    const reply = await api.get(`${RULES}/backtest`);
    assertProblem(reply, { status: 405, slug: 'method-not-allowed' });
    assert.equal(reply.headers.get('allow'), 'POST');
  });
});

describe('alert rules on a query', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());
  const query = {
    signal: 'logs',
    where: 'severity = Error timeout',
    groupBy: ['service'],
    select: [{ fn: 'count' }],
  };
  const rule = { name: 'Timeouts', query, operator: '>=', threshold: 10, severity: 'warning', windowMinutes: 5 };
  const complete = { forMinutes: 0, minRequests: 0, enabled: true };

  it('are created and replaced with what their query leaves out, and presented as they were sent', async () => {
    const stored = { ...rule, ...complete, query: { ...query, select: [{ fn: 'count', field: '', as: '' }] } };
    const created = await api.post(RULES, rule, { as: 'member' });
    const expected = { ...rule, ...complete, id: CREATED_ID, isDefault: false };
    assert.deepEqual([created.status, created.json()], [201, expected]);
    assert.deepEqual(api.alertRules.done[0].with, ['member', GRID_A, stored]);
    const replaced = await api.call('PUT', `${RULES}/${RULE.id}`, { body: created.json() });
    assert.deepEqual([replaced.status, replaced.json()], [200, { ...expected, id: RULE.id }]);
  });

  it('of docs/alerting.md are taken', async () => {
    const text = readFileSync(new URL('../../../../../docs/alerting.md', import.meta.url), 'utf8');
    const examples = Array.from(text.matchAll(/```rule\n(.*?)\n```/gs), ([, json]) => json);
    assert.ok(examples.length >= 6);
    for (const example of examples) assert.equal((await api.post(RULES, JSON.parse(example))).status, 201, example);
  });

  const faulty: [object, string[]][] = [
    [{ query: { ...query, where: 'severity = ' } }, ['query.where']],
    [
      { query: { ...query, select: [{ fn: 'avg' }], groupBy: ['a', 'a'] } },
      ['query.groupBy[1]', 'query.select[0].field'],
    ],
    [{ query: { ...query, select: [] } }, ['query', 'query.groupBy']],
    [{ query: { ...query, select: [{ fn: 'count' }, { fn: 'rate' }] } }, ['query']],
    [
      { query: { ...query, signal: 'spans', where: '', select: [{ fn: 'max', field: 'time' }] } },
      ['query.select[0].fn'],
    ],
    [{ query: 'severity = Error' }, ['query']],
    [{ metric: 'error_rate' }, ['metric']],
    [{ query: undefined }, ['metric']],
    [{ threshold: 'many' }, ['threshold']],
    [{ criticalThreshold: 5 }, ['criticalThreshold']],
  ];
  for (const [changes, fields] of faulty)
    it(`are refused: ${JSON.stringify(changes)}`, async () => {
      assertProblem(await api.post(RULES, { ...rule, ...changes }), { status: 400, slug: 'invalid-request', fields });
    });

  it('name the position of what does not parse', async () => {
    const reply = await api.post(RULES, { ...rule, query: { ...query, where: 'severity = ' } });
    assert.match(messages(reply.json())['query.where'] as string, /at position \d+/);
  });

  it('are backtested where telemetry is read', async () => {
    const reply = await api.post(`${RULES}/backtest`, { rule, ...RANGE });
    assert.deepEqual(reply.json(), {
      firings: [
        {
          serviceName: '',
          labels: { 'customer.tier': 'gold' },
          firedAt: AT,
          resolvedAt: '2026-01-01T00:01:00.123Z',
          peakValue: 12.5,
        },
        { serviceName: 'checkout', firedAt: AT, resolvedAt: null, peakValue: 7 },
      ],
      perWeek: 14,
      missed: [],
    });
    const range = { fromMs: Date.parse(RANGE.rangeStart), toMs: Date.parse(RANGE.rangeEnd) };
    const [{ gridId, rule: tested, range: testedRange }] = api.recordRules.tested;
    assert.deepEqual([gridId, tested.query?.where, testedRange], [GRID_A, query.where, range]);
    assert.deepEqual(api.diagnostics.asked, []);
  });

  it('are joined by rules on new errors, without a minimum of records', async () => {
    const onErrors = { name: 'New errors', metric: 'new_errors', operator: '>=', threshold: 1, severity: 'warning' };
    const created = await api.post(RULES, onErrors);
    assert.deepEqual([created.status, (created.json() as { minRequests: number }).minRequests], [201, 0]);
    const downward = await api.post(RULES, { ...onErrors, operator: '<' });
    assertProblem(downward, { status: 400, slug: 'invalid-request', fields: ['operator'] });
    assert.equal((await api.post(`${RULES}/backtest`, { rule: onErrors, ...RANGE })).status, 200);
    assert.deepEqual(
      api.recordRules.tested.map(({ rule: tested }) => tested.metric),
      ['new_errors'],
    );
  });

  it('are refused where the query needs too much memory', async () => {
    api.recordRules.refusal = new HindsightError('invalid-request', 'The query needs more than 96 MiB.');
    assertProblem(await api.post(`${RULES}/backtest`, { rule, ...RANGE }), { status: 400, slug: 'invalid-request' });
  });
});
