import assert from 'node:assert/strict';
import { EMPTY_DIALOGUE_CONTEXT } from '../../../../../src/assistant/analyst/understanding/dialogue-context.js';
import { INTENTS } from '../../../../../src/assistant/analyst/intents/intent-registry.js';
import { understandQuestion } from '../../../../../src/assistant/analyst/understanding/question-understanding.js';
import { NOW } from '../../shop.js';

const vocabulary = {
  services: ['checkout-service', 'payment'],
  dependencies: [],
  measured: [],
  operations: ['GET /at/10:75'],
  attributes: { traces: [], logs: [] },
};
const kindOf = (text: string): string =>
  understandQuestion(INTENTS, { text, focus: EMPTY_DIALOGUE_CONTEXT, vocabulary, nowMs: NOW }).kind;

describe('times that there are not', () => {
  const UNREADABLE: Readonly<Record<string, string>> = {
    'how was checkout at 25:99': '25:99',
    'errors of payment between 13:00 and 27:10': '27:10',
    'what happened on February 31': 'February 31',
    'what changed on 31 june?': '31 june',
    'how was it in 1987': 'in 1987',
    'errors on 2026-13-45': '2026-13-45',
    'errors on 32.11.2026': '32.11.2026',
    'errors in the last 0 minutes': 'last 0 minutes',
  };
  for (const [text, phrase] of Object.entries(UNREADABLE)) {
    it(`are told of: “${text}”`, () =>
      assert.deepEqual(understandQuestion(INTENTS, { text, focus: EMPTY_DIALOGUE_CONTEXT, vocabulary, nowMs: NOW }), {
        kind: 'unreadableTime',
        phrase,
      }));
  }

  for (const text of [
    'how was checkout at 13:59',
    'what happened on November 19',
    'errors on 2026-11-19',
    'errors between 13:00 and 14:00 yesterday',
    'what happened at 2:05 pm',
    'traces of payment slower than 2000 ms',
    'which requests took 1500 ms',
    'errors in the last 10 minutes',
    'what happened on 19 november at 13:10',
    'errors on 19.11.2026',
    'which version of payment is 2.4.0',
    'p95 of GET /at/10:75',
    'logs containing "25:99"',
    'is payment broken since the deployment at 14:05',
    'top 10 errors',
    'may I see the errors',
  ])
    it(`are none in “${text}”`, () => assert.notEqual(kindOf(text), 'unreadableTime'));
});
