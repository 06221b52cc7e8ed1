import assert from 'node:assert/strict';
import type { Answer, Answerer, Prompt } from '../../../src/assistant/answerer.js';
import { createLazyAnswerer } from '../../../src/assistant/create-assistant.js';

const PROMPT: Prompt = {
  text: 'Is anything broken?',
  gridId: 'grid',
  userId: 'ada',
  mayAdminister: true,
  turns: [],
  nowMs: 0,
  maxSources: 3,
};
const ANSWER: Answer = { response: 'No.', sources: [], suggestedFollowUps: [], queries: [], energy: 1, focus: {} };

describe('an answerer that is loaded with the first question', () => {
  it('is loaded once, however many ask at first, and never before', async () => {
    const asked: Prompt[] = [];
    let loads = 0;
    const answerer = createLazyAnswerer(async (): Promise<Answerer> => {
      loads++;
      return { answer: (prompt) => Promise.resolve((asked.push(prompt), ANSWER)) };
    });
    assert.equal(loads, 0);
    const signal = new AbortController().signal;
    assert.deepEqual(await Promise.all([answerer.answer(PROMPT, signal), answerer.answer(PROMPT, signal)]), [
      ANSWER,
      ANSWER,
    ]);
    assert.deepEqual([loads, asked], [1, [PROMPT, PROMPT]]);
  });
});
