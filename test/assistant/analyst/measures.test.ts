import assert from 'node:assert/strict';
import { wantedWords } from '../../../src/assistant/analyst/measures.js';

describe('what entries of a log should contain', () => {
  const TEXTS: Readonly<Record<string, string | undefined>> = {
    'logs containing timeout': 'timeout',
    'show logs about the signing key': 'signing key',
    'search for a deadlock in the logs': 'deadlock',
    'what about the last 5 minutes': undefined,
    'how about payment': undefined,
    'logs about the': undefined,
  };
  for (const [text, words] of Object.entries(TEXTS)) {
    it(`of “${text}”`, () => assert.equal(wantedWords(text)?.words, words));
  }
});
