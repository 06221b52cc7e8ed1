import assert from 'node:assert/strict';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import { NOW } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

const ask = (text: string) =>
  createAnalyst(shopQueries({}).queries).answer(
    { text, gridId: 'g', userId: 'u', mayAdminister: true, turns: [], nowMs: NOW, maxSources: 9 },
    new AbortController().signal,
  );

describe('traces', () => {
  for (const text of [
    'show me traces for order 12345',
    'traces of user id 7 in the last 5 minutes',
    'failed traces with customer #a-17',
  ]) {
    it(`of everybody are no answer to “${text}”`, async () => {
      const { response, sources, suggestedFollowUps } = await ask(text);
      assert.match(response, /^I cannot search traces for “(?:order 12345|user id 7|customer #a-17)”/);
      assert.deepEqual(sources, []);
      assert.match(suggestedFollowUps[0], /^Search logs containing "(?:12345|7|a-17)"$/);
    });
  }

  it('of services are searched', async () =>
    assert.match(
      (await ask('show me failed traces of payment in the last 10 minutes')).response,
      /failed traces? of payment in the last 10 minutes/,
    ));
});
