import assert from 'node:assert/strict';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import type { Query } from '../../../../src/queries/query/query-model.js';

const PATH = `/apm/query/${GRID_A}`;
const RANGE = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };
const US_PER_MS = 1000;

describe('query operations', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  const askedQuery = (): Query => api.telemetry.asked.find(({ name }) => name === 'runQuery')!.with[0] as Query;

  it('runs a query over the range, with all fields resolved', async () => {
    const reply = await api.post(PATH, {
      signal: 'spans',
      where: 'service = checkout',
      groupBy: ['customer.tier'],
      select: [{ fn: 'count' }, { fn: 'p99', field: 'duration', as: 'slow' }],
      ...RANGE,
    });
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json(), {
      columns: [{ name: 'count', type: 'number', unit: '' }],
      rows: [[41]],
      totalRows: 1,
      exact: true,
    });
    const { range, groupBy, select, limit } = askedQuery();
    const fromUs = Date.parse(RANGE.rangeStart) * US_PER_MS;
    assert.deepEqual(range, { fromUs, toUs: Date.parse(RANGE.rangeEnd) * US_PER_MS });
    assert.deepEqual(groupBy, [{ text: 'customer.tier', scope: 'any', name: 'customer.tier' }]);
    assert.deepEqual(
      select.map(({ as }) => as),
      ['count', 'slow'],
    );
    assert.equal(limit, 100);
  });

  it('answers as of a moment: the 15 minutes before it, without what was not known', async () => {
    await api.post(PATH, { signal: 'logs', asOf: '2026-01-01T01:00:00Z' });
    const toUs = Date.parse('2026-01-01T01:00:00Z') * US_PER_MS;
    assert.deepEqual(askedQuery().range, { fromUs: toUs - 15 * 60 * 1e6, toUs, knownByUs: toUs });
  });

  it('names the position and what was expected where a condition does not parse', async () => {
    const reply = await api.post(PATH, { signal: 'spans', where: 'duration > ', ...RANGE });
    assertProblem(reply, { status: 400, slug: 'invalid-request', fields: ['where'] });
    const message = 'where is wrong at position 12: expected a value';
    assert.deepEqual(reply.json()['errors'], [{ field: 'where', message }]);
  });

  it('reports all faults of a query at once, unknown fields included', async () => {
    const reply = await api.post(PATH, {
      signal: 'metrics',
      groupBy: ['resource.host.name'],
      select: [
        { fn: 'median', field: 'value' },
        { fn: 'p99', field: 'value' },
        { fn: 'sum' },
        { fn: 'count', of: 'x' },
      ],
      stepSeconds: 30,
      orderBy: [{ by: 'nothing' }],
      limit: 1001,
      rangeStart: RANGE.rangeStart,
    });
    const fields = [
      'groupBy[0]',
      'limit',
      'orderBy[0].by',
      'rangeEnd',
      'select[0].fn',
      'select[1].fn',
      'select[2].field',
      'select[3].of',
      'stepSeconds',
    ];
    assertProblem(reply, { status: 400, slug: 'invalid-request', fields });
  });

  it('refuses objects that cannot become text where names are expected', async () => {
    const name = { toString: 1, valueOf: 1 };
    const query = {
      signal: 'spans',
      groupBy: [name],
      select: [{ fn: name, as: name }],
      orderBy: [{ by: name }],
      ...RANGE,
    };
    const reply = await api.post(PATH, query);
    assert.equal(reply.status, 400, reply.text);
    const fields = (reply.json()['errors'] as { field: string }[]).map(({ field }) => field);
    assert.ok(fields.includes('orderBy[0].by'), fields.join());
  });

  it('refuses a series of more points than an answer may have', async () => {
    const reply = await api.post(PATH, { signal: 'spans', select: [{ fn: 'count' }], stepSeconds: 1, ...RANGE });
    assertProblem(reply, { status: 400, slug: 'invalid-request', fields: ['stepSeconds'] });
  });

  for (const list of ['groupBy', 'select', 'orderBy'])
    it(`reports a few faults only of a body whose ${list} has as many items as fit`, async () => {
      const query = { signal: 'spans', select: [{ fn: 'count' }], ...RANGE };
      const reply = await api.post(PATH, { ...query, [list]: Array.from({ length: 100_000 }, () => ({})) });
      assert.equal(reply.status, 400);
      const errors = reply.json()['errors'] as { field: string }[];
      assert.ok(errors.some(({ field }) => field === list));
      assert.ok(errors.length <= 32, String(errors.length));
    });

  it('refuses columns of the same name', async () => {
    const select = [{ fn: 'count', as: 'service' }];
    const doubled = await api.post(PATH, { signal: 'spans', groupBy: ['service', 'kind', 'kind'], select, ...RANGE });
    assertProblem(doubled, { status: 400, slug: 'invalid-request', fields: ['groupBy[2]', 'select[0].as'] });
  });

  it('widens the range of metrics to whole minutes that are known', async () => {
    const minute = (text: string): number => Date.parse(`2026-01-01T${text}:00Z`) * US_PER_MS;
    const range = { rangeStart: '2026-01-01T00:00:30Z', rangeEnd: '2026-01-01T00:02:01Z' };
    await api.post(PATH, { signal: 'metrics', select: [{ fn: 'rate' }], ...range });
    assert.deepEqual(askedQuery().range, { fromUs: minute('00:00'), toUs: minute('00:03') });
    api.telemetry.asked.length = 0;
    await api.post(PATH, { signal: 'metrics', select: [{ fn: 'rate' }], asOf: '2026-01-01T01:00:30Z' });
    assert.deepEqual([askedQuery().range.fromUs, askedQuery().range.toUs], [minute('00:45'), minute('01:00')]);
  });
});
