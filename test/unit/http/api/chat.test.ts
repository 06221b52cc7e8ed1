import assert from 'node:assert/strict';
import { HindsightError, type ErrorCode } from '../../../../src/errors.js';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { CONVERSATION_ID } from '../../../support/fake-assistant.js';
import { instanceOf } from '../../../support/fake-usage.js';

const INSTANCE = instanceOf('guest');
const CHAT = `/assistant/chat/${INSTANCE}`;
const CALLER = { userId: 'guest', accountId: 'guest', mayAdminister: false, instanceId: INSTANCE, gridId: GRID_A };
const NOW = Date.UTC(2026, 0, 1, 23, 59, 30);

describe('chat', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi({ now: () => NOW })));
  afterEach(() => api.stop());

  const chat = (body: unknown, path = CHAT) => api.post(path, body, { as: 'guest' });

  it('answers with the members of the spec', async () => {
    const reply = await chat({ prompt: 'Is anything broken?' });
    assert.equal(reply.status, 200);
    assert.equal(
      reply.text,
      JSON.stringify({
        response: 'Checkout is slow.',
        conversationId: CONVERSATION_ID,
        sources: [
          { type: 'health', description: '7 services, last 15 minutes' },
          { type: 'diagnosis', description: '1 cause', confidence: 0.8, traceCount: 12 },
        ],
        suggestedFollowUps: ['Why is checkout slow?'],
        energyConsumed: 3,
      }),
    );
    assert.deepEqual(api.assistant.asked, [{ name: 'chat', with: [CALLER, 'Is anything broken?', undefined] }]);
  });

  it('continues with a conversation, in whatever case its id comes back', async () => {
    for (const conversationId of [CONVERSATION_ID, CONVERSATION_ID.toUpperCase()])
      assert.equal(
        (
          await chat(
            { prompt: 'and now?', conversationId },
            CHAT.toUpperCase().replace('/ASSISTANT/CHAT', '/assistant/chat'),
          )
        ).status,
        200,
      );
    assert.deepEqual(
      api.assistant.asked.map(({ with: values }) => values),
      [
        [CALLER, 'and now?', CONVERSATION_ID],
        [CALLER, 'and now?', CONVERSATION_ID],
      ],
    );
  });

  it('takes prompts of 1 to 4,000 characters, in any language, as they are', async () => {
    for (const prompt of ['?', 'x'.repeat(4_000), '😀'.repeat(4_000), '  was ist mit „checkout“?\n\0']) {
      assert.equal((await chat({ prompt, conversationId: null })).status, 200);
      assert.equal(api.assistant.asked.at(-1)?.with[1], prompt);
    }
  });

  const faulty: [object, string[]][] = [
    [{}, ['prompt']],
    [{ prompt: null }, ['prompt']],
    [{ prompt: '' }, ['prompt']],
    [{ prompt: ' \n\t\u00a0' }, ['prompt']],
    [{ prompt: 5 }, ['prompt']],
    [{ prompt: ['x'] }, ['prompt']],
    [{ prompt: 'x'.repeat(4_001) }, ['prompt']],
    [{ Prompt: 'x' }, ['Prompt', 'prompt']],
    [{ prompt: {}, conversationId: 'latest' }, ['prompt', 'conversationId']],
    [{ prompt: 'x', conversationId: '' }, ['conversationId']],
    [{ prompt: 'x', conversationId: `{${CONVERSATION_ID}}` }, ['conversationId']],
    [{ prompt: 'x', conversationid: CONVERSATION_ID }, ['conversationid']],
  ];
  for (const [body, fields] of faulty) {
    it(`names the faults of ${JSON.stringify(body).slice(0, 60)}`, async () => {
      assertProblem(await chat(body), { status: 400, slug: 'invalid-request', fields }, CHAT);
      assert.deepEqual(api.assistant.asked, []);
    });
  }

  const refusals: [ErrorCode, number, number?][] = [
    ['assistant-disabled', 403],
    ['daily-prompt-limit', 429, 30],
    ['energy-exhausted', 429, 1_800],
    ['session-not-found', 404],
  ];
  for (const [code, status, seconds] of refusals) {
    it(`is refused with ${status} ${code}${seconds === undefined ? '' : ' and when to come back'}`, async () => {
      const retryAtMs = seconds === undefined ? undefined : NOW + seconds * 1_000;
      api.assistant.work = () =>
        Promise.reject(new HindsightError(code, 'The reason.', [], retryAtMs === undefined ? {} : { retryAtMs }));
      const reply = await chat({ prompt: 'x' });
      assertProblem(reply, { status, slug: code }, CHAT);
      assert.equal(reply.headers.get('retry-after'), seconds === undefined ? null : String(seconds));
    });
  }

  it('leaves nothing of a prompt in the log, also where it fails', async () => {
    await chat({ prompt: 'my secret canary' });
    api.assistant.work = () => Promise.reject(new TypeError('no such thing'));
    assertProblem(await chat({ prompt: 'my secret canary' }), { status: 500, slug: 'internal-error' });
    assert.equal(api.log.filter(({ level }) => level === 'error').length, 1);
    assert.doesNotMatch(JSON.stringify(api.log), /canary/);
  });
});
