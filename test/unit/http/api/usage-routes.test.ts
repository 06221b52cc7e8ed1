import assert from 'node:assert/strict';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A, GRID_INACTIVE } from '../../../support/fake-access.js';

const NOW = Date.UTC(2026, 0, 1, 12, 30);
const STATUS = `/assistant/usage/${GRID_A}/status`;
const SUMMARY = `/assistant/usage/${GRID_A}/summary`;
const AT = '2026-01-01T12:00:00.123Z';

describe('usage of the assistant', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi({ now: () => NOW })));
  afterEach(() => api.stop());

  const asked = (): unknown[] => api.usage.asked.map(({ name, with: values }) => [name, ...values]);

  it('reports the energy of the caller, whoever that is', async () => {
    const reply = await api.get('/assistant/usage/energy', { as: 'outsider' });
    const expected = {
      currentEnergy: 42,
      maxEnergy: 100,
      regenerationRate: 10,
      regenerationIntervalMinutes: 60,
      nextRegenerationAt: '2026-01-01T13:00:00.000Z',
    };
    assert.deepEqual([reply.status, reply.text], [200, JSON.stringify(expected)]);
    await api.get('/assistant/usage/energy', { as: 'key' });
    assert.deepEqual(asked(), [
      ['energy', 'outsider', NOW],
      ['energy', 'key:key-a', NOW],
    ]);
  });

  it('reports what regenerated since the last use, and with full energy one interval from now', async () => {
    api.usage.level = { energy: 95, sinceMs: NOW - 7_200_000 };
    const energy = (await api.get('/assistant/usage/energy')).json();
    assert.deepEqual([energy['currentEnergy'], energy['nextRegenerationAt']], [100, '2026-01-01T13:30:00.000Z']);
  });

  it("reports the caller's status in a Grid", async () => {
    const reply = await api.get(STATUS, { as: 'user' });
    assert.equal(
      reply.text,
      JSON.stringify({
        gridSecondaryId: GRID_A,
        enabled: true,
        promptsUsedToday: 7,
        promptLimitToday: 100,
        lastUsedAt: AT,
      }),
    );
    assert.deepEqual(asked(), [
      ['limits', GRID_A],
      ['promptsToday', 'user', GRID_A, NOW],
    ]);
  });

  it('was not used before the first use, and is not enabled without prompts', async () => {
    api.usage.prompts = { used: 0 };
    api.usage.limitsOf = { ...api.usage.limitsOf, dailyPromptLimit: 0 };
    assert.deepEqual((await api.get(STATUS)).json(), {
      gridSecondaryId: GRID_A,
      enabled: false,
      promptsUsedToday: 0,
      promptLimitToday: 0,
      lastUsedAt: null,
    });
  });

  it('reports to the caller all Grids that it is in', async () => {
    const reply = await api.get('/assistant/usage/me', { as: 'application' });
    const grid = {
      gridSecondaryId: GRID_A,
      gridName: 'Shop',
      promptsUsedToday: 7,
      promptLimitToday: 100,
      enabled: true,
    };
    assert.equal(
      reply.text,
      JSON.stringify({
        grids: [grid, { ...grid, gridSecondaryId: GRID_INACTIVE, gridName: 'Old shop', enabled: false }],
      }),
    );
    assert.deepEqual(asked()[0], ['gridsForMember', 'application', 'application']);
    assert.deepEqual(
      asked().filter((each) => Array.isArray(each) && each[0] === 'promptsToday'),
      [
        ['promptsToday', 'application', GRID_A, NOW],
        ['promptsToday', 'application', GRID_INACTIVE, NOW],
      ],
    );
  });

  it('reports to an API key its own Grid, and where none is left none', async () => {
    const grid = {
      gridSecondaryId: GRID_A,
      gridName: 'Shop',
      promptsUsedToday: 7,
      promptLimitToday: 100,
      enabled: true,
    };
    assert.deepEqual((await api.get('/assistant/usage/me', { as: 'key' })).json(), { grids: [grid] });
    assert.deepEqual(asked().slice(0, 2), [
      ['namedGrid', GRID_A],
      ['limits', GRID_A],
    ]);
    api.usage.grids = [];
    assert.deepEqual((await api.get('/assistant/usage/me', { as: 'key' })).json(), { grids: [] });
  });

  it('is summed up over a range, every day of it', async () => {
    const reply = await api.get(`${SUMMARY}?from=2026-01-01T01:00:00%2B01:00&to=2026-01-02T00:00:00.0019Z`, {
      as: 'guest',
    });
    assert.equal(
      reply.text,
      JSON.stringify({
        gridSecondaryId: GRID_A,
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-01-02T00:00:00.001Z',
        totalPrompts: 3,
        totalEnergyConsumed: 9,
        totalSpeechSyntheses: 2,
        totalSpeechRecognitions: 1,
        dailyBreakdown: [
          { date: '2026-01-01', prompts: 3, energy: 9 },
          { date: '2026-01-02', prompts: 0, energy: 0 },
        ],
      }),
    );
    assert.deepEqual(asked(), [['usageSummary', GRID_A, Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2) + 1]]);
  });

  for (const range of [
    'from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'from=2026-01-01T00:00:00Z&to=2027-01-02T00:00:00Z',
    'from=2030-01-01T00:00:00Z&to=2030-02-01T00:00:00Z',
    'from=1969-12-31T00:00:00Z&to=1970-01-01T00:00:00Z',
  ]) {
    it(`is summed up over ${range}`, async () => assert.equal((await api.get(`${SUMMARY}?${range}`)).status, 200));
  }

  const faulty: [string, string[]][] = [
    ['', ['from', 'to']],
    ['from=2026-01-01T00:00:00Z', ['to']],
    ['to=2026-01-01T00:00:00Z', ['from']],
    ['from=&to=now', ['from', 'to']],
    ['from=2026-01-01&to=2026-01-02', ['from', 'to']],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T23:59:59.999Z', ['to']],
    ['from=2026-01-01T00:00:00Z&to=2027-01-02T00:00:00.001Z', ['to']],
    ['from=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', ['from']],
    ['From=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', ['From', 'from']],
    ['from=0000-01-01T00:00:00%2B14:00&to=0000-01-02T00:00:00Z', ['from']],
    ['from=9999-12-31T00:00:00Z&to=9999-12-31T23:59:59-14:00', ['to']],
  ];
  for (const [query, fields] of faulty) {
    it(`names the faults of the range ${query}`, async () => {
      assertProblem(await api.get(`${SUMMARY}?${query}`), { status: 400, slug: 'invalid-request', fields }, SUMMARY);
      assert.deepEqual(asked(), []);
    });
  }
});
