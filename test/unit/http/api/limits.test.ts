import assert from 'node:assert/strict';
import { assertProblem, faults, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';

const NOW = Date.UTC(2026, 0, 1, 12, 30);
const LIMITS = `/assistant/limits/${GRID_A}`;
const FIELDS = ['dailyPromptLimit', 'monthlySpeechMinutes', 'maxConcurrentSessions'];

describe('limits of the assistant', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi({ now: () => NOW })));
  afterEach(() => api.stop());

  const put = (body: unknown) => api.call('PUT', LIMITS, { body });
  const done = (): unknown[] => api.assistantCommands.done.map(({ name, with: values }) => [name, ...values]);

  it("are read with what is used of them: prompts are the caller's", async () => {
    const reply = await api.get(LIMITS, { as: 'guest' });
    assert.equal(
      reply.text,
      JSON.stringify({
        gridSecondaryId: GRID_A,
        dailyPromptLimit: 100,
        dailyPromptsUsed: 7,
        monthlySpeechMinutes: 60,
        monthlySpeechMinutesUsed: 1.2542,
        maxConcurrentSessions: 10,
        activeSessions: 4,
      }),
    );
    assert.deepEqual(
      api.usage.asked.map(({ name, with: values }) => [name, ...values]),
      [
        ['limits', GRID_A],
        ['promptsToday', 'guest', GRID_A, NOW],
        ['speechSecondsThisMonth', GRID_A, NOW],
        ['activeSessions', GRID_A, NOW],
      ],
    );
  });

  it('are updated by an Owner: 200 with the record, once it shows', async () => {
    const reply = await put({ dailyPromptLimit: 0, monthlySpeechMinutes: 1_000_000, maxConcurrentSessions: 1 });
    assert.equal(reply.status, 200);
    assert.equal(
      reply.text,
      JSON.stringify({
        gridSecondaryId: GRID_A,
        dailyPromptLimit: 0,
        monthlySpeechMinutes: 1_000_000,
        maxConcurrentSessions: 1,
        updatedAt: '2026-01-01T00:00:00.123Z',
        updatedBy: 'owner',
      }),
    );
    assert.deepEqual(done(), [
      [
        'updateLimits',
        'owner',
        GRID_A,
        { dailyPromptLimit: 0, monthlySpeechMinutes: 1_000_000, maxConcurrentSessions: 1 },
      ],
      ['waitForPosition', '7'],
    ]);
  });

  for (const field of FIELDS) {
    it(`are updated one by one: ${field}, and nothing that is no limit`, async () => {
      const reply = await put({
        [field]: 5,
        updatedBy: 'me',
        ...Object.fromEntries(FIELDS.filter((other) => other !== field).map((other) => [other, null])),
      });
      assert.deepEqual([reply.status, reply.json()[field], reply.json()['updatedBy']], [200, 5, 'owner']);
      assert.deepEqual(done()[0], ['updateLimits', 'owner', GRID_A, { [field]: 5 }]);
    });
  }

  const faulty: [unknown, string[]][] = [
    [{}, FIELDS],
    [{ dailyPromptLimit: null }, FIELDS],
    [{ promptLimit: 5 }, ['promptLimit', ...FIELDS]],
    ['', FIELDS],
    [[5], ['']],
    [{ dailyPromptLimit: -1, monthlySpeechMinutes: 1_000_001, maxConcurrentSessions: 1.5 }, FIELDS],
    [{ dailyPromptLimit: '5', monthlySpeechMinutes: true, maxConcurrentSessions: [] }, FIELDS],
    [{ dailyPromptLimit: 5, maxconcurrentsessions: 5 }, ['maxconcurrentsessions']],
  ];
  for (const [body, fields] of faulty) {
    it(`name the faults of ${JSON.stringify(body)}`, async () => {
      assertProblem(await put(body), { status: 400, slug: 'invalid-request', fields }, LIMITS);
      assert.deepEqual(done(), []);
    });
  }

  it('say in words what is wrong with each', async () => {
    assert.deepEqual(faults((await put({ dailyPromptLimit: -1 })).json()), [
      { field: 'dailyPromptLimit', message: 'dailyPromptLimit must be a whole number from 0 to 1000000' },
    ]);
    assert.equal(
      faults((await put({})).json())[0]?.['message'],
      'dailyPromptLimit is required if no other limit is given',
    );
  });

  it('are for Owners alone to update', async () => {
    for (const as of ['member', 'user', 'guest', 'application', 'key'] as const)
      assertProblem(
        await api.call('PUT', LIMITS, { as, body: 'no JSON' }),
        { status: 403, slug: 'role-required' },
        LIMITS,
      );
    assert.deepEqual(done(), []);
  });

  it('count as updated also before they show', async () => {
    api.assistantCommands.arrives = () => Promise.reject(new Error('the projector is unavailable'));
    assert.equal((await put({ dailyPromptLimit: 5 })).status, 200);
  });
});
