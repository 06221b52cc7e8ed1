import assert from 'node:assert/strict';
import {
  extractLiterals,
  extractSearchWords,
} from '../../../../../src/assistant/analyst/understanding/literal-extractor.js';

describe('what entries of a log should contain', () => {
  const TEXTS: Readonly<Record<string, string | undefined>> = {
    'logs containing timeout': 'timeout',
    'show logs about the signing key': 'signing key',
    'search for a deadlock in the logs': 'deadlock',
    'what about the last 5 minutes': undefined,
    'how about payment': undefined,
    'logs about the': undefined,
    'logs containing refused in the logs, please': 'refused',
    'logs mentioning a reset by the peer.': 'reset by the peer',
  };
  for (const [text, words] of Object.entries(TEXTS)) {
    it(`of “${text}”`, () => assert.equal(extractSearchWords(text)?.words, words));
  }
});

describe('how long traces should take', () => {
  const TEXTS: Readonly<Record<string, number | undefined>> = {
    'traces slower than 2 seconds': 2000,
    'traces slower than 1 minute': 60_000,
    'is payment slower than 5 minutes ago': undefined,
    'is payment slower than 30 seconds before': undefined,
    'traces slower than 99999999999999999999 s': Number.MAX_SAFE_INTEGER,
  };
  for (const [text, ms] of Object.entries(TEXTS)) {
    it(`of “${text}”`, () => assert.equal(extractLiterals(text).slots.minDurationMs, ms));
  }
});
