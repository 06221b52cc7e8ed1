import assert from 'node:assert/strict';
import { number, says } from '../../../../bench/assistant/expected-facts.js';
import { ScenarioOracle } from '../../../../bench/assistant/scenario-oracle.js';
import { defineQuestions, type EvaluationQuestion } from '../../../../bench/assistant/evaluation-question.js';
import {
  findBrokenSuggestions,
  isPassed,
  classifyOutcome,
  computeScore,
  formatSuggestions,
  formatIntentTable,
  type Outcome,
} from '../../../../bench/assistant/evaluation-report.js';
import { NOW_MS } from '../../../../bench/assistant/scenario/scenario.js';
import { createStory } from '../../../../bench/assistant/scenario/incident-story.js';
import { EvaluationRunner, type Trial } from '../../../../bench/assistant/evaluation-runner.js';
import type { Answer, Prompt } from '../../../../src/assistant/answerer.js';
import type { ToolQueries } from '../../../../src/assistant/tool.js';

/** Returns the health of one service. */
const QUERIES = {
  diagnostics: { health: () => Promise.resolve({ services: [{ serviceName: 'cart', errorRate: 12.5 }] }) },
} as unknown as ToolQueries;

type Reply = (prompt: Prompt, errorRate: number) => Partial<Answer>;

describe('an evaluation of the assistant', () => {
  const oracle = new ScenarioOracle({
    story: createStory(NOW_MS),
    spans: [],
    logs: [],
    points: [],
    alerts: [],
    prompts: [],
  });
  const [question] = defineQuestions('errors', ['error rate of cart?', () => [says('cart'), number(12.5)]]);
  const health = { type: 'health', description: '1 service' };

  function evaluation(reply: Reply): EvaluationRunner {
    const create = (queries: ToolQueries) => ({
      async answer(prompt: Prompt): Promise<Answer> {
        const { services } = await queries.diagnostics.health(prompt.gridId, {});
        return {
          response: '',
          sources: [health],
          suggestedFollowUps: ['Why?'],
          queries: [],
          energy: 1,
          focus: {},
          ...reply(prompt, services[0].errorRate),
        };
      },
    });
    return new EvaluationRunner(create, QUERIES, oracle);
  }

  async function outcome(reply: Reply, of: EvaluationQuestion = question): Promise<Outcome> {
    return classifyOutcome(await evaluation(reply).ask(of));
  }

  it('distinguishes right answers from wrong numbers, missing facts and no answers', async () => {
    assert.equal(await outcome((_, rate) => ({ response: `cart: ${rate} %` })), 'right');
    assert.equal(await outcome((_, rate) => ({ response: `cart: ${rate + 1} %` })), 'wrong number');
    assert.equal(await outcome((_, rate) => ({ response: `shipping: ${rate} %` })), 'incomplete');
    assert.equal(await outcome(() => ({ response: 'I did not understand.', sources: [] })), 'not understood');
  });

  it('asks what came before in the same conversation, with the focus as it is stored', async () => {
    const seen: Prompt[] = [];
    const [followUp] = defineQuestions('errors', [['error rate of cart?', 'and now?'], () => [number(12.5)]]);
    const reply: Reply = (prompt, rate) => {
      seen.push(prompt);
      return { response: `cart: ${rate} %`, focus: { service: 'cart' }, suggestedFollowUps: [] };
    };
    await evaluation(reply).ask(followUp);
    assert.deepEqual(
      seen.map(({ text, turns }) => [text, turns.map((turn) => [turn.prompt, turn.focus])]),
      [
        ['error rate of cart?', []],
        ['and now?', [['error rate of cart?', { service: 'cart' }]]],
      ],
    );
  });

  it('takes up each suggestion once', async () => {
    const reply: Reply = ({ text }) =>
      text === 'Why?' ? { response: 'I did not understand that.', sources: [] } : { response: 'cart' };
    const trial = evaluation(reply);
    await trial.ask(question);
    await trial.ask(question);
    assert.deepEqual(
      trial.suggestions.map(({ suggestion, isAnswered }) => [suggestion, isAnswered]),
      [['Why?', false]],
    );
    assert.match(formatSuggestions(trial.suggestions), /1 suggestions taken up, 0 answered/);
  });

  it('finds the wrong numbers of answers to suggestions', async () => {
    const trial = evaluation(({ text }) => ({ response: text === 'Why?' ? 'cart: 77 %' : 'cart: 12.5 %' }));
    await trial.ask(question);
    assert.deepEqual(
      findBrokenSuggestions(trial.suggestions).map(({ unexplained }) => unexplained),
      [['77 %']],
    );
  });

  it('is passed with 90 % right and no wrong number', async () => {
    const trial = async (response: string): Promise<Trial> => evaluation(() => ({ response })).ask(question);
    const [right, wrong, incomplete] = [await trial('cart: 12.5 %'), await trial('cart: 99 %'), await trial('cart')];
    const nine = Array.from({ length: 9 }, () => right);
    assert.equal(isPassed([...nine, incomplete]), true);
    assert.equal(isPassed([...nine, wrong]), false);
    assert.equal(isPassed([...nine, incomplete, incomplete]), false);
    assert.deepEqual(computeScore([right, wrong, incomplete]).outcomes, {
      right: 1,
      'wrong number': 1,
      incomplete: 1,
      'not understood': 0,
    });
    assert.match(formatIntentTable('questions', [right, wrong]), /errors +2 +1 +1 +0 +0 +50\.0 %/);
  });
});
