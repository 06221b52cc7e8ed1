import assert from 'node:assert/strict';
import { extractCountedWords } from '../../../../../src/assistant/analyst/understanding/filter-extractors.js';

describe('what is counted by the logs', () => {
  const WORDS: Readonly<Record<string, string | undefined>> = {
    'how many orders could not be placed according to the logs': 'order* could not placed',
    'how many orders could not be placed in          acc to the logs': 'order* could not placed',
    'how many mails were mailed again since           acc. to the logs?': 'mail* mailed again',
    'how often was the mail server slow in the logs of': 'mail server slow',
    'number of orders placed by the logs': 'order* placed',
    'how many errors are in the logs of': undefined,
    'how many log lines are there in the logs': undefined,
    'how many warnings in the logs': undefined,
    'how many orders failed': undefined,
    'logs of payment': undefined,
  };
  for (const [text, words] of Object.entries(WORDS))
    it(`is ${words ?? 'nothing'} in “${text}”`, () => assert.equal(extractCountedWords(text), words));
});
