import assert from 'node:assert/strict';
import type { ApiClient, Answer } from '../support/api-client.js';
import { BlackBox } from '../support/black-box.js';
import { exportRequests, shopTraffic } from '../support/shop-traffic.js';
import { signIn } from '../support/sign-in.js';

const MINUTE_MS = 60_000;

interface Reply {
  readonly response: string;
  readonly conversationId: string;
  readonly sources: readonly { readonly type: string; readonly description: string }[];
  readonly suggestedFollowUps: readonly string[];
  readonly energyConsumed: number;
  readonly type?: string;
}

interface Health {
  readonly services: readonly {
    readonly serviceName: string;
    readonly errorRate: number;
    readonly apdex: number;
    readonly requestCount: number;
    readonly avgLatencyMs: number;
  }[];
}

describe('chat with a running service', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let owner: ApiClient;
  let member: ApiClient;

  before(async () => {
    box = await BlackBox.start();
    [owner, member] = await Promise.all([signIn(box.service.apiUrl, 'owner'), signIn(box.service.apiUrl, 'member')]);
    const now = Date.now();
    // Ended two minutes ago, so that two questions within a minute have the same answer.
    await box.record(
      'traces',
      ...exportRequests(
        shopTraffic({ seed: 5, traces: 300, fromMs: now - 12 * MINUTE_MS, toMs: now - 2 * MINUTE_MS }),
        5,
      ),
    );
  });
  after(() => box.dispose());

  const startSession = async (as: ApiClient): Promise<string> => {
    const { status, body } = await as.post<{ instanceSecondaryId: string }>(`/assistant/sessions/${box.gridId}`, {});
    assert.equal(status, 201);
    return body.instanceSecondaryId;
  };
  const ask = (as: ApiClient, session: string, prompt: string, conversationId?: string): Promise<Answer<Reply>> =>
    as.post<Reply>(`/assistant/chat/${session}`, {
      prompt,
      ...(conversationId === undefined ? {} : { conversationId }),
    });
  const energyOf = async (as: ApiClient): Promise<number> =>
    (await as.get<{ currentEnergy: number }>('/assistant/usage/energy')).body.currentEnergy;
  const setLimits = async (limits: object): Promise<void> =>
    assert.equal((await owner.put(`/assistant/limits/${box.gridId}`, limits)).status, 200);

  it('answers with the figures of the API and charges the stated energy', async () => {
    const session = await startSession(member);
    const { status, body } = await ask(member, session, 'How is the gateway doing?');
    assert.equal(status, 200);
    const { body: health } = await box.api.get<Health>(`/apm/diagnostics/${box.gridId}/health`);
    const gateway = health.services.find(({ serviceName }) => serviceName === 'gateway')!;
    for (const figure of [gateway.requestCount, gateway.apdex, gateway.errorRate]) {
      assert.ok(body.response.replaceAll(',', '').includes(String(figure)), `${figure} is not in: ${body.response}`);
    }
    assert.deepEqual(Object.keys(body).sort(), [
      'conversationId',
      'energyConsumed',
      'response',
      'sources',
      'suggestedFollowUps',
    ]);
    assert.ok(body.sources.length > 0 && body.suggestedFollowUps.length > 0);
    assert.ok(body.response.includes(`\nGET /apm/diagnostics/${box.gridId}/health?api-version=2.0\n`), body.response);
    assert.equal(body.energyConsumed, 1);
    assert.equal(await energyOf(member), 99);
  });

  it('understands follow-up questions only within the same conversation', async () => {
    const session = await startSession(member);
    const { body: first } = await ask(member, session, 'Which errors does payments have?');
    assert.match(first.response, /Timeout/);
    const { body: second } = await ask(member, session, 'and orders?', first.conversationId);
    assert.equal(second.conversationId, first.conversationId);
    assert.match(second.response, /orders/);
    const { body: foreign } = await ask(owner, await startSession(owner), 'and orders?', first.conversationId);
    assert.notEqual(foreign.conversationId, first.conversationId);
  });

  it('counts an answered prompt', async () => {
    const session = await startSession(member);
    const { body: status } = await member.get<{ promptsUsedToday: number }>(`/assistant/usage/${box.gridId}/status`);
    const { body } = await ask(member, session, 'How many prompts have I left?');
    assert.ok(body.response.includes(`${status.promptsUsedToday + 1} of 100`), body.response);
  });

  it('enforces the daily limit under concurrent prompts and charges only the caller', async () => {
    const guest = await signIn(box.service.apiUrl, 'guest');
    const session = await startSession(guest);
    await setLimits({ dailyPromptLimit: 5 });
    const replies = await Promise.all(Array.from({ length: 30 }, () => ask(guest, session, 'What can you do?')));
    const answered = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 429);
    assert.deepEqual([answered.length, refused.length], [5, 25]);
    for (const { headers, body } of refused) {
      assert.match(body.type ?? '', /daily-prompt-limit$/);
      const seconds = Number(headers.get('retry-after'));
      assert.ok(seconds >= 1 && seconds <= 86_400, String(seconds));
    }
    assert.equal(await energyOf(guest), 100 - answered.reduce((sum, { body }) => sum + body.energyConsumed, 0));
    await setLimits({ dailyPromptLimit: 100 });
  });

  it('rejects prompts without enough energy', async () => {
    // Each answer costs 1, so that the prompts of a day must not end first.
    await setLimits({ dailyPromptLimit: 1_000 });
    const user = await signIn(box.service.apiUrl, 'user');
    const session = await startSession(user);
    let spent = 0;
    for (let round = 0; round < 40 && spent < 100; round++) {
      const replies = await Promise.all(Array.from({ length: 12 }, () => ask(user, session, 'Is anything broken?')));
      for (const { status, body, headers } of replies) {
        if (status === 200) spent += body.energyConsumed;
        else
          assert.ok(
            status === 429 && /energy-exhausted$/.test(body.type ?? '') && Number(headers.get('retry-after')) > 0,
            JSON.stringify(body),
          );
      }
    }
    assert.equal(spent, 100);
    assert.equal(await energyOf(user), 0);
    assert.equal((await ask(user, session, 'Is anything broken?')).status, 429);
    await setLimits({ dailyPromptLimit: 100 });
  });

  it('is disabled by a limit of 0', async () => {
    const session = await startSession(owner);
    await setLimits({ dailyPromptLimit: 0 });
    const { status, body } = await ask(owner, session, 'Is anything broken?');
    assert.deepEqual([status, body.type?.endsWith('/assistant-disabled')], [403, true]);
    await setLimits({ dailyPromptLimit: 100 });
  });

  it('synthesizes speech on any machine and charges its length', async () => {
    const session = await startSession(owner);
    const response = await owner.bytes('POST', `/assistant/speech/${session}/synthesize`, {
      text: 'Is anything broken?',
    });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'audio/wav']);
    const wav = Buffer.from(response.body);
    assert.deepEqual(
      [wav.toString('latin1', 0, 4), wav.toString('latin1', 8, 12), wav.readUInt32LE(4)],
      ['RIFF', 'WAVE', wav.length - 8],
    );
    const seconds = wav.readUInt32LE(40) / wav.readUInt32LE(28);
    const { body } = await owner.get<{ monthlySpeechMinutesUsed: number }>(`/assistant/limits/${box.gridId}`);
    assert.ok(
      Math.abs(body.monthlySpeechMinutesUsed - seconds / 60) < 0.001,
      `${body.monthlySpeechMinutesUsed} minutes for ${seconds} s`,
    );
    await setLimits({ monthlySpeechMinutes: 0 });
    const refused = await owner.post<Reply>(`/assistant/speech/${session}/synthesize`, { text: 'Once more.' });
    assert.deepEqual([refused.status, refused.body.type?.endsWith('/speech-minutes-exceeded')], [429, true]);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });
});
