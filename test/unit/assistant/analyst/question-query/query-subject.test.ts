import assert from 'node:assert/strict';
import { describeQuerySubject } from '../../../../../src/assistant/analyst/question-query/query-subject.js';
import type { QuestionCondition } from '../../../../../src/assistant/analyst/question-query/question-query.js';

function subjectOf(condition: QuestionCondition): ReturnType<typeof describeQuerySubject> {
  return describeQuerySubject({ subject: 'requests', conditions: [condition], measures: [], groupBy: [], having: [] });
}

describe('the subject of a query', () => {
  it('has the outcome, if intents know it', () => {
    assert.deepEqual(subjectOf({ kind: 'in', field: 'status', values: ['ERROR'] }), { services: [], status: 'ERROR' });
  });

  it('names any other status', () => {
    assert.deepEqual(subjectOf({ kind: 'in', field: 'status', values: ['UNSET'] }), {
      services: [],
      queried: ['status UNSET'],
    });
  });
});
