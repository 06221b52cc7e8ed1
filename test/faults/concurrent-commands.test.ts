import assert from 'node:assert/strict';
import type { ApiClient } from '../support/api-client.js';
import { scaleToBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { rootSpans, send } from '../support/sender.js';
import { signIn } from '../support/sign-in.js';

const AT_ONCE = scaleToBudget('COMMANDS_AT_ONCE', 100, 1_000);

describe(`${AT_ONCE} concurrent commands`, function () {
  this.timeout(AT_ONCE * 500 + 60_000);
  let trial: Trial;
  let owner: ApiClient;

  before(async () => {
    trial = await Trial.start();
    owner = await signIn(trial.service.apiUrl, 'owner');
  });
  after(() => trial.dispose());

  it('on the same limits: all are serialized, each as one event, and the last one applies', async () => {
    const path = `/assistant/limits/${trial.gridId}`;
    const before = (await trial.events()).length;
    const wanted = Array.from({ length: AT_ONCE }, (_, n) => 1_000 + n);
    const answers = await Promise.all(wanted.map((dailyPromptLimit) => owner.put(path, { dailyPromptLimit })));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const updates = (await trial.events()).slice(before).filter(({ type }) => type.startsWith('LimitsUpdated'));
    const set = updates.map(({ data }) => (data as { changes: { dailyPromptLimit: number } }).changes.dailyPromptLimit);
    assert.deepEqual(
      [...set].sort((a, b) => a - b),
      wanted,
      'none is lost, none twice',
    );
    assert.equal((await owner.get(path)).body['dailyPromptLimit'], set.at(-1));
  });

  it('that regenerate the same key: exactly one secret is valid, the one returned last', async () => {
    const keys = `/admin/grids/${trial.gridId}/api-keys`;
    const { status, body: made } = await owner.post<{ keyId: string; apiKey: string }>(keys, { name: 'raced' });
    assert.equal(status, 201, JSON.stringify(made));
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => owner.post<{ apiKey: string }>(`${keys}/${made.keyId}/regenerate`, {})),
    );
    const given = [made.apiKey, ...answers.filter(({ status }) => status === 200).map(({ body }) => body.apiKey)];
    assert.ok(
      answers.every(({ status }) => status === 200 || status === 409),
      JSON.stringify(answers.map(({ status }) => status)),
    );
    const tries = await Promise.all(
      given.map(async (key) => {
        const request = rootSpans(1);
        await send(trial.service.otlpHttpUrl, key, request);
        return request.outcome;
      }),
    );
    assert.equal(tries.filter((outcome) => outcome === 'acknowledged').length, 1);
  });
});
