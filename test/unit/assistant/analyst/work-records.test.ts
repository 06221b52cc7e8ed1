import assert from 'node:assert/strict';
import type { Answer } from '../../../../src/assistant/answerer.js';
import { createAnalyst } from '../../../../src/assistant/analyst/analyst.js';
import { NOW } from '../shop.js';
import { shopQueries } from '../shop-queries.js';

const GRID = '6b1e3f0a-0000-4000-8000-000000000001';

interface Talk {
  readonly answers: readonly string[];
  /** Names of the queries of the last answer, without those that load the vocabulary. */
  readonly asked: readonly string[];
}

/** The answers of one conversation. */
async function talk(texts: readonly string[], mayAdminister = true): Promise<Talk> {
  const { queries, calls } = shopQueries();
  const analyst = createAnalyst(queries);
  const answers: Answer[] = [];
  let before = 0;
  for (const text of texts) {
    before = calls.length;
    const turns = answers.map(({ response, focus }, at) => ({ prompt: texts[at], response, focus, at: NOW }));
    const prompt = { text, gridId: GRID, userId: 'u-1', mayAdminister, turns, nowMs: NOW, maxSources: 9 };
    answers.push(await analyst.answer(prompt, new AbortController().signal));
  }
  const asked = calls.slice(before).map(({ name }) => name);
  return { answers: answers.map(({ response }) => response), asked };
}

async function lastAnswer(...texts: readonly string[]): Promise<string> {
  return (await talk(texts)).answers.at(-1)!;
}

describe('records that people work on', () => {
  it('are objectives, with budget and burn rates', async () => {
    for (const text of ['did we meet our objectives?', 'which SLO burns fastest?', 'how much error budget is left?']) {
      const { answers, asked } = await talk([text]);
      assert.match(answers[0], /^1 objective: \d met, \d missed\n- .*of the error budget is left .*burn rate/, text);
      assert.ok(asked.includes('assessSlos'), text);
    }
  });

  it('are objectives whose window is their own: another time is refused', async () => {
    const answer = await lastAnswer('did we meet our objectives yesterday?');
    assert.match(answer, /^I can’t apply “the time” to this question, so I give no figures/);
  });

  it('are incidents by state, service and time, also in follow-ups', async () => {
    const { answers, asked } = await talk(['how many incidents were there today?', 'which of them are resolved?']);
    assert.match(answers[0], /^1 incident since 00:00 UTC:\n- /);
    assert.match(answers[1], /^(?:No|1) incident \(resolved\) since 00:00 UTC/);
    assert.ok(asked.includes('incidents'));
    assert.match(await lastAnswer('which incidents touched shipping?'), /^No incident of shippingService/);
    assert.match(
      await lastAnswer('has anybody taken the open incidents?'),
      /incident \(not resolved\) \(acknowledged\)/,
    );
  });

  it('are incidents, and not events before something else', async () => {
    assert.match(
      await lastAnswer('which incidents came before the payment errors?'),
      /^I can’t apply “before the payment errors”/,
    );
  });

  it('are silences by state and service, for those who may read them', async () => {
    assert.match(
      await lastAnswer('which silences have ended?'),
      /^1 silence that has ended:\n- service = checkout: over/,
    );
    assert.equal(await lastAnswer('which silences are active?'), 'No silence that is active or planned (1 other).');
    assert.match(await lastAnswer('which silences have ended?', 'who created it?'), /created by owner/);
    const { answers } = await talk(['which silences are active?', 'since when?'], false);
    assert.match(answers[0], /^Only Members and Owners of this Grid can read its alert rules and silences/);
    assert.match(answers[1], /^I did not answer the question before/);
  });

  it('are error groups by status', async () => {
    for (const text of [
      'how many unresolved error groups are there?',
      'which errors came back after they were resolved?',
    ])
      assert.ok((await talk([text])).asked.includes('findErrorGroups'), text);
  });

  it('are alert rules about a metric, and alerts that nobody has acknowledged', async () => {
    assert.match(
      await lastAnswer('what threshold does the apdex rule have?'),
      /alert rules? (?:about “apdex” )?|No alert rule about “apdex”/,
    );
    assert.match(await lastAnswer('which alerts are not acknowledged?'), /without acknowledgement/);
  });
});

describe('ways that somebody asks for', () => {
  const WAYS: Readonly<Record<string, RegExp>> = {
    'how do I create an api key for the collector?': /^Members and Owners issue API keys/,
    'how can I silence an alert for two hours?': /^Members and Owners silence an alert/,
    'where do I see whether a notification was delivered?': /^Members and Owners manage channels/,
    'what command resolves an incident?': /^The page Incidents/,
  };
  for (const [text, expected] of Object.entries(WAYS))
    it(`are told: “${text}”`, async () => assert.match(await lastAnswer(text), expected));

  it('are no deeds, and no questions about telemetry', async () => {
    assert.match(await lastAnswer('delete the silence on payment'), /^I cannot do that/);
    assert.match(await lastAnswer('show me the api keys'), /^I cannot help with that/);
    assert.match(await lastAnswer('how do I fix payment?'), /payment/);
  });
});

describe('questions that another answer would ignore', () => {
  const REFUSED: Readonly<Record<string, RegExp>> = {
    'which region is suffering most?': /“region”/,
    'what changed before the checkout slowdown?': /“before the checkout slowdown”/,
    'how long is telemetry kept?': /“kept”/,
  };
  for (const [text, named] of Object.entries(REFUSED))
    it(`are refused: “${text}”`, async () => {
      const answer = await lastAnswer(text);
      assert.match(answer, /^I can’t apply .* so I give no figures/);
      assert.match(answer, named);
    });

  it('are parts of a question that was refused', async () => {
    for (const part of ['since when?', 'which of them are open?', 'and payment?'])
      assert.match(
        await lastAnswer('how many gold customers complained?', part),
        /^I did not answer the question before/,
        part,
      );
  });

  it('continue a figure whose conditions they cannot apply', async () => {
    const answer = await lastAnswer('how many requests had a duration above 200 ms?', 'is that getting worse?');
    assert.match(answer, /^I can’t apply .*200/);
  });
});
