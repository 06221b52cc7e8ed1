import assert from 'node:assert/strict';
import { ScenarioOracle } from '../../../../bench/assistant/scenario-oracle.js';
import { INTENTS } from '../../../../bench/assistant/evaluation-question.js';
import { ON_CALL_NIGHT_QUESTIONS } from '../../../../bench/assistant/on-call-night-questions.js';
import { HELD_OUT_QUESTIONS } from '../../../../bench/assistant/held-out-questions.js';
import { ON_CALL_3AM_QUESTIONS } from '../../../../bench/assistant/on-call-3am-questions.js';
import { ON_CALL_MORNING_QUESTIONS } from '../../../../bench/assistant/on-call-morning-questions.js';
import { DEVELOPMENT_QUESTIONS } from '../../../../bench/assistant/development-questions.js';
import { NOW_MS, createScenario } from '../../../../bench/assistant/scenario/scenario.js';

describe('the questions to the assistant', function () {
  this.timeout(60_000);
  const heldOut = [
    ...HELD_OUT_QUESTIONS,
    ...ON_CALL_NIGHT_QUESTIONS,
    ...ON_CALL_MORNING_QUESTIONS,
    ...ON_CALL_3AM_QUESTIONS,
  ];
  const all = [...DEVELOPMENT_QUESTIONS, ...heldOut];

  it('are at least 120, a third of them held out, none twice', () => {
    assert.ok(all.length >= 120, `${all.length} questions`);
    assert.ok(heldOut.length * 3 >= all.length - 2, `${heldOut.length} of ${all.length}`);
    assert.equal(new Set(all.map(({ after, ask }) => [...after, ask].join('\n').toLowerCase())).size, all.length);
  });

  it('are of every intent, in both of the large parts', () => {
    for (const part of [DEVELOPMENT_QUESTIONS, HELD_OUT_QUESTIONS])
      assert.deepEqual(new Set(part.map(({ intent }) => intent)), new Set(INTENTS));
  });

  it('have facts that no empty answer has, and numbers that are there', () => {
    const oracle = new ScenarioOracle(createScenario(NOW_MS));
    for (const { ask, facts } of all) {
      const found = facts(oracle);
      assert.ok(
        found.some((fact) => !fact.isMet('', NOW_MS)),
        ask,
      );
      for (const value of found.flatMap(({ numbers }) => numbers)) assert.ok(Number.isFinite(value), ask);
    }
  });

  it('ask for traces that there are', () => {
    const { spans } = createScenario(NOW_MS);
    const ids = new Set(spans.map(({ traceId }) => traceId));
    for (const [id] of all.map(({ ask }) => ask.match(/7e57[0-9a-f]{28}/)).filter((match) => match !== null))
      assert.ok(ids.has(id), id);
  });
});
