import assert from 'node:assert/strict';
import { Oracle } from '../../../bench/assistant/oracle.js';
import { HELD_OUT_QUESTIONS } from '../../../bench/assistant/questions-held-out.js';
import { QUESTIONS } from '../../../bench/assistant/questions.js';
import { brokenSuggestions, failuresOf, isPassed, scoreOf } from '../../../bench/assistant/report.js';
import { NOW_MS, scenarioAt } from '../../../bench/assistant/scenario/scenario.js';
import { World } from '../../../bench/assistant/scenario/world.js';
import { Examination, type Trial } from '../../../bench/assistant/trial.js';
import { createAnalyst } from '../../../src/assistant/analyst/analyst.js';

describe('the evaluation of the built-in analyst', function () {
  this.timeout(240_000);
  const oracle = new Oracle(scenarioAt(NOW_MS));
  const trials: Trial[] = [];
  let world: World;
  let examination: Examination;
  before(async () => {
    world = await World.of(oracle.scenario);
    examination = new Examination(createAnalyst, world.queries, oracle);
    for (const question of [...QUESTIONS, ...HELD_OUT_QUESTIONS]) trials.push(await examination.ask(question));
  });
  after(() => world.close());

  it('is passed: at least 90 % right', () => {
    assert.ok(isPassed(trials), failuresOf(trials));
  });

  it('has no number that nothing explains', () => {
    assert.equal(scoreOf(trials).outcomes['wrong number'], 0, failuresOf(trials));
  });

  it('neither invents a number nor takes too much where energy is short', async () => {
    const short = new Examination(createAnalyst, world.queries, oracle, 1);
    for (const question of QUESTIONS) {
      const { answer, verdict } = await short.ask(question);
      assert.ok(answer.sources.length <= 1, question.ask);
      assert.deepEqual(verdict.unexplained, [], `${question.ask}\n${answer.response}`);
    }
  });

  it('has an answer to everything that is suggested', () => {
    assert.ok(examination.suggestions.length > 0);
    assert.deepEqual(brokenSuggestions(examination.suggestions), []);
  });
});
