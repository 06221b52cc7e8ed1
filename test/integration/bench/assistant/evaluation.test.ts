import assert from 'node:assert/strict';
import { ScenarioOracle } from '../../../../bench/assistant/scenario-oracle.js';
import { HELD_OUT_QUESTIONS } from '../../../../bench/assistant/held-out-questions.js';
import { DEVELOPMENT_QUESTIONS } from '../../../../bench/assistant/development-questions.js';
import {
  findBrokenSuggestions,
  formatFailures,
  isPassed,
  computeScore,
} from '../../../../bench/assistant/evaluation-report.js';
import { NOW_MS, createScenario } from '../../../../bench/assistant/scenario/scenario.js';
import { ScenarioReadModels } from '../../../../bench/assistant/scenario/scenario-read-models.js';
import { EvaluationRunner, type Trial } from '../../../../bench/assistant/evaluation-runner.js';
import { createAnalyst } from '../../../../src/assistant/analyst/analyst.js';

describe('the evaluation of the built-in analyst', function () {
  this.timeout(240_000);
  const oracle = new ScenarioOracle(createScenario(NOW_MS));
  const trials: Trial[] = [];
  let world: ScenarioReadModels;
  let evaluation: EvaluationRunner;
  before(async () => {
    world = await ScenarioReadModels.create(oracle.scenario);
    evaluation = new EvaluationRunner(createAnalyst, world.queries, oracle);
    for (const question of [...DEVELOPMENT_QUESTIONS, ...HELD_OUT_QUESTIONS])
      trials.push(await evaluation.ask(question));
  });
  after(() => world.close());

  it('is passed: at least 90 % right', () => {
    assert.ok(isPassed(trials), formatFailures(trials));
  });

  it('has no number that nothing explains', () => {
    assert.equal(computeScore(trials).outcomes['wrong number'], 0, formatFailures(trials));
  });

  it('neither invents a number nor takes too much where one source is allowed', async () => {
    const short = new EvaluationRunner(
      (queries) => createAnalyst(queries, { maxSources: 1 }),
      world.queries,
      oracle,
      1,
    );
    for (const question of DEVELOPMENT_QUESTIONS) {
      const { answer, verdict } = await short.ask(question);
      assert.ok(answer.sources.length <= 1, question.ask);
      assert.deepEqual(verdict.unexplained, [], `${question.ask}\n${answer.response}`);
    }
  });

  it('has an answer to everything that is suggested', () => {
    assert.ok(evaluation.suggestions.length > 0);
    assert.deepEqual(findBrokenSuggestions(evaluation.suggestions), []);
  });
});
