import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mock } from 'node:test';
import { ROUTES } from '../../../../src/http/routes.js';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { instanceOf } from '../../../support/fake-usage.js';
import { rawRequest } from '../../../support/raw-http.js';

const CHAT = `/assistant/chat/${instanceOf('owner')}`;
const SPEAK = `/assistant/speech/${instanceOf('owner')}/synthesize`;
const PROMPT = JSON.stringify({ prompt: 'my secret canary' });

/** Work that continues until it is told to stop. */
const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError'))),
  );

describe('work on an answer', () => {
  let api: TestApi;
  afterEach(() => api.stop());

  it('is aborted when its time is up, and the client is asked to come back', async () => {
    api = await startApi({ responseTimeoutMs: 20 });
    api.assistant.work = untilAborted;
    const reply = await api.post(SPEAK, { text: 'x' });
    assertProblem(reply, { status: 503, slug: 'unavailable' });
    assert.deepEqual([reply.headers.get('retry-after'), api.assistant.signal?.aborted], ['5', true]);
  });

  it('has twice the time for a chat and for a recording', () => {
    assert.deepEqual(
      ROUTES.filter(({ slow }) => slow).map(({ operationId }) => operationId),
      ['chat', 'recognizeSpeech'],
    );
  });

  it('has that time in full, and no more', async () => {
    api = await startApi({ responseTimeoutMs: 60 });
    const timers = mock.method(globalThis, 'setTimeout');
    api.assistant.work = () => new Promise(() => undefined);
    assertProblem(await api.post(CHAT, { prompt: 'x' }), { status: 503, slug: 'unavailable' });
    timers.mock.restore();
    assert.ok(timers.mock.calls.some(({ arguments: [, ms] }) => ms === 120));
    assert.equal(api.assistant.signal?.aborted, true);
  });

  it('is aborted when the client goes away, and to give up then is no failure', async () => {
    api = await startApi();
    const working = new Promise<AbortSignal | undefined>(
      (resolve) => (api.assistant.work = (signal) => (resolve(signal), untilAborted(signal))),
    );
    const socket = connect(api.port, '127.0.0.1');
    const headers = [
      'Authorization: Bearer token-of.owner',
      'X-Api-Version: 2.0',
      'Content-Type: application/json',
      `Content-Length: ${PROMPT.length}`,
    ];
    socket.write(rawRequest('POST', CHAT, headers, PROMPT));
    const signal = await working;
    assert.equal(signal?.aborted, false);
    socket.destroy();
    await once(signal, 'abort');
    await api.get(`/apm/traces/${GRID_A}/filters`);
    assert.deepEqual(
      api.log.filter(({ level }) => level === 'error'),
      [],
    );
    assert.doesNotMatch(JSON.stringify(api.log), /canary/);
  });

  it('is given nothing when it is done', async () => {
    api = await startApi();
    assert.equal((await api.post(CHAT, { prompt: 'x' }, { headers: { Connection: 'close' } })).status, 200);
    assert.equal(api.assistant.signal?.aborted, false);
  });
});
