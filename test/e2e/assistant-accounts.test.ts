import assert from 'node:assert/strict';
import type { ApiClient } from '../support/api-client.js';
import { BlackBox } from '../support/black-box.js';
import { signIn } from '../support/sign-in.js';

interface Session {
  readonly instanceSecondaryId: string;
  readonly gridSecondaryId: string;
  readonly startedAt: string;
  readonly expiresAt: string;
}

describe('assistant usage accounts of a running service', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let owner: ApiClient;
  let guest: ApiClient;

  before(async () => {
    box = await BlackBox.start();
    [owner, guest] = await Promise.all([signIn(box.service.apiUrl, 'owner'), signIn(box.service.apiUrl, 'guest')]);
  });
  after(() => box.dispose());

  const limits = (): string => `/assistant/limits/${box.gridId}`;
  const activeSessions = async (): Promise<unknown> => (await guest.get(limits())).body['activeSessions'];
  const start = (as: ApiClient) => as.post<Session>(`/assistant/sessions/${box.gridId}`, {});
  const end = (as: ApiClient, { instanceSecondaryId }: Session) =>
    as.delete(`/assistant/sessions/${instanceSecondaryId}`);

  it('start as specified', async () => {
    assert.deepEqual((await guest.get(limits())).body, {
      gridSecondaryId: box.gridId,
      dailyPromptLimit: 100,
      dailyPromptsUsed: 0,
      monthlySpeechMinutes: 60,
      monthlySpeechMinutesUsed: 0,
      maxConcurrentSessions: 10,
      activeSessions: 0,
    });
    const { body: energy } = await guest.get<{ currentEnergy: number; nextRegenerationAt: string }>(
      '/assistant/usage/energy',
    );
    assert.equal(energy.currentEnergy, 100);
    assert.ok(
      Math.abs(Date.parse(energy.nextRegenerationAt) - Date.now() - 3_600_000) < 60_000,
      energy.nextRegenerationAt,
    );
    assert.deepEqual((await guest.get(`/assistant/usage/${box.gridId}/status`)).body, {
      gridSecondaryId: box.gridId,
      enabled: true,
      promptsUsedToday: 0,
      promptLimitToday: 100,
      lastUsedAt: null,
    });
  });

  it('are listed for every Grid of the caller, and for an API key only for its own', async () => {
    const grids = [
      { gridSecondaryId: box.gridId, gridName: 'demo', promptsUsedToday: 0, promptLimitToday: 100, enabled: true },
    ];
    for (const caller of [owner, guest, box.api])
      assert.deepEqual((await caller.get('/assistant/usage/me')).body, { grids });
    assert.deepEqual((await (await signIn(box.service.apiUrl, 'outsider')).get('/assistant/usage/me')).body, {
      grids: [],
    });
  });

  it('list every day of the range', async () => {
    const { body } = await guest.get<{ totalPrompts: number; dailyBreakdown: object[] }>(
      `/assistant/usage/${box.gridId}/summary?from=2024-02-28T12:00:00Z&to=2024-03-01T00:00:00Z`,
    );
    assert.deepEqual(
      [body.totalPrompts, body.dailyBreakdown],
      [0, ['2024-02-28', '2024-02-29', '2024-03-01'].map((date) => ({ date, prompts: 0, energy: 0 }))],
    );
  });

  it('show a session at the next call, from start to end', async () => {
    const { status, body: session } = await start(guest);
    assert.deepEqual(
      [status, session.gridSecondaryId, Date.parse(session.expiresAt) - Date.parse(session.startedAt)],
      [201, box.gridId, 30 * 60_000],
    );
    assert.equal(await activeSessions(), 1);
    assert.equal((await end(owner, session)).status, 404);
    assert.equal((await end(guest, session)).status, 204);
    assert.equal(await activeSessions(), 0);
    assert.equal((await end(guest, session)).status, 404);
  });

  it('never exceed the session limit under concurrent requests', async () => {
    assert.equal((await owner.put(limits(), { maxConcurrentSessions: 3 })).status, 200);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => start([owner, guest, box.api][i % 3])));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [
      ...Array<number>(3).fill(201),
      ...Array<number>(17).fill(409),
    ]);
    assert.equal(await activeSessions(), 3);
  });

  it('show new limits, and who set them, at the next call', async () => {
    const { status, body } = await owner.put<{ updatedAt: string }>(limits(), { dailyPromptLimit: 0 });
    assert.ok(Math.abs(Date.parse(body.updatedAt) - Date.now()) < 60_000);
    assert.deepEqual(
      [status, body],
      [
        200,
        {
          gridSecondaryId: box.gridId,
          dailyPromptLimit: 0,
          monthlySpeechMinutes: 60,
          maxConcurrentSessions: 3,
          updatedAt: body.updatedAt,
          updatedBy: 'owner',
        },
      ],
    );
    const status0 = (await guest.get(`/assistant/usage/${box.gridId}/status`)).body;
    assert.deepEqual([status0['enabled'], status0['promptLimitToday']], [false, 0]);
    assert.equal((await guest.put(limits(), { dailyPromptLimit: 5 })).status, 403);
  });
});
