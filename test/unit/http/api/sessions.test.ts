import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { INSTANCE_EXPIRED, INSTANCE_UNKNOWN, instanceOf } from '../../../support/fake-usage.js';
import { CREATED_ID } from '../../../support/created-id.js';

const SESSIONS = `/assistant/sessions/${GRID_A}`;
const OWN = instanceOf('member');
const NOT_FOUND = { status: 404, slug: 'session-not-found' };

describe('assistant sessions', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  const done = (): unknown[] => api.assistantCommands.done.map(({ name, with: values }) => [name, ...values]);

  it('start: 201 with the record, once it shows', async () => {
    const reply = await api.call('POST', SESSIONS, { as: 'member' });
    assert.equal(reply.status, 201);
    assert.equal(
      reply.text,
      JSON.stringify({
        instanceSecondaryId: CREATED_ID,
        gridSecondaryId: GRID_A,
        startedAt: '2026-01-01T00:00:00.123Z',
        expiresAt: '2026-01-01T00:30:00.123Z',
      }),
    );
    assert.deepEqual(done(), [
      ['startSession', 'member', GRID_A, 10],
      ['waitForPosition', '7'],
    ]);
  });

  it('start for an API key under its own identity, and under the cap that the Grid has now', async () => {
    api.usage.limitsOf = { ...api.usage.limitsOf, maxConcurrentSessions: 0 };
    assert.equal((await api.post(SESSIONS, {}, { as: 'key' })).status, 201);
    assert.deepEqual(done()[0], ['startSession', 'key:key-a', GRID_A, 0]);
  });

  it('are 409 where the Grid has as many as it may have', async () => {
    api.assistantCommands.refusal = new HindsightError('session-limit-reached', 'The Grid has 10 sessions in use.');
    const reply = await api.call('POST', SESSIONS);
    assertProblem(reply, { status: 409, slug: 'session-limit-reached' }, SESSIONS);
    assert.deepEqual(done().length, 1);
  });

  it('end: 204 without a body, once it shows', async () => {
    const reply = await api.call('DELETE', `/assistant/sessions/${OWN.toUpperCase()}`, { as: 'member' });
    assert.deepEqual([reply.status, reply.text], [204, '']);
    assert.deepEqual(done(), [
      ['endSession', 'member', GRID_A, OWN],
      ['waitForPosition', '7'],
    ]);
  });

  it('are durable before they show', async () => {
    api.assistantCommands.arrives = () => Promise.reject(new Error('the projector is unavailable'));
    assert.equal((await api.call('POST', SESSIONS)).status, 201);
    assert.equal((await api.call('DELETE', `/assistant/sessions/${instanceOf('owner')}`)).status, 204);
  });

  it("are 404 alike, whether they never were, have expired or are somebody else's", async () => {
    const refusals = await Promise.all(
      [INSTANCE_UNKNOWN, INSTANCE_EXPIRED, OWN, GRID_A, 'no-uuid', `${instanceOf('owner')}x`, '%00'].map((id) =>
        api.call('DELETE', `/assistant/sessions/${id}`),
      ),
    );
    for (const reply of refusals) {
      assertProblem(reply, NOT_FOUND);
      assert.equal(reply.json()['detail'], refusals[0]?.json()['detail']);
    }
    assert.deepEqual(done(), []);
  });

  it('are 404 where they have ended since they were looked up', async () => {
    api.assistantCommands.refusal = new HindsightError(
      'session-not-found',
      'The caller has no active assistant session with this id.',
    );
    assertProblem(await api.call('DELETE', `/assistant/sessions/${OWN}`, { as: 'member' }), NOT_FOUND);
  });

  it('take POST by Grid and DELETE by instance', async () => {
    const reply = await api.get(SESSIONS);
    assertProblem(reply, { status: 405, slug: 'method-not-allowed' });
    assert.equal(reply.headers.get('allow'), 'DELETE, POST');
    assertProblem(await api.call('POST', '/assistant/sessions/no-uuid'), {
      status: 400,
      slug: 'invalid-request',
      fields: ['gridSecondaryId'],
    });
  });
});
